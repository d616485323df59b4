"""Verification: a right log passes, and any single wrong field is found where it stands."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from toygame import NimGame
from toylog import SEED, ToyMatch, encode, header, team_log

from mexica_cli.games.game import Game
from mexica_cli.record.lines import Line, Variant
from mexica_cli.record.reader import LogError, LogReader
from mexica_cli.record.verify import Report, verify
from mexica_cli.wire.messages import Limits

Path = tuple[str | int, ...]

UNCHECKED = {
    ("log", "server"),
    ("log", "created"),
    ("log", "clock"),
    *(("log", "limits", name) for name in Limits.__struct_fields__ if name != "illegal"),
    ("log", "bots", "command"),
    ("log", "bots", "sha256"),
    ("game", "started"),
    ("action", "note"),
    ("action", "ms"),
    ("reject", "action"),
    ("reject", "reason"),
    ("say", "text"),
    ("say", "claim"),
    *((outcome, name, "value") for outcome in ("result", "void") for name in ("stale", "stderr", "used_ms")),
    *((outcome, "latency") for outcome in ("result", "void")),
    *(("void", "reasons", name) for name in ("value", "kind", "reason")),
}
"""What only the run itself could know. The text of a rejected action is known to be illegal, and no more."""

LATER = {
    ("log", "seed"),
    ("log", "options"),
    ("log", "limits", "illegal"),
    ("log", "bots", "name"),
    ("fault", "seat"),
    ("fault", "kind"),
    ("fault", "reason"),
}
"""What is found where another line contradicts it."""


def check(data: bytes) -> Report:
    return verify(LogReader(io.BufferedReader(io.BytesIO(data)), "toy.jsonl"))


def refused(rows: list[Any]) -> LogError:
    """The error for a log of these lines, as JSON values."""
    with pytest.raises(LogError) as caught:
        check("".join(json.dumps(row) + "\n" for row in rows).encode())
    return caught.value


def rows_of(log: list[Line]) -> list[Any]:
    return [json.loads(line) for line in encode(log).splitlines()]


def test_a_right_log(log: list[Line]) -> None:
    report = check(encode(log))
    assert (report.games, report.void) == (6, 1)
    assert report.actions == sum(line["actions"] for line in rows_of(log) if line["type"] == "result")
    assert report.whole


def test_a_right_log_of_a_team(nim: Game) -> None:
    rows = rows_of(team_log())
    assert [row["won"] for row in rows if row["type"] == "result"] == [True, False, False]
    assert check(encode(team_log())).games == 3


def test_talk_where_nobody_may_is_found(log: list[Line]) -> None:
    rows = rows_of(log)
    rows.insert(2, {"type": "say", "match": "0-0", "n": 0, "seat": 0, "text": "mine"})
    assert refused(rows).reason == "nobody may talk here"
    rows[2]["seat"] = 1
    assert refused(rows).reason == "`seat` is 1, right would be 0"


def log_of_two_variants(game: Game) -> list[Line]:
    """The first match under the header's rules, the second under others."""
    other = NimGame(most=2, last=9)
    variants = {"short": Variant(rules=other.rules, options=other.options())}
    first = ToyMatch(game, "0-0", ("ann", "bob")).play().result()
    begun, *rest = ToyMatch(other, "1-0", ("ann", "bob")).play().result()
    return [replace(header(game), variants=variants), *first, replace(begun, variant="short"), *rest]


def test_games_of_one_log_may_have_rules_of_their_own(nim: Game) -> None:
    log = log_of_two_variants(nim)
    assert check(encode(log)).games == 2
    rows = rows_of(log)
    begin = next(index for index, row in enumerate(rows) if row.get("variant"))
    rows[begin]["variant"] = "long"
    assert refused(rows).line == begin + 1
    del rows[begin]["variant"]
    assert (refused(rows).line or 0) > begin
    rows = rows_of(log)
    rows[0]["variants"]["short"]["options"]["colour"] = "red"
    assert refused(rows).line == 1


def test_a_log_without_its_unchecked_times_is_right_too(log: list[Line]) -> None:
    rows = [{k: v for k, v in row.items() if k not in ("created", "started", "used_ms", "ms")} for row in rows_of(log)]
    assert check("".join(json.dumps(row) + "\n" for row in rows).encode()).games == 6


# ---- one wrong field -------------------------------------------------------------------------------------------------


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where the single values of a JSON value are; a list is one too, as its length counts."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
        return
    yield path
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))


