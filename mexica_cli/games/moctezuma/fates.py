"""What befalls gods and units: damage, fortress, markers, and what comes by itself when something happens."""

from __future__ import annotations

from collections.abc import Iterator

from mexica_cli.games.moctezuma.language import Influence
from mexica_cli.games.moctezuma.table import (
    DAMAGE_MASK,
    DAMAGE_SHIFT,
    GOD_WARD,
    KIND_MASK,
    Table,
    push,
    with_entry,
    with_one,
    without,
)
from mexica_cli.games.moctezuma.variant import GODS, NONE, QUETZALCOATL
from mexica_cli.games.moctezuma.zones import Log, damage, holds, most_hurt

# ---- what holds all the time -----------------------------------------------------------------------


def _influences(table: Table, what: str) -> Iterator[Influence]:
    """Those of a kind, of all cards in play, where their condition holds."""
    made = table.variant.influences[what]
    for kind in table.gods:
        if kind in made:
            yield from (influence for influence in made[kind] if holds(table, influence.test))
    if table.variant.unit_influence:
        for unit in table.field:
            found = made.get(unit & KIND_MASK, ())
            yield from (influence for influence in found if holds(table, influence.test, unit))


def may_redirect(table: Table) -> bool:
    """Whether a point aimed at a warrior or priest may hit a god instead (reading 3)."""
    return not any(_influences(table, "no_redirect"))


def resistance(table: Table, kind: int) -> int:
    """Damage that sends a unit of that kind to Mictlan."""
    matching, points = table.variant.matching, table.variant.resistance[kind]
    for influence in _influences(table, "resistance"):
        if kind in matching(influence.cards):
            points += influence.plus
    return min(max(1, points), DAMAGE_MASK)


def attack_points(table: Table, target: str, points: int) -> int:
    """Points of an attack, with what influences add to it."""
    for influence in _influences(table, "damage"):
        if influence.on == target:
            points += influence.plus
    return max(0, points)


# ---- what comes by itself --------------------------------------------------------------------------


def fire(table: Table, event: str) -> None:
    """Begin the effects of an event: of the gods in their order, then of the units."""
    found = [
        (script, kind)
        for kind in table.gods
        if kind != NONE
        for when, test, script in table.variant.triggers[kind]
        if when == event and holds(table, test)
    ]
    if event in table.variant.unit_events:
        for unit in table.field:
            found += _of_unit(table, event, unit)
    for script, kind in reversed(found):
        push(table, script, table.first, kind)


def _of_unit(table: Table, event: str, unit: int) -> list[tuple[int, int]]:
    kind = unit & KIND_MASK
    return [
        (script, kind)
        for when, test, script in table.variant.triggers[kind]
        if when == event and holds(table, test, unit)
    ]


# ---- gods ------------------------------------------------------------------------------------------


def front(table: Table) -> int:
    """Place of the god that damage hits: the first in order that is left (reading 2)."""
    return next((place for place, kind in enumerate(table.gods) if kind != NONE), QUETZALCOATL)


def hit_god(table: Table, log: Log) -> None:
    """A point of an attack hits the gods, unless it is warded off."""
    if not warded(table, GOD_WARD, log):
        change_fortress(table, front(table), -1, log)


def warded(table: Table, target: int, log: Log) -> bool:
    """Whether a point of damage does nothing, for a ward that it uses up."""
    if not table.wards[target]:
        return False
    table.wards = with_entry(table.wards, target, table.wards[target] - 1)
    log.append({"what": "warded"})
    return True


def change_fortress(table: Table, place: int, points: int, log: Log) -> None:
    """A god gains or loses fortress, within its first value and 0; at 0 it leaves at once."""
    if table.gods[place] == NONE:
        return
    before = table.fortress[place]
    after = max(0, min(table.variant.first_fortress[place], before + points))
    if after == before:
        return
    table.fortress = with_entry(table.fortress, place, after)
    log.append({"what": "fortress", "god": GODS[place], "left": after})
    if after == 0:
        _lose_god(table, place, log)


def _lose_god(table: Table, place: int, log: Log) -> None:
    """A god's effects end with it, those under way too (reading 11)."""
    kind = table.gods[place]
    log.append({"what": "god_lost", "god": GODS[place], "card": table.variant.ids[kind]})
    if place == QUETZALCOATL:
        return  # The game is over, and looks at this fortress; the card may as well stay.
    table.gods = with_entry(table.gods, place, NONE)
    table.stack = tuple(frame for frame in table.stack if frame.source != kind)
    for unit in table.field:
        if damage(unit) >= resistance(table, unit & KIND_MASK):
            _fall(table, unit, log)


def add_markers(table: Table, number: int, log: Log) -> None:
    """Markers one by one on the open part; with the last part invoked, the rest is for nothing (reading 6)."""
    for _ in range(number):
        if table.parts:
            _add_marker(table, log)


def _add_marker(table: Table, log: Log) -> None:
    table.markers += 1
    log.append({"what": "marker", "markers": table.markers})
    part = table.parts[0]
    if table.markers == table.variant.values[part]:
        table.markers, table.parts = 0, table.parts[1:]
        opened = table.variant.ids[table.parts[0]] if table.parts else None
        log.append({"what": "invoked", "card": table.variant.ids[part], "open": opened})


# ---- units -----------------------------------------------------------------------------------------


def hit_unit(table: Table, unit: int, log: Log) -> None:
    """A point of damage hits a unit, which leaves the moment that it has as much as its resistance (reading 2)."""
    kind = unit & KIND_MASK
    hurt = unit + (1 << DAMAGE_SHIFT)
    table.field = with_one(without(table.field, unit), hurt)
    log.append({"what": "hit", "card": table.variant.ids[kind], "damage": damage(hurt)})
    if damage(hurt) >= resistance(table, kind):
        _fall(table, hurt, log)


def _fall(table: Table, unit: int, log: Log) -> None:
    kind = unit & KIND_MASK
    table.field = without(table.field, unit)
    table.mictlan = with_one(table.mictlan, kind)
    log.append({"what": "moved", "card": table.variant.ids[kind], "from": "battlefield", "to": "mictlan"})
    for script, source in reversed(_of_unit(table, "falls", unit)):
        push(table, script, table.first, source)


def sacrifice(table: Table, seat: int, kind: int, place: int, log: Log) -> None:
    """A unit leaves the game for a god, whose effect begins."""
    table.field = without(table.field, most_hurt(table, kind))
    table.removed = with_one(table.removed, kind)
    log.append({"what": "moved", "card": table.variant.ids[kind], "from": "battlefield", "to": "removed"})
    god = table.gods[place]
    if place == QUETZALCOATL:
        push(table, table.variant.extra_markers[kind], seat, god)
    push(table, table.variant.sacrifice[god], seat, god)
