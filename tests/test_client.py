"""The client library: what a bot is told, what it answers, and how a bot's process ends."""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mexica_cli import games
from mexica_cli.arena.limits import Limits
from mexica_cli.client import (
    ArenaError,
    Bot,
    Event,
    ImaginingBot,
    MirrorBot,
    Reject,
    Result,
    Session,
    Start,
    Turn,
    serve,
)
from mexica_cli.games.game import Game, State
from mexica_cli.wire.framing import encode
from mexica_cli.wire.messages import Bye, Clock, Error, GameInfo, Hello, Message, Ping, Welcome

ROOT = Path(__file__).parents[1]

LIMITS = Limits().on_the_wire()
HELLO = Hello(protocol=[1], server="test", games=[GameInfo(name="any", rules=["plain"], players=(2, 4))], limits=LIMITS)
START = Start(
    match="m1",
    game="any",
    rules="plain",
    options={},
    seat=1,
    seats=["a", "b"],
    seed=17,
    state={"position": "p0"},
    clock=Clock(move_ms=100),
)


def turn(number: int, *legal: str) -> Turn:
    return Turn(match="m1", id=number, seat=1, clock=Clock(left_ms=100), legal=list(legal))


def told(session: Session, *messages: Message) -> list[dict[str, Any]]:
    """Tell a session messages and return all that it answers, read as JSON."""
    answers = [answer for message in messages for answer in session.receive(encode(message)[:-1])]
    assert all(answer.endswith(b"\n") and answer.count(b"\n") == 1 for answer in answers)
    return [json.loads(answer) for answer in answers]


class Diary(Bot):
    """Writes down what it is told and plays what it is given to play."""

    name = "diary"
    want = ("legal", "events")

    @classmethod
    def arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--depth", type=int, default=1)

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.told: list[object] = []
        self.plays: Iterator[str | Sequence[str]] = iter([])

    def start(self, match: Start) -> None:
        self.told.append(match)

    def play(self, turn: Turn) -> str | Sequence[str]:
        self.told.append(turn)
        return next(self.plays)

    def event(self, event: Event) -> None:
        self.told.append(event)

    def rejected(self, reject: Reject) -> None:
        self.told.append(reject)

    def result(self, result: Result) -> None:
        self.told.append(result)


class Chance(Bot):
    """Plays a random number."""

    def play(self, turn: Turn) -> str:
        return str(self.random.random())


# ---- the protocol ----------------------------------------------------------------------------------------------------


def test_join_says_what_the_bot_is_and_wants() -> None:
    class Author(Diary):
        version = "2"
        author = "someone"
        games = ("any",)

    join = {"type": "join", "protocol": 1, "name": "diary", "want": ["legal", "events"]}
    assert told(Session(Diary.make([])), HELLO) == [join]
    assert told(Session(Author.make([])), HELLO) == [join | {"version": "2", "author": "someone", "games": ["any"]}]


def test_a_whole_match_reaches_the_bot_in_order() -> None:
    bot = Diary.make([])
    bot.plays = iter(["up", ["left", "right"]])
    event = Event(match="m1", n=1, seat=0, action="down")
    result = Result(match="m1", outcome="finished", ranking=[1, 2], scores=[3, 1], reasons=[None, None])
    happened = [START, turn(1), event, turn(2), result]
    answers = told(Session(bot), HELLO, Welcome(bot="b", session="s"), *happened)
    assert answers[1:] == [
        {"type": "ready", "match": "m1"},
        {"type": "play", "id": 1, "actions": ["up"]},
        {"type": "play", "id": 2, "actions": ["left", "right"]},
    ]
    assert bot.told == happened
    assert bot.seat == 1


def test_after_a_reject_the_same_turn_is_played_again() -> None:
    bot = Diary.make([])
    bot.plays = iter([["up", "nowhere"], "down"])
    reject = Reject(match="m1", id=4, index=1, action="nowhere", code="unreadable", reason="no", strikes_left=2)
    answers = told(Session(bot, lambda: 5.0), turn(4), reject)
    assert [answer["actions"] for answer in answers] == [["up", "nowhere"], ["down"]]
    assert [answer["id"] for answer in answers] == [4, 4]
    assert bot.told == [turn(4), reject, turn(4)]