def changed(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "x"
        case list():
            return [*value, value[-1]] if value else [1]
        case None:
            return {"kind": "crash", "reason": "it never did"}
        case _:
            raise AssertionError(value)


def with_change(row: Any, path: Path) -> Any:
    if not path:
        return changed(row)
    copy = row.copy()
    copy[path[0]] = with_change(row[path[0]], path[1:])
    return copy


def field_of(row: Any, path: Path) -> set[tuple[str, ...]]:
    """The names under which a path may stand in `UNCHECKED` and `LATER`."""
    names = tuple(step for step in path if isinstance(step, str))
    kind = "void" if row.get("outcome") == "void" else row["type"]
    ways: set[tuple[str, ...]] = {(kind, *names[:depth]) for depth in range(1, len(names) + 1)}
    return ways | {(kind, names[0], "value")} if isinstance(path[-1], int) else ways


def test_any_single_wrong_field_is_found_in_its_line(any_log: list[Line]) -> None:
    rows = rows_of(any_log)
    places = [(index, path) for index, row in enumerate(rows) for path in leaves(row)]
    for index, path in places:
        fields = field_of(rows[index], path)
        if fields & UNCHECKED:
            continue
        error = refused([*rows[:index], with_change(rows[index], path), *rows[index + 1 :]])
        later = bool(fields & LATER)
        assert error.line is not None
        assert error.line > index if later else error.line == index + 1, (path, rows[index], str(error))


def test_any_missing_field_that_must_be_there_is_named_with_its_line(any_log: list[Line]) -> None:
    rows = rows_of(any_log)
    for index, row in enumerate(rows):
        for name in row.keys() - {
            "created",
            "started",
            "ms",
            "used_ms",
            "latency",
            "note",
            "claim",
            "followed",
            "auto",
        }:
            error = refused([*rows[:index], {k: v for k, v in row.items() if k != name}, *rows[index + 1 :]])
            assert error.line == index + 1
            assert f"`{name}`" in error.reason


@pytest.mark.parametrize("kind", ["log", "game", "action", "fault", "result"])
def test_a_missing_line_is_found(log: list[Line], kind: str) -> None:
    rows = rows_of(log)
    for index, row in enumerate(rows[:-1]):
        if row["type"] == kind and rows[index + 1].get("outcome") != "void":
            error = refused(rows[:index] + rows[index + 1 :])
            assert error.line is not None
            assert error.line > index


def test_any_line_written_twice_is_found(any_log: list[Line]) -> None:
    rows = rows_of(any_log)
    for index, row in enumerate(rows):
        if row["type"] not in ("say", "reject"):
            assert refused(rows[: index + 1] + rows[index:]).line == index + 2


def test_another_legal_action_than_was_played_is_found(log: list[Line]) -> None:
    rows = rows_of(log)
    for index, row in enumerate(rows):
        if row["type"] == "action":
            other = {**row, "action": "end" if row["action"] != "end" else "take 1"}
            error = refused([*rows[:index], other, *rows[index + 1 :]])
            assert error.line is not None
            assert error.line > index


# ---- the errors in words ---------------------------------------------------------------------------------------------


def replaced(log: list[Line], line: int, **fields: Any) -> str:
    """The error after fields of a line (numbered from 1) are replaced."""
    rows = rows_of(log)
    rows[line - 1] |= fields
    return str(refused(rows))


def number_of(log: list[Line], kind: str, nth: int = 0) -> int:
    """Number of the nth line of a kind."""
    return [index for index, row in enumerate(rows_of(log), 1) if row["type"] == kind][nth]


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("log", {"game": "chess"}, "line 1: this game can't be made again: there is no game 'chess'"),
        ("log", {"options": {"most": 3, "last": 5, "least": 1}}, "can't be made again: "),
        ("log", {"options": {"most": 3}}, "`options.last` is nothing, right would be 5"),
        ("log", {"rules": "official"}, '`rules` is "official", right would be "plain"'),
        ("log", {"version": 2}, "line 1: this is version 2 of the log format, this program reads 1"),
        ("game", {"match": "final"}, "'final' is no match id: that is <block>-<number>, like '12-0'"),
        ("game", {"seats": ["ann"]}, "1 seats; nim has 2 to 4"),
        ("game", {"seats": ["ann", "eve"]}, "'eve' is none of the header's bots: ann, bob, cyd, dan"),
        ("game", {"setup": {"pile": 3}}, "`setup.pile` is 3, right would be "),
        ("action", {"action": "take 4"}, "'take 4' is illegal here: at most 3 stones a turn, 0 are taken"),
        ("action", {"action": "jump"}, "'jump' is no action: 'jump' is neither `end` nor `take N`"),
        ("action", {"auto": True}, "`auto` is true, right would be false"),
        ("action", {"seat": 1}, "`seat` is 1, right would be 0"),
        ("reject", {"action": "take 1"}, "'take 1' was rejected, but it is legal here"),
        ("reject", {"code": "no_stones"}, '`code` is "no_stones", right would be "too_many"'),
        ("fault", {"seat": 3}, "there is no seat 3; the seats are 0 to 2"),
        ("fault", {"kind": "illegal"}, "a fault of kind 'illegal' after 0 illegal actions"),
        ("result", {"ranking": [1, 1]}, "`ranking["),
        ("result", {"outcome": "void"}, "`actions` is "),
        ("result", {"outcome": "void", "actions": 0, "ranking": []}, "right would be nothing"),
        ("result", {"used_ms": [1.0]}, "`length of used_ms` is 1, right would be 2"),
        ("result", {"digest": "0" * 16}, '`digest` is "0000000000000000", right would be "'),
        ("result", {"stale": [0]}, "`length of stale` is 1, right would be 2"),
    ],
)
def test_words(log: list[Line], kind: str, fields: dict[str, Any], words: str) -> None:
    number = number_of(log, kind)
    error = replaced(log, number, **fields)
    assert error.startswith(f"toy.jsonl, line {number}: ")
    assert words in error


