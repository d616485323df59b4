"""Actions as ints; `action_text` writes and reads them.

An action is fields in one int, lowest first:

    bits 0-3    kind    one of the constants below
    bits 4-11   card    kind of a card, as `variant` numbers them; 0 where there is none
    bits 12-    extra   hit: damage that the unit has; sacrifice and god: place of the god; take: place of the card and
                        a flag that it is named; seat: the seat; option: its number, from 1
                        exchange: bits 4- hold up to four cards, each its kind + 1 in 8 bits, ascending
"""

from __future__ import annotations

from typing import get_args

from mexica_cli.games.moctezuma.language import Source

(KEEP, EXCHANGE, PLAY, USE, SACRIFICE, PASS, HIT, REDIRECT, TAKE, DONE, GOD, SEAT, OPTION) = range(13)
KINDS = (
    "keep", "exchange", "play", "use", "sacrifice", "pass", "hit", "redirect", "take", "done", "god", "seat", "option",
)  # fmt: skip
PLACES: tuple[str, ...] = get_args(Source)
CARD_SHIFT, EXTRA_SHIFT, CARD_MASK = 4, 12, 255
NAMED = 1 << 4
"""Of `take`: the card is named."""


def encode(kind: int, card: int = 0, extra: int = 0) -> int:
    """The action with these fields."""
    return kind | card << CARD_SHIFT | extra << EXTRA_SHIFT


def kind(action: int) -> int:
    """One of the constants of this module."""
    return action & 15


def card(action: int) -> int:
    """Kind of the card."""
    return action >> CARD_SHIFT & CARD_MASK


def extra(action: int) -> int:
    """Damage, god's place, seat or number, by kind."""
    return action >> EXTRA_SHIFT


def exchange(cards: tuple[int, ...]) -> int:
    """Exchange cards of the first hand, given as ascending kinds; none: keep all."""
    if not cards:
        return KEEP
    return EXCHANGE | sum(kind + 1 << CARD_SHIFT + 8 * n for n, kind in enumerate(cards))


def exchanged(action: int) -> tuple[int, ...]:
    """The kinds of the cards exchanged."""
    rest, found = action >> CARD_SHIFT, []
    while rest > 0:
        found.append((rest & CARD_MASK) - 1)
        rest >>= 8
    return tuple(found)


TAKEN_FROM = {place: number for number, place in enumerate(PLACES)}


def take(place: str, card: int | None = None) -> int:
    """Take a card from a place; without a card, the one that lies there for the taking."""
    flag = 0 if card is None else NAMED
    return encode(TAKE, card or 0, TAKEN_FROM[place] | flag)


def place(action: int) -> str:
    """The place that a card is taken from."""
    return PLACES[extra(action) & 15]
