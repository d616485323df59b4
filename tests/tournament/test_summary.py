"""What logs add up to: every game once, nothing of void ones, the same in whatever order and logs they come."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import pytest
from tournament.reported import Played, eventful, header, league, log_of, result, void

from mexica_cli.record.lines import Latency
from mexica_cli.tournament.blocks import team_block
from mexica_cli.tournament.collection import STDERR_KEPT, Ending, SummaryError
from mexica_cli.tournament.elo import pentanomial
from mexica_cli.tournament.knockout import KnockoutMatch
from mexica_cli.tournament.results import game_result
from mexica_cli.tournament.sprt import Sprt
from mexica_cli.tournament.statistics import head_to_head, seat_standings, standings
from mexica_cli.tournament.summary import Log, Order, Settings, SprtMatch, Summary, summarise
from mexica_cli.tournament.swiss import SwissRow
from mexica_cli.wire.messages import Fault

BOTS = ("ann", "bob", "cyd", "dan")
CRASH = Fault(kind="crash", reason="it fell")


def names(summary: Summary) -> list[str]:
    return [bot.standing.bot for bot in summary.bots]


def numbers(summary: Summary) -> Sequence[object]:
    """What doesn't depend on the logs that the games are in."""
    return (
        (summary.games, summary.void, summary.blocks, summary.deals, summary.actions),
        summary.bots,
        summary.pairs,
        summary.seats,
        summary.endings,
        summary.faults,
        summary.latency,
    )


@pytest.fixture(scope="module")
def played() -> list[Played]:
    """A league at three seats."""
    return list(league(BOTS, 3, 4))


def test_the_numbers_are_those_of_the_statistics(played: list[Played]) -> None:
    summary = summarise([log_of(played)])
    results = [game_result(seats, line) for seats, line in played]
    assert (summary.games, summary.void, summary.blocks, summary.deals, summary.actions) == (48, 0, 16, 16, 48 * 50)
    assert [bot.standing for bot in summary.bots] == standings(results)
    assert [pair.meeting for pair in summary.pairs] == head_to_head(results)
    assert list(summary.seats) == seat_standings(results)
    assert all(pair.match is None for pair in summary.pairs)
    assert summary.endings == (Ending(outcome="finished", kinds=(), games=48),)
    assert (summary.failures, summary.notes, summary.sprt, summary.members) == ((), (), None, ())


@pytest.mark.parametrize("seats", [2, 3])
def test_games_may_come_in_any_order_and_in_several_logs(seats: int) -> None:
    played = list(league(BOTS, seats, 4))
    once = summarise([log_of(played, "whole")])
    shuffled = random.Random(3).sample(played, len(played))
    parts = [log_of(shuffled[:20], "a"), log_of(shuffled[20:], "b")]
    assert numbers(summarise([log_of(shuffled, "whole")])) == numbers(once)
    assert numbers(summarise(parts)) == numbers(once)
    assert numbers(summarise(reversed(parts))) == numbers(once)


def test_a_game_that_is_in_two_logs_counts_once(played: list[Played]) -> None:
    summary = summarise([log_of(played, "a"), log_of(played[:10], "b")])
    assert numbers(summary) == numbers(summarise([log_of(played)]))
    assert [(log.games, log.repeated) for log in summary.logs] == [(48, 0), (0, 10)]
    assert summary.notes == ("10 games are in more than one log and count once.",)


def test_a_failure_that_is_in_two_logs_counts_once() -> None:
    log = log_of([(("ann", "bob"), result("1-1", [1, 2], {0: CRASH}))])
    summary = summarise([log, log])
    assert len(summary.failures) == 1
    assert summary.faults[0].forfeits == {"crash": 1}