def test_two_bots_of_one_name(log: list[Line]) -> None:
    bots = rows_of(log)[0]["bots"]
    assert replaced(log, 1, bots=[*bots, bots[0]]) == "toy.jsonl, line 1: two bots have the same name"


def test_a_match_finished_twice(nim: Game) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob")).play().result()
    error = refused(rows_of([header(nim), *match, *match]))
    assert error.line == 2 + len(match)
    assert error.reason == "match '0-0' was finished before: its game begins in line 2"


def test_a_void_match_may_come_again_but_not_after_it_was_finished(nim: Game) -> None:
    void = ToyMatch(nim, "0-0", ("ann", "bob")).play(3).void()
    match = ToyMatch(nim, "0-0", ("ann", "bob")).play().result()
    report = check(encode([header(nim), *void, *void, *match]))
    assert (report.games, report.void) == (1, 2)
    assert refused(rows_of([header(nim), *match, *void])).line == 2 + len(match)


def test_the_setup_must_follow_from_the_master_seed(nim: Game) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob"), seed=SEED + 1).play().result()
    assert refused(rows_of([header(nim), *match])).line == 2


def test_no_action_after_the_game_is_over(nim: Game) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob")).play().result()
    extra = {"type": "action", "match": "0-0", "n": len(match) - 1, "seat": 0, "action": "end"}
    rows = rows_of([header(nim), *match])
    error = refused([*rows[:-1], extra, rows[-1]])
    assert (error.line, error.reason) == (len(match) + 1, "the game is over; its `result` line is due")


def test_no_action_after_forfeits_have_decided(nim: Game) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob")).play(1).fail(1, "crash")
    lines = [header(nim), *match.act("end").result()]
    error = refused(rows_of(lines))
    assert (error.line, error.reason) == (5, "the last forfeit ended the match; its `result` line is due")


def test_no_result_before_the_end(nim: Game) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob", "cyd")).play(1).fail(1, "crash")
    fault = {"kind": "crash", "reason": "it fell to crash"}
    forfeit = {"outcome": "forfeit", "ranking": [1, 3, 2], "reasons": [None, fault, None], "actions": 1}
    rows = rows_of([header(nim), *match.void()])
    assert refused([*rows[:-1], {**rows[-1], **forfeit}]).reason == (
        "a result that comes too early: the game is not over and 2 of 3 seats are left"
    )


def test_a_void_match_may_end_anywhere(nim: Game) -> None:
    matches = (ToyMatch(nim, f"{block}-0", ("ann", "bob")) for block in range(4))
    ends = [
        next(matches),
        next(matches).play(1),
        next(matches).play(),
        next(matches).reject("a").reject("b").reject("c"),
    ]
    report = check(encode([header(nim), *(line for match in ends for line in match.void())]))
    assert (report.games, report.void, report.actions) == (0, 4, 0)


def test_the_last_illegal_action_must_forfeit(nim: Game) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob", "cyd")).reject("a").reject("b").reject("c").play().result()
    error = refused(rows_of([header(nim), *match]))
    assert (error.line, error.reason) == (6, "seat 0 made its last illegal action; its `fault` line is due")


def test_a_turn_that_is_not_over_can_not_be_overrun(nim: Game) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob")).act("take 1").overrun(0, "end").play().result()
    assert refused(rows_of([header(nim), *match])).reason == "the turn of seat 0 isn't over"


@pytest.mark.parametrize("text", ["end", "take 1"])
def test_the_arena_acts_neutrally_for_a_seat_that_forfeited(nim: Game, text: str) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob", "cyd")).fail(0, "crash").act(text).play().result()
    data = [header(nim), *match]
    if text == "end":
        assert check(encode(data)).games == 1
    else:
        assert refused(rows_of(data)).reason == '`action` is "take 1", right would be "end"'


# ---- where a log ends ------------------------------------------------------------------------------------------------


def test_a_torn_end(log: list[Line]) -> None:
    report = check(encode(log)[:-1])
    assert (report.torn, report.unfinished, report.games) == (True, "3-0", 5)


def test_an_unfinished_end(log: list[Line]) -> None:
    report = check(encode(log[:-1]))
    assert (report.torn, report.unfinished, report.games) == (False, "3-0", 5)


def test_a_log_without_games_is_whole(nim: Game) -> None:
    assert check(encode([header(nim)])) == Report()