def test_after_a_reject_the_time_that_has_gone_is_gone() -> None:
    now = iter([100.0, 100.25, 100.4999])
    bot = Diary.make([])
    bot.plays = iter(["x", "x", "y"])
    clock = Clock(left_ms=400, move_ms=400, bank_ms=9000, increment_ms=50)
    asked = msgspec.structs.replace(turn(4), clock=clock)
    reject = Reject(match="m1", id=4, index=0, action="x", code="unreadable", reason="no", strikes_left=2)
    told(Session(bot, lambda: next(now)), asked, reject, reject)
    later = [Clock(left_ms=left, move_ms=400, bank_ms=bank, increment_ms=50) for left, bank in ((150, 8750), (0, 8500))]
    assert [again.clock for again in bot.told if isinstance(again, Turn)] == [clock, *later]


@pytest.mark.parametrize(
    ("number", "code", "left"),
    [
        pytest.param(3, "illegal", 2, id="another turn's"),
        pytest.param(4, "turn_over", 2, id="the turn is over"),
        pytest.param(4, "illegal", 0, id="the seat has forfeited"),
    ],
)
def test_a_reject_that_wants_no_answer_is_told_and_not_answered(number: int, code: str, left: int) -> None:
    bot = Diary.make([])
    bot.plays = iter(["up"])
    reject = Reject(match="m1", id=number, index=0, action="x", code=code, reason="no", strikes_left=left)
    assert len(told(Session(bot), turn(4), reject)) == 1
    assert bot.told[-1] == reject


def test_a_note_goes_with_one_answer_only() -> None:
    class Talker(Bot):
        def play(self, turn: Turn) -> str:
            if turn.id == 1:
                self.note = "looks good"
            return "up"

    first, second = told(Session(Talker.make([])), turn(1), turn(2))
    assert first["note"] == "looks good"
    assert "note" not in second


def test_ping_is_answered_and_what_is_unknown_is_passed_over() -> None:
    session = Session(Diary.make([]))
    assert told(session, Ping(id=8)) == [{"type": "pong", "id": 8}]
    assert session.receive(b'{"type":"sing","song":"la"}') == []
    assert session.receive(b'{"type":"ping","id":9,"colour":"red"}') == [b'{"type":"pong","id":9}\n']


def test_bye_ends_a_session() -> None:
    session = Session(Diary.make([]))
    assert told(session, Bye(reason="done")) == []
    assert session.over


def test_what_the_arena_does_wrong_is_an_error_that_says_what() -> None:
    session = Session(Diary.make([]))
    with pytest.raises(ArenaError, match=r"protocol \[2, 3\], this client 1"):
        told(session, Hello(protocol=[2, 3], server="future", games=[], limits=LIMITS))
    with pytest.raises(ArenaError, match="`turn`: the field `id` is missing"):
        session.receive(b'{"type":"turn","match":"m1","seat":0,"clock":{}}')
    with pytest.raises(ArenaError, match="bad_token: no such token"):
        told(session, Error(code="bad_token", reason="no such token", fatal=True))


def test_an_error_that_is_not_fatal_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(Session(Diary.make([])), Error(code="stale", reason="too late")) == []
    assert capsys.readouterr() == ("", "arena: stale: too late\n")


def test_chance_follows_from_the_match_the_seat_and_the_command_line_only() -> None:
    def played(seed: int, argv: list[str], before: int = 0) -> str:
        session = Session(Chance.make(argv))
        told(session, START, *[turn(n) for n in range(before)])
        _, play = told(session, msgspec.structs.replace(START, seed=seed), turn(9))
        return str(play["actions"])

    assert played(1, []) == played(1, ["--seed", "0"]) == played(1, [], before=5)
    assert len({played(1, []), played(2, []), played(1, ["--seed", "1"])}) == 3