def test_another_playing_of_the_same_deal_is_another_game_and_the_same_deal() -> None:
    first, second = (
        log_of(
            [(("ann", "bob"), result("1-1", [score, 5])), (("bob", "ann"), result("1-2", [5, score]))], f"log {score}"
        )
        for score in (1, 9)
    )
    summary = summarise([first, second])
    assert (summary.games, summary.blocks, summary.deals) == (4, 2, 1)
    match = summary.pairs[0].match
    assert match is not None
    assert match.counts == (1, 0, 0, 0, 1)


def test_the_same_ids_under_another_seed_or_other_rules_are_other_deals() -> None:
    game = [(("ann", "bob"), result("1-1", [1, 2]))]
    others = [log_of(game), log_of(game, seed=8), log_of(game, rules="strict")]
    assert summarise(others).deals == 3
    assert summarise(others).games == 3


def test_different_bots_may_have_the_same_ids() -> None:
    logs = [log_of([(("ann", bot), result("1-1", [1, 2])), ((bot, "ann"), result("1-2", [1, 2]))]) for bot in BOTS[1:]]
    summary = summarise(logs)
    assert (summary.games, summary.blocks, summary.deals) == (6, 3, 1)
    assert {pair.match.counts for pair in summary.pairs if pair.match} == {(0, 0, 1, 0, 0)}


def test_a_game_that_comes_twice_in_one_log_is_refused() -> None:
    game = (("ann", "bob"), result("1-1", [1, 2]))
    with pytest.raises(SummaryError, match=r"games.jsonl: the finished game '1-1' comes twice"):
        summarise([log_of([game, game])])


def test_logs_of_two_games_are_refused() -> None:
    logs = [Log("a", header("ann"), []), Log("b", header("ann", game="chess"), [])]
    with pytest.raises(SummaryError, match="a is of nim and b of chess"):
        summarise(logs)


@pytest.mark.parametrize("field", ["ranking", "scores", "reasons", "stale", "unknown", "stderr", "used_ms"])
def test_a_result_that_does_not_fit_its_seats_is_refused(field: str) -> None:
    line = msgspec.structs.replace(result("1-1", [1, 2]), unknown=[0, 1])
    torn = msgspec.structs.replace(line, **{field: getattr(line, field)[:1]})
    with pytest.raises(SummaryError, match=f"the result of '1-1' has 1 {field} for 2 seats"):
        summarise([log_of([(("ann", "bob"), torn)])])


def test_an_id_that_is_none_is_refused() -> None:
    with pytest.raises(SummaryError, match=r"games.jsonl: 'x' is no match id"):
        summarise([log_of([(("ann", "bob"), result("x", [1, 2]))])])


def test_a_log_without_times_has_none() -> None:
    line = msgspec.structs.replace(result("1-1", [1, 2]), used_ms=[], latency=None)
    summary = summarise([log_of([(("ann", "bob"), line)])])
    assert [bot.standing.longest_ms for bot in summary.bots] == [0.0, 0.0]
    assert summary.latency is None


def test_nothing_played() -> None:
    summary = summarise([Log("empty", header("ann", "bob"), [])])
    assert (summary.games, summary.blocks, summary.pairs, summary.seats) == (0, 0, (), ())
    assert names(summary) == ["ann", "bob"]
    assert all(bot.rating is None for bot in summary.bots)
    assert summarise([]).bots == ()


# ---- what went wrong -------------------------------------------------------------------------------------------------


def test_faults_are_counted_by_bot_and_kind() -> None:
    log, settings = eventful()
    summary = summarise([log], settings)
    hebrew, long = "שלום", "long-" * 12
    worst = {faults.bot: faults for faults in summary.faults}
    assert summary.faults[0].forfeits == {"crash": 16}
    assert summary.faults[0].withdrawn == "five crashes in a row"
    assert worst[hebrew].forfeits == {"timeout": 1}
    assert (worst[long].forfeits, worst[long].startup) == ({}, 1)
    assert len(summary.faults) == 6


