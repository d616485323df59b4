"""The card language: what a card can say, as Structs that a card file's tables are read into.

An effect is a list of steps, done in order. A step is a table whose `do` names what is done; a step that can't be done
(no card to move, no fortress to lose) is left out, unless it is a cost. docs/MOCTEZUMA.md describes all of it.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=1, le=9)]
Cards = str | list[str]
"""Which cards: a word of `WORDS`, the id of a card, or a list of such, of which one must fit."""

WORDS = ("any", "unit", "warrior", "eagle", "moctezuma", "priest", "conquistador", "cortes")
"""`unit` is any Mexica card; `warrior` covers eagle warriors and Moctezuma too; `any` is any card of its place."""

Source = Literal[
    "battlefield",  # a unit there
    "hand",  # of the seat that chooses
    "mictlan",
    "removed",  # out of the game for good
    "eagles",  # beside the table, once a god has brought them
    "deck_top",  # of the Mexica deck
    "line_open",  # a card of the siege line that lies face up and hasn't been resolved
    "line_hidden",  # the same, face down: the one farthest from the deck
    "reserve",  # any card of the Conquistador Reserve
    "reserve_top",
    "siege_deck_top",
]
Goal = Literal[
    "battlefield",
    "hand",
    "mictlan",
    "removed",
    "deck_top",
    "deck_bottom",
    "deck",  # and the deck is shuffled
    "reserve",
    "siege_deck_top",
    "siege_deck_bottom",
    "siege_deck",  # and the deck is shuffled
    "line_end",  # face up
]
Place = Literal["battlefield", "mictlan", "removed", "line_open", "reserve"]
"""Places where everybody can count."""

Target = Literal["warrior", "priest", "unit", "god"]
"""Whom an attack hits; `unit` is a warrior or a priest."""
God = Literal["this", "chosen", "front", "each", "main", "secondary", "additional", "quetzalcoatl"]
"""`front` is the god that damage hits; `this` the one whose card it is."""
Who = Literal["you", "each", "chosen", "lowest"]
"""Of seats: the one that acts, all in seat order, one that it chooses, or seat 0."""


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"place": "in"}):
    """Holds if the number of cards of a kind in a place is in a range, and, with `hurt`, this unit has damage."""

    cards: Cards = "any"
    place: Place = "battlefield"
    at_least: Annotated[int, Meta(ge=0, le=60)] = 1
    at_most: Annotated[int, Meta(ge=0, le=60)] = 60
    hurt: bool = False
    """Whether this unit has received damage in this round; nothing else is looked at then."""


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """Common shape of steps."""


class Draw(Step, frozen=True, kw_only=True):
    """Cards from the Mexica deck, while it lasts."""

    cards: Count = 1
    who: Who = "you"


class Move(Step, frozen=True, kw_only=True, rename={"source": "from"}):
    """Cards from one place to another, chosen one by one by the seat that acts; from the top of a deck or pile, as
    they lie. `up_to`: it may stop before."""

    source: Source
    to: Goal
    cards: Cards = "any"
    count: Count = 1
    up_to: bool = False


class Leave(Step, frozen=True, kw_only=True):
    """This unit leaves the battlefield (the most hurt of those alike)."""

    to: Goal = "mictlan"


class Extra(Step, frozen=True, kw_only=True):
    """The siege line that is formed next gets more cards, face up, at its end."""

    cards: Count = 1


class Reveal(Step, frozen=True, kw_only=True):
    """Face-down cards of the siege line are turned up, farthest first, or the top of a deck is shown to all."""

    where: Literal["line", "deck", "siege_deck"] = "line"
    cards: Count = 1


class Fortress(Step, frozen=True, kw_only=True):
    """A god gains fortress, up to its first value, or loses it."""

    points: Annotated[int, Meta(ge=-9, le=9)]
    god: God = "chosen"


class Marker(Step, frozen=True, kw_only=True):
    """Invocation markers on the part of Quetzalcoatl that lies open."""

    count: Count = 1


class Attack(Step, frozen=True, kw_only=True):
    """Damage, point by point."""

    on: Target
    damage: Count


class Ward(Step, frozen=True, kw_only=True):
    """So many points of damage aimed at such a target do nothing, until the attacks of this round (or, from Reflection,
    of the next) are over."""

    against: Literal["warrior", "priest", "god"]
    points: Count


class Sacrifice(Step, frozen=True, kw_only=True):
    """Units are sacrificed, as in Defence; a card that has this in its ability can't be used in Reflection."""

    cards: Cards = "priest"
    count: Count = 1
    up_to: bool = False


class Either(Step, frozen=True, kw_only=True):
    """One of several effects, chosen by the seat that acts."""

    options: Annotated[list[list[AnyStep]], Meta(min_length=2, max_length=8)]


class If(Step, frozen=True, kw_only=True, rename={"otherwise": "else"}):
    """Steps that depend on a condition."""

    test: Condition
    then: list[AnyStep] = []
    otherwise: list[AnyStep] = []


class Together(Step, frozen=True, kw_only=True):
    """Steps without a choice that happen as one: whether the game has ended is looked at after all of them."""

    steps: Annotated[list[AnyStep], Meta(min_length=1, max_length=8)]


class Offer(Step, frozen=True, kw_only=True, rename={"sources": "from", "otherwise": "else"}):
    """The seats are asked in turn order whether they move one card, each from the battlefield or its own hand. With a
    card sent, `then` follows, for the seat whose hand it came from, else for seat 0; without, `else`."""

    cards: Cards = "any"
    sources: Annotated[list[Literal["battlefield", "hand"]], Meta(min_length=1, max_length=2)]
    to: Goal
    then: list[AnyStep] = []
    otherwise: list[AnyStep] = []


AnyStep = (
    Draw
    | Move
    | Leave
    | Extra
    | Reveal
    | Fortress
    | Marker
    | Attack
    | Ward
    | Sacrifice
    | Either
    | If
    | Together
    | Offer
)

Steps = list[AnyStep]


class Trigger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"test": "if"}):
    """An effect that comes by itself, every time that `when` happens while its card is in play.

    The first seat of the round makes the choices.
    """

    when: Literal[
        "defence",  # that phase begins
        "attacks",
        "attacks_end",  # all attacks are resolved, damage isn't wiped yet
        "siege",  # before the line is formed
        "reflection",
        "recovered",  # a Mexica ability took cards from Mictlan or returned a card to a deck, and is resolved
        "falls",  # this unit goes to Mictlan by damage
    ]
    test: Condition | None = None
    steps: Annotated[list[AnyStep], Meta(min_length=1)]


class Influence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"test": "if"}):
    """What holds all the time that its card is in play.

    `no_redirect`: damage aimed at warriors and priests can't be redirected to gods. `resistance`: the `cards` have
    `plus` more. `damage`: attacks on `on` do `plus` points more (or less, down to none).
    """

    what: Literal["no_redirect", "resistance", "damage"]
    test: Condition | None = None
    cards: Cards = "unit"
    on: Target = "unit"
    plus: Annotated[int, Meta(ge=-3, le=3)] = 0
