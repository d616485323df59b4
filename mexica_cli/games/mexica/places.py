"""Where each kind of action could go: masks of cells, whatever it costs and whatever pens.

Listing and judging single actions both build on these, so that they can't disagree.
"""

from __future__ import annotations

from mexica_cli.games.mexica.actions import H
from mexica_cli.games.mexica.bits import beside
from mexica_cli.games.mexica.table import Table, district_of


def free_land(table: Table) -> int:
    """Land that a pawn may step on: no pawn, temple or token."""
    return table.land & ~(table.temples | table.calpulli | table.pawn_cells)


def placements(table: Table) -> int:
    """Where a pawn may be set before the game."""
    variant = table.variant
    free = free_land(table)
    return free if variant.rules.start_anywhere else free & variant.board.starts


def canal_ground(table: Table) -> int:
    """Land that may be dug (reading 2)."""
    kept = table.founded_land | table.temples | table.pawn_cells | table.ramps | table.variant.board.palace
    return table.land & ~kept


def wet_ground(table: Table, ground: int) -> int:
    """The part of a ground that touches lake or canal orthogonally."""
    return ground & beside(~table.land & (1 << table.variant.board.size) - 1, table.variant.board.stride)


def tile_starts(table: Table, ground: int, length: int, axis: int) -> int:
    """First cells of all places for a tile of that length on a ground."""
    step = 1 if axis == H else table.variant.board.stride
    places = ground
    for n in range(1, length):
        places &= ground >> n * step
    if not table.variant.rules.canal_touches_water:
        return places
    wet = wet_ground(table, ground)
    touching = wet
    for n in range(1, length):
        touching |= wet >> n * step
    return places & touching


def bridge_places(table: Table) -> tuple[int, int]:
    """Canal spaces that a bridge can lie on, crossed east-west and north-south (reading 3)."""
    land, stride = table.land, table.variant.board.stride
    canals = table.canals & ~(table.bridges_h | table.bridges_v)
    return canals & land << 1 & land >> 1, canals & land << stride & land >> stride


def ramps(table: Table) -> int:
    """The land at the ends of all bridges."""
    h, v, stride = table.bridges_h, table.bridges_v, table.variant.board.stride
    return h << 1 | h >> 1 | v << stride | v >> stride


def free_bridges(table: Table) -> int:
    """Bridges without a pawn."""
    return (table.bridges_h | table.bridges_v) & ~table.pawn_cells


def steps(table: Table, seat: int) -> int:
    """Where a seat's pawn could walk to (reading 7)."""
    pawn, stride = 1 << table.pawns[seat], table.variant.board.stride
    if pawn & table.bridges_h:
        return (pawn << 1 | pawn >> 1) & free_land(table)
    if pawn & table.bridges_v:
        return (pawn << stride | pawn >> stride) & free_land(table)
    walk = beside(pawn, stride) & free_land(table)
    onto_h = (pawn << 1 | pawn >> 1) & table.bridges_h
    onto_v = (pawn << stride | pawn >> stride) & table.bridges_v
    return walk | (onto_h | onto_v) & ~table.pawn_cells


def teleports(table: Table) -> int:
    """Where a pawn could teleport to (reading 9)."""
    match table.variant.rules.teleport:
        case "off":
            return 0
        case "land":
            return free_land(table)
    return free_land(table) | free_bridges(table)


def temple_sites(table: Table) -> int:
    """Where the seat whose turn it is could build, whatever the level (reading 5)."""
    pawn_cell = table.pawns[table.seat]
    pawn, board = 1 << pawn_cell, table.variant.board
    if not pawn & table.land:
        return 0
    if table.variant.rules.temple_reach == "adjacent":
        own = pawn & ~table.temples
        return (beside(pawn, board.stride) & free_land(table) | own) & ~board.palace
    return district_of(table, pawn_cell) & free_land(table) & ~board.palace


def district_to_found(table: Table) -> int:
    """The unfounded district that the seat whose turn it is stands in; 0 where there is none."""
    cell = table.pawns[table.seat]
    for district in table.unfounded:
        if district >> cell & 1:
            return district
    return 0


def token_sites(table: Table, district: int) -> int:
    """Where the token could lie that founds a district (reading 6)."""
    return district & ~(table.temples | table.pawn_cells | table.variant.board.palace)