def test_void_games_count_for_nothing() -> None:
    games = [
        (("ann", "bob"), void("1-1", 2, {1: Fault(kind="startup", reason="it never joined")}, {1: "no licence"})),
        (("ann", "bob"), result("1-1", [2, 1])),
    ]
    summary = summarise([log_of(games)])
    assert (summary.games, summary.void, summary.actions) == (1, 1, 50)
    assert [ending.games for ending in summary.endings] == [1, 1]
    [failure] = summary.failures
    assert (failure.bot, failure.seat, failure.void, failure.stderr) == ("bob", 1, True, "no licence")
    assert {faults.bot: faults.startup for faults in summary.faults} == {"ann": 0, "bob": 1}


@pytest.mark.parametrize("kind", ["arena", "stopped"])
def test_what_the_arena_did_is_no_bots_fault(kind: str) -> None:
    fault = Fault(kind=kind, reason="the worker died")
    summary = summarise([log_of([(("ann", "bob"), void("1-1", 2, {0: fault, 1: fault}))])])
    [failure] = summary.failures
    assert (failure.bot, failure.seat, failure.kind) == (None, None, kind)
    assert not any(faults.forfeits or faults.startup for faults in summary.faults)


def test_standard_error_is_kept_of_the_first_failures_of_a_kind() -> None:
    games = [(("ann", "bob"), result(f"{n}-1", [1, 2], {0: CRASH}, {0: f"trace {n}"})) for n in range(1, 12)]
    summary = summarise([log_of(games)])
    assert [failure.stderr for failure in summary.failures][: STDERR_KEPT + 1] == [
        *(f"trace {n}" for n in range(1, STDERR_KEPT + 1)),
        None,
    ]
    assert len(summary.failures) == 11


def test_endings_are_in_order() -> None:
    timeout = Fault(kind="timeout", reason="slow")
    games = [
        (("ann", "bob"), void("1-1", 2, {0: Fault(kind="startup", reason="")})),
        (("ann", "bob"), result("1-1", [1, 2], {0: timeout, 1: CRASH})),
        (("ann", "bob"), result("2-1", [1, 2], {0: CRASH})),
        (("ann", "bob"), result("3-1", [1, 2], {1: CRASH})),
        (("ann", "bob"), result("4-1", [1, 2])),
    ]
    assert [(end.outcome, end.kinds, end.games) for end in summarise([log_of(games)]).endings] == [
        ("finished", (), 1),
        ("forfeit", ("crash",), 2),
        ("forfeit", ("crash", "timeout"), 1),
        ("void", ("startup",), 1),
    ]


# ---- order, ratings, tests -------------------------------------------------------------------------------------------


def uneven() -> Log:
    """Four bots of which the last two beat each other, and the first two beat them."""
    scores = {("ann", "bob"): (5, 4), ("cyd", "dan"): (9, 1), ("bob", "cyd"): (6, 3)}
    games = []
    for (bot, other), (mine, theirs) in scores.items():
        for n in range(1, 13):
            swing = 9 if n % 4 == 0 else 0
            games.append(((bot, other), result(f"{bot}+{other}.{n}-1", [mine, theirs + swing])))
    return log_of(games)


def test_bots_are_ordered_as_told() -> None:
    log = uneven()
    by_wins = [bot.standing.rates.wins.value for bot in summarise([log]).bots if bot.standing.rates]
    by_rating = [bot.rating.elo.value for bot in summarise([log], Settings(order=Order.RATING)).bots if bot.rating]
    assert by_wins == sorted(by_wins, reverse=True)
    assert by_rating == sorted(by_rating, reverse=True)
    assert names(summarise([log])) != names(summarise([log], Settings(order=Order.RATING)))


def test_the_swiss_table_and_the_knockout_order_bots() -> None:
    log = uneven()
    rows = tuple(SwissRow(bot, Fraction(1), Fraction(1), Fraction(1), 0) for bot in ("cyd", "ann", "dan", "bob"))
    assert names(summarise([log], Settings(order=Order.TABLE, swiss=rows))) == ["cyd", "ann", "dan", "bob"]
    matches = (
        KnockoutMatch(0, "bob", "ann", "points"),
        KnockoutMatch(0, "dan", "cyd", "points"),
        KnockoutMatch(1, "dan", "bob", "seed"),
    )
    assert names(summarise([log], Settings(order=Order.TABLE, knockout=matches))) == ["dan", "bob", "ann", "cyd"]


