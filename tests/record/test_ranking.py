"""Places with and without forfeits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.record.ranking import final_ranking, is_decided, team_won


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
    assert final_ranking(players, forfeits, ranking, cooperative=False) == places


@pytest.mark.parametrize(
    ("players", "forfeits", "ranking", "places"),
    [
        (3, [], [1, 1, 1], [1, 1, 1]),
        (3, [], [2, 2, 2], [2, 2, 2]),
        (3, [[1]], [1, 1, 1], [1, 3, 1]),
        (3, [[1]], [2, 2, 2], [2, 4, 2]),
        (2, [[1], [0]], None, [2, 3]),
        (1, [[0]], None, [2]),
        (3, [[0, 1, 2]], None, [2, 2, 2]),
    ],
)
def test_places_of_a_team(
    players: int, forfeits: list[list[int]], ranking: list[int] | None, places: list[int]
) -> None:
    assert final_ranking(players, forfeits, ranking, cooperative=True) == places


def test_a_match_that_goes_on_has_no_places() -> None:
    with pytest.raises(ValueError, match="the game is not over and 2 of 3 seats are left"):
        final_ranking(3, [[1]], None, cooperative=False)
    with pytest.raises(ValueError, match="the game is not over and 1 of 3 seats are left"):
        final_ranking(3, [[1], [0]], None, cooperative=True)


@pytest.mark.parametrize(
    ("players", "cooperative", "decided"),
    [
        (3, False, [False, False, True, True]),
        (1, False, [False, True]),
        (3, True, [False, False, False, True]),
        (1, True, [False, True]),
    ],
)
def test_when_forfeits_decide(players: int, cooperative: bool, decided: list[bool]) -> None:
    for gone, wanted in enumerate(decided):
        assert is_decided(players, [[seat] for seat in range(gone)], cooperative=cooperative) == wanted
    assert is_decided(players, [list(range(players))], cooperative=cooperative)


@pytest.mark.parametrize(
    ("won", "cooperative", "wanted"),
    [(None, False, None), (None, True, False), (False, True, False), (True, True, True)],
)
def test_a_team_that_did_not_end_its_game_has_lost(won: bool | None, cooperative: bool, wanted: bool | None) -> None:
    assert team_won(won, cooperative=cooperative) is wanted


@given(st.data())
def test_forfeiters_come_last_and_the_others_keep_their_order(data: st.DataObject) -> None:
    points = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=5))
    seats = range(len(points))
    forfeits = data.draw(st.permutations(seats))[: data.draw(st.integers(0, len(points)))]
    ranking = [1 + sum(other > mine for other in points) for mine in points]
    places = final_ranking(len(points), [[seat] for seat in forfeits], ranking, cooperative=False)
    left = [seat for seat in seats if seat not in forfeits]
    assert [places[seat] for seat in forfeits] == [len(points) - index for index in range(len(forfeits))]
    for seat in left:
        assert places[seat] == 1 + sum(points[other] > points[seat] for other in left)
