"""Every bot of the zoo plays a real match as a real process, and comes to the end that `FATES` says."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
import trio
from arena.zookeeper import LONG, SHORT, ZOO, Played, limits, play, survivor, zoo_bot
from toygame import NimGame

from mexica_cli.arena.faults import SEAT_FAULTS, FaultKind
from mexica_cli.arena.host import VOIDS_IN_A_ROW
from mexica_cli.arena.spec import BotSpec, Command
from mexica_cli.games import GAMES
from mexica_cli.games.game import Game, JsonDict
from mexica_cli.record.lines import ActionLine, FaultLine, GameLine, Line, RejectLine, ResultLine
from mexica_cli.wire.messages import Event, Message, Result


class Fate(NamedTuple):
    """What becomes of a bot."""

    kind: FaultKind | None
    """None: its match is finished and it is nobody's fault."""
    reason: str = ""
    """Regular expression for the reason."""
    stderr: str = ""
    """Regular expression for the recorded end of its standard error."""
    argv: tuple[str, ...] = ()
    move: float = LONG
    """Seconds for a turn."""
    limits: dict[str, Any] = {}  # noqa: RUF012
    """Limits that aren't `zookeeper.limits`."""
    rejects: int = 0
    """Illegal actions on record."""
    stale: bool = False
    """Whether it gave answers that were stale."""
    seconds: float = 2 * SHORT
    """What limits allow it to take in all, beyond what the machine takes to run it: `bye` to SIGTERM to SIGKILL."""


def _void(reason: str, stderr: str = "", **bounds: Any) -> Fate:
    seconds = VOIDS_IN_A_ROW * (bounds.get("startup", 0.0) + 2 * SHORT)
    return Fate(FaultKind.STARTUP, reason, stderr, limits=bounds, seconds=seconds)


def _slow(reason: str, move: float = SHORT, **more: Any) -> Fate:
    return Fate(FaultKind.TIMEOUT, reason, move=move, seconds=2 * move + 2 * SHORT, **more)


_NOT_READY = Fate(FaultKind.TIMEOUT, r"no `ready` within 0\.2 s$", limits={"ready": SHORT}, seconds=SHORT + 2 * SHORT)
_SMALL = {"memory": 64 << 20}

