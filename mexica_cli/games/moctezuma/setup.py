"""The set-up: what chance decides, and the table at the start of a game (Setup 2 to 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.games.game import JsonDict, RuleError
from mexica_cli.games.moctezuma.phases import form_line
from mexica_cli.games.moctezuma.play import go_on
from mexica_cli.games.moctezuma.rules import LEFT_OUT, SEATS, hand_size
from mexica_cli.games.moctezuma.table import EXCHANGE, KIND_SHIFT, UNDER_WAY, AnyTable, Table
from mexica_cli.games.moctezuma.variant import ADDITIONAL, NONE, QUETZALCOATL, Variant


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The random part of the set-up: cards by their ids, decks from the top."""

    mexica: list[str]
    conquistadors: list[str]
    gods: Annotated[list[str], Meta(min_length=2, max_length=3)]
    """Main, secondary, and additional god if one of the others brings it."""
    parts: list[str]
    """Of Quetzalcoatl, the open one first."""
    chance: Annotated[int, Meta(ge=0, lt=1 << 53)]
    """What later shuffles follow from."""


def deal(variant: Variant, players: int, seed: int) -> Setup:
    """Draw a set-up. Raises RuleError for a wrong number of players."""
    check_players(players)
    chance = Chance(seed)
    deck = chance.shuffled(variant.all_of("warrior", "moctezuma", "priest"))
    conquistadors = _draw_conquistadors(variant, chance)
    gods = chance.shuffled(variant.all_of("god"))
    parts = chance.shuffled(variant.all_of("part"))
    number = 3 if any(variant.god(kind).brings_god for kind in gods[:2]) else 2
    return Setup(
        mexica=_ids(variant, deck),
        conquistadors=_ids(variant, conquistadors),
        gods=_ids(variant, gods[:number]),
        parts=_ids(variant, parts),
        chance=derive_seed(seed, "moctezuma", "shuffles"),
    )


def _ids(variant: Variant, kinds: Iterable[int]) -> list[str]:
    return [variant.ids[kind] for kind in kinds]


def _draw_conquistadors(variant: Variant, chance: Chance) -> list[int]:
    """The conquistador deck: without special cards, or without 7 that aren't Cortés (Setup 2)."""
    every = variant.all_of("conquistador", "cortes")
    if variant.options.deck == "beginner":
        return chance.shuffled(kind for kind in every if kind not in variant.special)
    mixed = chance.shuffled(kind for kind in every if kind != variant.cortes)
    return chance.shuffled([variant.cortes, *mixed[LEFT_OUT:]])


def check_players(players: int) -> None:
    """Refuse a number of players that the game doesn't take."""
    least, most = SEATS
    if not least <= players <= most:
        raise RuleError(f"Moctezuma is played by {least} to {most}, not by {players}")


def read_setup(variant: Variant, setup: JsonDict) -> Setup:
    """The set-up that a JSON object describes. Raises RuleError that names the field."""
    try:
        read = msgspec.convert(setup, Setup)
    except msgspec.ValidationError as error:
        raise RuleError(f"setup: {error}") from None
    check_deck("setup: mexica", read.mexica, _named(variant, "warrior", "moctezuma", "priest"))
    check_deck("setup: parts", read.parts, _named(variant, "part"))
    _check_conquistadors(variant, read.conquistadors)
    check_gods(variant, "setup: gods", read.gods)
    return read


def _named(variant: Variant, *groups: str) -> list[str]:
    return _ids(variant, variant.all_of(*groups))


def check_deck(field: str, cards: list[str], wanted: list[str]) -> None:
    """Refuse a deck that isn't made of just those cards."""
    there, right = Counter(cards), Counter(wanted)
    for card in [*right, *there]:
        if there[card] != right[card]:
            raise RuleError(f"{field}: {card!r} is there {there[card]} times; there must be {right[card]}")


