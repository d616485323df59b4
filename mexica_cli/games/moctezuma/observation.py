"""What a seat sees, as the object that goes over the wire. Nothing hidden from it is in there, nor follows from it."""

from __future__ import annotations

from typing import Literal

import msgspec

from mexica_cli.games.game import JsonDict
from mexica_cli.games.moctezuma import action_text, scoring
from mexica_cli.games.moctezuma import actions as act
from mexica_cli.games.moctezuma.fates import resistance
from mexica_cli.games.moctezuma.table import (
    ATTACKS,
    FRESH_SHIFT,
    KIND_MASK,
    KIND_SHIFT,
    KNOWN,
    OPEN,
    OUTCOMES,
    OVER,
    PHASES,
    WARDS,
    WON,
    Table,
)
from mexica_cli.games.moctezuma.variant import GODS, NONE
from mexica_cli.games.moctezuma.zones import damage

Card = str
"""The id of a card; cards of one id are alike."""


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as everybody sees it."""

    cards: int
    """How many it holds."""
    known: list[Card]
    """Those of them that everybody knows, because they came from where all could see them."""
    chosen: int
    """In Planning: cards chosen, which still count as held in `known` but not in `cards`."""


class Pile(msgspec.Struct, frozen=True, kw_only=True):
    """A face-down deck."""

    cards: int
    known: dict[str, Card]
    """Cards that everybody knows, by their place from the top, `"0"` being the next to be drawn."""


class FieldUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on the battlefield."""

    card: Card
    damage: int
    resistance: int
    """With what influences add to it."""
    fresh: bool
    """It came in this phase, and can't be used in it."""


class Soldier(msgspec.Struct, frozen=True, kw_only=True):
    """A card of the siege line."""

    card: Card | None
    """Null for one that nobody knows."""
    face_up: bool
    resolved: bool


class PlacedGod(msgspec.Struct, frozen=True, kw_only=True):
    """A god in play."""

    card: Card
    place: Literal["main", "secondary", "additional", "quetzalcoatl"]
    fortress: int
    first: int
    """Its fortress at the beginning, which it never exceeds."""


class Invocation(msgspec.Struct, frozen=True, kw_only=True):
    """How far Quetzalcoatl is invoked."""

    open: Card | None
    """The part that takes markers; null once all are invoked."""
    value: int
    """Markers that invoke it."""
    markers: int
    """Markers on it."""
    invoked: int
    left: int
    """Parts not invoked yet, the open one included."""
    covered: list[Card]
    """Those of them under the open one, sorted: their order is hidden."""


class Resolving(msgspec.Struct, frozen=True, kw_only=True):
    """An effect under way."""

    card: Card
    seat: int
    """The seat that makes its choices."""
    step: str
    """What is being done: the `do` of the card language, or `afteruse` for what follows when an ability is resolved."""
    done: int
    """How much of the step is done."""
    effect: int
    """Number of the effect among all of the card set."""
    at: int
    """Number of the step in the effect, from 0."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How the game ended, for the team."""

    won: bool
    reason: str
    rounds: int
    parts: int
    fortress: int


