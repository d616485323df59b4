"""Boats: from bridge to bridge by water (reading 8)."""

from __future__ import annotations

from mexica_cli.games.mexica.bits import beside
from mexica_cli.games.mexica.places import free_bridges
from mexica_cli.games.mexica.table import Table


def trips(table: Table, start: int, ap: int) -> int:
    """Bridges without a pawn that a boat from the bridge `start` (a cell) reaches for at most `ap` AP, as a mask."""
    rules = table.variant.rules
    if rules.boat_toll == "trip":
        return harbours(table, start) if rules.boat_cost <= ap else 0
    reached = 0
    for _, mask in _stages(table, start, ap):
        reached |= mask
    return reached & free_bridges(table)


def fare(table: Table, start: int, goal: int, ap: int) -> int | None:
    """The least AP for a boat between two bridges (cells); None where no boat gets there for `ap` AP."""
    rules = table.variant.rules
    if rules.boat_toll == "trip":
        there = rules.boat_cost <= ap and harbours(table, start) >> goal & 1
        return rules.boat_cost if there else None
    for cost, mask in _stages(table, start, ap):
        if mask >> goal & 1:
            return cost
    return None


def harbours(table: Table, start: int) -> int:
    """Bridges without a pawn that a boat from the bridge `start` could reach at whatever cost, as a mask."""
    return _sail(table, 1 << start, table.canals) & free_bridges(table)


def _stages(table: Table, start: int, ap: int) -> list[tuple[int, int]]:
    """Cost and mask of the bridges that are so many bridges away, nearest first; all of those within `ap`."""
    bridges = table.bridges_h | table.bridges_v
    toll = table.variant.rules.boat_cost
    stages: list[tuple[int, int]] = []
    reached = nearest = 1 << start
    while nearest and (len(stages) + 1) * toll <= ap:
        water = _sail(table, nearest, table.canals & ~bridges)
        nearest = (beside(water, table.variant.board.stride)) & bridges & ~reached
        reached |= nearest
        stages.append(((len(stages) + 1) * toll, nearest))
    return stages


def _sail(table: Table, start: int, canals: int) -> int:
    """The start (a mask of canal spaces) with all the water that is joined to it through these canals and the lake.

    A lake is one body from the start, so touching it is having all of it: no need to go round the island step by step.
    """
    board = table.variant.board
    reached = start
    while True:
        near = beside(reached, board.stride)
        grown = reached | near & canals
        for lake in board.lakes:
            if near & lake:
                grown |= lake
        if grown == reached:
            return reached
        reached = grown
