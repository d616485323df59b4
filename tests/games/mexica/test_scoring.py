"""Places, ties and the three numbers of a token."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.games.mexica.scoring import district_points, values

TOKENS = {
    3: (3, 2, 1), 4: (4, 2, 1), 5: (5, 3, 2), 6: (6, 3, 2), 7: (7, 4, 2), 8: (8, 4, 2), 9: (9, 5, 3),
    10: (10, 5, 3), 11: (11, 6, 3), 12: (12, 6, 3), 13: (13, 7, 4),
}  # fmt: skip


@pytest.mark.parametrize("size", TOKENS)
def test_the_numbers_of_a_token(size: int) -> None:
    assert values(size) == TOKENS[size]


@pytest.mark.parametrize(
    ("levels", "points"),
    [
        ([8, 5, 3, 1], [13, 7, 4, 0]),  # three places
        ([8, 8, 3, 1], [13, 13, 4, 0]),  # two first: nobody second
        ([8, 8, 8, 1], [13, 13, 13, 0]),  # three first: nobody second or third
        ([8, 8, 8, 8], [13, 13, 13, 13]),
        ([8, 5, 5, 1], [13, 7, 7, 0]),  # two second: nobody third
        ([8, 5, 5, 5], [13, 7, 7, 7]),
        ([8, 5, 3, 3], [13, 7, 4, 4]),
        ([8, 0, 0, 0], [13, 0, 0, 0]),  # nothing for nothing
        ([0, 2, 0, 2], [0, 13, 0, 13]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_places_and_ties(levels: list[int], points: list[int]) -> None:
    assert district_points(13, levels, 4) == points


@pytest.mark.parametrize(
    ("levels", "points"),
    [
        ([5, 3, 8], [7, 4]),  # the neutral colour is first
        ([8, 3, 5], [13, 4]),
        ([8, 5, 3], [13, 7]),
        ([8, 5, 8], [13, 4]),  # it ties for first place: nobody second
        ([5, 5, 8], [7, 7]),
        ([0, 5, 8], [0, 7]),
    ],
)
def test_the_neutral_colour_takes_places(levels: list[int], points: list[int]) -> None:
    assert district_points(13, levels, 2) == points


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4), st.integers(1, 200))
def test_more_levels_never_score_less(levels: list[int], size: int) -> None:
    points = district_points(size, levels, len(levels))
    for own, gained in zip(levels, points, strict=True):
        assert (own > 0 and own == max(levels)) == (gained == size) or size < 3
        assert all(gained >= other for less, other in zip(levels, points, strict=True) if less <= own)