def test_a_bot_has_options_of_its_own() -> None:
    assert Diary.make(["--depth", "4", "--seed", "3"]).options == argparse.Namespace(depth=4, seed=3)


def test_a_wrong_command_line_is_refused_as_argparse_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        Diary.make(["--deep", "4"])
    assert "--deep" in capsys.readouterr().err


# ---- the mirrored state ----------------------------------------------------------------------------------------------


def test_a_mirror_keeps_the_state_of_the_arena() -> None:
    game = games.load_game("mexica")
    state = game.start(2, game.deal(2, seed=5))
    bot = Follower.make([])
    session = Session(bot)
    start = mexica_start(game.options(), state.position())
    told(session, start)
    for n in range(1, 40):
        seat, legal = state.to_act, sorted(map(state.text, state.legal_actions()))
        assert seat is not None
        action = legal[n * 7919 % len(legal)]
        told(session, Event(match="m1", n=n, seat=seat, action=action, followed=state.apply(state.parse(action))))
        assert bot.seen.pop() == state.digest()
    told(session, Event(match="m1", n=39, seat=0, followed=[{"what": "forfeit"}]))
    assert bot.state.digest() == state.digest()
    first = bot.game
    told(session, start)
    assert bot.state.position() == start.state["position"]
    assert bot.game is first


class Follower(MirrorBot):
    """Notes the state at every event."""

    name = "follower"

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.seen: list[str] = []

    def event(self, event: Event) -> None:
        self.seen.append(self.state.digest())

    def play(self, turn: Turn) -> str:
        return self.state.text(self.state.neutral_action())


def mexica_start(options: dict[str, Any], position: str) -> Start:
    return Start(
        match="m1",
        game="mexica",
        rules="official",
        options=options,
        seat=0,
        seats=["a", "b"],
        seed=1,
        state={"position": position},
        clock=Clock(),
    )


# ---- the imagined state ----------------------------------------------------------------------------------------------


class Dreamer(ImaginingBot):
    """Notes the state at every turn, and plays at random in it."""

    name = "dreamer"

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.seen: list[State] = []

    def start(self, match: Start) -> None:
        self.seen = [self.state]

    def play(self, turn: Turn) -> str:
        self.seen.append(self.state)
        return self.state.text(self.random.choice(sorted(self.state.legal_actions())))


@pytest.mark.parametrize("name", ["mexica", "moctezuma"])
def test_an_imagining_bot_has_a_state_that_looks_like_the_arenas(name: str) -> None:
    game = games.load_game(name)
    state = game.start(2, game.deal(2, seed=5))
    bots = [Dreamer.make([]), Dreamer.make([])]
    sessions = [Session(bot) for bot in bots]
    for seat, session in enumerate(sessions):
        told(session, start_of(game, state, seat))
        assert looks(bots[seat].seen[0], seat) == looks(state, seat)
    for n in range(60):
        if (asked := state.to_act) is None:
            break
        (play,) = told(sessions[asked], Turn(match="m1", id=n, seat=asked, clock=Clock(), state=looks(state, asked)))
        assert looks(bots[asked].seen[-1], asked) == looks(state, asked)
        state.apply(state.parse(play["actions"][0]))


def test_what_is_imagined_follows_from_the_seeds_alone() -> None:
    game = games.load_game("moctezuma")
    state = game.start(2, game.deal(2, seed=5))

    def digests(seed: int, *argv: str) -> list[str]:
        bot = Dreamer.make(argv)
        session = Session(bot)
        told(session, msgspec.structs.replace(start_of(game, state, 0), seed=seed))
        told(session, Turn(match="m1", id=1, seat=0, clock=Clock(), state=looks(state, 0)))
        return [seen.digest() for seen in bot.seen]

    first = digests(1)
    assert digests(1) == first
    assert first[0] != first[1]
    assert digests(2)[0] != first[0] != digests(1, "--seed", "3")[0]


