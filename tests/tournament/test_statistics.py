"""What games add up to."""

from __future__ import annotations

import random
from math import exp

import pytest
from tournament.simulate import Players, games_of, names, result, void

from mexica_cli.tournament.blocks import Fixture
from mexica_cli.tournament.formats import RoundRobin
from mexica_cli.tournament.results import GameResult, Results
from mexica_cli.tournament.statistics import BotStanding, head_to_head, seat_standings, standings

WORTH = dict(zip(names(4), (1.0, 1.5, 2.0, 3.0), strict=True))


def played(seats: int, cycles: int, seed: int) -> list[GameResult]:
    strengths = {"bot00": 0.0, "bot01": 0.4, "bot02": 0.8, "bot03": 1.2}
    blocks = RoundRobin(names(4), seats, cycles).round(0, Results([]))
    assert blocks is not None
    return Players(strengths, random.Random(seed), ties=0.5).play(blocks)


def test_standings_by_hand() -> None:
    one = result(Fixture("1-1", ("a", "b", "c")), [1, 2, 3], [90, 80, 70])
    two = result(Fixture("1-2", ("b", "c", "a")), [1, 1, 3], [85, 85, 60])
    fault: GameResult = GameResult(
        id="2-1",
        block="2",
        deal="2",
        seats=("c", "a", "b"),
        ranking=(3, 2, 1),
        scores=(10, 50, 100),
        outcome="forfeit",
        faults=("crash", None, None),
        used_ms=(10.0, 20.0, 30.0),
    )
    b, a, c = standings([one, two, fault])
    assert [standing.bot for standing in (b, a, c)] == ["b", "a", "c"]
    assert b.rates is not None
    assert b.rates.wins.value == pytest.approx(0.5)
    assert b.rates.beaten.value == pytest.approx((0.5 + 0.75 + 1) / 3)
    assert b.rates.points.value == pytest.approx((80 + 85 + 100) / 3)
    assert (b.games, b.deals, b.rates.number) == (3, 2, 3)
    assert b.places == (2, 1)
    assert a.places == (1, 1, 1)
    assert c.forfeits == {"crash": 1}
    assert a.forfeits == {}
    assert b.used_ms == pytest.approx(32 / 3)
    assert b.longest_ms == 30


def test_who_has_not_played_comes_last() -> None:
    games = [*games_of([("a", "b", "loss")]), void(Fixture("9-1", ("a", "never")))]
    found = standings(games, ["never", "a", "b"])
    assert [standing.bot for standing in found] == ["b", "a", "never"]
    assert found[-1] == BotStanding("never", 0, 0, None, (), {}, 0.0, 0.0)


def test_a_bot_in_several_seats() -> None:
    game = result(Fixture("1-1", ("p", "g", "g", "g")), [1, 2, 3, 4])
    _, g = standings([game])
    assert g.rates is not None
    assert (g.games, g.rates.number, g.places) == (1, 3, (0, 1, 1, 1))
    assert g.rates.beaten.value == pytest.approx((2 / 3 + 1 / 3 + 0) / 3)
    (g_p, p_g) = head_to_head([game])
    assert (g_p.bot, g_p.other, g_p.wins, g_p.ties, g_p.losses) == ("g", "p", 0, 0, 3)
    assert (p_g.wins, p_g.rate.value) == (3, 1.0)


def test_head_to_head_is_the_same_from_both_sides() -> None:
    meetings = {(meeting.bot, meeting.other): meeting for meeting in head_to_head(played(3, 5, 1))}
    assert len(meetings) == 12
    for (bot, other), meeting in meetings.items():
        back = meetings[other, bot]
        assert (meeting.wins, meeting.ties, meeting.losses) == (back.losses, back.ties, back.wins)
        assert meeting.rate.value == pytest.approx(1 - back.rate.value)
        assert meeting.rate.low == pytest.approx(1 - back.rate.high)
        assert meeting.rate.value == pytest.approx(
            (meeting.wins + meeting.ties / 2) / (meeting.wins + meeting.ties + meeting.losses)
        )


def test_seats() -> None:
    """The first seat always wins and the last always loses."""
    blocks = RoundRobin(names(4), 3, 4).round(0, Results([]))
    assert blocks is not None
    games = [result(fixture, [1, 2, 3]) for block in blocks for fixture in block.fixtures()]
    first, second, third = seat_standings([*games, void(Fixture("9-1", ("a", "b", "c")))])
    assert [(standing.seats, standing.seat) for standing in (first, second, third)] == [(3, 0), (3, 1), (3, 2)]
    assert [standing.rates.wins.value for standing in (first, second, third)] == [1, 0, 0]
    assert [standing.rates.beaten.value for standing in (first, second, third)] == [1, 0.5, 0]
    assert first.rates.number == len(games)
    assert first.rates.beaten.low > second.rates.beaten.high


def test_who_sits_where_is_no_seat_advantage() -> None:
    """Every bot sits everywhere, so strength cancels out, and the intervals know it: block by block it is half."""
    for standing in seat_standings(played(2, 40, 3)):
        assert standing.rates.beaten.low < 0.5 < standing.rates.beaten.high


def test_numbers_of_seats_are_kept_apart() -> None:
    games = [*games_of([("a", "b", "win")]), result(Fixture("x-1", ("a", "b", "c")), [1, 2, 3])]
    assert [(standing.seats, standing.seat) for standing in seat_standings(games)] == [
        *((2, 0), (2, 1)),
        *((3, 0), (3, 1), (3, 2)),
    ]


def test_the_order_of_games_does_not_matter() -> None:
    games = played(4, 10, 1)
    other = random.Random(1).sample(games, len(games))
    assert standings(games) == standings(other)
    assert head_to_head(games) == head_to_head(other)
    assert seat_standings(games) == seat_standings(other)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_intervals_hold_the_truth_95_times_in_100(seats: int) -> None:
    """The expected part beaten is the mean of the logistic function over the others, at any number of seats."""
    strengths = {"bot00": 0.0, "bot01": 0.4, "bot02": 0.8, "bot03": 1.2}
    truth = {
        bot: sum(1 / (1 + exp(other - own)) for name, other in strengths.items() if name != bot) / 3
        for bot, own in strengths.items()
    }
    inside = []
    for seed in range(100):
        for standing in standings(played(seats, {2: 5, 3: 8, 4: 30}[seats], seed)):
            assert standing.rates is not None
            estimate = standing.rates.beaten
            inside.append(estimate.low <= truth[standing.bot] <= estimate.high)
    assert 0.91 <= sum(inside) / len(inside) <= 0.99