FATES = {
    # never start
    "exits_at_once": _void(r"no `join`: the process exited with code 0$"),
    "fails_at_once": _void(
        r"no `join`: the process exited with code 1$", r"RuntimeError: no weights in this folder\n$"
    ),
    "killed_at_once": _void(r"no `join`: the process was killed by SIGKILL$"),
    "greets_with_error": _void(r"not JSON: .*\. The line begins: Error: can't find weights\.bin, tried 3 folders$"),
    "silent_at_handshake": _void(r"no `join` within 0\.2 s$", startup=SHORT),
    "wrong_version": _void(r"protocol 99 is not spoken here, 1 is$"),
    "binary_garbage": _void(r"a line is UTF-8, and this one isn't at byte 0\. The line begins: �"),
    "broken_join": _void(r'not JSON: .*\. The line begins: \{"type": "join", "protocol": 1, "name":$'),
    "nameless_join": _void(r"`join`: the field `name` is missing"),
    "ready_before_join": _void(r'must be a `join`\. The line begins: \{"type": "ready"'),
    "plays_something_else": _void(r"it says that it plays chess, go$"),
    "endless_join": _void(r"a line may have 65536 bytes with its line feed, this one has more; it begins: \{\"type\""),
    # illegal
    "illegal_thrice": Fate(
        FaultKind.ILLEGAL, r"^3 illegal actions .* 'take 9': at most 1 stones a turn", argv=("take 9",), rejects=3
    ),
    "legal_then_illegal": Fate(FaultKind.ILLEGAL, r"^3 illegal actions in this match; the last was ", rejects=3),
    # timeout
    "never_ready": _NOT_READY,
    "ready_for_another": _NOT_READY,
    "hangs": _slow(r"^no answer within the 0\.2 s of a turn$"),
    "hangs_for_good": _slow(r"^no answer within the 0\.2 s of a turn$"),
    "burns_cpu": _slow(r"^no answer within the 0\.2 s of a turn$"),
    "answers_late": _slow(r"^no answer within the 0\.2 s of a turn$", limits={"quit": 2.0}),
    "answers_last_id": _slow(r"^no answer within the 0\.7 s of a turn$", move=0.7, stale=True),
    "lone_cr": _slow(r"; \d+ bytes came without a line feed after them$", move=0.7),
    "forgets_line_feed": _slow(r"; \d+ bytes came without a line feed after them$", move=0.7),
    "floods_blank_lines": _slow(r"^no answer within the 0\.2 s of a turn"),
    "closes_stdin": _slow(r"; it no longer reads its input$", move=0.7),
    "never_reads": _slow(r"^no answer within the 0\.2 s of a turn$"),
    # crash
    "crashes": Fate(
        FaultKind.CRASH,
        r"^the process exited with code 1 in mid-match$",
        r"Traceback .*\nValueError: can't think of anything for turn 2\n$",
    ),
    "crashes_at_start": Fate(FaultKind.CRASH, r"exited with code 1 in mid-match$", r"\nKeyError: 'rules'\n$"),
    "crashes_loudly": Fate(
        FaultKind.CRASH, r"exited with code 1 in mid-match$", r"thinking very hard \nit is all over\n$"
    ),
    "crashes_once": Fate(
        FaultKind.CRASH, r"exited with code 1 in mid-match$", r"\nRuntimeError: it was to be expected\n$"
    ),
    "exits_in_its_turn": Fate(FaultKind.CRASH, r"exited with code 0 in mid-match$"),
    "answers_and_exits": Fate(FaultKind.CRASH, r"exited with code 0 in mid-match$"),
    "segfaults": Fate(FaultKind.CRASH, r"^the process was killed by SIGSEGV in mid-match$"),
    "dies_before_its_child": Fate(FaultKind.CRASH, r"exited with code 7 in mid-match$"),
    # disconnect
    "quits": Fate(FaultKind.DISCONNECT, r"^it quit in mid-match$"),
    "quits_at_start": Fate(FaultKind.DISCONNECT, r"^it quit in mid-match$"),
    "closes_stdout": Fate(FaultKind.DISCONNECT, r"^it closed its standard output$"),
    # protocol
    "prints_board": Fate(FaultKind.PROTOCOL, r"not JSON: .*\. The line begins:    a b c$"),
    "bad_utf8": Fate(FaultKind.PROTOCOL, r"a line is UTF-8, and this one isn't at byte \d+\. .*temple � c�t�"),
    "answers_with_list": Fate(FaultKind.PROTOCOL, r'is a JSON object .*\. The line begins: \["play", 1, "end"\]$'),
    "textual_id": Fate(FaultKind.PROTOCOL, r"^`play`: the field `id` is wrong: expected `int`, got `str`\."),
    "plays_nothing": Fate(FaultKind.PROTOCOL, r"^`play`: the field `actions` is wrong: expected .* >= 1"),
    "nests_deeply": Fate(FaultKind.PROTOCOL, r"^`play`: the field `actions|nested too deeply"),
    "half_a_character": Fate(FaultKind.PROTOCOL, r'not JSON: .*\. The line begins: .*\["\\ud83d"\]'),
    "floods_messages": Fate(FaultKind.PROTOCOL, r"^more than 100 messages for one request$"),
    "floods_stale": Fate(FaultKind.PROTOCOL, r"^more than 100 messages for one request$", stale=True),
    # oversize
    "long_line": Fate(FaultKind.OVERSIZE, r'^a line may have 65536 bytes .* it begins: \{"type": "play", "id": 1,'),
    "endless_line": Fate(FaultKind.OVERSIZE, r"^a line may have 65536 bytes .* it begins: thinking\.\.\.thinking"),
    # memory
    "eats_memory": Fate(FaultKind.MEMORY, r"^more than the 64 MiB of memory that a bot may take$", limits=_SMALL),
    "child_eats_memory": Fate(FaultKind.MEMORY, r"^more than the 64 MiB of memory", limits=_SMALL),
    "daemon_eats_memory": Fate(FaultKind.MEMORY, r"^more than the 64 MiB of memory", limits=_SMALL),
    # finish
    "good": Fate(None),
    "illegal_once": Fate(None, rejects=1),
    "overruns_its_turn": Fate(None, rejects=1, stale=True),
    "stale_then_right": Fate(None, stale=True),
    "answers_twice": Fate(None, stale=True),
    "unknown_types": Fate(None),
    "talks_too_much": Fate(None),
    "odd_json": Fate(None),
    "crlf": Fate(None),
    "bytewise": Fate(None),
    "all_in_one_write": Fate(None),
    "longest_line": Fate(None),
    "floods_stderr": Fate(None),
    "closes_stderr": Fate(None),
    "ignores_bye": Fate(None),
    "leaves_after_result": Fate(None),
    "ignores_everything": Fate(None),
    "prints_after_bye": Fate(None),
    "floods_after_bye": Fate(None),
    "outlived_by_anonym": Fate(None),
    "outlived_by_child": Fate(None),
    "outlived_by_daemon": Fate(None),
    "outlived_by_stray": Fate(None),
    "shares_memory": Fate(None, limits=_SMALL),
}

