"""Cards from place to place."""

from __future__ import annotations

from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.games.game import JsonDict
from mexica_cli.games.moctezuma.language import Condition
from mexica_cli.games.moctezuma.table import (
    DAMAGE_MASK,
    DAMAGE_SHIFT,
    FRESH_SHIFT,
    KIND_MASK,
    KIND_SHIFT,
    KNOWN,
    OPEN,
    Table,
    waiting,
    with_one,
    without,
)

Log = list[JsonDict]
"""What followed from an action, as it is gathered."""

PILES = {
    "deck_top": "deck",
    "siege_deck_top": "siege_deck",
    "reserve_top": "reserve",
    "line_hidden": "line",
}
"""Places of which only one card can be taken, and the field of the table that they are part of."""


def kinds_in(table: Table, place: str) -> list[int]:
    """The cards that can be taken from a place whose cards are chosen; of the siege line, those not yet resolved."""
    match place:
        case "battlefield":
            return [unit & KIND_MASK for unit in table.field]
        case "line_open":
            return [entry >> KIND_SHIFT for entry in table.line[waiting(table) :] if entry & OPEN == OPEN]
    zone: tuple[int, ...] = getattr(table, place)
    return list(zone)


def holds(table: Table, condition: Condition | None, unit: int = 0) -> bool:
    """Whether a condition does, for a unit if it is about one."""
    if condition is None:
        return True
    if condition.hurt:
        return damage(unit) > 0
    wanted, number = table.variant.matching(condition.cards), 0
    for kind in kinds_in(table, condition.place):
        number += kind in wanted
    return condition.at_least <= number <= condition.at_most


def damage(unit: int) -> int:
    """Points of damage that a unit has."""
    return unit >> DAMAGE_SHIFT & DAMAGE_MASK


def draw(table: Table, seat: int, number: int, log: Log) -> None:
    """Cards from the Mexica deck into a hand, while it lasts."""
    for _ in range(min(number, len(table.deck))):
        entry, table.deck = table.deck[-1], table.deck[:-1]
        _into_hand(table, seat, entry)
        log.append(_drawn(table, seat, entry))


def _drawn(table: Table, seat: int, entry: int) -> JsonDict:
    """`known` in a drawn card's entry is whether all seats know it: `State.shown` hides the card of others."""
    return {
        "what": "drawn",
        "seat": seat,
        "card": table.variant.ids[entry >> KIND_SHIFT],
        "known": bool(entry & KNOWN),
    }


def _into_hand(table: Table, seat: int, entry: int) -> None:
    table.hands = (*table.hands[:seat], with_one(table.hands[seat], entry), *table.hands[seat + 1 :])


def from_hand(table: Table, seat: int, kind: int) -> int:
    """Take a card out of a hand, as its entry: of those alike, one that all know, so that they know no more after."""
    entry = kind << KIND_SHIFT | KNOWN
    if entry not in table.hands[seat]:
        entry ^= KNOWN
    table.hands = (*table.hands[:seat], without(table.hands[seat], entry), *table.hands[seat + 1 :])
    return entry


def most_hurt(table: Table, kind: int) -> int:
    """Of the units of a kind on the battlefield, the one with the most damage."""
    return max((unit for unit in table.field if unit & KIND_MASK == kind), key=damage)


def take_chosen(table: Table, place: str, kind: int, seat: int) -> None:
    """Take a card of that kind out of a place; from a hand, out of that seat's."""
    match place:
        case "battlefield":
            table.field = without(table.field, most_hurt(table, kind))
        case "hand":
            from_hand(table, seat, kind)
        case "line_open":
            _take_from_line(table, table.line.index(kind << KIND_SHIFT | OPEN, waiting(table)))
        case _:
            setattr(table, place, without(getattr(table, place), kind))


def can_take_top(table: Table, place: str) -> bool:
    """Whether there is a card in one of `PILES`."""
    if place == "line_hidden":
        return _hidden(table) is not None
    return bool(getattr(table, PILES[place]))


