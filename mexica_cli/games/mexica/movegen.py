"""All legal actions of a position."""

from __future__ import annotations

from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica import bits, places
from mexica_cli.games.mexica.boats import trips
from mexica_cli.games.mexica.penning import guarded_kinds, pens, rivals_at_risk
from mexica_cli.games.mexica.table import PLACING, TURN, VOTE, Table

_TAKE, _SPEND, _END = act.encode(act.TAKE), act.encode(act.SPEND), act.encode(act.END)


def legal_actions(table: Table) -> list[int]:
    """Every legal action of the seat to act, kind by kind; empty once the game is over."""
    actions: list[int] = []
    for group in by_kind(table).values():
        actions += group
    return actions


def by_kind(table: Table) -> dict[int, list[int]]:
    """The legal actions by kind, kinds without any left out."""
    if table.phase == TURN:
        groups = _turn(table)
    elif table.phase == PLACING:
        groups = {act.PLACE: table.variant.lister[act.PLACE](places.placements(table))}
    elif table.phase == VOTE:
        groups = {kind: [act.encode(kind)] for kind in (act.AGREE, act.REFUSE)}
    else:
        groups = {}
    return {kind: group for kind, group in groups.items() if group}


def _turn(table: Table) -> dict[int, list[int]]:
    groups = {act.FOUND: _foundings(table), act.RETIRE: _retirements(table), act.END: [_END]}
    if table.action_tokens[table.seat]:
        groups[act.SPEND] = [_SPEND]
    if table.ap:
        groups |= _paid(table)
    if (guarded := guarded_kinds(table)) and (rivals := rivals_at_risk(table)):
        for kind in groups.keys() & guarded:
            groups[kind] = [action for action in groups[kind] if not pens(table, action, rivals)]
    return groups


def _paid(table: Table) -> dict[int, list[int]]:
    """What costs at least one AP under all rules."""
    groups = {
        act.CANAL: _canals(table),
        act.TEMPLE: _temples(table),
        act.WALK: table.variant.lister[act.WALK](places.steps(table, table.seat)),
        act.BOAT: _boats(table),
        act.TELEPORT: _teleports(table),
    }
    if table.bridge_supply:
        groups[act.BRIDGE] = _bridges(table, act.BRIDGE)
    else:
        groups[act.RELOCATE] = _relocations(table)
    if table.taken < table.variant.rules.tokens_per_turn and table.token_supply:
        groups[act.TAKE] = [_TAKE]
    return groups


def _canals(table: Table) -> list[int]:
    actions: list[int] = []
    ground = places.canal_ground(table)
    longest = table.ap if table.variant.rules.canal_cost == "space" else table.variant.rules.longest_tile
    for length, left in enumerate(table.tiles[:longest], 1):
        if left:
            for axis in (act.H, act.V) if length > 1 else (act.H,):
                starts = places.tile_starts(table, ground, length, axis)
                table.variant.lister[act.encode(act.CANAL, 0, length, axis)].add(actions, starts)
    return actions


def _temples(table: Table) -> list[int]:
    actions: list[int] = []
    sites = places.temple_sites(table)
    for level, left in enumerate(table.hands[table.seat][: table.ap], 1):
        if left:
            table.variant.lister[act.encode(act.TEMPLE, 0, level)].add(actions, sites)
    return actions


def _boats(table: Table) -> list[int]:
    cell = table.pawns[table.seat]
    return [] if table.land >> cell & 1 else table.variant.lister[act.BOAT](trips(table, cell, table.ap))


def _teleports(table: Table) -> list[int]:
    if table.ap < table.variant.rules.teleport_cost:
        return []
    return table.variant.lister[act.TELEPORT](places.teleports(table))


def _foundings(table: Table) -> list[int]:
    if table.ap < table.variant.rules.found_cost:
        return []
    district = places.district_to_found(table)
    size = district.bit_count()
    if size not in table.display:
        return []
    return table.variant.lister[act.encode(act.FOUND, 0, size)](places.token_sites(table, district))


def _bridges(table: Table, kind: int) -> list[int]:
    """The actions that bring a bridge to each of its possible places; a moved one's origin is still to be added."""
    h, v = places.bridge_places(table)
    lister = table.variant.lister
    return lister[act.encode(kind)](h) + lister[act.encode(kind, axis=act.V)](v)


def _relocations(table: Table) -> list[int]:
    goals = _bridges(table, act.RELOCATE)
    actions: list[int] = []
    for origin in bits.cells(places.free_bridges(table)):
        actions += map((origin << act.EXTRA_SHIFT).__or__, goals)
    return actions


def _retirements(table: Table) -> list[int]:
    if table.period != 2:
        return []
    return [act.encode(act.RETIRE, extra=size) for size in sorted({*table.display} - {*table.proposed})]
