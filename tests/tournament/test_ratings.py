"""Ratings of all bots at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from math import inf, isinf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.simulate import Players, games_of, names, result, void

from mexica_cli.tournament.blocks import Fixture, team_block
from mexica_cli.tournament.elo import ELO, match_statistics, pentanomial
from mexica_cli.tournament.formats import RoundRobin
from mexica_cli.tournament.ratings import Rating, rate
from mexica_cli.tournament.results import GameResult, Results, team_results

BOTS = names(4)


def elos(games: Sequence[GameResult], anchor: tuple[str, float] | None = None, prior: float = 1.0) -> dict[str, float]:
    """The ratings alone."""
    return {rating.bot: rating.elo.value for rating in rate(games, anchor, prior, resamples=0)}


def played(strengths: dict[str, float], seats: int, cycles: int, seed: int, ties: float = 0.5) -> list[GameResult]:
    """The games of a round robin of players of known strength."""
    blocks = RoundRobin(list(strengths), seats, cycles).round(0, Results([]))
    assert blocks is not None
    return Players(strengths, random.Random(seed), ties).play(blocks)


def a_game(number: int, bots: Sequence[str], ranking: Sequence[int]) -> GameResult:
    return result(Fixture(f"{number}-1", tuple(bots)), ranking)


def test_ratings_as_derived_by_hand() -> None:
    """K. Laskos, "EloStat, Bayeselo and Ordo", talkchess.com, 24 June 2012: scores of 75, 75 and 90 % of 30 games."""
    outcomes = [("h", "s", 18, 9, 3), ("s", "k", 18, 9, 3), ("h", "k", 24, 6, 0)]
    games = games_of(
        (bot, other, outcome)
        for bot, other, *counts in outcomes
        for outcome, count in zip(("win", "tie", "loss"), counts, strict=True)
        for _ in range(count)
    )
    assert elos(games, prior=0) == pytest.approx({"h": 190.85, "s": 0, "k": -190.85}, abs=0.01)


def test_two_bots_are_as_far_apart_as_the_elo_of_their_match() -> None:
    games = played({"a": 0.5, "b": 0.0}, 2, 50, seed=1)
    found = elos(games, prior=0)
    match = match_statistics(pentanomial(games, "a", "b"))
    assert found["a"] - found["b"] == pytest.approx(match.elo.value)


@given(st.data(), st.integers(2, 5))
def test_neither_order_of_games_nor_of_seats_matters(data: st.DataObject, seats: int) -> None:
    rankings = st.lists(st.integers(1, seats), min_size=seats, max_size=seats)
    tables = st.permutations(names(6)).map(lambda bots: bots[:seats])
    games = [
        a_game(number, bots, places)
        for number, (bots, places) in enumerate(
            data.draw(st.lists(st.tuples(tables, rankings), min_size=1, max_size=8))
        )
    ]
    orders = [data.draw(st.permutations(range(seats))) for _ in games]
    other_seats = [
        a_game(number, [game.seats[seat] for seat in order], [game.ranking[seat] for seat in order])
        for number, (game, order) in enumerate(zip(games, orders, strict=True))
    ]
    other = [other_seats[number] for number in data.draw(st.permutations(range(len(games))))]
    assert rate(games, resamples=5) == rate(other, resamples=5)


@given(st.permutations(names(5)), st.integers(0, 100))
def test_names_do_not_matter(renamed: list[str], seed: int) -> None:
    games = played(dict.fromkeys(names(5), 0.0), 3, 1, seed)
    new = dict(zip(names(5), renamed, strict=True))
    others = [
        result(Fixture(game.id, tuple(new[bot] for bot in game.seats)), game.ranking, block=game.block)
        for game in games
    ]
    found, other = elos(games), elos(others)
    assert {new[bot]: elo for bot, elo in found.items()} == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        ([1, 1, 1, 1], [0, 0, 0, 0]),
        ([1, 1, 3, 3], [1, 1, -1, -1]),
        ([1, 2, 2, 4], [2, 0, 0, -2]),
        ([1, 2, 2, 2], [3, -1, -1, -1]),
        ([1, 1, 1, 4], [1, 1, 1, -3]),
        ([1, 1, 3], [1, 1, -2]),
        ([1, 2, 2], [2, -1, -1]),
    ],
)
def test_who_ties_is_rated_the_same(ranking: list[int], expected: list[int]) -> None:
    """Level with each other, between those before and behind; up to scale also by how much, in one game."""
    bots = names(len(ranking))
    found = elos([a_game(1, bots, ranking)])
    for one, place in zip(bots, ranking, strict=True):
        for other, others_place in zip(bots, ranking, strict=True):
            if place == others_place:
                assert found[one] == pytest.approx(found[other], abs=1e-9)
            elif place < others_place:
                assert found[one] > found[other] + 50
    biggest = max(map(abs, expected)) or 1
    most = max(abs(elo) for elo in found.values())
    if most > 1e-6:
        assert [found[bot] / most for bot in bots] == pytest.approx([e / biggest for e in expected], abs=0.1)


def test_one_game_is_a_rating_without_certainty() -> None:
    winner, loser = rate(games_of([("a", "b", "win")]))
    assert (winner.bot, loser.bot) == ("a", "b")
    assert 0 < winner.elo.value == pytest.approx(-loser.elo.value)
    assert (winner.elo.low, winner.elo.high) == (-inf, inf)
    assert winner.games == 1
    assert not winner.firm


def test_who_won_everything_is_rated_by_the_prior_and_marked() -> None:
    games = games_of([("a", "b", "win"), ("b", "a", "win"), ("top", "a", "win"), ("a", "low", "win")] * 20)
    ratings = {rating.bot: rating for rating in rate(games)}
    assert [rating.bot for rating in rate(games)][::3] == ["top", "low"]
    assert {bot: rating.firm for bot, rating in ratings.items()} == {"a": True, "b": True, "top": False, "low": False}
    assert 400 < ratings["top"].elo.value < 1500
    assert not isinf(ratings["top"].elo.high)


def test_what_no_game_links_is_not_compared() -> None:
    games = games_of([("a", "b", "win"), ("b", "c", "win"), ("x", "y", "loss")] * 5)
    ratings = rate(games)
    assert [(rating.bot, rating.group) for rating in ratings] == [("a", 0), ("b", 0), ("c", 0), ("y", 1), ("x", 1)]
    for group in (0, 1):
        assert sum(rating.elo.value for rating in ratings if rating.group == group) == pytest.approx(0, abs=1e-6)


def test_the_anchor_stays_where_it_is() -> None:
    games = played(dict(zip(BOTS, (0.0, 0.3, 0.6, 0.9), strict=True)), 3, 3, seed=1)
    free, tied = ({rating.bot: rating for rating in rate(games, anchor)} for anchor in (None, (BOTS[1], 1500.0)))
    assert tied[BOTS[1]].elo.value == tied[BOTS[1]].elo.low == tied[BOTS[1]].elo.high == 1500
    for bot in BOTS:
        moved = free[bot].elo.value - free[BOTS[1]].elo.value
        assert tied[bot].elo.value - 1500 == pytest.approx(moved, abs=1e-6)


@pytest.mark.parametrize(("seats", "others"), [(["a", "b"], "these have: 'a', 'b'"), (["a", "a"], "nobody has")])
def test_an_anchor_that_met_nobody_is_refused(seats: list[str], others: str) -> None:
    with pytest.raises(
        ValueError, match=f"^'c' can't be the anchor of the ratings: it has met no other bot; {others}$"
    ):
        rate([a_game(1, seats, [1, 2])], ("c", 0))


def test_the_same_bot_in_several_seats_counts_against_others_only() -> None:
    """Three seats of the same bot are three comparisons for the fourth."""
    thrice = elos([a_game(1, ["p", "g", "g", "g"], [1, 2, 3, 4]), a_game(2, ["g", "g", "p", "g"], [1, 2, 3, 4])])
    single = elos(games_of([("p", "g", "win")] * 4 + [("p", "g", "loss")] * 2))
    assert thrice == pytest.approx(single)
    assert elos([a_game(1, ["g", "g"], [1, 2])]) == {}


def test_void_games_count_for_nothing() -> None:
    games = games_of([("a", "b", "win"), ("a", "b", "loss")])
    assert elos([*games, void(Fixture("9-1", ("a", "z")))]) == elos(games)
    assert rate([]) == []


def test_teams_are_rated_by_their_deals() -> None:
    scores = {"x": 9, "y": 5, "x+y": 7}
    blocks = [team_block(members.split("+"), deal, 2) for deal in range(1, 6) for members in scores]
    games = [
        result(fixture, [1, 1], [scores[block.id.partition("@")[0]]] * 2, block.id)
        for block in blocks
        for fixture in block.fixtures()
    ]
    assert [rating.bot for rating in rate(team_results(games))] == ["x", "x+y", "y"]


def test_all_is_the_same_every_time() -> None:
    games = played(dict.fromkeys(BOTS, 0.0), 4, 10, seed=2)
    assert rate(games) == rate(games)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_intervals_hold_the_truth_95_times_in_100(seats: int) -> None:
    """100 tournaments of four players of known strength, with ties, whose games of a block are not independent."""
    strengths = dict(zip(BOTS, (-0.9, -0.3, 0.3, 0.9), strict=True))
    cycles = {2: 7, 3: 10, 4: 40}[seats]
    found = [rate(played(strengths, seats, cycles, seed), resamples=80) for seed in range(100)]
    inside = [rating.elo.low <= ELO * strengths[rating.bot] <= rating.elo.high for rating in chain.from_iterable(found)]
    assert 0.90 <= sum(inside) / len(inside) <= 0.99
    for bot in BOTS:
        own = [here for here, rating in zip(inside, chain.from_iterable(found), strict=True) if rating.bot == bot]
        assert 88 <= sum(own) <= 100


def test_intervals_are_those_of_deals_not_of_games() -> None:
    """Games of a block that are all alike are worth one."""
    blocks = RoundRobin(BOTS, 4, 60).round(0, Results([]))
    assert blocks is not None
    alike, free = (Players(dict.fromkeys(BOTS, 0.0), random.Random(1), alike=a).play(blocks) for a in (1.0, 0.0))

    def width(ratings: list[Rating]) -> float:
        return sum(rating.elo.error for rating in ratings)

    assert 1.6 < width(rate(alike)) / width(rate(free)) < 2.4


def test_deals_that_all_came_out_alike_say_nothing_of_the_error() -> None:
    games = [a_game(number, ["ann", "bob"], [1, 2]) for number in range(3)]
    assert [rating.elo.high - rating.elo.low for rating in rate(games)] == [inf, inf]
