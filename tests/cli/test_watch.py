"""`mexica watch`: a match in the terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from server.real import Regular, serving

from mexica_cli.cli import watch as command
from mexica_cli.cli.main import run
from mexica_cli.games import load_game
from mexica_cli.server.visit import VisitError
from mexica_cli.view.console import console_for
from mexica_cli.wire.lobby import Scene
from mexica_cli.wire.messages import Event, Fault, Message, Result, Said

DUEL = '[[tables]]\nname = "duel"\nmove_time = "60s"\n'
TWO = DUEL + '[[tables]]\nname = "other"\n'


async def watch(tmp_path: Path, *words: str) -> int:
    """Watch a whole match; the exit code."""
    with serving(tmp_path, DUEL) as server:
        async with trio.open_nursery() as nursery:
            codes: list[int] = []

            async def look() -> None:
                command = ["watch", f"127.0.0.1:{server.port}", "duel", "--match", "1-1", *words]
                codes.append(await trio.to_thread.run_sync(run, command))
                nursery.cancel_scope.cancel()

            nursery.start_soon(look)
            await trio.sleep(1.0)
            for name in ("ann", "bob"):
                nursery.start_soon(Regular(name, server.port, think=0.05).run)
    return codes[0]


async def test_a_match_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await watch(tmp_path) == 0
    out = capsys.readouterr().out
    assert "table duel, match 1-1: mexica, A " in out
    assert "period 1, round 1" in out
    assert "finished" in out
    assert out.count(" end\n") > 3
    assert "\x1b" not in out


async def test_a_match_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await watch(tmp_path, "--format", "jsonl") == 0
    kinds = [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()]
    assert kinds[0] == "scene"
    assert kinds[-1] == "result"
    assert set(kinds[1:-1]) == {"event"}


async def test_one_of_several_tables_has_to_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, TWO) as server:
        command = ["watch", f"127.0.0.1:{server.port}"]
        assert await trio.to_thread.run_sync(run, command) == 1
        assert "name a table to watch: there is duel, other" in capsys.readouterr().err
        assert await trio.to_thread.run_sync(run, [*command, "none"]) == 1
        assert "there is no table 'none'" in capsys.readouterr().err


# ---- what is printed -------------------------------------------------------------------------------------------------


def printed(name: str, *messages: Message) -> list[str]:
    """What is printed of a match of two, without positions, from the line after its heading."""
    game = load_game(name)
    state = game.start(2, game.deal(2, seed=1))
    scene = Scene(
        table="t",
        match="1-1",
        game=name,
        rules=game.rules,
        options=game.options(),
        seats=["ann", "bob"],
        n=0,
        state=msgspec.to_builtins(state.observation(None)),
    )
    stream = io.StringIO()
    printer = command._Printer(console_for(stream), "never")
    for message in (scene, *messages):
        printer.tell(message)
    heading, *lines = stream.getvalue().splitlines()
    assert heading == f"table t, match 1-1: {name}, A ann, B bob; 0 actions so far"
    return lines


def event(n: int, seat: int, action: str | None, *followed: dict[str, Any], auto: bool = False) -> Event:
    return Event(match="1-1", n=n, seat=seat, action=action, followed=list(followed), auto=auto)


def test_what_followed_is_told_in_the_words_of_the_game() -> None:
    points = {"what": "points", "seat": 1, "points": 2, "for": "founding", "size": 3, "cell": "b2"}
    assert printed("mexica", event(1, 0, "place g7", points, {"what": "over"})) == [
        "    1   A   place g7",
        "            B scores 2 for founding the district of 3",
        "            The game is over",
    ]
    invoked = {"what": "extra", "cards": 2}
    assert printed("moctezuma", event(7, 1, "exchange ?", invoked, {"what": "new", "x": [1]}, auto=True)) == [
        "    7   B   exchange ? (passed by the arena)",
        "            The next siege line is longer by 2",
        "            new: x [1]",
    ]


def test_forfeits_and_talk() -> None:
    forfeit = {"what": "forfeit", "seat": 1, "kind": "timeout", "reason": "no answer\x1b[2J"}
    said = Said(match="1-1", seat=0, text="I hold \x1bno priest")
    lines = printed("moctezuma", event(3, 1, None, forfeit), said)
    assert lines == ["        B   forfeits, timeout: no answer�[2J", "        A   says: I hold �no priest"]


def test_the_end_says_who_came_first() -> None:
    crash = Fault(kind="crash", reason="it ended")
    result = Result(match="1-1", outcome="forfeit", ranking=[2, 1], scores=[7, 1], reasons=[crash, None])
    assert printed("mexica", event(1, 0, "place g7"), result)[1:] == [
        "forfeit after 1 action",
        "   1.  B  bob 1 point",
        "   2.  A  ann 7 points, crash: it ended",
        "",
    ]
    void = Result(match="1-1", outcome="void", ranking=[], scores=[], reasons=[crash, None])
    assert printed("mexica", void)[:2] == ["void after 0 actions", "       A  ann, crash: it ended"]


@pytest.mark.parametrize(
    "message",
    [
        event(1, 0, "place g7", {"what": "points", "seat": 7}),
        event(1, 0, "place g7", {"points": 1}),
        event(3, 1, None, {"what": "forfeit"}),
        event(1, 0, "place nowhere"),
        Result(match="1-1", outcome="finished", ranking=[], scores=[], reasons=[None, None]),
    ],
)
def test_what_makes_no_sense_is_an_error_in_words(message: Message) -> None:
    with pytest.raises(VisitError, match=r"^the server('s `(event|result)` doesn't fit| shows an action that)"):
        printed("mexica", message)
