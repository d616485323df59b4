"""Reading a position line: every field is checked, by itself and against the others, before a state is made of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from mexica_cli.games.game import RuleError
from mexica_cli.games.moctezuma.notation import FIELDS, MARKS, write
from mexica_cli.games.moctezuma.play import go_on
from mexica_cli.games.moctezuma.rules import LEFT_OUT, MOST_ROUNDS, SEATS
from mexica_cli.games.moctezuma.setup import check_deck, empty_table
from mexica_cli.games.moctezuma.table import (
    DAMAGE_SHIFT,
    FRESH_SHIFT,
    KIND_MASK,
    KIND_SHIFT,
    OPEN,
    OUTCOMES,
    OVER,
    PHASES,
    AnyTable,
    Frame,
    Table,
)
from mexica_cli.games.moctezuma.variant import GODS, NONE, QUETZALCOATL, Variant
from mexica_cli.games.position_fields import items_of, number_of, parts_of, split_fields, wrong

_UNIT = re.compile(r"([a-z0-9_]+)(?::([1-9][0-9]?))?(\*?)")
_FRAME = re.compile(r"([a-z0-9_]+)\.(\d{1,4})\.(\d{1,2})\.(\d)\.(\d{1,2})")
_MEXICA = ("warrior", "eagle", "moctezuma", "priest")
_MOST_DAMAGE = 15


def read(table: AnyTable, variant: Variant, line: str) -> AnyTable:
    """Fill a new table from a position line. Raises RuleError that names the field and what is wrong with it."""
    fill(table, variant, line)
    _open(table)
    return table


def fill(table: Table, variant: Variant, line: str) -> None:
    """The same for a line at any moment, also one at which nobody has anything to choose."""
    fields = _Fields(variant, line)
    empty_table(table, variant, fields.number("players", *SEATS))
    _read_moment(fields, table)
    _read_mexica(fields, table)
    _read_conquistadors(fields, table)
    _read_gods(fields, table)
    _read_stack(fields, table)
    _check_mexica(table)
    _check_conquistadors(table)
    if (table.phase == OVER) != (table.outcome != 0):
        raise wrong("outcome", "a game that is over has one, and no other")


class _Fields:
    """The texts of the fields, and how to read them."""

    def __init__(self, variant: Variant, line: str) -> None:
        self.texts = split_fields("moctezuma", FIELDS, line)
        self.variant = variant
        self._expect("rules", "official")
        self._expect("cards", variant.cards_name)
        self._expect("difficulty", variant.options.difficulty)
        self._expect("conquistadors", variant.options.deck)

    def _expect(self, field: str, name: str) -> None:
        if self.texts[field] != name:
            raise wrong(field, f"the position is of {self.texts[field]!r}, this game's is {name!r}")

    def number(self, field: str, least: int, most: int) -> int:
        """A field that is one number."""
        return number_of(field, self.texts[field], least, most)

    def choice(self, field: str, names: Sequence[str]) -> int:
        """A field that is one of some names, as its number."""
        if self.texts[field] not in names:
            raise wrong(field, f"{self.texts[field]!r} is none of {', '.join(names)}")
        return names.index(self.texts[field])

    def parts(self, field: str, number: int) -> list[str]:
        """A field that has so many parts."""
        return parts_of(field, self.texts[field], number)

    def kinds(self, field: str) -> tuple[int, ...]:
        """A list of cards that all see."""
        return tuple(self.kind(field, name) for name in items_of(self.texts[field]))

    def kind(self, field: str, name: str) -> int:
        """A card."""
        kind = self.variant.numbers.get(name)
        if kind is None:
            raise wrong(field, f"{name!r} is no card's id")
        return kind

    def entries(self, field: str, text: str) -> tuple[int, ...]:
        """A list of cards that can lie face down."""
        return tuple(self._entry(field, item) for item in items_of(text))

    def _entry(self, field: str, item: str) -> int:
        flags = next((flags for flags, mark in MARKS.items() if mark and item.endswith(mark)), 0)
        if flags == OPEN and field != "line":
            raise wrong(field, f"{item!r}: only cards of the siege line lie face up; known ones are marked ?")
        return self.kind(field, item[:-1] if flags else item) << KIND_SHIFT | flags


def _read_moment(fields: _Fields, table: Table) -> None:
    last = table.players - 1
    table.phase = fields.choice("phase", PHASES)
    table.outcome = fields.choice("outcome", OUTCOMES)
    table.round = fields.number("round", 1, MOST_ROUNDS)
    table.turn = fields.number("turn", 0, 10**6)
    table.first, table.seat, table.asked = (fields.number(field, 0, last) for field in ("first", "seat", "asked"))
    table.progress = fields.number("progress", 0, 60)


def _read_mexica(fields: _Fields, table: Table) -> None:
    for field in ("hands", "picks"):
        parts = fields.parts(field, table.players)
        setattr(table, field, tuple(tuple(sorted(fields.entries(field, part))) for part in parts))
    table.deck = fields.entries("deck", fields.texts["deck"])
    for field in ("mictlan", "removed", "eagles"):
        setattr(table, field, tuple(sorted(fields.kinds(field))))
    table.field = tuple(sorted(_unit(fields, item) for item in items_of(fields.texts["field"])))


def _unit(fields: _Fields, item: str) -> int:
    read = _UNIT.fullmatch(item)
    if not read or int(read[2] or 0) > _MOST_DAMAGE:
        raise wrong("field", f"{item!r} is no unit; write CARD, CARD:DAMAGE, and * after it if it came in this phase")
    return fields.kind("field", read[1]) | int(read[2] or 0) << DAMAGE_SHIFT | (1 << FRESH_SHIFT if read[3] else 0)


def _read_conquistadors(fields: _Fields, table: Table) -> None:
    for field in ("line", "siege_deck"):
        setattr(table, field, fields.entries(field, fields.texts[field]))
    table.reserve = fields.kinds("reserve")
    table.box = tuple(sorted(fields.kinds("box")))
    table.extra = fields.number("extra", 0, 99)


def _read_gods(fields: _Fields, table: Table) -> None:
    names = fields.parts("gods", len(GODS))
    table.gods = tuple(NONE if name == "-" else fields.kind("gods", name) for name in names)
    firsts = zip(fields.parts("fortress", len(GODS)), table.variant.first_fortress, strict=True)
    table.fortress = tuple(number_of("fortress", text, 0, first) for text, first in firsts)
    _check_gods(table)
    table.parts = fields.kinds("parts")
    if len(set(table.parts)) < len(table.parts) or any(table.variant.groups[kind] != "part" for kind in table.parts):
        raise wrong("parts", "give parts of Quetzalcoatl, none twice")
    most = table.variant.values[table.parts[0]] - 1 if table.parts else 0
    table.markers = fields.number("markers", 0, most)
    wards = [number_of("wards", text, 0, 99) for text in fields.parts("wards", 3)]
    table.wards = tuple(wards)
    table.recovered = bool(fields.number("recovered", 0, 1))
    table.chance = fields.number("chance", 0, (1 << 53) - 1)


def _check_gods(table: Table) -> None:
    for place, kind in enumerate(table.gods):
        wanted = "quetzalcoatl" if place == QUETZALCOATL else "god"
        if kind == NONE and (place == QUETZALCOATL or table.fortress[place]):
            raise wrong("gods", f"there is no {GODS[place]} god, and it has fortress or is Quetzalcoatl")
        if kind != NONE and table.variant.groups[kind] != wanted:
            raise wrong("gods", f"{table.variant.ids[kind]!r} is no card for the {GODS[place]} god")
        if kind != NONE and place != QUETZALCOATL and not table.fortress[place]:
            raise wrong("fortress", f"the {GODS[place]} god is in play without any")
    there = [kind for kind in table.gods if kind != NONE]
    if len(set(there)) < len(there):
        raise wrong("gods", "a god is named twice")


def _read_stack(fields: _Fields, table: Table) -> None:
    table.stack = tuple(_frame(fields, table, item) for item in items_of(fields.texts["stack"]))


def _frame(fields: _Fields, table: Table, item: str) -> Frame:
    read = _FRAME.fullmatch(item)
    if not read:
        raise wrong("stack", f"{item!r} is no effect; write card.script.step.seat.done")
    source = fields.kind("stack", read[1])
    script, step, seat, done = (int(number) for number in read.groups()[1:])
    scripts = table.variant.scripts
    if script >= len(scripts) or step >= len(scripts[script]) or seat >= table.players:
        raise wrong("stack", f"{item!r} names no step of this card set, or no seat")
    return Frame(script, step, seat, source, done)


def _check_mexica(table: Table) -> None:
    variant = table.variant
    held = [entry >> KIND_SHIFT for zone in (*table.hands, *table.picks, table.deck) for entry in zone]
    kinds = [*held, *table.mictlan, *table.removed, *table.eagles, *(unit & KIND_MASK for unit in table.field)]
    wanted = variant.all_of(*_MEXICA)
    if not any(kind in variant.eagles for kind in kinds):
        wanted = variant.all_of("warrior", "moctezuma", "priest")
    _check_all("hands to field", variant, kinds, wanted)


def _check_conquistadors(table: Table) -> None:
    variant = table.variant
    hidden = [entry >> KIND_SHIFT for zone in (table.line, table.siege_deck) for entry in zone]
    _check_all("line to box", variant, [*hidden, *table.reserve, *table.box], variant.all_of("conquistador", "cortes"))
    if variant.options.deck == "beginner" and Counter(table.box) != Counter(
        kind for kind in variant.all_of("conquistador", "cortes") if kind in variant.special
    ):
        raise wrong("box", "in the beginner's game it holds just the special conquistadors")
    if variant.options.deck == "advanced" and (len(table.box) != LEFT_OUT or variant.cortes in table.box):
        raise wrong("box", f"in the advanced game it holds {LEFT_OUT} cards, Cortés not among them")


def _check_all(field: str, variant: Variant, kinds: list[int], wanted: tuple[int, ...]) -> None:
    check_deck(f"position: {field}", [variant.ids[kind] for kind in kinds], [variant.ids[kind] for kind in wanted])


def _open(table: Table) -> None:
    """Find the question that is open, and refuse a position in which the game wouldn't stand still."""
    before = write(table)
    try:
        go_on(table, [])
        same = write(table) == before
    except (LookupError, ValueError, TypeError, AttributeError, KeyError):
        same = False
    if not same:
        raise RuleError("position: phase: this is no moment at which a seat has something to choose")
