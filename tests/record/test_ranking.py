"""Places with and without forfeits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.record.ranking import final_ranking, is_decided


@pytest.mark.parametrize(
    ("players", "forfeits", "ranking", "places"),
    [
        (3, [], [2, 1, 3], [2, 1, 3]),
        (4, [], [1, 2, 2, 4], [1, 2, 2, 4]),
        (2, [[0]], None, [2, 1]),
        (4, [[2], [0], [3]], None, [3, 1, 4, 2]),
        (3, [[0]], [1, 2, 3], [3, 1, 2]),
        (4, [[1], [0]], [1, 2, 3, 3], [3, 4, 1, 1]),
        (4, [[3]], [2, 2, 4, 1], [1, 1, 3, 4]),
        (2, [[1]], [1, 2], [1, 2]),
        (1, [[0]], None, [1]),
        (2, [[1], [0]], None, [1, 2]),
        (2, [[0, 1]], None, [1, 1]),
        (4, [[0, 2], [3]], None, [3, 1, 3, 2]),
        (4, [[1, 2]], [1, 2, 3, 4], [1, 3, 3, 2]),
    ],
)
def test_places(players: int, forfeits: list[list[int]], ranking: list[int] | None, places: list[int]) -> None:
    assert final_ranking(players, forfeits, ranking) == places


def test_a_match_that_goes_on_has_no_places() -> None:
    with pytest.raises(ValueError, match="the game is not over and 2 of 3 seats are left"):
        final_ranking(3, [[1]], None)


def test_when_forfeits_decide() -> None:
    assert [is_decided(3, [[seat] for seat in range(gone)]) for gone in range(4)] == [False, False, True, True]
    assert [is_decided(1, [[seat] for seat in range(gone)]) for gone in range(2)] == [False, True]
    assert is_decided(3, [[0, 2]])


@given(st.data())
def test_forfeiters_come_last_and_the_others_keep_their_order(data: st.DataObject) -> None:
    points = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=5))
    seats = range(len(points))
    forfeits = data.draw(st.permutations(seats))[: data.draw(st.integers(0, len(points)))]
    ranking = [1 + sum(other > mine for other in points) for mine in points]
    places = final_ranking(len(points), [[seat] for seat in forfeits], ranking)
    left = [seat for seat in seats if seat not in forfeits]
    assert [places[seat] for seat in forfeits] == [len(points) - index for index in range(len(forfeits))]
    for seat in left:
        assert places[seat] == 1 + sum(points[other] > points[seat] for other in left)