def test_bots_that_the_order_does_not_name_come_last() -> None:
    settings = Settings(order=Order.TABLE, knockout=(KnockoutMatch(0, "dan", "cyd", "points"),))
    assert names(summarise([uneven()], settings)) == ["dan", "cyd", "ann", "bob"]


def test_an_anchor_moves_all_ratings(played: list[Played]) -> None:
    free, held = summarise([log_of(played)]), summarise([log_of(played)], Settings(anchor=("cyd", 1500.0)))
    moved = [
        (a.rating.elo.value, b.rating.elo.value)
        for a, b in zip(free.bots, held.bots, strict=True)
        if a.rating and b.rating
    ]
    assert len(moved) == 4
    shifts = [after - before for before, after in moved]
    assert max(shifts) - min(shifts) < 1e-6
    assert {bot.standing.bot: bot.rating.elo.value for bot in held.bots if bot.rating}["cyd"] == pytest.approx(1500)


def test_an_anchor_that_met_nobody_is_refused(played: list[Played]) -> None:
    with pytest.raises(SummaryError, match="'eve'"):
        summarise([log_of(played)], Settings(anchor=("eve", 0.0)))


def test_the_bootstrap_can_be_left_out(played: list[Played]) -> None:
    bots = summarise([log_of(played)], Settings(resamples=0)).bots
    assert all(bot.rating is not None and math.isinf(bot.rating.elo.error) for bot in bots)


def test_the_sequential_test_is_that_of_the_counts() -> None:
    played = list(league(("ann", "bob"), 2, 40))
    sprt = Sprt(elo0=0, elo1=30)
    summary = summarise([log_of(played)], Settings(sprt=SprtMatch(sprt, "bob", "ann")))
    counts = pentanomial([game_result(seats, line) for seats, line in played], "bob", "ann")
    assert summary.sprt is not None
    assert summary.sprt.counts == counts
    assert sum(counts) == 40
    assert summary.sprt.state == sprt.state(counts)


def test_without_a_whole_pair_single_games_are_counted() -> None:
    games = [(("ann", "bob"), result(f"{n}-1", scores)) for n, scores in enumerate([[2, 1], [1, 1], [3, 1], [1, 3]])]
    by_bot = {pair.meeting.bot: pair.match.counts for pair in summarise([log_of(games)]).pairs if pair.match}
    assert by_bot == {"ann": (1, 1, 2), "bob": (2, 1, 1)}


def test_a_bot_that_sits_twice_plays_no_games_of_two() -> None:
    games = [(("ann", "ann", "bob"), result(f"{n}-1", [2, 1, n])) for n in range(4)]
    assert {pair.match for pair in summarise([log_of(games)]).pairs} == {None}


def test_latencies_are_put_together() -> None:
    games = [
        (
            ("ann", "bob"),
            msgspec.structs.replace(result(f"{n}-1", [1, 2]), latency=_latency(n)),
        )
        for n in (1, 2, 6)
    ]
    latency = summarise([log_of(games)]).latency
    assert latency is not None
    assert msgspec.structs.astuple(latency) == (3, 9, 20, 40, 49, 9, 9000)


def _latency(n: int) -> Latency:
    return Latency(decisions=n, median_us=10 * n, p99_us=20 * n, max_us=50 - n, held_up=n, held_up_ms=1000 * n)


