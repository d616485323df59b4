"""Districts: the same sums as the rules' own scoring."""

from __future__ import annotations

from typing import Any, cast

import pytest
from pagekit import played, states

from mexica_cli.games.mexica import MexicaState, scoring
from mexica_cli.games.mexica import State as MexicaPosition
from mexica_cli.games.mexica.bits import first_cell
from mexica_cli.view.districts import District, districts


@pytest.mark.parametrize("players", [2, 4])
def test_founded_districts_are_those_of_the_rules(players: int) -> None:
    for state in states(played("mexica", players))[::15]:
        table = cast(MexicaPosition, state)
        board = table.variant.board
        found = districts(board, cast(MexicaState, state.observation(None)))
        real: dict[str, Any] = {board.text(first_cell(mask & table.calpulli)): mask for mask in table.founded}
        assert {cell for cell, district in found.items() if district.founded} == set(real)
        for cell, mask in real.items():
            grandeur = scoring.grandeur(table, mask)
            district = found[cell]
            assert district.size == mask.bit_count()
            assert district.grandeur[:players] == grandeur[:players]
            assert district.points == scoring.district_points(district.size, district.grandeur, players)


@pytest.mark.parametrize(
    ("grandeur", "holders"), [([3, 1, 0], [0]), ([2, 2, 1], [0, 1]), ([0, 0], []), ([1, 0, 4], [2])]
)
def test_holders(grandeur: list[int], holders: list[int]) -> None:
    assert District(size=5, founded=True, grandeur=grandeur, points=[]).holders == holders
