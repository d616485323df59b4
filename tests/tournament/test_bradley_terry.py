"""Strengths from comparisons in pairs."""

from __future__ import annotations

from itertools import combinations
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.tournament.bradley_terry import Comparisons, strengths

TENNIS = [[0, 9, 14, 9, 4], [6, 0, 5, 5, 7], [3, 0, 0, 2, 2], [2, 1, 4, 0, 4], [3, 2, 2, 3, 0]]
"""Who beat whom how often: Djokovic, Federer, Murray, Nadal, Wawrinka 2014-2018 (A. Agresti, An Introduction to
Categorical Data Analysis, 3rd edition, table 8.8)."""

tables = st.integers(2, 6).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, 20), min_size=size, max_size=size), min_size=size, max_size=size)
)


def comparisons(wins: list[list[int]]) -> Comparisons:
    size = len(wins)
    games = {(a, b): wins[a][b] + wins[b][a] for a, b in combinations(range(size), 2) if wins[a][b] + wins[b][a]}
    return Comparisons([2 * sum(n for b, n in enumerate(row) if b != a) for a, row in enumerate(wins)], games)


def test_strengths_as_other_programs_find_them() -> None:
    """The last player is the reference. The package choix 0.4.1 finds the same, as do those of R."""
    found = strengths(comparisons(TENNIS), prior=0)
    assert [strength - found[4] for strength in found] == pytest.approx([1.1761, 1.1358, -0.5685, -0.0619, 0], abs=6e-5)
    assert sum(found) == pytest.approx(0)


def test_two_players_are_as_far_apart_as_the_log_odds() -> None:
    one, other = strengths(Comparisons([150, 50], {(0, 1): 100}), prior=0)
    assert one - other == pytest.approx(log(3))


@given(tables)
def test_everyone_is_expected_to_get_what_he_got(wins: list[list[int]]) -> None:
    """The condition for the maximum, with the prior's game against a player of strength 0."""
    data = comparisons(wins)
    found = strengths(data, prior=1)
    assert all(abs(strength) < 12 for strength in found)
    for player, strength in enumerate(found):
        expected = 1 / (1 + exp(-strength)) - 0.5
        for (one, other), games in data.games.items():
            if player in (one, other):
                rival = other if player == one else one
                expected += games / (1 + exp(found[rival] - strength))
        assert expected + sum(found) == pytest.approx(data.halves[player] / 2, abs=1e-6)


@given(tables, st.integers(0, 5))
def test_a_start_elsewhere_ends_at_the_same(wins: list[list[int]], where: int) -> None:
    start = [float(where - index) for index in range(len(wins))]
    assert strengths(comparisons(wins), 1, start) == pytest.approx(strengths(comparisons(wins), 1), abs=1e-7)


@pytest.mark.parametrize("games", [1, 100, 10**6])
def test_who_won_everything_has_a_finite_strength(games: int) -> None:
    winner, loser = strengths(Comparisons([2 * games, 0], {(0, 1): games}), prior=1)
    assert winner == pytest.approx(-loser, abs=1e-6)
    assert log(games) / 2 < winner < log(games) / 2 + 1


def test_nobody_and_alone() -> None:
    assert strengths(Comparisons([], {}), 1) == []
    assert strengths(Comparisons([0], {}), 1) == [0]
