"""What lies on the table in one position.

All fields are ints or tuples that are replaced, never changed: a copy is a copy of references. A card is the number of
its kind (see `variant`); where cards can lie face down it is an entry, `kind << 2 | flags`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from mexica_cli.games.moctezuma.variant import Variant

EXCHANGE, DEFENCE, PLANNING, ATTACKS, SIEGE, REFLECTION, OVER = range(7)
PHASES = ("exchange", "defence", "planning", "attacks", "siege", "reflection", "over")

UNDER_WAY, WON, DESTROYED, SIEGED, CAPTURED, ENDLESS = range(6)
OUTCOMES = ("under_way", "won", "quetzalcoatl_destroyed", "siege_completed", "moctezuma_in_mictlan", "round_limit")

KNOWN, OPEN = 1, 3
"""Flags of an entry: everybody knows the card though it lies face down, or it lies face up (in the siege line)."""
KIND_SHIFT = 2

DAMAGE_SHIFT, FRESH_SHIFT = 8, 12
"""A unit is `kind | damage << 8 | fresh << 12`; a fresh one came in this phase and can't be used in it."""
KIND_MASK, DAMAGE_MASK = 255, 15

WARDS = ("warrior", "priest", "god")
GOD_WARD = 2

AnyTable = TypeVar("AnyTable", bound="Table")


class Frame(NamedTuple):
    """An effect under way."""

    script: int
    step: int
    seat: int
    """The seat that makes its choices."""
    source: int
    """Kind of the card whose effect it is."""
    done: int
    """How much of the step is done: cards moved, points of damage dealt, seats asked."""


class Question(NamedTuple):
    """What is asked of a seat. One that has only one answer isn't asked, unless it is about what others can't see."""

    seat: int
    options: list[int]
    private: bool = False


class Table:
    """One position. Seats count from 0; units and hands are sorted, piles have their top at the end."""

    __slots__ = (
        "asked",  # the seat that must answer, or that did last
        "box",  # conquistadors left out, sorted kinds
        "chance",  # what decides the next shuffle in mid-game; hidden from all
        "deck",  # Mexica deck, entries
        "eagles",  # eagle warriors beside the table, sorted kinds
        "extra",  # cards more in the siege line that is formed next
        "field",  # the battlefield, sorted units
        "first",  # first seat of the round
        "fortress",  # by god's place
        "gods",  # kinds by place, NONE where there is none
        "hands",  # by seat: sorted entries
        "line",  # siege line, entries, the farthest from the deck first
        "markers",  # on the open part
        "mictlan",  # sorted kinds
        "options",  # legal actions; follows from all else
        "outcome",
        "parts",  # of Quetzalcoatl, not invoked yet, the open one first; kinds
        "phase",
        "picks",  # by seat: entries chosen in Planning
        "players",
        "progress",  # passes in a row, seats asked, or cards of the line resolved, by phase
        "recovered",  # the ability under way took from Mictlan or gave to a deck
        "removed",  # out of the game, sorted kinds
        "reserve",  # kinds
        "round",
        "seat",  # whose turn it is in Defence, Planning and Reflection
        "siege_deck",  # entries
        "stack",  # effects under way, the innermost last
        "turn",
        "variant",
        "wards",  # points of damage that will do nothing, by target
    )

    asked: int
    box: tuple[int, ...]
    chance: int
    deck: tuple[int, ...]
    eagles: tuple[int, ...]
    extra: int
    field: tuple[int, ...]
    first: int
    fortress: tuple[int, ...]
    gods: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    line: tuple[int, ...]
    markers: int
    mictlan: tuple[int, ...]
    options: tuple[int, ...]
    outcome: int
    parts: tuple[int, ...]
    phase: int
    picks: tuple[tuple[int, ...], ...]
    players: int
    progress: int
    recovered: bool
    removed: tuple[int, ...]
    reserve: tuple[int, ...]
    round: int
    seat: int
    siege_deck: tuple[int, ...]
    stack: tuple[Frame, ...]
    turn: int
    variant: Variant
    wards: tuple[int, ...]

    def copy(self: AnyTable) -> AnyTable:
        """An independent copy."""
        new = object.__new__(type(self))
        new.variant, new.players, new.phase, new.round = self.variant, self.players, self.phase, self.round
        new.turn, new.first, new.seat, new.asked = self.turn, self.first, self.seat, self.asked
        new.progress, new.outcome, new.extra, new.recovered = self.progress, self.outcome, self.extra, self.recovered
        new.hands, new.picks, new.deck, new.mictlan = self.hands, self.picks, self.deck, self.mictlan
        new.removed, new.eagles, new.field, new.wards = self.removed, self.eagles, self.field, self.wards
        new.line, new.siege_deck, new.reserve, new.box = self.line, self.siege_deck, self.reserve, self.box
        new.gods, new.fortress, new.parts, new.markers = self.gods, self.fortress, self.parts, self.markers
        new.stack, new.chance, new.options = self.stack, self.chance, self.options
        return new


def without(zone: tuple[int, ...], item: int) -> tuple[int, ...]:
    """A zone less one card."""
    place = zone.index(item)
    return zone[:place] + zone[place + 1 :]


def with_one(zone: tuple[int, ...], item: int) -> tuple[int, ...]:
    """A sorted zone and one card more."""
    return tuple(sorted((*zone, item)))


def with_entry(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The tuple with one entry replaced."""
    return (*values[:place], value, *values[place + 1 :])


def waiting(table: Table) -> int:
    """Place of the first card of the siege line that hasn't been resolved."""
    return min(table.progress, len(table.line)) if table.phase == ATTACKS else 0


# ---- effects under way -----------------------------------------------------------------------------


def push(table: Table, script: int, seat: int, source: int) -> None:
    """Begin an effect; what is under way waits."""
    if script >= 0:
        table.stack = (*table.stack, Frame(script, 0, seat, source, 0))


def advance(table: Table) -> None:
    """The step of the innermost effect is done."""
    frame = table.stack[-1]
    if frame.step + 1 == len(table.variant.scripts[frame.script]):
        table.stack = table.stack[:-1]
    else:
        table.stack = (*table.stack[:-1], Frame(frame.script, frame.step + 1, frame.seat, frame.source, 0))


def progress(table: Table) -> None:
    """One thing more of the innermost effect's step is done."""
    frame = table.stack[-1]
    table.stack = (*table.stack[:-1], frame._replace(done=frame.done + 1))
