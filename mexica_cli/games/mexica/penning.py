"""No penning: in the first round, and for temples under some rule sets ever (reading 11)."""

from __future__ import annotations

from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.boats import harbours
from mexica_cli.games.mexica.places import bridge_places, free_bridges, steps
from mexica_cli.games.mexica.table import Table

_MOVES = (act.WALK, act.BOAT, act.TELEPORT)
_ANY_ROUND = (act.TEMPLE,)
_FIRST_ROUND = (*_ANY_ROUND, act.CANAL, act.FOUND, *_MOVES)

Rival = tuple[int, int]
"""A seat whose pawn isn't penned, and the cells that it could walk to."""


def guarded_kinds(table: Table) -> tuple[int, ...]:
    """The kinds of action that mustn't pen now."""
    rules = table.variant.rules
    if table.round == 1 and not rules.penning_first_round:
        return _FIRST_ROUND
    return () if rules.penning_temples else _ANY_ROUND


def rivals_at_risk(table: Table) -> list[Rival]:
    """The other seats that an action might pen: not penned yet, and with so few ways out that a tile covers them."""
    longest = table.variant.rules.longest_tile
    others = [(seat, steps(table, seat)) for seat in range(table.players) if seat != table.seat]
    return [(seat, ways) for seat, ways in others if ways.bit_count() <= longest and not is_penned(table, seat)]


def pens(table: Table, action: int, rivals: list[Rival]) -> bool:
    """Whether an otherwise legal action of a guarded kind pens one of these rivals."""
    covered = _covered(table, action)
    on_land = act.kind(action) in (act.TEMPLE, act.FOUND)
    # Only an action that covers all ways out can pen; and where there is no way on foot, what is put on land changes
    # nothing, since bridges may end on occupied land.
    suspects = [seat for seat, ways in rivals if not ways & ~covered and (ways or not on_land)]
    if not suspects:
        return False
    after = _after(table, action, covered)
    return any(is_penned(after, seat) for seat in suspects)


def is_penned(table: Table, seat: int) -> bool:
    """Whether a seat's pawn has no step, and neither a bridge to build (on land) nor a boat to take (on a bridge)."""
    if steps(table, seat):
        return False
    cell = table.pawns[seat]
    if not table.land >> cell & 1:
        return not harbours(table, cell)
    if not table.bridge_supply and not free_bridges(table):
        return True
    pawn, stride = 1 << cell, table.variant.board.stride
    h, v = bridge_places(table)
    return not (h & (pawn << 1 | pawn >> 1) or v & (pawn << stride | pawn >> stride))


def _covered(table: Table, action: int) -> int:
    if act.kind(action) == act.CANAL:
        return act.canal_mask(action, table.variant.board.stride)
    return 1 << act.cell(action)


def _after(table: Table, action: int, covered: int) -> Table:
    """A copy of the table with what the action puts on the board; districts, stock and scores stay as they were."""
    after = table.copy()
    match act.kind(action):
        case act.CANAL:
            after.land &= ~covered
            after.canals |= covered
        case act.TEMPLE | act.FOUND:
            after.temples |= covered
        case _:
            move_pawn(after, act.cell(action))
    return after


def move_pawn(table: Table, cell: int) -> None:
    """Put the pawn of the seat whose turn it is on a cell."""
    pawns = list(table.pawns)
    table.pawn_cells ^= 1 << pawns[table.seat] | 1 << cell
    pawns[table.seat] = cell
    table.pawns = tuple(pawns)
