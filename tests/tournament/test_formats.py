"""Schedules that are known before the first game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest
from tournament.simulate import names

from mexica_cli.record.seeds import deal_of
from mexica_cli.tournament.blocks import Block, Seatings
from mexica_cli.tournament.formats import Format, FormatError, Gauntlet, MixedTeams, RoundRobin, Teams
from mexica_cli.tournament.results import Results

LEAGUES = [(bots, seats) for seats in (3, 4) for bots in range(5, 13)]
ENTRIES: list[Format] = [
    RoundRobin(names(7), 3, 2),
    Gauntlet(names(2), ["x", "y", "z"], 3, 2),
    Teams(names(3), 4, 5),
    MixedTeams(names(5), 3, 2),
]


def schedule(tournament: Format) -> list[Block]:
    blocks = tournament.round(0, Results([]))
    assert blocks is not None
    assert tournament.round(1, Results([])) is None
    return blocks


def meetings(blocks: Iterable[Block]) -> Counter[tuple[str, str]]:
    """In how many games every two bots meet."""
    return Counter(
        pair for block in blocks for game in block.fixtures() for pair in combinations(sorted(set(game.seats)), 2)
    )


def sittings(blocks: Iterable[Block]) -> Counter[tuple[str, int]]:
    """In how many games every bot sits in every seat."""
    return Counter((bot, seat) for block in blocks for game in block.fixtures() for seat, bot in enumerate(game.seats))


@pytest.mark.parametrize("tournament", ENTRIES)
def test_ids_are_unique(tournament: Format) -> None:
    games = [game.id for block in schedule(tournament) for game in block.fixtures()]
    assert len(set(games)) == len(games)


@pytest.mark.parametrize("seatings", Seatings)
@pytest.mark.parametrize(("bots", "seats"), LEAGUES)
def test_in_a_league_all_meet_and_sit_equally_often(bots: int, seats: int, seatings: Seatings) -> None:
    blocks = schedule(RoundRobin(names(bots), seats, 2, seatings))
    cycle = len(blocks) // 2
    for part in (blocks[:cycle], blocks):
        met, sat = meetings(part), sittings(part)
        assert len(met) == bots * (bots - 1) // 2
        assert len(set(met.values())) == 1
        assert len(sat) == bots * seats
        assert len(set(sat.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), LEAGUES)
def test_a_league_is_about_even_at_any_time(bots: int, seats: int) -> None:
    blocks = schedule(RoundRobin(names(bots), seats))
    for length in range(len(blocks)):
        met, sat = meetings(blocks[:length]), sittings(blocks[:length])
        met_by_all = [met[pair] for pair in combinations(names(bots), 2)]
        sat_by_all = [sat[bot, seat] for bot in names(bots) for seat in range(seats)]
        assert max(met_by_all) - min(met_by_all) <= 3 * seats
        assert max(sat_by_all) - min(sat_by_all) <= 2


def test_cycles_of_a_league_bring_other_companies_together() -> None:
    blocks = schedule(RoundRobin(names(7), 3, 5))
    assert len({block.bots for block in blocks}) > 20


@pytest.mark.parametrize("bots", [2, 3, 8, 9])
def test_in_a_round_robin_every_pair_plays_before_any_plays_again(bots: int) -> None:
    blocks = schedule(RoundRobin(names(bots), cycles=3))
    pairs = sorted(combinations(names(bots), 2))
    for cycle in range(3):
        part = blocks[cycle * len(pairs) : (cycle + 1) * len(pairs)]
        assert sorted(block.bots for block in part) == pairs
        assert {block.id.rpartition(".")[2] for block in part} == {str(cycle + 1)}


def test_more_cycles_go_on_where_fewer_end() -> None:
    for seats in (2, 3, 4):
        shorter, longer = (schedule(RoundRobin(names(9), seats, cycles)) for cycles in (2, 3))
        assert longer[: len(shorter)] == shorter


def test_one_bot_more_changes_none_of_the_other_games() -> None:
    before, after = (schedule(RoundRobin(names(bots), cycles=3)) for bots in (6, 7))
    assert {block.id: block for block in before}.items() <= {block.id: block for block in after}.items()


def test_the_order_of_entries_does_not_matter() -> None:
    assert schedule(RoundRobin(names(9)[::-1], 4)) == schedule(RoundRobin(names(9), 4))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_challengers_meet_all_others_equally_often_and_not_each_other(seats: int) -> None:
    blocks = schedule(Gauntlet(["me", "my twin"], names(6), seats, 2))
    met = meetings(blocks)
    assert met["me", "my twin"] == 0
    assert len({met[tuple(sorted((me, bot)))] for me in ("me", "my twin") for bot in names(6)}) == 1  # type: ignore[index]
    assert len({met[pair] for pair in combinations(names(6), 2)}) == 1
    assert [block.bots[-2:].count("me") + block.bots.count("my twin") for block in blocks[:2]]


def test_a_gauntlet_of_two_seats_goes_round_the_opponents() -> None:
    blocks = schedule(Gauntlet(["me"], ["x", "y", "z"], cycles=2))
    assert {block.id for block in blocks[:3]} == {"me+x.1", "me+y.1", "me+z.1"}
    assert {block.id for block in blocks[3:]} == {"me+x.2", "me+y.2", "me+z.2"}


def test_too_few_opponents_sit_several_times() -> None:
    blocks = schedule(Gauntlet(["planner"], ["greedy"], seats=4))
    assert [block.id for block in blocks] == ["greedy+greedy+greedy+planner.1"]
    blocks = schedule(Gauntlet(["p"], ["x", "y"], seats=4))
    assert [block.id for block in blocks] == ["p+x+x+y.1", "p+x+y+y.1"]


def test_all_teams_play_the_same_deals() -> None:
    blocks = schedule(Teams(["steward", "council"], 3, 2))
    assert [block.id for block in blocks] == ["council@1", "steward@1", "council@2", "steward@2"]
    assert {block.seatings for block in blocks} == {(("council",) * 3,), (("steward",) * 3,)}


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 2), (5, 3), (6, 4), (5, 5), (7, 5)])
def test_members_of_mixed_teams_rotate(bots: int, seats: int) -> None:
    blocks = schedule(MixedTeams(names(bots), seats, 2))
    assert len(set(sittings(blocks).values())) == 1
    assert len(set(meetings(blocks).values())) == 1
    deals: dict[str, set[str]] = {}
    for block in blocks:
        deals.setdefault(deal_of(block.id), set()).add(block.id)
    assert set(deals) <= {"1", "2"}
    assert sum(map(len, deals.values())) == len(blocks)


def refused(make: object, *arguments: Sequence[str] | int) -> str:
    with pytest.raises(FormatError) as caught:
        make(*arguments)  # type: ignore[operator]
    return str(caught.value)


def test_what_can_not_be() -> None:
    assert refused(RoundRobin, ["a"], 2) == "1 bots for 2 seats: name at least 2"
    assert refused(RoundRobin, ["a", "b", "a"], 2) == "two bots are called 'a': give each a name of its own"
    assert refused(Gauntlet, ["a"], ["a"]).startswith("two bots are called 'a'")
    assert refused(Gauntlet, ["a"], []).startswith("a gauntlet is for two seats or more")
    assert refused(Gauntlet, ["a"], ["b"], 1).startswith("a gauntlet is for two seats or more")
    assert refused(Teams, [], 2) == "0 bots for 1 seats: name at least 1"
    assert refused(MixedTeams, ["a"], 1).startswith("a mixed team has two seats or more")
    assert refused(MixedTeams, ["a"], 3) == "1 bots for 3 seats: name at least 3"
