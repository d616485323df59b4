"""Games and positions of Moctezuma for tests."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from mexica_cli.games.game import JsonDict
from mexica_cli.games.moctezuma import MoctezumaGame, State, load
from mexica_cli.games.moctezuma.card_files import SHIPPED_CARDS, cards_from, read_cards
from mexica_cli.games.moctezuma.notation import FIELDS
from mexica_cli.games.moctezuma.play import go_on
from mexica_cli.games.moctezuma.position_reader import fill
from mexica_cli.games.moctezuma.rules import options_from
from mexica_cli.games.moctezuma.variant import Variant

DECKS = ("beginner", "advanced")
DIFFICULTIES = ("easy", "normal", "hard", "critical")
MOCTEZUMA = "moctezuma_xocoyotzin"
_EFFECTS = ("cost", "use", "trigger", "influence", "resolve", "sacrifice_to", "extra_markers")
_NOTHING = {"do": "extra"}
"""A sacrifice has to do something; tests of games without effects make none."""


@cache
def game(deck: str = "beginner", difficulty: str = "normal", siege_end: str = "last") -> MoctezumaGame:
    """The shipped cards."""
    return load("official", None, {"deck": deck, "difficulty": difficulty, "siege_end": siege_end})


def shipped() -> JsonDict:
    """The shipped cards as JSON, to be changed."""
    table: JsonDict = json.loads(_shipped())
    return table


@cache
def _shipped() -> bytes:
    return msgspec.json.encode(read_cards(SHIPPED_CARDS))


def every_card(table: JsonDict) -> Iterator[dict[str, Any]]:
    """The tables of all cards."""
    for group, cards in table.items():
        if group != "about":
            yield from cards


def game_with(changes: dict[str, dict[str, Any]], **options: str) -> MoctezumaGame:
    """The shipped cards with fields of some replaced, by id."""
    table = shipped()
    for card in every_card(table):
        card.update(changes.get(card["id"], {}))
    return MoctezumaGame(Variant("changed", cards_from(table), options_from(options)))


def blank_game(*, special: bool, **options: str) -> MoctezumaGame:
    """Cards without any effect; without special ones, the beginner's deck is all of them."""
    table = shipped()
    for card in every_card(table):
        for field in _EFFECTS:
            card.pop(field, None)
        if "sacrifice" in card:
            card["sacrifice"] = [_NOTHING]
        if "special" in card:
            card["special"] = card["special"] and special
        for flag in ("brings_eagles", "brings_god"):
            card.pop(flag, None)
    return MoctezumaGame(Variant("blank", cards_from(table), options_from(options)))


def position(on: MoctezumaGame, **given: str | int) -> State:
    """A state in which the game has gone on to the next question from where the fields put it.

    Cards that no field names lie in their deck, under those that `deck` or `siege_deck` names, in the order of the card
    file. By default: the attacks of round 2 begin, every seat holds one Tlamacazqui, the battlefield is empty;
    Tezcatlipoca and Mictlantecuhtli, who hardly meddle, have all their fortress.
    """
    fields = {field: str(value) for field, value in given.items()}
    players = int(fields.get("players", 2))
    gods = fields.get("gods", "tezcatlipoca/mictlantecuhtli/-/quetzalcoatl")
    options = on.variant.options
    empty = "/".join("-" * players)
    held = "/".join(["tlamacazqui"] * players)
    defaults: dict[str, str | int] = {
        "rules": "official", "cards": on.variant.cards_name, "difficulty": options.difficulty,
        "conquistadors": options.deck, "players": players, "phase": "attacks", "outcome": "under_way", "round": 2,
        "turn": 20, "first": 0, "seat": 0, "asked": 0, "progress": 0, "hands": held, "picks": empty, "mictlan": "-",
        "removed": "-", "eagles": "-", "field": "-", "line": "-", "reserve": "-", "extra": 0, "gods": gods,
        "fortress": _full(on, gods), "parts": "part_east,part_north,part_west,part_south", "markers": 0,
        "wards": "0/0/0", "recovered": 0, "stack": "-", "chance": 7,
    }  # fmt: skip
    whole: dict[str, str] = {field: str(value) for field, value in (defaults | fields).items()}
    _sort(on, whole)
    _rest(on, whole)
    state = State()
    fill(state, on.variant, " ".join(["moctezuma", *(f"{field}={whole[field]}" for field in FIELDS)]))
    go_on(state, [])
    return state


