"""Block designs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import gcd
from typing import Any

import pytest

from mexica_cli.tournament.designs import design, meetings

LEAGUES = [(points, size) for size in (3, 4) for points in range(5, 13)]


def spread(counts: Counter[Any], keys: int) -> int:
    """Greatest less least count, of so many."""
    return max(counts.values(), default=0) - (min(counts.values(), default=0) if len(counts) == keys else 0)


def least_length(points: int, size: int) -> int:
    """The least number of sets for which both the sets a point and the meetings a pair are whole."""
    pairs = points * (points - 1)
    return next(
        sets for sets in range(1, pairs * size) if sets * size % points == 0 and sets * size * (size - 1) % pairs == 0
    )


@pytest.mark.parametrize(("points", "size"), LEAGUES)
def test_all_meet_equally_often_in_the_least_number_of_sets(points: int, size: int) -> None:
    sets = design(points, size)
    assert len(sets) == least_length(points, size)
    assert len(set(sets)) == len(sets)
    assert all(len(set(chosen)) == size for chosen in sets)
    assert set(Counter(point for chosen in sets for point in chosen).values()) == {len(sets) * size // points}
    assert set(meetings(sets)) == set(combinations(range(points), 2))
    assert len(set(meetings(sets).values())) == 1


@pytest.mark.parametrize(("points", "size"), LEAGUES)
def test_every_beginning_is_about_even(points: int, size: int) -> None:
    sets = design(points, size)
    for length in range(len(sets)):
        played = Counter(point for chosen in sets[:length] for point in chosen)
        assert spread(played, points) <= 2
        assert spread(meetings(sets[:length]), points * (points - 1) // 2) <= 3


@pytest.mark.parametrize(("points", "size"), [(p, s) for s in range(1, 6) for p in range(s, 17)])
def test_any_number_of_points_is_as_even_as_can_be_found(points: int, size: int) -> None:
    sets = design(points, size)
    assert set(Counter(point for chosen in sets for point in chosen).values()) == {len(sets) * size // points}
    pairs = points * (points - 1) // 2
    assert spread(meetings(sets), pairs) <= (1 if size == 5 else 0)
    assert size == 1 or len(meetings(sets)) == pairs


@pytest.mark.parametrize("points", [2, 3, 6, 7, 12, 25])
def test_pairs_come_in_rounds_in_which_all_play(points: int) -> None:
    pairs = design(points, 2)
    assert sorted(pairs) == list(combinations(range(points), 2))
    a_round = points // 2
    for first in range(0, len(pairs), a_round):
        assert len({point for pair in pairs[first : first + a_round] for point in pair}) == 2 * a_round


def test_a_great_number_is_quick_and_nearly_even() -> None:
    sets = design(52, 3)
    assert len(sets) % (52 // gcd(52, 3)) == 0
    assert spread(Counter(point for chosen in sets for point in chosen), 52) == 0
    assert spread(meetings(sets), 52 * 51 // 2) <= 2


@pytest.mark.parametrize(("points", "size"), [(2, 3), (0, 1), (3, 0)])
def test_too_few_points(points: int, size: int) -> None:
    with pytest.raises(ValueError, match=f"no sets of {size} of {points}"):
        design(points, size)