class MoctezumaState(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat sees of a game of Moctezuma. Seats are numbered from 0; lists by seat have one entry a seat."""

    game: Literal["moctezuma"] = "moctezuma"
    difficulty: str
    conquistadors: Literal["beginner", "advanced"]
    """How their deck was made."""
    phase: Literal["exchange", "defence", "planning", "attacks", "siege", "reflection", "over"]
    to_act: int | None
    """The seat that must choose an action; null once the game is over."""
    seat: int | None
    """The seat whose view this is; null for a spectator."""
    round: int
    """From 1."""
    turn: int
    first: int
    """The first seat of the round, which decides what is left to the players together."""
    seat_in_turn: int
    """The seat whose turn it is in the exchange, Defence, Planning or Reflection; during an ability, the next one."""
    progress: int
    """In Defence and Reflection, seats that have passed in a row; in the exchange and Planning, seats that are done; in
    the Attacks, cards of the line that have begun, and one more when what comes after the last has begun too."""
    hand: list[Card] | None
    """The viewer's hand; null for a spectator."""
    chosen: list[Card] | None
    """The viewer's cards chosen in Planning, which are still hidden from the others."""
    hands: list[Hand]
    deck: Pile
    mictlan: list[Card]
    removed: list[Card]
    """Out of the game."""
    eagles: list[Card]
    """Eagle warriors beside the table."""
    battlefield: list[FieldUnit]
    line: list[Soldier]
    """The siege line, the farthest from the deck first: in this order they attack."""
    extra: int
    """Cards more, face up, in the siege line that is formed next."""
    siege_deck: Pile
    reserve: list[Card]
    """The Conquistador Reserve, its top at the end."""
    gods: list[PlacedGod]
    """In the order in which damage takes them."""
    invocation: Invocation
    wards: dict[str, int]
    """Points of damage that will do nothing, by target."""
    resolving: list[Resolving]
    """Effects under way, the innermost last."""
    recovered: bool
    """The ability under way has taken a card from Mictlan or put one into a deck."""
    scores: list[int]
    result: Result | None
    """Null before the end."""


def observe(table: Table, seat: int | None) -> MoctezumaState:
    """The observation of a seat."""
    over = table.phase == OVER
    names = table.variant.ids
    return MoctezumaState(
        difficulty=table.variant.options.difficulty,
        conquistadors=table.variant.options.deck,
        phase=PHASES[table.phase],  # type: ignore[arg-type]
        to_act=None if over else table.asked,
        seat=seat,
        round=table.round,
        turn=table.turn,
        first=table.first,
        seat_in_turn=table.seat,
        progress=table.progress,
        hand=None if seat is None else _cards(table, table.hands[seat]),
        chosen=None if seat is None else _cards(table, table.picks[seat]),
        hands=[_hand(table, other) for other in range(table.players)],
        deck=_pile(table, table.deck),
        mictlan=[names[kind] for kind in table.mictlan],
        removed=[names[kind] for kind in table.removed],
        eagles=[names[kind] for kind in table.eagles],
        battlefield=[_unit(table, unit) for unit in table.field],
        line=_line(table),
        extra=table.extra,
        siege_deck=_pile(table, table.siege_deck),
        reserve=[names[kind] for kind in table.reserve],
        gods=_gods(table),
        invocation=_invocation(table),
        wards=dict(zip(WARDS, table.wards, strict=True)),
        resolving=_resolving(table),
        recovered=table.recovered,
        scores=[scoring.score(table)] * table.players,
        result=_result(table) if over else None,
    )


def _cards(table: Table, entries: tuple[int, ...]) -> list[Card]:
    return sorted(table.variant.ids[entry >> KIND_SHIFT] for entry in entries)


def _hand(table: Table, seat: int) -> Hand:
    # What a seat has chosen in Planning is hidden, so what all know of its hand must not change by it.
    held = table.hands[seat] + table.picks[seat]
    known = tuple(entry for entry in held if entry & KNOWN)
    return Hand(cards=len(table.hands[seat]), known=_cards(table, known), chosen=len(table.picks[seat]))


def _pile(table: Table, entries: tuple[int, ...]) -> Pile:
    from_top = enumerate(reversed(entries))
    known = {str(place): table.variant.ids[entry >> KIND_SHIFT] for place, entry in from_top if entry & KNOWN}
    return Pile(cards=len(entries), known=known)


def _unit(table: Table, unit: int) -> FieldUnit:
    kind = unit & KIND_MASK
    return FieldUnit(
        card=table.variant.ids[kind],
        damage=damage(unit),
        resistance=resistance(table, kind),
        fresh=bool(unit >> FRESH_SHIFT),
    )


def _line(table: Table) -> list[Soldier]:
    resolved = table.progress if table.phase == ATTACKS else 0
    return [
        Soldier(
            card=table.variant.ids[entry >> KIND_SHIFT] if entry & KNOWN else None,
            face_up=entry & OPEN == OPEN,
            resolved=place < resolved,
        )
        for place, entry in enumerate(table.line)
    ]


def _gods(table: Table) -> list[PlacedGod]:
    placed = zip(GODS, table.gods, table.fortress, table.variant.first_fortress, strict=True)
    return [
        PlacedGod(card=table.variant.ids[kind], place=place, fortress=fortress, first=first)  # type: ignore[arg-type]
        for place, kind, fortress, first in placed
        if kind != NONE
    ]


def _invocation(table: Table) -> Invocation:
    part = table.parts[0] if table.parts else NONE
    return Invocation(
        open=None if part == NONE else table.variant.ids[part],
        value=0 if part == NONE else table.variant.values[part],
        markers=table.markers,
        invoked=scoring.invoked(table),
        left=len(table.parts),
        covered=sorted(table.variant.ids[part] for part in table.parts[1:]),
    )


def _resolving(table: Table) -> list[Resolving]:
    scripts = table.variant.scripts
    return [
        Resolving(
            card=table.variant.ids[frame.source],
            seat=frame.seat,
            step=type(scripts[frame.script][frame.step]).__name__.lower(),
            done=frame.done,
            effect=frame.script,
            at=frame.step,
        )
        for frame in table.stack
    ]


def _result(table: Table) -> Result:
    return Result(
        won=table.outcome == WON,
        reason=OUTCOMES[table.outcome],
        rounds=table.round,
        parts=scoring.invoked(table),
        fortress=scoring.fortress_left(table),
    )


# ---- what others see of an action and of what followed from it ---------------------------------------


def shown_action(table: Table, action: int, by: int, seat: int | None) -> str:
    """The text of an action of the seat `by`, as `seat` may see it."""
    if act.kind(action) == act.PLAY and seat != by:
        return "play ?"
    return action_text.write(table.variant, action)


def shown_entry(entry: JsonDict, seat: int | None) -> JsonDict:
    """An entry of what followed, as that seat may see it: a card that another seat draws is null."""
    if entry["what"] == "drawn" and not entry["known"] and entry["seat"] != seat:
        return {**entry, "card": None}
    return entry