VOID = sorted(name for name, fate in FATES.items() if fate.kind is FaultKind.STARTUP)
FORFEIT = sorted(name for name, fate in FATES.items() if fate.kind in SEAT_FAULTS)
FINISHED = sorted(name for name, fate in FATES.items() if fate.kind is None)


def test_every_bot_has_a_fate_and_says_what_is_wrong_with_it() -> None:
    bots = {path.stem: path.read_text(encoding="utf-8") for path in ZOO.glob("*.py") if path.stem != "_speak"}
    assert sorted(bots) == sorted(FATES) == sorted([*VOID, *FORFEIT, *FINISHED])
    assert all(re.match(r'"""[A-Z].*[.:]', text) for text in bots.values())
    assert {FATES[name].kind for name in FORFEIT} == SEAT_FAULTS


async def let_play(game: Game, name: str, told: list[Message]) -> Played:
    """A match of that bot, in seat 0, against a good one, within its limits."""
    fate = FATES[name]
    specs = [zoo_bot(name, *fate.argv), survivor("survivor", told)]
    with trio.fail_after(fate.seconds + LONG):
        return await play(game, specs, limits(**fate.limits), move=fate.move)


@pytest.mark.parametrize("name", FORFEIT)
async def test_a_bad_bot_forfeits(nim: Game, name: str) -> None:
    fate, told = FATES[name], list[Message]()
    played = await let_play(nim, name, told)
    [result] = played.results
    assert played.stopped is None
    assert (result.outcome, result.ranking) == ("forfeit", [2, 1])
    check_fault(fate, result, 0)
    check_record(fate, played, 0)
    check_told(told, result, 0)


def check_fault(fate: Fate, result: ResultLine, seat: int) -> None:
    """The result says of this seat, and of no other, what went wrong."""
    fault = result.reasons[seat]
    assert fault is not None
    assert fault.kind == fate.kind
    assert re.search(fate.reason, fault.reason)
    assert re.search(fate.stderr, result.stderr[seat] or "", re.DOTALL)
    assert [number for number, reason in enumerate(result.reasons) if reason is not None] == [seat]
    assert bool(result.stale[seat]) is fate.stale


def check_record(fate: Fate, played: Played, seat: int) -> None:
    """The log has the fault, once, and nothing illegal as played."""
    [fault] = played.of(FaultLine)
    assert isinstance(fault, FaultLine)
    assert (fault.seat, fault.kind) == (seat, fate.kind)
    assert played.report.games == 1
    assert len(played.of(RejectLine)) == fate.rejects
    assert all(line.auto for line in actions_after(played.lines, fault) if line.seat == seat)


def actions_after(lines: list[Line], line: Line) -> list[ActionLine]:
    """What was played after a line."""
    return [later for later in lines[lines.index(line) :] if isinstance(later, ActionLine)]


def check_told(told: list[Message], result: ResultLine, seat: int) -> None:
    """A survivor was told of the forfeit when it happened, and of the result last, by the same reasons."""
    forfeits = [event for event in told if isinstance(event, Event) and event.action is None]
    assert [event.seat for event in forfeits] == [seat]
    last = told[-1]
    assert isinstance(last, Result)
    assert (last.outcome, last.ranking, last.reasons) == (result.outcome, result.ranking, result.reasons)


@pytest.mark.parametrize("name", FINISHED)
async def test_an_odd_bot_finishes(nim: Game, name: str) -> None:
    fate, told = FATES[name], list[Message]()
    played = await let_play(nim, name, told)
    [result] = played.results
    assert result.outcome == "finished", result
    assert sorted(result.ranking) == [1, 2]
    assert not any(result.reasons)
    assert not any(result.stderr)
    assert bool(result.stale[0]) is fate.stale
    assert len(played.of(RejectLine)) == fate.rejects
    assert played.report.games == 1
    assert isinstance(told[-1], Result)


