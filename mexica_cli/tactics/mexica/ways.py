"""Where a pawn can get to in its turn, for how many AP, and by which actions; bridges may be built on the way.

The search goes by cost, not by cell: a front is the set of all spaces that are reached for so many AP with so many
bridges built, and a step moves the whole set at once. So all ways of a turn take some ten microseconds an AP; only for
the way that is wanted in the end the actions are traced back, from front to front.
"""

from __future__ import annotations

from typing import NamedTuple

from mexica_cli.games.mexica import State, places
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.bits import beside, cells, first_cell, regions

Actions = tuple[int, ...]

MOST_BUILDS = 2
"""Bridges that are built on one way at the most."""


class Way(NamedTuple):
    """A way of the pawn onto land: what it costs in AP, where it ends, and what to do."""

    cost: int
    cell: int
    actions: Actions


class Front(NamedTuple):
    """What is reached for a certain number of AP with a certain number of bridges built, and not for less: masks.

    `passed` are bridges under which a boat passes and where it can't land, for a pawn stands there.
    """

    land: int = 0
    h: int = 0
    v: int = 0
    passed: int = 0

    @property
    def bridges(self) -> int:
        """Where a boat can be boarded."""
        return self.h | self.v | self.passed


Back = tuple[int, int, int, str, Actions]
"""A step traced back: its AP, bridges built, the cell that it came from, the kind of that, and its actions."""