def looks(state: State, seat: int) -> dict[str, Any]:
    """What a seat sees, as JSON."""
    view: dict[str, Any] = json.loads(msgspec.json.encode(state.observation(seat)))
    return view


def start_of(game: Game, state: State, seat: int) -> Start:
    return Start(
        match="m1",
        game=game.name,
        rules=game.rules,
        options=game.options(),
        seat=seat,
        seats=["a", "b"],
        seed=1,
        state=looks(state, seat),
        clock=Clock(),
    )


# ---- input and output ------------------------------------------------------------------------------------------------


def test_lines_are_served_however_they_arrive() -> None:
    bot = Diary.make([])
    bot.plays = iter(["up", "down"])
    stream = b"".join(map(encode, [HELLO, START, turn(1), turn(2), Bye(reason="done"), Ping(id=1)]))
    pieces = iter([stream[:7], stream[7:300], stream[300:]])
    sent: list[bytes] = []
    serve(Session(bot), lambda size: next(pieces), sent.append)
    assert [json.loads(line)["type"] for line in sent] == ["join", "ready", "play", "play"]


BOT = """
import os, sys
from mexica_cli.client import Bot, run

class Noisy(Bot):
    name = "noisy"
    want = ()

    def play(self, turn):
        print("thinking")
        os.write(1, b"hard\\n")
        if turn.id == 13:
            raise ValueError("unlucky")
        return "up"

run(Noisy)
"""


@pytest.fixture(scope="module")
def bot_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bot") / "bot.py"
    path.write_text(BOT, encoding="utf-8")
    return path


def run_bot(path: Path, *messages: Message, argv: Sequence[str] = ()) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, path, *argv],
        input=b"".join(map(encode, messages)),
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )


def test_a_process_speaks_the_protocol_alone_on_standard_output(bot_file: Path) -> None:
    done = run_bot(bot_file, HELLO, START, turn(1), Bye(reason="done"))
    assert done.returncode == 0
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["join", "ready", "play"]
    assert sorted(done.stderr.split()) == [b"hard", b"thinking"]


def test_a_process_ends_well_at_the_end_of_input(bot_file: Path) -> None:
    assert run_bot(bot_file, HELLO).returncode == 0


def test_a_bot_that_raises_ends_with_its_traceback(bot_file: Path) -> None:
    done = run_bot(bot_file, HELLO, turn(13), turn(14))
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    assert b"ValueError: unlucky" in done.stderr


def test_a_bot_that_is_refused_says_so_without_a_traceback(bot_file: Path) -> None:
    done = run_bot(bot_file, Error(code="full", reason="try later", fatal=True))
    assert done.returncode == 1
    assert done.stderr == b"noisy: the arena ended the connection: full: try later\n"


@pytest.mark.parametrize("address", ["nowhere:port", ":7325", "127.0.0.1:99999", "[::1]:0"])
def test_a_bad_address_is_a_wrong_command_line(bot_file: Path, address: str) -> None:
    done = run_bot(bot_file, argv=["--connect", address])
    assert done.returncode == 2
    assert b"is no HOST:PORT, as in 127.0.0.1:7325" in done.stderr


def test_a_bot_plays_over_tcp(bot_file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        address = "{}:{}".format(*server.getsockname())
        process = subprocess.Popen(
            [sys.executable, bot_file, "--connect", address],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        connection, _ = server.accept()
        with process, connection, connection.makefile("rwb", buffering=0) as lines:
            lines.write(encode(HELLO) + encode(turn(1)))
            assert [json.loads(lines.readline())["type"] for _ in range(2)] == ["join", "play"]
            lines.write(encode(Bye(reason="done")))
            assert lines.readline() == b""
            assert process.wait(timeout=60) == 0


def test_an_arena_that_is_not_there_is_named(bot_file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    done = run_bot(bot_file, argv=["--connect", f"127.0.0.1:{port}"])
    assert done.returncode == 1
    assert done.stderr.startswith(f"noisy: can't connect to 127.0.0.1 port {port}: Connection refused".encode())