@pytest.mark.parametrize("name", VOID)
async def test_a_bot_that_never_starts_makes_the_game_void(nim: Game, name: str) -> None:
    told: list[Message] = []
    played = await let_play(nim, name, told)
    check_void(played, FATES[name])
    assert told == []


def check_void(played: Played, fate: Fate) -> None:
    """The game was tried twice under the same id, and then the series was stopped, with the reason."""
    assert [(result.match, result.outcome) for result in played.results] == [("1-1", "void")] * VOIDS_IN_A_ROW
    for result in played.results:
        check_fault(fate, result, 0)
    assert [type(line) for line in played.lines] == [GameLine, ResultLine] * VOIDS_IN_A_ROW
    assert (played.report.games, played.report.void) == (0, VOIDS_IN_A_ROW)
    assert played.stopped is not None
    assert re.search(fate.reason.removesuffix("$"), played.stopped)  # what it said last comes behind the reason


async def test_a_program_that_can_not_be_run_makes_the_game_void(nim: Game) -> None:
    absent = BotSpec(name="absent", text="./absent", launch=Command(("./absent",)), sha256="")
    played = await play(nim, [absent, survivor("survivor", [])], limits())
    check_void(played, _void(r"\./absent can't be run: No such file or directory"))


# ---- more seats ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["crashes", "hangs", "illegal_thrice", "prints_board", "closes_stdout"])
async def test_the_others_play_on(nim: Game, name: str) -> None:
    fate, told = FATES[name], (list[Message](), list[Message]())
    specs = [survivor("left", told[0]), zoo_bot(name, *fate.argv), survivor("right", told[1])]
    played = await play(nim, specs, limits(), move=fate.move)
    [result] = played.results
    assert result.outcome == "forfeit"
    assert result.ranking[1] == 3
    assert {result.ranking[0], result.ranking[2]} <= {1, 2}
    check_fault(fate, result, 1)
    check_record(fate, played, 1)
    for diary in told:
        check_told(diary, result, 1)
    after = actions_after(played.lines, *played.of(FaultLine))
    assert {line.seat for line in after} == {0, 1, 2}
    assert result.digest == replayed(nim, played).digest()


def replayed(game: Game, played: Played) -> Any:
    """The last state of a single game, by its record."""
    [start] = played.of(GameLine)
    assert isinstance(start, GameLine)
    state = game.start(len(start.seats), start.setup)
    for line in played.lines:
        if isinstance(line, ActionLine):
            state.apply(state.parse(line.action))
    assert state.to_act is None
    return state


async def test_with_one_seat_left_the_match_ends_and_that_seat_wins(nim: Game) -> None:
    told: list[Message] = []
    specs = [zoo_bot("exits_in_its_turn"), survivor("survivor", told), zoo_bot("crashes_at_start")]
    played = await play(nim, specs, limits())
    [result] = played.results
    assert (result.outcome, result.ranking) == ("forfeit", [2, 1, 3])
    assert [fault.seat for fault in played.of(FaultLine) if isinstance(fault, FaultLine)] == [2, 0]
    assert played.of(ActionLine) == []
    assert isinstance(told[-1], Result)
    assert told[-1].ranking == [2, 1, 3]


async def test_when_all_fail_at_the_same_time_they_share_the_first_place(nim: Game) -> None:
    played = await play(nim, [zoo_bot("crashes_at_start"), zoo_bot("quits_at_start")], limits())
    [result] = played.results
    assert (result.outcome, result.ranking) == ("forfeit", [1, 1])
    assert [fault is not None for fault in result.reasons] == [True, True]


# ---- one that doesn't read -------------------------------------------------------------------------------------------


class WideNim(NimGame):
    """Nim with so many legal actions that listing them fills a pipe several times over."""

    def deal(self, players: int, seed: int) -> JsonDict:
        return {"pile": 20_000}


async def test_a_bot_that_reads_nothing_does_not_block_the_arena(nim: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = GAMES[nim.name]._replace(restore=lambda options: WideNim(**options))
    monkeypatch.setitem(GAMES, nim.name, kind)
    told: list[Message] = []
    specs = [zoo_bot("never_reads"), survivor("survivor", told)]
    with trio.fail_after(LONG):
        played = await play(WideNim(most=20_000), specs, limits(), move=SHORT)
    [result] = played.results
    check_fault(Fate(FaultKind.TIMEOUT, r"^it did not read what it was sent within 0\.2 s$"), result, 0)
    check_told(told, result, 0)
