"""The course of a game: the exchange of the first hand, and round by round the five phases (Playing the Game)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from mexica_cli.games.moctezuma import actions as act
from mexica_cli.games.moctezuma import fates, zones
from mexica_cli.games.moctezuma.effect import Asking
from mexica_cli.games.moctezuma.effects_battle import sacrifices
from mexica_cli.games.moctezuma.language import Move
from mexica_cli.games.moctezuma.rules import LINE, MOST_ROUNDS, hand_size, plays
from mexica_cli.games.moctezuma.table import (
    ATTACKS,
    CAPTURED,
    DEFENCE,
    ENDLESS,
    EXCHANGE,
    FRESH_SHIFT,
    KIND_MASK,
    KIND_SHIFT,
    KNOWN,
    OPEN,
    OUTCOMES,
    OVER,
    PHASES,
    PLANNING,
    REFLECTION,
    SIEGE,
    SIEGED,
    WON,
    Question,
    Table,
    push,
    with_one,
    without,
)
from mexica_cli.games.moctezuma.variant import NONE
from mexica_cli.games.moctezuma.zones import Log


def begin(table: Table, phase: int, log: Log) -> None:
    """Begin a phase, with what comes by itself then."""
    table.phase, table.progress, table.seat = phase, 0, table.first
    table.turn += 1
    table.field = tuple(sorted(unit & ~(1 << FRESH_SHIFT) for unit in table.field))
    log.append({"what": "phase", "phase": PHASES[phase], "round": table.round})
    if phase != PLANNING:
        fates.fire(table, PHASES[phase])


def end(table: Table, outcome: int, log: Log) -> None:
    """The game is over; what was under way is left."""
    table.phase, table.outcome, table.stack = OVER, outcome, ()
    log.append({"what": "over", "won": outcome == WON, "reason": OUTCOMES[outcome]})


def go_on(table: Table, log: Log) -> Asking:
    """Go on where no effect is under way: a question, or None where something was done."""
    return _GO_ON[table.phase](table, log)


def answer(table: Table, action: int, log: Log) -> None:
    """Do what a question of `go_on` was answered with."""
    match act.kind(action):
        case act.KEEP | act.EXCHANGE:
            _exchange(table, act.exchanged(action), log)
        case act.PLAY:
            entry = zones.from_hand(table, table.seat, act.card(action))
            picked = with_one(table.picks[table.seat], entry)
            table.picks = (*table.picks[: table.seat], picked, *table.picks[table.seat + 1 :])
        case act.PASS:
            table.progress += 1
            _next_seat(table)
        case act.USE:
            table.progress = 0
            _use(table, act.card(action), log)
        case act.SACRIFICE:
            table.progress = 0
            seat = table.seat
            _next_seat(table)
            fates.sacrifice(table, seat, act.card(action), act.extra(action), log)


def _next_seat(table: Table) -> None:
    table.seat = (table.seat + 1) % table.players


# ---- the first hand --------------------------------------------------------------------------------


def _ask_exchange(table: Table, log: Log) -> Asking:
    if table.progress == table.players:
        begin(table, PLANNING, log)
        return None
    kinds = [entry >> KIND_SHIFT for entry in table.hands[table.seat]]
    subsets = {cards for number in range(len(kinds) + 1) for cards in combinations(kinds, number)}
    return Question(table.seat, [act.exchange(cards) for cards in sorted(subsets)], private=True)


def _exchange(table: Table, cards: tuple[int, ...], log: Log) -> None:
    seat = table.seat
    table.progress += 1
    _next_seat(table)
    for kind in cards:
        zones.from_hand(table, seat, kind)
        table.mictlan = with_one(table.mictlan, kind)
        log.append({"what": "moved", "card": table.variant.ids[kind], "from": "hand", "to": "mictlan", "seat": seat})
    zones.draw(table, seat, hand_size(table.players) - len(table.hands[seat]), log)


# ---- Defence and Reflection ------------------------------------------------------------------------


def _ask_defence(table: Table, log: Log) -> Asking:
    variant = table.variant
    question = _ask_in_turn(table, lambda: [*_uses(table, variant.defensive), *sacrifices(table, variant.units)])
    if question is None:
        begin(table, PLANNING, log)
    return question


def _ask_reflection(table: Table, log: Log) -> Asking:
    question = _ask_in_turn(table, lambda: _uses(table, table.variant.reflective))
    if question is None:
        _end_round(table, log)
    return question


def _ask_in_turn(table: Table, offered: Callable[[], list[int]]) -> Asking:
    """Seats act in turn until all have passed in a row; a seat that can't do anything passes unasked."""
    while table.progress < table.players:
        if options := offered():
            return Question(table.seat, [*options, act.PASS])
        table.progress += 1
        _next_seat(table)
    return None


def _uses(table: Table, allowed: list[bool]) -> list[int]:
    scripts = table.variant.use
    kinds = {unit for unit in table.field if not unit >> FRESH_SHIFT}
    return [
        act.encode(act.USE, kind)
        for kind in sorted(kinds)
        if scripts[kind] >= 0 and allowed[kind] and _can_pay(table, kind)
    ]


