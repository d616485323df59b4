"""Shapes that can be cut out of the land, and the canals for that, against the rules."""

from __future__ import annotations

import pytest
from games.mexica_kit import FIELD, game, game_on, position

from mexica_cli.games.mexica import State
from mexica_cli.tactics.mexica import carving
from mexica_cli.tactics.mexica.plans import tried
from mexica_cli.tactics.mexica.ways import Reach


def found(state: State) -> list[int]:
    shapes = carving.shapes(state, Reach(state, state.seat, 8).costs())
    return [shape for masks in shapes.values() for shape in masks]


@pytest.mark.parametrize("rules", ["official", "summary"])
def test_canals_around_a_shape_make_a_district_of_it(rules: str) -> None:
    state = position(game(rules), pawns="b3/h8")
    ground, made = carving.Ground(state), 0
    for shape in found(state):
        dug = ground.digging(shape)
        if dug is None or not dug.rim or shape >> state.pawns[0] & 1 == 0 or carving.is_dry(state, dug.rim):
            continue
        canals = carving.canals(state, dug.rim, ground.diggable & ~shape)
        plan = tried(state, canals or ())
        if canals and plan and plan.state.ap >= 0 and not state.variant.rules.canal_touches_water:
            assert state.ap - plan.state.ap >= dug.least
        if canals and plan:
            assert shape in plan.state.unfounded
            made += 1
    assert made > 3


def test_shapes_have_the_sizes_on_display() -> None:
    state = position(game_on(FIELD), pawns="f1/a3", display="3,4")
    shapes = carving.shapes(state, Reach(state, 0, 6).costs())
    assert set(shapes) == {3, 4}
    assert all(mask.bit_count() == size for size, masks in shapes.items() for mask in masks)


def test_what_holds_a_temple_is_not_dug() -> None:
    board = game_on(FIELD).variant.board.numbers
    state = position(game_on(FIELD), pawns="f1/a3", temples="f2:1,g2:1/-/-")
    shape = 1 << board["f1"] | 1 << board["g1"]
    assert carving.Ground(state).digging(shape) is None
    shape |= 1 << board["f2"] | 1 << board["g2"]
    dug = carving.Ground(state).digging(shape)
    assert dug is not None
    assert dug.rim == sum(1 << board[cell] for cell in ("h1", "h2", "f3", "g3"))
    assert dug.least == 2


def test_without_singles_a_double_takes_a_space_more() -> None:
    on = game_on(FIELD, canal_tiles="[0, 35]")
    state = position(on, pawns="f1/a3")
    ground = carving.Ground(state)
    shape = sum(1 << on.variant.board.numbers[cell] for cell in ("f1", "f2", "f3"))
    canals = carving.canals(state, ground.rim(shape), ground.diggable & ~shape)
    assert canals is not None
    assert len(canals) == 2
    single = position(game_on(FIELD, canal_tiles="[1, 0]"), pawns="f1/a3")
    assert carving.canals(single, ground.rim(shape), ground.diggable) is None


def test_sizes_that_are_possible() -> None:
    state = position(game_on(FIELD), pawns="f1/a3", display="3,12,13", period=2)
    assert carving.possible_sizes(state) == {3, 12}