class Reach:
    """All ways of a seat's pawn for `budget` AP at the most, as if it had the turn now."""

    def __init__(self, state: State, seat: int, budget: int) -> None:
        rules, board = state.variant.rules, state.variant.board
        self._stride, self._budget = board.stride, budget
        self._free = places.free_land(state)
        self._bridges = state.bridges_h & ~state.pawn_cells, state.bridges_v & ~state.pawn_cells
        self._blocked = (state.bridges_h | state.bridges_v) & state.pawn_cells
        self._spots = places.bridge_places(state)
        self._fare, self._by_bridge = rules.boat_cost, rules.boat_toll == "bridge"
        self._basins = _basins(state, self._by_bridge)
        self._spare = None if state.bridge_supply else _spare(state, state.pawns[seat])
        self._builds = min(MOST_BUILDS, state.bridge_supply) or int(self._spare is not None)
        self._fronts: list[list[Front]] = []
        self._search(state, state.pawns[seat])
        self._reached = [self._land(cost) for cost in range(budget + 1)]
        jumps = places.teleports(state) & state.land if rules.teleport_cost <= budget else 0
        for cost in range(min(rules.teleport_cost, budget) + 1):
            jumps &= ~self._reached[cost]
        self._jumps, self._jump_cost = jumps, rules.teleport_cost

    # ---- what is asked ----

    def cost(self, area: int) -> int | None:
        """The least AP for getting onto land of an area; None where no way leads there."""
        for cost, land in enumerate(self._reached):
            if land & area or (cost == self._jump_cost and self._jumps & area):
                return cost
        return None

    def way(self, area: int) -> Way | None:
        """The cheapest way onto land of an area."""
        for cost, land in enumerate(self._reached):
            if goal := land & area:
                cell = first_cell(goal)
                return Way(cost, cell, self._trace(cost, cell))
            if cost == self._jump_cost and (goal := self._jumps & area):
                cell = first_cell(goal)
                return Way(cost, cell, (act.encode(act.TELEPORT, cell),))
        return None

    def costs(self) -> dict[int, int]:
        """The least AP by land space."""
        found: dict[int, int] = {}
        for cost in range(len(self._reached) - 1, -1, -1):
            found.update(dict.fromkeys(cells(self._reached[cost]), cost))
            if cost == self._jump_cost:
                found.update(dict.fromkeys(cells(self._jumps), cost))
        return found

    # ---- forwards ----

    def _land(self, cost: int) -> int:
        land = 0
        for front in self._fronts[cost]:
            land |= front.land
        return land

    def _search(self, state: State, pawn: int) -> None:
        start = 1 << pawn
        first = Front(start & state.land, start & state.bridges_h, start & state.bridges_v)
        empty = Front()
        seen = [empty] * (self._builds + 1)
        for cost in range(self._budget + 1):
            row: list[Front] = []
            known = empty
            for builds in range(self._builds + 1):
                raw = self._next(cost, builds) if cost else (first if builds == 0 else empty)
                known = _union(known, seen[builds])
                new = Front(*(got & ~old for got, old in zip(raw, known, strict=True)))
                seen[builds] = _union(seen[builds], new)
                known = _union(known, new)
                row.append(new)
            self._fronts.append(row)

    def _front(self, cost: int, builds: int) -> Front:
        return self._fronts[cost][builds] if cost >= 0 and builds >= 0 else Front()

    def _next(self, cost: int, builds: int) -> Front:
        """Everything that can be reached for just that many AP and bridges."""
        stride = self._stride
        near, built = self._front(cost - 1, builds), self._front(cost - 2, builds - 1)
        land, h, v, passed = 0, 0, 0, 0
        if near.land:
            h = (near.land << 1 | near.land >> 1) & self._bridges[0]
            v = (near.land << stride | near.land >> stride) & self._bridges[1]
            land = beside(near.land, stride)
        if near.h or near.v:
            land |= near.h << 1 | near.h >> 1 | near.v << stride | near.v >> stride
        if built.land:
            h |= (built.land << 1 | built.land >> 1) & self._spots[0]
            v |= (built.land << stride | built.land >> stride) & self._spots[1]
        if start := self._front(cost - self._fare, builds).bridges:
            _, shore = self._sail(start)
            h, v, passed = h | shore & self._bridges[0], v | shore & self._bridges[1], shore & self._blocked
        if start := self._front(cost - self._fare - 1, builds - 1).bridges:
            water, _ = self._sail(start)
            h, v = h | water & self._spots[0] & ~start, v | water & self._spots[1] & ~start
        return Front(land & self._free, h, v, passed if self._by_bridge else 0)

    def _sail(self, start: int) -> tuple[int, int]:
        """The water that a boat from these bridges comes to for one fare, and the bridges in it or beside it."""
        water, shore = 0, beside(start, self._stride)
        for basin, around in self._basins:
            if around & start:
                water |= basin
                shore |= around
        return water, shore

    # ---- backwards ----

    def _trace(self, cost: int, cell: int) -> Actions:
        """The actions of a way to a land space that is reached for that cost."""
        builds = next(n for n, front in enumerate(self._fronts[cost]) if front.land >> cell & 1)
        steps: list[int] = []
        kind = "land"
        while cost > 0:
            spent, built, cell, kind, actions = self._back(cost, builds, cell, kind)
            cost, builds = cost - spent, builds - built
            steps += reversed(actions)
        return tuple(reversed(steps))

    def _back(self, cost: int, builds: int, cell: int, kind: str) -> Back:
        """The last step to a space."""
        bit, stride = 1 << cell, self._stride
        walk = (act.encode(act.WALK, cell),)
        near = self._front(cost - 1, builds)
        if kind == "land":
            around = {"land": beside(bit, stride), "h": bit << 1 | bit >> 1, "v": bit << stride | bit >> stride}
            came = next(came for came, mask in around.items() if mask & getattr(near, came))
            return 1, 0, first_cell(around[came] & getattr(near, came)), came, walk
        axis = act.V if kind == "v" else act.H
        ends = bit << stride | bit >> stride if kind == "v" else bit << 1 | bit >> 1
        if kind != "passed" and bit & self._bridges[axis] and (found := ends & near.land):
            return 1, 0, first_cell(found), "land", walk
        if kind != "passed" and (found := ends & self._front(cost - 2, builds - 1).land):
            return 2, 1, first_cell(found), "land", (self._build(cell, axis), *walk)
        return self._back_by_boat(cost, builds, cell, kind, axis)

    def _back_by_boat(self, cost: int, builds: int, cell: int, kind: str, axis: int) -> Back:
        bit = 1 << cell
        water, shore = self._sail(bit)
        boat = () if kind == "passed" else (act.encode(act.BOAT, cell),)
        there = bit & (self._bridges[0] | self._bridges[1] | self._blocked)
        for built in (0, 1) if there else (1,):
            front = self._front(cost - self._fare - built, builds - built)
            if found := (water | shore) & front.bridges & ~bit:
                start = first_cell(found)
                came = next(name for name in ("h", "v", "passed") if getattr(front, name) >> start & 1)
                return self._fare + built, built, start, came, ((self._build(cell, axis),) if built else ()) + boat
        raise AssertionError("a front that nothing leads to")

    def _build(self, cell: int, axis: int) -> int:
        if self._spare is None:
            return act.encode(act.BRIDGE, cell, axis=axis)
        return act.encode(act.RELOCATE, cell, self._spare, axis)


def _union(one: Front, other: Front) -> Front:
    return Front(one.land | other.land, one.h | other.h, one.v | other.v, one.passed | other.passed)


def _spare(state: State, here: int) -> int | None:
    """The bridge to move: the one that lies farthest from the pawn."""
    stride = state.variant.board.stride

    def distance(cell: int) -> int:
        return abs(cell // stride - here // stride) + abs(cell % stride - here % stride)

    return max(cells(places.free_bridges(state)), key=distance, default=None)


def _basins(state: State, by_bridge: bool) -> list[tuple[int, int]]:
    """The pieces of water that bridges separate (where a boat pays by the bridge), each with what is beside it."""
    stride, bridges = state.variant.board.stride, state.bridges_h | state.bridges_v
    canals = state.canals & ~bridges if by_bridge else state.canals
    if not bridges:
        return []
    pieces = list(regions(canals, stride))
    for lake in state.variant.board.lakes:
        shore = beside(lake, stride)
        touching = [piece for piece in pieces if piece & shore]
        pieces = [piece for piece in pieces if not piece & shore]
        pieces.append(lake | sum(touching))
    return [(piece, piece | beside(piece, stride)) for piece in pieces]