def _can_pay(table: Table, kind: int) -> bool:
    script = table.variant.cost[kind]
    return script == NONE or all(_payable(table, kind, step) for step in table.variant.scripts[script])


def _payable(table: Table, kind: int, cost: object) -> bool:
    """Whether there are cards enough, not counting the one that is used."""
    assert isinstance(cost, Move)
    if cost.source == "hand":
        return len(table.hands[table.seat]) >= cost.count
    wanted = table.variant.matching(cost.cards)
    found = [other for other in zones.kinds_in(table, cost.source) if other in wanted]
    if cost.source == "battlefield" and kind in wanted:
        found.remove(kind)
    return len(found) >= cost.count


def _use(table: Table, kind: int, log: Log) -> None:
    """The unit goes to Mictlan; then its cost is paid and its ability resolved (Mexica Defence)."""
    seat = table.seat
    _next_seat(table)
    table.field = without(table.field, kind)
    table.mictlan = with_one(table.mictlan, kind)
    log.append({"what": "moved", "card": table.variant.ids[kind], "from": "battlefield", "to": "mictlan"})
    for script in (table.variant.after_use, table.variant.use[kind], table.variant.cost[kind]):
        push(table, script, seat, kind)


# ---- Planning --------------------------------------------------------------------------------------


def _ask_planning(table: Table, log: Log) -> Asking:
    while table.progress < table.players:
        hand = table.hands[table.seat]
        if hand and len(table.picks[table.seat]) < plays(table.players):
            kinds = sorted({entry >> KIND_SHIFT for entry in hand})
            return Question(table.seat, [act.encode(act.PLAY, kind) for kind in kinds], private=True)
        table.progress += 1
        _next_seat(table)
    _play_and_draw(table, log)
    begin(table, ATTACKS, log)
    return None


def _play_and_draw(table: Table, log: Log) -> None:
    """All cards chosen come down at once; then all seats draw, in their order (reading 7)."""
    for seat, picked in enumerate(table.picks):
        for entry in picked:
            kind = entry >> KIND_SHIFT
            table.field = with_one(table.field, kind)
            log.append(
                {"what": "moved", "card": table.variant.ids[kind], "from": "hand", "to": "battlefield", "seat": seat}
            )
    table.picks = ((),) * table.players
    for seat in range(table.players):
        zones.draw(table, seat, plays(table.players), log)


# ---- Attacks ---------------------------------------------------------------------------------------


def _attacks(table: Table, log: Log) -> Asking:
    """The next card of the siege line; after the last, what comes by itself, and then the end (reading 5)."""
    place = table.progress
    table.progress += 1
    if place < len(table.line):
        zones.turn_up(table, place, log)
        kind = table.line[place] >> KIND_SHIFT
        log.append({"what": "resolves", "card": table.variant.ids[kind]})
        push(table, table.variant.resolve[kind], table.first, kind)
    elif place == len(table.line):
        fates.fire(table, "attacks_end")
    else:
        _end_attacks(table)
        begin(table, SIEGE, log)
    return None


def _end_attacks(table: Table) -> None:
    table.field = tuple(sorted(unit & KIND_MASK for unit in table.field))
    table.wards = (0, 0, 0)
    table.reserve = (*table.reserve, *(entry >> KIND_SHIFT for entry in table.line))
    table.line = ()


# ---- Siege -----------------------------------------------------------------------------------------


def _siege(table: Table, log: Log) -> Asking:
    """A new line; a deck that can't give all of it ends the game (reading 9)."""
    if form_line(table):
        known = [table.variant.ids[entry >> KIND_SHIFT] if entry & KNOWN else None for entry in table.line]
        log.append({"what": "siege_line", "cards": known})
        begin(table, REFLECTION, log)
    else:
        end(table, SIEGED, log)
    return None


def form_line(table: Table) -> bool:
    """Lay the siege line from the top of the deck, with the cards more that it gets; whether the deck could."""
    number, face_up = LINE[table.players]
    if len(table.siege_deck) < number + table.extra:
        return False
    for place in range(number):
        entry = _from_siege_deck(table)
        table.line = (*table.line, entry | OPEN if place < face_up else entry)
    for nth in range(table.extra):
        zones.add_to_line(table, _from_siege_deck(table) | OPEN, nth)
    table.extra = 0
    return True


def _from_siege_deck(table: Table) -> int:
    entry = table.siege_deck[-1]
    table.siege_deck = table.siege_deck[:-1]
    return entry


def _end_round(table: Table, log: Log) -> None:
    """Moctezuma in Mictlan is looked at here, and nowhere else (reading 1)."""
    if table.variant.moctezuma in table.mictlan:
        return end(table, CAPTURED, log)
    if table.round == MOST_ROUNDS:
        return end(table, ENDLESS, log)
    table.round += 1
    table.first = (table.first + 1) % table.players
    return begin(table, DEFENCE, log)


_GO_ON = {
    EXCHANGE: _ask_exchange,
    DEFENCE: _ask_defence,
    PLANNING: _ask_planning,
    ATTACKS: _attacks,
    SIEGE: _siege,
    REFLECTION: _ask_reflection,
}
