"""Doing an action: one function a kind, each of which takes a table and a legal action and returns what followed."""

from __future__ import annotations

from collections.abc import Callable

from mexica_cli.games.game import JsonDict
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica import bits, periods
from mexica_cli.games.mexica.boats import fare
from mexica_cli.games.mexica.penning import move_pawn
from mexica_cli.games.mexica.places import district_to_found, ramps
from mexica_cli.games.mexica.scoring import score_founding
from mexica_cli.games.mexica.table import TURN, VOTE, Table, with_entry

Entries = list[JsonDict]


def apply(table: Table, action: int) -> Entries:
    """Do a legal action."""
    return _DO[act.kind(action)](table, action)


def _place(table: Table, action: int) -> Entries:
    cell = act.cell(action)
    table.pawns = with_entry(table.pawns, table.seat, cell)
    table.pawn_cells |= 1 << cell
    if table.seat + 1 == table.players:
        return periods.begin_period(table)
    table.turn += 1
    table.seat = table.voter = table.seat + 1
    return []


def _canal(table: Table, action: int) -> Entries:
    length = act.extra(action)
    dug = act.canal_mask(action, table.variant.board.stride)
    table.land &= ~dug
    table.canals |= dug
    table.tiles = with_entry(table.tiles, length - 1, table.tiles[length - 1] - 1)
    table.ap -= length if table.variant.rules.canal_cost == "space" else 1
    _split(table, dug)
    table.busy = True
    return periods.retire_automatically(table) + periods.check_at_once(table)


def _split(table: Table, dug: int) -> None:
    """Replace the district that was dug in by what is left of it."""
    stride = table.variant.board.stride
    at = next(n for n, district in enumerate(table.unfounded) if district & dug)
    rest = table.unfounded[at] & ~dug
    rim = bits.beside(dug, stride) & rest
    # What was one district is one still if the land around the canal hangs together, which is mostly so and soon seen.
    whole = rim and bits.joined(rim, rest, stride)
    parts = (rest,) if whole else tuple(bits.regions(rest, stride))
    table.unfounded = table.unfounded[:at] + parts + table.unfounded[at + 1 :]


def _bridge(table: Table, action: int) -> Entries:
    _lay_bridge(table, action)
    return []


def _relocate(table: Table, action: int) -> Entries:
    origin = 1 << act.extra(action)
    table.bridges_h &= ~origin
    table.bridges_v &= ~origin
    _lay_bridge(table, action)
    return []


def _lay_bridge(table: Table, action: int) -> None:
    bridge = 1 << act.cell(action)
    if act.axis(action) == act.H:
        table.bridges_h |= bridge
    else:
        table.bridges_v |= bridge
    table.ramps = ramps(table)
    table.ap -= 1


def _temple(table: Table, action: int) -> Entries:
    level, site = act.extra(action), 1 << act.cell(action)
    seat = table.seat
    hand = with_entry(table.hands[seat], level - 1, table.hands[seat][level - 1] - 1)
    own = with_entry(table.built[seat], level - 1, table.built[seat][level - 1] | site)
    table.hands = (*table.hands[:seat], hand, *table.hands[seat + 1 :])
    table.built = (*table.built[:seat], own, *table.built[seat + 1 :])
    table.temples |= site
    table.ap -= level
    table.busy = True
    return periods.retire_automatically(table) + periods.check_at_once(table)


def _walk(table: Table, action: int) -> Entries:
    move_pawn(table, act.cell(action))
    table.ap -= 1
    return []


def _boat(table: Table, action: int) -> Entries:
    goal = act.cell(action)
    cost = fare(table, table.pawns[table.seat], goal, table.ap)
    table.ap -= cost or 0
    move_pawn(table, goal)
    return []


def _teleport(table: Table, action: int) -> Entries:
    move_pawn(table, act.cell(action))
    table.ap -= table.variant.rules.teleport_cost
    return []


def _found(table: Table, action: int) -> Entries:
    cell, size = act.cell(action), act.extra(action)
    district = district_to_found(table)
    table.unfounded = tuple(other for other in table.unfounded if other != district)
    table.founded = (*table.founded, district)
    table.founded_land |= district
    table.calpulli |= 1 << cell
    at = table.display.index(size)
    table.display = table.display[:at] + table.display[at + 1 :]
    table.ap -= table.variant.rules.found_cost
    table.busy = True
    entries = score_founding(table, district, cell)
    return entries + periods.retire_automatically(table) + periods.check_at_once(table)


def _take(table: Table, _: int) -> Entries:
    _change_tokens(table, 1)
    table.taken += 1
    table.ap -= 1
    return []


def _spend(table: Table, _: int) -> Entries:
    _change_tokens(table, -1)
    table.ap += 1
    return []


def _change_tokens(table: Table, by: int) -> None:
    seat = table.seat
    table.action_tokens = with_entry(table.action_tokens, seat, table.action_tokens[seat] + by)


def _retire(table: Table, action: int) -> Entries:
    size = act.extra(action)
    table.proposal = size
    table.proposed = tuple(sorted((*table.proposed, size)))
    table.phase = VOTE
    table.voter = (table.seat + 1) % table.players
    return []


def _agree(table: Table, _: int) -> Entries:
    table.voter = (table.voter + 1) % table.players
    if table.voter != table.seat:
        return []
    size = table.proposal
    _close_vote(table)
    return periods.retire_by_vote(table, size)


def _refuse(table: Table, _: int) -> Entries:
    _close_vote(table)
    return []


def _close_vote(table: Table) -> None:
    table.phase = TURN
    table.voter = table.seat
    table.proposal = 0


def _end(table: Table, _: int) -> Entries:
    return periods.end_turn(table)


_DO: tuple[Callable[[Table, int], Entries], ...] = (
    _place,
    _canal,
    _bridge,
    _relocate,
    _temple,
    _walk,
    _boat,
    _teleport,
    _found,
    _take,
    _spend,
    _retire,
    _agree,
    _refuse,
    _end,
)
"""By kind."""