def test_stale_answers_and_unknown_messages_are_counted_by_bot() -> None:
    one = msgspec.structs.replace(result("1-1", [1, 2]), stale=[1, 0], unknown=[0, 2])
    other = msgspec.structs.replace(result("1-2", [1, 2]), stale=[0, 4], unknown=[8, 0])
    games = [(("ann", "bob"), one), (("bob", "ann"), other), (("ann", "bob"), result("2-1", [1, 2]))]
    faults = {own.bot: own for own in summarise([log_of(games)]).faults}
    assert [(faults[bot].stale, faults[bot].unknown) for bot in ("ann", "bob")] == [(5, 0), (0, 10)]
    assert not any(own.failed for own in faults.values())


# ---- teams -----------------------------------------------------------------------------------------------------------


def team_games(*teams: Sequence[str]) -> list[Played]:
    """Every team at three deals; the better the later it is named."""
    return [
        (fixture.seats, result(fixture.id, [value + deal] * 2))
        for deal in range(1, 4)
        for value, members in enumerate(teams)
        for fixture in team_block(members, deal, 2).fixtures()
    ]


def test_teams_are_compared_at_the_same_deals() -> None:
    summary = summarise([log_of(team_games(["ann"], ["bob"], ["cyd"]))])
    assert summary.teams
    assert names(summary) == ["cyd", "bob", "ann"]
    assert (summary.games, summary.blocks, summary.deals) == (9, 9, 3)
    assert [bot.standing.rates.wins.value for bot in summary.bots if bot.standing.rates] == [1.0, 0.0, 0.0]
    assert summary.members == ()


def test_members_of_mixed_teams_are_told_apart() -> None:
    summary = summarise([log_of(team_games(["ann", "bob"], ["ann", "cyd"]))])
    assert names(summary) == ["ann+cyd", "ann+bob"]
    points = {member.bot: member.rates.points.value for member in summary.members if member.rates}
    assert points == {"ann": 2.5, "bob": 2.0, "cyd": 3.0}
    assert [faults.bot for faults in summary.faults] == ["ann", "bob", "cyd"]


def test_teams_win_games_or_lose_them() -> None:
    games = [
        (seats, msgspec.structs.replace(line, won=line.scores[0] > 2)) for seats, line in team_games(["ann"], ["bob"])
    ]
    summary = summarise([log_of(games)])
    assert [(own.team, own.games, own.won) for own in summary.records] == [("bob", 3, 2), ("ann", 3, 1)]
    assert [own.rate.value for own in summary.records] == pytest.approx([2 / 3, 1 / 3])
    assert [seat.rates.wins.value for seat in summary.seats] == [0.5, 0.5]


def test_a_game_outside_a_tournament_is_won_by_all_of_its_team() -> None:
    games = [(("ann", "bob"), msgspec.structs.replace(result(f"{n}-0", [5, 5]), won=n > 1)) for n in (1, 2, 3, 4)]
    summary = summarise([log_of(games)])
    assert [(own.team, own.games, own.won) for own in summary.records] == [("ann+bob", 4, 3)]
    assert {bot.standing.rates.wins.value for bot in summary.bots if bot.standing.rates} == {0.75}


def test_deals_of_one_team_only_are_named() -> None:
    games = team_games(["ann"], ["bob"])
    summary = summarise([log_of(games[:-1])])
    assert any(note.startswith("1 games are left out") for note in summary.notes)


# ---- notes -----------------------------------------------------------------------------------------------------------


def test_notes_on_logs_that_differ(played: list[Played]) -> None:
    other = Log("b", header(*BOTS, rules="strict", sha256="cd" * 32), played)
    notes = " ".join(summarise([log_of(played), other]).notes)
    assert "Not the same program in all logs, yet counted as one bot: ann, bob, cyd, dan." in notes
    assert "differ in rules or board" in notes
    assert "time control" not in notes


def test_notes_on_ratings_that_say_little() -> None:
    games = [(("ann", "bob"), result(f"{n}-1", [2, 1])) for n in range(4)]
    games += [(("cyd", "dan"), result(f"{n}-1", [n % 2, 0])) for n in range(4)]
    notes = " ".join(summarise([log_of(games)]).notes)
    assert "2 groups that never met" in notes
    assert "no interval can be given: ann, bob" in notes
