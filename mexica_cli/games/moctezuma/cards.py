"""The cards of a game, as a card file gives them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mexica_cli.games.moctezuma.language import Count, Influence, Steps, Trigger

Origin = Literal["attested", "reconstruction"]
"""Whether what the card says is in the rulebook, or ours."""
CardId = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,31}$", description="small letters, digits and _")]
Resistance = Annotated[int, Meta(ge=1, le=9)]


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all cards have."""

    id: CardId
    name: str
    origin: Origin
    text: str = ""
    """What the card says, for people."""
    note: str = ""
    """On the origin: what of it is attested."""


class Unit(Card, frozen=True, kw_only=True):
    """A Mexica card; `count` of them are alike."""

    count: Annotated[int, Meta(ge=1, le=40)]
    resistance: Resistance = 1
    hit_as: list[Literal["warrior", "priest"]] | None = None
    """Attacks on which can hit it; by default those on its group."""
    cost: Steps = []
    """What must be paid to use it; who can't, can't use it."""
    use: Steps = []
    """Its ability in Defence and Reflection. The card goes to Mictlan first."""
    use_in: Literal["defence", "reflection", "both"] = "both"
    sacrifice_to: list[Literal["main", "secondary", "additional", "quetzalcoatl"]] | None = None
    """Gods that it can be sacrificed to; by default all for a priest and none for others."""
    extra_markers: Annotated[int, Meta(ge=0, le=4)] = 0
    """Markers more when sacrificed to Quetzalcoatl."""
    trigger: list[Trigger] = []
    influence: list[Influence] = []


class GodCard(Card, frozen=True, kw_only=True):
    """A god, or Quetzalcoatl's power card."""

    influence: list[Influence] = []
    trigger: list[Trigger] = []
    sacrifice: Annotated[Steps, Meta(min_length=1)]
    """What a sacrifice to it does."""
    brings_eagles: bool = False
    """With this god in play the eagle warriors lie beside the table."""
    brings_god: bool = False
    """With this god in play another one is drawn, the additional god."""


class Part(Card, frozen=True, kw_only=True):
    """A part of Quetzalcoatl."""

    value: Annotated[int, Meta(ge=1, le=5)]
    """Markers that invoke it."""


class Conquistador(Card, frozen=True, kw_only=True):
    """A card of the conquistador deck; `count` of them are alike."""

    count: Annotated[int, Meta(ge=1, le=40)] = 1
    special: bool = False
    """Bears the special icon: left out of the beginner's deck."""
    resolve: Steps = []
    """What it does in the siege line."""


class FortressCard(Card, frozen=True, kw_only=True):
    """A fortress card: the first fortress of one god, by difficulty."""

    god: Literal["main", "secondary", "additional", "quetzalcoatl"]
    easy: Count
    normal: Count
    hard: Count
    critical: Count


class CardSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All cards of a game, by group."""

    about: str = ""
    warrior: list[Unit]
    eagle: list[Unit]
    moctezuma: list[Unit]
    priest: list[Unit]
    quetzalcoatl: list[GodCard]
    """The power card."""
    part: list[Part]
    god: list[GodCard]
    conquistador: list[Conquistador]
    cortes: list[Conquistador]
    fortress: list[FortressCard]


AnyCard = Unit | GodCard | Part | Conquistador | FortressCard

COUNTS = {
    "warrior": 24,
    "eagle": 6,
    "moctezuma": 1,
    "priest": 27,
    "quetzalcoatl": 1,
    "part": 4,
    "god": 9,
    "conquistador": 33,
    "cortes": 1,
    "fortress": 4,
}
"""Cards of each group, 110 in all; all are the rulebook's (Components)."""

UNITS = ("warrior", "eagle", "moctezuma", "priest")


def cards_of(cards: CardSet, group: str) -> list[AnyCard]:
    """The different cards of a group."""
    found: list[AnyCard] = getattr(cards, group)
    return found


def copies(card: AnyCard) -> int:
    """How many cards are alike."""
    return card.count if isinstance(card, Unit | Conquistador) else 1