def take_top(table: Table, place: str) -> int:
    """Take the card that one of `PILES` offers, as its entry."""
    if place == "line_hidden":
        hidden = _hidden(table)
        assert hidden is not None
        entry = table.line[hidden]
        _take_from_line(table, hidden)
        return entry
    zone: tuple[int, ...] = getattr(table, PILES[place])
    setattr(table, PILES[place], zone[:-1])
    return zone[-1] << KIND_SHIFT | OPEN if place == "reserve_top" else zone[-1]


def _hidden(table: Table) -> int | None:
    """Place of the face-down card of the siege line that is farthest from the deck."""
    for place in range(waiting(table), len(table.line)):
        if table.line[place] & OPEN != OPEN:
            return place
    return None


def _take_from_line(table: Table, place: int) -> None:
    table.line = table.line[:place] + table.line[place + 1 :]


def put(table: Table, goal: str, entry: int, seat: int, nth: int = 0) -> bool:
    """Put a card down; in a hand, in that seat's. Returns whether everybody knows now which it is.

    `nth`: how many cards the same step has put there before.
    """
    kind = entry >> KIND_SHIFT
    known = entry & ~OPEN | entry & KNOWN
    match goal:
        case "battlefield":
            table.field = with_one(table.field, kind | 1 << FRESH_SHIFT)
        case "hand":
            _into_hand(table, seat, known)
        case "mictlan" | "removed":
            setattr(table, goal, with_one(getattr(table, goal), kind))
        case "reserve":
            table.reserve = (*table.reserve, kind)
        case "line_end":
            add_to_line(table, kind << KIND_SHIFT | OPEN, nth)
        case _:
            _put_into_deck(table, goal, known)
            return bool(entry & KNOWN)
    return goal != "hand" or bool(entry & KNOWN)


def add_to_line(table: Table, entry: int, nth: int) -> None:
    """Add a card to the end of the siege line: it resolves last, or first of those waiting (reading 4)."""
    if table.variant.options.siege_end == "last":
        table.line = (*table.line, entry)
    else:
        at = waiting(table) + nth
        table.line = (*table.line[:at], entry, *table.line[at:])


def _put_into_deck(table: Table, goal: str, entry: int) -> None:
    name = "siege_deck" if goal.startswith("siege_deck") else "deck"
    zone: tuple[int, ...] = getattr(table, name)
    zone = (entry, *zone) if goal.endswith("_bottom") else (*zone, entry)
    setattr(table, name, zone if goal.endswith(("_top", "_bottom")) else _shuffled(table, zone))


def _shuffled(table: Table, zone: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of a deck mixed, and nothing known of them any more."""
    mixed = Chance(table.chance).shuffled(sorted(entry & ~OPEN for entry in zone))
    table.chance = derive_seed(table.chance, "next")
    return tuple(mixed)


def reveal(table: Table, where: str, number: int, log: Log) -> None:
    """Turn up face-down cards of the siege line, or show the top of a deck to all."""
    if where == "line":
        for _ in range(number):
            if (place := _hidden(table)) is not None:
                turn_up(table, place, log)
        return
    zone: tuple[int, ...] = getattr(table, where)
    top = zone[max(0, len(zone) - number) :]
    setattr(table, where, zone[: len(zone) - len(top)] + tuple(entry | KNOWN for entry in top))
    for entry in reversed(top):
        log.append({"what": "shown", "card": table.variant.ids[entry >> KIND_SHIFT], "place": where})


def turn_up(table: Table, place: int, log: Log) -> None:
    """Turn up a card of the siege line."""
    entry = table.line[place]
    if entry & OPEN != OPEN:
        table.line = (*table.line[:place], entry | OPEN, *table.line[place + 1 :])
        log.append({"what": "shown", "card": table.variant.ids[entry >> KIND_SHIFT], "place": "line"})
