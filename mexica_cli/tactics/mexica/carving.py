"""Districts that could be cut out of the land: shapes of a token's size, and the canals that make an island of one.

A shape is any set of joined spaces, so there are far too many to list. `shapes` grows them space by space from where a
pawn can get to, and of each size keeps those that need the least digging around them; those lie along the water. What
it finds stays useful for a while: whether a shape can still be cut out, and with how much digging, `digging` tells for
any later position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mexica_cli.games.mexica import State, places
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.bits import beside, cells, regions
from mexica_cli.tactics.mexica.outlook import room

WIDTH = 24
"""Shapes of one size that are grown on: the ones that would cost least."""


TWO_TURNS = 10
"""AP for canals that can be found in two turns or so."""


class Digging(NamedTuple):
    """What must be dug around a shape: a mask, and the AP that it takes at the least."""

    rim: int
    least: int


class Ground:
    """Where the seat whose turn it is may dig, its own space included, which it may have left by then."""

    def __init__(self, state: State) -> None:
        kept = state.founded_land | state.ramps | state.variant.board.palace
        own = (1 << state.pawns[state.seat]) & state.land & ~kept
        self.diggable = places.canal_ground(state) | own
        self.open = state.land & ~state.founded_land
        self.stride = state.variant.board.stride
        self.by_space = state.variant.rules.canal_cost == "space"

    def rim(self, shape: int) -> int:
        """The land around a shape."""
        return (shape << 1 | shape >> 1 | shape << self.stride | shape >> self.stride) & self.open & ~shape

    def least(self, rim: int) -> int:
        """The AP, at the least, for digging a rim."""
        return rim.bit_count() if self.by_space else (rim.bit_count() + 1) // 2

    def cost(self, canals: Sequence[int]) -> int:
        """The AP for these canals."""
        return sum(act.canal_mask(canal, self.stride).bit_count() for canal in canals) if self.by_space else len(canals)

    def digging(self, shape: int) -> Digging | None:
        """What must be dug to make a district of a shape; None where that is impossible now."""
        if shape & ~self.open:
            return None
        rim = self.rim(shape)
        return None if rim & ~self.diggable else Digging(rim, self.least(rim))


def shapes(state: State, costs: Mapping[int, int], width: int = WIDTH) -> dict[int, list[int]]:
    """Shapes of each size on display, the ones that look cheapest for a pawn that gets to spaces for those costs."""
    ground, found = Ground(state), dict[int, list[int]]()
    beam = {1 << cell: cost for cell, cost in costs.items() if ground.open >> cell & 1}
    for size in range(1, max(state.display, default=0) + 1):
        rims = sorted(_rims(ground, beam))[:width]
        if size in state.display:
            found[size] = [shape for _, shape, _, stuck in rims if not stuck]
        beam = _grown(rims, beam, costs)
    return found


def possible_sizes(state: State) -> set[int]:
    """The sizes on display of which there is a district with room, or one could be carved in two turns or so."""
    ground = Ground(state)
    anywhere = dict.fromkeys(cells(ground.open & places.free_land(state)), 0)
    found = shapes(state, anywhere)
    return {size for size, masks in found.items() if any(_is_possible(state, ground, mask) for mask in masks)}


def _is_possible(state: State, ground: Ground, shape: int) -> bool:
    dug = ground.digging(shape)
    if dug is None or dug.least > TWO_TURNS or room(state, shape) <= 0 or is_dry(state, dug.rim):
        return False
    return canals(state, dug.rim, ground.diggable & ~shape) is not None


def _rims(ground: Ground, beam: Mapping[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """What a shape costs at the least, the shape, its rim, and how much of that can't be dug."""
    for shape, cost in beam.items():
        rim = ground.rim(shape)
        stuck = rim & ~ground.diggable
        # Where digging is dear the water is worth a longer walk, or no shape but those around the pawn would go on.
        way = cost // 2 if ground.by_space else cost
        yield way + ground.least(rim) + 2 * stuck.bit_count(), shape, rim, stuck


def _grown(rims: list[tuple[int, int, int, int]], beam: Mapping[int, int], costs: Mapping[int, int]) -> dict[int, int]:
    """Each shape with each space around it added; what can't be dug must be inside sooner or later: it goes first."""
    grown: dict[int, int] = {}
    for _, shape, rim, stuck in rims:
        cost = beam[shape]
        for cell in cells(stuck or rim):
            grown[shape | 1 << cell] = min(cost, costs.get(cell, cost))
    return grown


def canals(state: State, rim: int, ground: int) -> tuple[int, ...] | None:
    """Canals that dig all of a rim, in pairs of spaces as far as they go; None where tiles run short.

    `ground` is what may be dug besides, where singles are wanting.
    """
    stride, singles = state.variant.board.stride, state.tiles[0]
    doubles = state.tiles[1] if len(state.tiles) > 1 else 0
    dug: list[int] = []
    while rim:
        cell = min(cells(rim), key=lambda cell: (beside(1 << cell, stride) & rim).bit_count())
        around = beside(1 << cell, stride)
        other = next(cells(around & rim or (0 if singles else around & ground)), cell) if doubles else cell
        if other == cell:
            singles -= 1
            dug.append(act.encode(act.CANAL, cell, 1))
        else:
            doubles -= 1
            axis = act.H if abs(cell - other) == 1 else act.V
            dug.append(act.encode(act.CANAL, min(cell, other), 2, axis))
        rim &= ~(1 << cell | 1 << other)
        ground &= ~(1 << cell | 1 << other)
    if singles < 0 or doubles < 0:
        return None
    return from_the_water(state, dug) if state.variant.rules.canal_touches_water else tuple(dug)


def from_the_water(state: State, dug: Sequence[int]) -> tuple[int, ...]:
    """The canals in an order in which each touches water when it is dug, as far as there is one."""
    stride, land, rest = state.variant.board.stride, state.land, list(dug)
    ordered: list[int] = []
    while rest:
        canal = next((canal for canal in rest if beside(act.canal_mask(canal, stride), stride) & ~land), rest[0])
        land &= ~act.canal_mask(canal, stride)
        rest = [other for other in rest if other != canal]
        ordered.append(canal)
    return tuple(ordered)


def is_dry(state: State, rim: int) -> bool:
    """Whether a rule that canals must begin at water forbids to dig that rim."""
    stride = state.variant.board.stride
    must_touch = state.variant.rules.canal_touches_water
    return must_touch and not all(beside(part, stride) & ~state.land for part in regions(rim, stride))