def _check_conquistadors(variant: Variant, cards: list[str]) -> None:
    field = "setup: conquistadors"
    every = variant.all_of("conquistador", "cortes")
    if variant.options.deck == "beginner":
        return check_deck(field, cards, _ids(variant, (kind for kind in every if kind not in variant.special)))
    there, right = Counter(cards), Counter(_ids(variant, every))
    for card in there:
        if there[card] > right[card]:
            raise RuleError(f"{field}: {card!r} is there {there[card]} times; the game has {right[card]}")
    wanted = len(every) - LEFT_OUT
    if len(cards) != wanted or variant.ids[variant.cortes] not in there:
        raise RuleError(f"{field}: the advanced deck has {wanted} cards, with {variant.ids[variant.cortes]} among them")
    return None


def check_gods(variant: Variant, field: str, gods: list[str]) -> None:
    """Refuse gods that can't be in play together."""
    for god in gods:
        if god not in _named(variant, "god"):
            raise RuleError(f"{field}: {god!r} is no god's id; gods are {', '.join(_named(variant, 'god'))}")
    if len(set(gods)) < len(gods):
        raise RuleError(f"{field}: a god is named twice")
    brought = any(variant.god(variant.numbers[god]).brings_god for god in gods[:2])
    if brought != (len(gods) == 3):
        raise RuleError(f"{field}: there must be {'three gods, for one brings another' if brought else 'two gods'}")


def lay_out(table: AnyTable, variant: Variant, players: int, setup: Setup) -> AnyTable:
    """Fill a new table with the first position: the exchange of the first hand."""
    empty_table(table, variant, players)
    numbers = variant.numbers
    table.deck = tuple(numbers[card] << KIND_SHIFT for card in reversed(setup.mexica))
    table.siege_deck = tuple(numbers[card] << KIND_SHIFT for card in reversed(setup.conquistadors))
    left_out = Counter(variant.all_of("conquistador", "cortes")) - Counter(
        numbers[card] for card in setup.conquistadors
    )
    table.box = tuple(sorted(left_out.elements()))
    table.parts = tuple(numbers[card] for card in setup.parts)
    table.chance = setup.chance
    _place_gods(table, [numbers[card] for card in setup.gods])
    _deal_hands(table)
    form_line(table)
    go_on(table, [])
    return table


def empty_table(table: Table, variant: Variant, players: int) -> None:
    """Fill a new table with a position without cards."""
    table.variant, table.players, table.phase, table.outcome = variant, players, EXCHANGE, UNDER_WAY
    table.round, table.turn, table.first, table.seat, table.asked = 1, 0, 0, 0, 0
    table.progress = table.extra = table.markers = table.chance = 0
    table.recovered = False
    table.hands = table.picks = ((),) * players
    table.deck = table.mictlan = table.removed = table.eagles = table.field = ()
    table.line = table.siege_deck = table.reserve = table.box = table.parts = table.options = ()
    table.wards, table.stack = (0, 0, 0), ()
    table.gods, table.fortress = (NONE,) * 4, (0,) * 4


def _place_gods(table: Table, gods: list[int]) -> None:
    variant = table.variant
    quetzalcoatl = variant.groups.index("quetzalcoatl")
    table.gods = (*gods, *([NONE] * (ADDITIONAL + 1 - len(gods))), quetzalcoatl)
    table.fortress = tuple(
        first if kind != NONE else 0 for kind, first in zip(table.gods, variant.first_fortress, strict=True)
    )
    if any(variant.god(kind).brings_eagles for kind in table.gods[:QUETZALCOATL] if kind != NONE):
        table.eagles = variant.all_of("eagle")


def _deal_hands(table: Table) -> None:
    number = hand_size(table.players)
    for seat in range(table.players):
        dealt, table.deck = table.deck[-number:], table.deck[:-number]
        table.hands = (*table.hands[:seat], tuple(sorted(dealt)), *table.hands[seat + 1 :])
