"""Steps about damage, fortress, markers and sacrifices."""

from __future__ import annotations

from mexica_cli.games.moctezuma import actions as act
from mexica_cli.games.moctezuma import fates, zones
from mexica_cli.games.moctezuma.effect import Asking, Effect
from mexica_cli.games.moctezuma.language import Attack, Fortress, Marker, Sacrifice, Ward
from mexica_cli.games.moctezuma.table import (
    DAMAGE_SHIFT,
    FRESH_SHIFT,
    KIND_MASK,
    WARDS,
    Frame,
    Question,
    Table,
    advance,
    progress,
    with_entry,
)
from mexica_cli.games.moctezuma.variant import GODS, NONE
from mexica_cli.games.moctezuma.zones import Log

_STALE = ~(1 << FRESH_SHIFT)
_WARDED_BY = {"warrior": (0,), "priest": (1,), "unit": (0, 1)}
"""By target of an attack, the wards that take its points, as places in `WARDS`."""


class Attacking(Effect[Attack]):
    """`attack`, one point of damage at a time (readings 2 and 3)."""

    def go_on(self, table: Table, step: Attack, frame: Frame, log: Log) -> Asking:
        if frame.done >= fates.attack_points(table, step.on, step.damage):
            advance(table)
            return None
        ward = _ward(table, step.on)
        targets = table.variant.targets[step.on]
        found = {unit & _STALE for unit in table.field if unit & KIND_MASK in targets} if ward is None else ()
        if found:
            return _aim(table, frame, found)
        progress(table)
        if ward is None:
            fates.hit_god(table, log)
        else:
            fates.warded(table, ward, log)
        return None

    def answer(self, table: Table, step: Attack, frame: Frame, action: int, log: Log) -> None:
        progress(table)
        if action == act.REDIRECT:
            fates.hit_god(table, log)
            return
        wanted = act.card(action) | act.extra(action) << DAMAGE_SHIFT
        unit = next(unit for unit in table.field if unit & _STALE == wanted)
        fates.hit_unit(table, unit, log)


def _ward(table: Table, target: str) -> int | None:
    """The ward that takes a point aimed at such a target. Those of gods are looked at when a god is hit."""
    return next((ward for ward in _WARDED_BY.get(target, ()) if table.wards[ward]), None)


def _aim(table: Table, frame: Frame, units: set[int]) -> Question:
    options = [act.encode(act.HIT, unit & KIND_MASK, zones.damage(unit)) for unit in sorted(units)]
    if fates.may_redirect(table):
        options.append(act.REDIRECT)
    return Question(frame.seat, options)


class Warding(Effect[Ward]):
    """`ward`."""

    def go_on(self, table: Table, step: Ward, frame: Frame, log: Log) -> None:
        advance(table)
        target = WARDS.index(step.against)
        table.wards = with_entry(table.wards, target, table.wards[target] + step.points)
        log.append({"what": "ward", "against": step.against, "points": table.wards[target]})


class Fortifying(Effect[Fortress]):
    """`fortress`."""

    def go_on(self, table: Table, step: Fortress, frame: Frame, log: Log) -> Asking:
        if step.god == "chosen" and (options := _choosable_gods(table, step)):
            return Question(frame.seat, options)
        advance(table)
        for place in _meant(table, step.god, frame):
            fates.change_fortress(table, place, step.points, log)
        return None

    def answer(self, table: Table, step: Fortress, frame: Frame, action: int, log: Log) -> None:
        advance(table)
        fates.change_fortress(table, act.extra(action), step.points, log)


def _choosable_gods(table: Table, step: Fortress) -> list[int]:
    """Those in play on which it does something."""
    first = table.variant.first_fortress
    return [
        act.encode(act.GOD, 0, place)
        for place, kind in enumerate(table.gods)
        if kind != NONE and (step.points < 0 or table.fortress[place] < first[place])
    ]


def _meant(table: Table, god: str, frame: Frame) -> list[int]:
    match god:
        case "chosen":
            return []  # There was none to choose.
        case "each":
            return list(range(len(GODS)))
        case "front":
            return [fates.front(table)]
        case "this":
            return [table.gods.index(frame.source)]
    return [GODS.index(god)]


class Marking(Effect[Marker]):
    """`marker`."""

    def go_on(self, table: Table, step: Marker, frame: Frame, log: Log) -> None:
        advance(table)
        fates.add_markers(table, step.count, log)


class Sacrificing(Effect[Sacrifice]):
    """`sacrifice`."""

    def go_on(self, table: Table, step: Sacrifice, frame: Frame, log: Log) -> Asking:
        options = sacrifices(table, table.variant.matching(step.cards)) if frame.done < step.count else []
        if options:
            return Question(frame.seat, [*options, act.DONE] if step.up_to else options)
        advance(table)
        return None

    def answer(self, table: Table, step: Sacrifice, frame: Frame, action: int, log: Log) -> None:
        if action == act.DONE:
            advance(table)
            return
        progress(table)
        fates.sacrifice(table, frame.seat, act.card(action), act.extra(action), log)


def sacrifices(table: Table, kinds: frozenset[int]) -> list[int]:
    """Every sacrifice of a unit on the battlefield of those kinds to a god in play."""
    offered, gods = table.variant.offered_to, table.gods
    return [
        act.encode(act.SACRIFICE, kind, place)
        for kind in sorted({unit & KIND_MASK for unit in table.field} & kinds)
        for place in offered[kind]
        if gods[place] != NONE
    ]
