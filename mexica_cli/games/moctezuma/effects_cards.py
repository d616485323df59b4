"""Steps that move or show cards."""

from __future__ import annotations

from mexica_cli.games.moctezuma import actions as act
from mexica_cli.games.moctezuma import zones
from mexica_cli.games.moctezuma.effect import Asking, Effect
from mexica_cli.games.moctezuma.language import Draw, Extra, Leave, Move, Offer, Reveal
from mexica_cli.games.moctezuma.table import (
    KIND_MASK,
    KIND_SHIFT,
    OPEN,
    Frame,
    Question,
    Table,
    advance,
    progress,
    push,
)
from mexica_cli.games.moctezuma.zones import PILES, Log


class Drawing(Effect[Draw]):
    """`draw`."""

    def go_on(self, table: Table, step: Draw, frame: Frame, log: Log) -> Asking:
        if step.who == "chosen" and table.deck and table.players > 1:
            return Question(frame.seat, [act.encode(act.SEAT, 0, seat) for seat in range(table.players)])
        advance(table)
        for seat in {"each": range(table.players), "lowest": (0,)}.get(step.who, (frame.seat,)):
            zones.draw(table, seat, step.cards, log)
        return None

    def answer(self, table: Table, step: Draw, frame: Frame, action: int, log: Log) -> None:
        advance(table)
        zones.draw(table, act.extra(action), step.cards, log)


class Moving(Effect[Move]):
    """`move`."""

    def go_on(self, table: Table, step: Move, frame: Frame, log: Log) -> Asking:
        if frame.done < step.count:
            return self._next(table, step, frame, log)
        advance(table)
        return None

    def _next(self, table: Table, step: Move, frame: Frame, log: Log) -> Asking:
        if step.source in PILES:
            return self._top(table, step, frame, log)
        options = [act.take(step.source, kind) for kind in _choices(table, step, frame)]
        private = step.source == "hand" and bool(table.hands[frame.seat])
        if options or private:
            return Question(frame.seat, [*options, act.DONE] if step.up_to else options, private)
        advance(table)
        return None

    def _top(self, table: Table, step: Move, frame: Frame, log: Log) -> Asking:
        if not zones.can_take_top(table, step.source):
            advance(table)
        elif step.up_to:
            return Question(frame.seat, [act.take(step.source), act.DONE])
        else:
            progress(table)
            put_down(table, step.source, step.to, zones.take_top(table, step.source), frame, log)
        return None

    def answer(self, table: Table, step: Move, frame: Frame, action: int, log: Log) -> None:
        if action == act.DONE:
            advance(table)
            return
        progress(table)
        if step.source in PILES:
            entry = zones.take_top(table, step.source)
        else:
            entry = act.card(action) << KIND_SHIFT | OPEN
            zones.take_chosen(table, step.source, act.card(action), frame.seat)
        put_down(table, step.source, step.to, entry, frame, log)


def _choices(table: Table, step: Move, frame: Frame) -> list[int]:
    """Kinds that can be moved; a card that was used doesn't find itself in Mictlan."""
    wanted = table.variant.matching(step.cards)
    if step.source == "hand":
        found = [entry >> KIND_SHIFT for entry in table.hands[frame.seat]]
    else:
        found = zones.kinds_in(table, step.source)
    if step.source == "mictlan" and frame.source in table.variant.units and frame.source in found:
        found.remove(frame.source)
    return sorted({kind for kind in found if kind in wanted})


def put_down(table: Table, source: str, goal: str, entry: int, frame: Frame, log: Log) -> None:
    """Put down a card that was taken, and say so; `frame.seat` is whose hand it can come from or go to."""
    known = zones.put(table, goal, entry, frame.seat, frame.done)
    recovering = source == "mictlan" or goal.startswith(("deck", "siege_deck"))
    if recovering and frame.source in table.variant.units and _in_use(table):
        table.recovered = True
    card = table.variant.ids[entry >> KIND_SHIFT]
    if goal == "hand" and not known:
        log.append({"what": "drawn", "seat": frame.seat, "card": card, "known": False})
        return
    moved = {"what": "moved", "card": card if known else None, "from": source, "to": goal}
    log.append({**moved, "seat": frame.seat} if "hand" in {source, goal} else moved)


def _in_use(table: Table) -> bool:
    """Whether an ability is under way, not just something that comes by itself."""
    return any(frame.script == table.variant.after_use for frame in table.stack)


class Offering(Effect[Offer]):
    """`offer` (reading 9)."""

    def go_on(self, table: Table, step: Offer, frame: Frame, log: Log) -> Asking:
        if frame.done >= table.players:
            advance(table)
            push(table, table.variant.branches[frame.script, frame.step][1], frame.seat, frame.source)
            return None
        seat = (frame.seat + frame.done) % table.players
        options = _offered(table, step, seat)
        private = "hand" in step.sources and bool(table.hands[seat])
        if options or private:
            return Question(seat, [*options, act.PASS], private)
        progress(table)
        return None

    def answer(self, table: Table, step: Offer, frame: Frame, action: int, log: Log) -> None:
        if action == act.PASS:
            progress(table)
            return
        asked = (frame.seat + frame.done) % table.players
        place, kind = act.place(action), act.card(action)
        advance(table)
        zones.take_chosen(table, place, kind, asked)
        sender = asked if place == "hand" else 0
        push(table, table.variant.branches[frame.script, frame.step][0], sender, frame.source)
        put_down(table, place, step.to, kind << KIND_SHIFT | OPEN, frame._replace(seat=asked), log)


def _offered(table: Table, step: Offer, seat: int) -> list[int]:
    wanted = table.variant.matching(step.cards)
    options = []
    if "battlefield" in step.sources:
        kinds = {unit & KIND_MASK for unit in table.field}
        options += [act.take("battlefield", kind) for kind in sorted(kinds & wanted)]
    if "hand" in step.sources:
        kinds = {entry >> KIND_SHIFT for entry in table.hands[seat]}
        options += [act.take("hand", kind) for kind in sorted(kinds & wanted)]
    return options


class Leaving(Effect[Leave]):
    """`leave`."""

    def go_on(self, table: Table, step: Leave, frame: Frame, log: Log) -> None:
        advance(table)
        if any(unit & KIND_MASK == frame.source for unit in table.field):
            zones.take_chosen(table, "battlefield", frame.source, frame.seat)
            put_down(table, "battlefield", step.to, frame.source << KIND_SHIFT | OPEN, frame, log)


class Revealing(Effect[Reveal]):
    """`reveal`."""

    def go_on(self, table: Table, step: Reveal, frame: Frame, log: Log) -> None:
        advance(table)
        zones.reveal(table, step.where, step.cards, log)


class Lengthening(Effect[Extra]):
    """`extra`."""

    def go_on(self, table: Table, step: Extra, frame: Frame, log: Log) -> None:
        advance(table)
        table.extra += step.cards
        log.append({"what": "extra", "cards": table.extra})
