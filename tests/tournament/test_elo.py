"""Elo, normalised Elo and likelihood of superiority against published numbers.

Sources: [SE] a match report of fastchess quoted in chess.stackexchange.com/questions/45881; [FC] the tests of
fastchess, app/tests/elo_test.cpp; [TC] a result of fishtest with its exact likelihood of superiority by K. Laskos,
talkchess.com, "Calculating the LOS (likelihood of superiority) from results", 22 January 2014; [MT] a page of raw
statistics of montytest (the software of fishtest), test 69d3c8dc7c5b3724e29d2712.
"""

from __future__ import annotations

import random
from math import inf, isinf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.simulate import Players, games_of, result, void

from mexica_cli.tournament.blocks import Fixture, block
from mexica_cli.tournament.elo import elo_of, match_statistics, pentanomial, score_of
from mexica_cli.tournament.results import GameResult

SE = (4, 3, 34, 42, 117)
FC1 = (34, 54, 31 + 32, 64, 75)
FC2 = (332, 433, 457 + 41, 333, 334)
FC3 = (7895, 8757, 5485 + 200, 568, 9999)
MT = (13, 37, 50, 25, 3)

counts = st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any)


@pytest.mark.parametrize(
    ("found", "elo", "error"),
    [
        (SE, 277.00, 40.90),
        (FC1, 55.58, 27.65),
        (FC2, -8.64, 10.33),
        (FC3, -21.04, 2.95),
        ((96, 111, 136), 40.70, 30.43),  # [FC], losses, draws, wins
    ],
)
def test_elo_as_published(found: tuple[int, ...], elo: float, error: float) -> None:
    made = match_statistics(found).elo
    assert made.value == pytest.approx(elo, abs=0.006)
    assert made.error == pytest.approx(error, abs=0.006)


@pytest.mark.parametrize(
    ("found", "elo", "error"),
    [
        (SE, 345.17, 34.05),
        (FC1, 57.94, 28.28),
        (FC2, -9.17, 10.96),
        (FC3, -19.01, 2.65),
        ((89, 123, 76), -20.76, 40.13),
        ((96, 111, 136), 49.77, 36.77),
        ((356, 0, 34), -508.44, 34.48),
    ],
)
def test_normalised_elo_as_published(found: tuple[int, ...], elo: float, error: float) -> None:
    made = match_statistics(found).normalised_elo
    assert made.value == pytest.approx(elo, abs=0.006)
    assert made.error == pytest.approx(error, abs=0.006)


@pytest.mark.parametrize(
    ("found", "superiority", "places"),
    [
        ((6077, 26894, 5975), 0.176424329128482367, 4),  # [TC]
        ((89, 123, 76), 0.1553, 4),  # [FC]
        ((96, 111, 136), 0.9960, 4),
        (FC2, 0.0505, 4),
        (FC1, 1.0000, 4),
    ],
)
def test_likelihood_of_superiority_as_published(found: tuple[int, ...], superiority: float, places: int) -> None:
    assert match_statistics(found).superiority == pytest.approx(superiority, abs=0.6 * 10**-places)


def test_a_page_of_raw_statistics() -> None:
    """[MT]: score 0.4375, normalised Elo -63.97."""
    made = match_statistics(MT)
    assert made.score.value == 0.4375
    assert made.normalised_elo.value == pytest.approx(-63.97, abs=0.006)


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0.0), (0.75, 190.85), (0.9, 381.70), (0.1, -381.70)])
def test_elo_of_a_score(score: float, elo: float) -> None:
    assert elo_of(score) == pytest.approx(elo, abs=0.005)
    assert score_of(elo) == pytest.approx(score, abs=1e-5)


def test_elo_at_the_ends() -> None:
    assert (elo_of(1), elo_of(0)) == (inf, -inf)


def test_all_won() -> None:
    """Elo is infinite, and its lower end is Wilson's; how much better is known no more, that it is better is."""
    made = match_statistics((0, 0, 0, 0, 20))
    assert (made.elo.value, made.elo.high) == (inf, inf)
    assert 200 < made.elo.low < 400
    assert made.superiority == pytest.approx(0.999996, abs=1e-6)
    assert (made.normalised_elo.value, made.normalised_elo.low) == (inf, -inf)


def test_all_even() -> None:
    made = match_statistics((0, 0, 7, 0, 0))
    assert made.elo.value == made.normalised_elo.value == 0
    assert made.superiority == 0.5
    assert made.elo.low < -50 < 50 < made.elo.high


@pytest.mark.parametrize("found", [(), (1, 2), (0, 0, 0, 0, 0), (1, 2, 3, 4)])
def test_what_is_no_match(found: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="no counts of a match"):
        match_statistics(found)


@given(counts)
def test_the_other_bot_sees_the_mirror_image(found: list[int]) -> None:
    one, other = match_statistics(found), match_statistics(found[::-1])
    assert one.superiority == pytest.approx(1 - other.superiority)
    assert one.elo.value == pytest.approx(-other.elo.value) or isinf(one.elo.value)
    assert one.elo.low == pytest.approx(-other.elo.high)
    assert one.elo.low <= one.elo.value <= one.elo.high


def test_pairs_are_counted_by_block() -> None:
    def pair(number: int, first: tuple[int, int], second: tuple[int, int]) -> list[GameResult]:
        """Places of a and b in both games."""
        one, two = block(["a", "b"], number).fixtures()
        return [result(one, first), result(two, second[::-1])]

    win, tie, loss = (1, 2), (1, 1), (2, 1)
    games = pair(1, win, win) + pair(2, win, loss) + pair(3, tie, tie) + pair(4, win, tie) + pair(5, loss, tie)
    games += [*pair(6, loss, loss)[:1], void(Fixture("a+b.6-2", ("b", "a"))), *games_of([("a", "c", "win")])]
    assert pentanomial(games, "a", "b") == (0, 1, 2, 1, 1)
    assert pentanomial(games, "b", "a") == (1, 1, 2, 1, 0)
    assert pentanomial(games[::-1], "a", "b") == pentanomial(games, "a", "b")


def test_intervals_hold_the_truth_95_times_in_100() -> None:
    """Matches of 40 pairs at known strength, with ties and with games of a pair that end alike half the time."""
    inside = 0
    for seed in range(200):
        players = Players({"a": 0.4, "b": 0.0}, random.Random(seed), ties=0.3)
        games = players.play(block(["a", "b"], number) for number in range(1, 41))
        made = match_statistics(pentanomial(games, "a", "b"))
        inside += made.elo.low <= 0.4 * 173.7178 <= made.elo.high
    assert 0.91 <= inside / 200 <= 0.985
