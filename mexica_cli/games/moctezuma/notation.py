"""A position as one line of text, with all that is hidden: for referee and log, never for a seat.

Fields are `name=value`, one space between them. A list is `a,b`, parts by seat are `a/b`, nothing is `-`. A card is its
id; `?` after it: known to all though face down; `!`: face up. A unit is `id` or `id:DAMAGE`, with `*` after it if it
came this phase. Decks and piles have their top at the end. An effect under way is `card.script.step.seat.done`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mexica_cli.games.moctezuma.table import (
    FRESH_SHIFT,
    KIND_MASK,
    KIND_SHIFT,
    KNOWN,
    OPEN,
    OUTCOMES,
    PHASES,
    Frame,
    Table,
)
from mexica_cli.games.moctezuma.variant import NONE
from mexica_cli.games.moctezuma.zones import damage

FIELDS = (
    "rules",
    "cards",
    "difficulty",
    "conquistadors",
    "players",
    "phase",
    "outcome",
    "round",
    "turn",
    "first",
    "seat",
    "asked",
    "progress",
    "hands",
    "picks",
    "deck",
    "mictlan",
    "removed",
    "eagles",
    "field",
    "line",
    "siege_deck",
    "reserve",
    "box",
    "extra",
    "gods",
    "fortress",
    "parts",
    "markers",
    "wards",
    "recovered",
    "stack",
    "chance",
)
"""The fields of a line, in order."""

MARKS = {0: "", KNOWN: "?", OPEN: "!"}


def write(table: Table) -> str:
    """The position line of a table."""
    values = [*_moment(table), *_mexica(table), *_conquistadors(table), *_gods(table)]
    return " ".join(["moctezuma", *(f"{field}={value}" for field, value in zip(FIELDS, values, strict=True))])


def _moment(table: Table) -> Iterator[str | int]:
    """Where the game stands: rules to progress."""
    options = table.variant.options
    yield from ("official", table.variant.cards_name, options.difficulty, options.deck, table.players)
    yield from (PHASES[table.phase], OUTCOMES[table.outcome], table.round, table.turn)
    yield from (table.first, table.seat, table.asked, table.progress)


def _mexica(table: Table) -> Iterator[str]:
    """Mexica cards: hands to field."""
    yield "/".join(_entries(table, hand) for hand in table.hands)
    yield "/".join(_entries(table, picked) for picked in table.picks)
    yield _entries(table, table.deck)
    for zone in (table.mictlan, table.removed, table.eagles):
        yield _kinds(table, zone)
    yield _list(_unit(table, unit) for unit in table.field)


def _conquistadors(table: Table) -> Iterator[str | int]:
    """Line to extra."""
    yield _entries(table, table.line)
    yield _entries(table, table.siege_deck)
    yield _kinds(table, table.reserve)
    yield _kinds(table, table.box)
    yield table.extra


def _gods(table: Table) -> Iterator[str | int]:
    """Gods to chance."""
    yield "/".join("-" if kind == NONE else table.variant.ids[kind] for kind in table.gods)
    yield "/".join(map(str, table.fortress))
    yield _kinds(table, table.parts)
    yield table.markers
    yield "/".join(map(str, table.wards))
    yield int(table.recovered)
    yield _list(_frame(table, frame) for frame in table.stack)
    yield table.chance


def _entries(table: Table, zone: tuple[int, ...]) -> str:
    return _list(f"{table.variant.ids[entry >> KIND_SHIFT]}{MARKS[entry & OPEN]}" for entry in zone)


def _kinds(table: Table, zone: tuple[int, ...]) -> str:
    return _list(table.variant.ids[kind] for kind in zone)


def _unit(table: Table, unit: int) -> str:
    hurt = f":{damage(unit)}" if damage(unit) else ""
    return f"{table.variant.ids[unit & KIND_MASK]}{hurt}{'*' if unit >> FRESH_SHIFT else ''}"


def _frame(table: Table, frame: Frame) -> str:
    return f"{table.variant.ids[frame.source]}.{frame.script}.{frame.step}.{frame.seat}.{frame.done}"


def _list(items: Iterable[object]) -> str:
    return ",".join(map(str, items)) or "-"
