"""What results add up to."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mexica_cli.arena.tally import Tally, void_reasons
from mexica_cli.record.lines import ResultLine
from mexica_cli.wire.messages import Fault


def result(ranking: list[int], scores: list[int], faults: dict[int, str] | None = None) -> ResultLine:
    """A result; `faults`: kinds by seat."""
    reasons = [
        Fault(kind=faults[seat], reason="") if faults and seat in faults else None for seat in range(len(ranking))
    ]
    return ResultLine(
        match="1-1",
        outcome="forfeit" if faults else "finished",
        ranking=ranking,
        scores=scores,
        reasons=reasons,
        actions=10,
        digest="",
        stale=[seat + 1 for seat in range(len(ranking))],
        stderr=[None] * len(ranking),
        used_ms=[100.0 * (seat + 1) for seat in range(len(ranking))],
    )


def void() -> ResultLine:
    return ResultLine(
        match="1-1",
        outcome="void",
        ranking=[],
        scores=[],
        reasons=[Fault(kind="startup", reason=""), None],
        actions=0,
        digest="",
        stale=[0, 0],
        stderr=[None, None],
        used_ms=[0.0, 0.0],
    )


def test_sums_follow_the_bots_through_their_seats() -> None:
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], result([1, 2], [30, 20]))
    tally.add(["bob", "ann"], result([2, 1], [5, 7]))
    ann, bob = tally.bots["ann"], tally.bots["bob"]
    assert (ann.games, ann.wins, ann.points, dict(ann.places)) == (2, 2.0, 37, {1: 2})
    assert (bob.games, bob.wins, bob.points, dict(bob.places)) == (2, 0.0, 25, {2: 2})
    assert (ann.stale, ann.used_ms, ann.longest_game_ms) == (3, 300.0, 200.0)
    assert (tally.games, tally.actions, dict(tally.endings)) == (2, 20, {"finished": 2})


def test_messages_of_unknown_type_are_counted_where_there_are_any() -> None:
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], replace(result([1, 2], [30, 20]), unknown=[0, 3]))
    tally.add(["bob", "ann"], replace(result([1, 2], [30, 20]), unknown=[1, 0]))
    tally.add(["bob", "ann"], replace(result([1, 2], [30, 20]), unknown=[]))
    assert [(bot.name, bot.unknown) for bot in tally.bots.values()] == [("ann", 0), ("bob", 4)]


def test_a_shared_win_is_shared() -> None:
    tally = Tally(["ann", "bob", "cyd"])
    tally.add(["ann", "bob", "cyd"], result([1, 3, 1], [9, 1, 9]))
    assert [bot.wins for bot in tally.bots.values()] == [0.5, 0.0, 0.5]
    tally.add(["ann", "bob", "cyd"], result([1, 1, 1], [9, 9, 9]))
    assert sum(bot.wins for bot in tally.bots.values()) == pytest.approx(2)


def test_forfeits_are_counted_by_kind() -> None:
    tally = Tally(["ann", "bob", "cyd"])
    names = ["ann", "bob", "cyd"]
    tally.add(names, result([1, 3, 2], [9, 1, 9], {1: "timeout", 2: "crash"}))
    tally.add(names, result([1, 3, 2], [9, 1, 9], {1: "timeout"}))
    tally.add(names, result([3, 1, 2], [9, 1, 9], {0: "timeout", 2: "timeout"}))
    assert dict(tally.bots["bob"].faults) == {"timeout": 2}
    assert dict(tally.endings) == {"forfeit: crash and timeout": 1, "forfeit: timeout": 2}


def failed(match: str, *faults: tuple[str, str, str | None] | None) -> ResultLine:
    """A game that those bots forfeited: kind, reason and standard error by seat."""
    return replace(
        result([1] * len(faults), [0] * len(faults)),
        match=match,
        outcome="forfeit",
        reasons=[fault and Fault(kind=fault[0], reason=fault[1]) for fault in faults],
        stderr=[fault and fault[2] for fault in faults],
    )


def test_the_first_failure_of_a_bot_is_kept_with_its_last_words() -> None:
    tally = Tally(["ann", "bob", "cyd"])
    names = ["ann", "bob", "cyd"]
    tally.add(names, failed("1-1", None, ("crash", "it crashed", "Traceback\n  ValueError: so\n \n"), None))
    tally.add(names, failed("1-2", None, ("timeout", "too late", None), ("timeout", "no `ready`", None)))
    ann, bob, cyd = (tally.bots[name].first_failure for name in names)
    assert ann is None
    assert bob is not None
    assert (bob.match, bob.kind, bob.reason, bob.stderr) == ("1-1", "crash", "it crashed", "ValueError: so")
    assert cyd is not None
    assert (cyd.match, cyd.reason, cyd.stderr) == ("1-2", "no `ready`", "")


def test_the_reason_of_a_void_game_names_the_bot_that_is_to_blame() -> None:
    names = ["ann", "bob"]
    assert void_reasons(names, failed("1-1", None, ("startup", "no `join`", None))) == "bob: no `join`"
    assert void_reasons(names, failed("1-1", ("startup", "no `join`", "a\nno licence\n"), None)) == (
        "ann: no `join` (the last line of its standard error: no licence)"
    )
    assert void_reasons(names, failed("1-1", *[("arena", "a bug", None)] * 2)) == "a bug"


def test_void_games_are_counted_and_count_for_nothing() -> None:
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], void())
    assert (tally.games, tally.actions, dict(tally.endings)) == (0, 0, {"void": 1})
    assert [(bot.games, dict(bot.faults)) for bot in tally.bots.values()] == [(0, {}), (0, {})]


def test_standings_go_by_wins_a_game_then_points_a_game_then_name() -> None:
    tally = Tally(["eve", "dan", "cyd", "bob", "ann"])
    tally.add(["dan", "cyd"], result([1, 2], [5, 4]))
    tally.add(["dan", "cyd"], result([2, 1], [5, 6]))
    tally.add(["ann", "cyd"], result([1, 2], [1, 0]))
    tally.add(["bob", "cyd"], result([2, 1], [3, 4]))
    order = [(bot.name, bot.wins / max(1, bot.games)) for bot in tally.standings()]
    assert order == [("ann", 1.0), ("dan", 0.5), ("cyd", 0.5), ("bob", 0.0), ("eve", 0.0)]
    assert [bot.name for bot in Tally(["b", "a"]).standings()] == ["a", "b"]


def test_who_forfeited_has_not_won() -> None:
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], result([1, 1], [0, 0], {0: "timeout", 1: "timeout"}))
    assert [bot.wins for bot in tally.bots.values()] == [0, 0]


def test_a_team_wins_together_but_for_who_forfeited() -> None:
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], replace(result([1, 1], [900, 900]), won=True))
    tally.add(["ann", "bob"], replace(result([1, 2], [900, 900], {1: "crash"}), won=True))
    tally.add(["ann", "bob"], replace(result([2, 2], [30, 30]), won=False))
    assert (tally.won, tally.games) == (2, 3)
    assert [bot.wins for bot in tally.bots.values()] == [2.0, 1.0]


def test_no_team_no_wins_of_it() -> None:
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], result([1, 2], [30, 20]))
    assert tally.won is None