def _full(on: MoctezumaGame, gods: str) -> str:
    there = zip(gods.split("/"), on.variant.first_fortress, strict=True)
    return "/".join("0" if god == "-" else str(first) for god, first in there)


def _name(item: str) -> str:
    return item.rstrip("?!*").partition(":")[0]


def _items(text: str) -> list[str]:
    return [item for part in text.split("/") for item in part.split(",") if item != "-"]


def _sort(on: MoctezumaGame, fields: dict[str, str]) -> None:
    """Zones without an order are written in that of the card file, less hurt units first."""

    def key(item: str) -> tuple[object, ...]:
        return "*" in item, item.partition(":")[2], on.variant.numbers[_name(item)], item.endswith("?")

    for field in ("hands", "picks", "mictlan", "removed", "eagles", "field"):
        parts = [
            ",".join(sorted(part.split(","), key=key)) if part != "-" else "-" for part in fields[field].split("/")
        ]
        fields[field] = "/".join(parts)


def _rest(on: MoctezumaGame, fields: dict[str, str]) -> None:
    """Put the cards that no field names into their places."""
    variant = on.variant
    named = Counter(_name(item) for field in ("hands", "picks", "mictlan", "removed", "eagles", "field")
                    for item in _items(fields[field]))  # fmt: skip
    deck = fields.get("deck", "-")
    fields["deck"] = _under(variant, ("warrior", "moctezuma", "priest"), named, deck)
    if fields["eagles"] == "-" and any(variant.ids[kind] in named for kind in variant.eagles):
        left = Counter(variant.ids[kind] for kind in variant.all_of("eagle")) - named
        fields["eagles"] = ",".join(left.elements()) or "-"
    given = Counter(_name(item) for field in ("line", "reserve") for item in _items(fields[field]))
    special = [variant.ids[kind] for kind in variant.all_of("conquistador", "cortes") if kind in variant.special]
    if variant.options.deck == "advanced":
        special = ["cura"] * 2 + ["rodelero"] * 5
    fields.setdefault("box", ",".join(special) or "-")
    given += Counter(_items(fields["box"]))
    fields["siege_deck"] = _under(variant, ("conquistador", "cortes"), given, fields.get("siege_deck", "-"))


def _under(variant: Variant, groups: tuple[str, ...], named: Counter[str], top: str) -> str:
    every = Counter(variant.ids[kind] for kind in variant.all_of(*groups))
    rest = every - named - Counter(_name(item) for item in _items(top))
    return ",".join([*rest.elements(), *_items(top)]) or "-"


def do(state: State, *actions: str) -> list[JsonDict]:
    """Do actions by their texts, all legal; returns what followed from all of them."""
    followed: list[JsonDict] = []
    for text in actions:
        action = state.parse(text)
        assert state.why_illegal(action) is None, (text, texts(state))
        followed += state.apply(action)
    return followed


def texts(state: State) -> list[str]:
    """The sorted texts of the legal actions."""
    return sorted(map(state.text, state.legal_actions()))


def fortress(state: State) -> dict[str, int]:
    """Fortress of the gods in play."""
    return {god.place: god.fortress for god in state.observation(None).gods}


def battlefield(state: State) -> dict[str, int]:
    """Damage by unit on the battlefield; tests that use it have no two units alike."""
    return {unit.card: unit.damage for unit in state.observation(None).battlefield}


def walk(on: MoctezumaGame, players: int, seed: int) -> Iterator[State]:
    """A random game: every state, the last one included; the state goes on between them."""
    state = on.start(players, on.deal(players, seed))
    chance = random.Random(seed)
    yield state
    while state.to_act is not None:
        state.apply(chance.choice(state.legal_actions()))
        yield state
