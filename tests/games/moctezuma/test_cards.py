"""Card files: what is shipped, and what is refused with which words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from games.moctezuma.kit import every_card, game, shipped
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.game import RuleError
from mexica_cli.games.moctezuma import load
from mexica_cli.games.moctezuma.card_files import SHIPPED_CARDS, cards_from, read_cards
from mexica_cli.games.moctezuma.steps import EFFECTS
from mexica_cli.games.moctezuma.variant import AfterUse

ATTESTED = {
    "devoto",
    "papalotl",
    "quetzalcoatl",
    "tlaloc",
    "xiuhtecuhtli",
    "refuerzo_doble",
    "fortress_main",
    "fortress_secondary",
    "fortress_quetzalcoatl",
}


def test_attested_is_what_the_rulebook_says_in_full() -> None:
    table = shipped()
    assert {card["id"] for card in every_card(table) if card["origin"] == "attested"} == ATTESTED
    assert {card["origin"] for card in every_card(table)} == {"attested", "reconstruction"}


def test_every_card_with_an_effect_says_it() -> None:
    for card in every_card(shipped()):
        said = any(card.get(field) for field in ("use", "trigger", "influence", "sacrifice", "resolve", "hit_as"))
        assert bool(card["text"]) == said or card["id"] == "devoto", card["id"]


def steps_of(value: object) -> Iterator[str]:
    """Every `do` in a table."""
    if isinstance(value, dict):
        if "do" in value:
            yield value["do"]
        for inner in value.values():
            yield from steps_of(inner)
    if isinstance(value, list):
        for inner in value:
            yield from steps_of(inner)


def test_notes_stand_alone() -> None:
    notes = {card["note"] for card in every_card(shipped()) if card.get("note")}
    assert len(notes) > 5
    assert all(note.startswith("Attested: ") and note.endswith(".") for note in notes)


def test_the_shipped_cards_use_the_whole_language() -> None:
    used = {word for card in every_card(shipped()) for word in steps_of(card)}
    assert used == {kind.__name__.lower() for kind in EFFECTS} - {AfterUse.__name__.lower()}


def test_a_copy_of_the_file_is_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "my cards.toml"
    path.write_text(SHIPPED_CARDS.read_text(encoding="utf-8"), encoding="utf-8")
    mine = load("official", None, {"cards": str(path)})
    assert mine.variant.cards_name == "my_cards"
    assert mine.variant.cards == game().variant.cards
    assert mine.deal(3, 5) == game().deal(3, 5)


def refusal(path: Path, old: str, new: str) -> str:
    """What is said of the shipped file with a piece of text replaced."""
    text = SHIPPED_CARDS.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RuleError) as caught:
        read_cards(path)
    return str(caught.value).removeprefix(f"{path}")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('use = [{ do = "draw" }]', 'use = [{ do = "drw" }]', "use[0].do: macehual: invalid value 'drw'; give one of"),
        (
            'use = [{ do = "draw" }]',
            'use = [{ do = "draw", card = 2 }]',
            "use[0].card: macehual: object contains unknown",
        ),
        ('use = [{ do = "draw" }]', 'use = [{ do = "draw", card = 2 }]', "did you mean cards?"),
        ('use = [{ do = "draw" }]', 'use = [{ do = "draw", cards = 0 }]', "give a whole number from 1 to 9"),
        ('use = [{ do = "draw" }]', 'use = [{ do = "move", to = "hand" }]', 'give one of "battlefield"'),
        ('use = [{ do = "draw" }]', "use = [{ cards = 1 }]", "use[0]: macehual: object missing required field `do`"),
        ('use = [{ do = "draw" }]', "use = [3]", "use[0]: macehual: expected `object`, got `int`"),
        ('use = [{ do = "draw" }]', "use = 3", "use: macehual: expected `array`, got `int`"),
        ('cards = "warrior" }]', 'cards = "warior" }]', "yaoquizqui: 'warior' is no card's id and none of"),
        ('to = "siege_deck_bottom"', 'to = "hand"', "a card from line_open doesn't go to hand"),
        ("count = 4", "count = 5", "warrior: there are 25 cards, copies counted; the game has 24"),
        ("[[cortes]]", "[[corts]]", "corts: there is no such group of cards; did you mean cortes?"),
        ('id = "macehual"', 'id = "devoto"', "warrior[2].id: devoto: another card has this id"),
        ('id = "macehual"', 'id = "priest"', "warrior[2].id: priest: this word names a group"),
        ('id = "macehual"', 'id = "Macehual"', "give small letters, digits and _"),
        ('[{ do = "attack", on = "warrior", damage = 3 }]', '[{ do = "leave" }]', "only a Mexica card can leave"),
        (
            '[{ do = "attack", on = "warrior", damage = 3 }]',
            '[{ do = "sacrifice" }]',
            "only the `use` of a Mexica card",
        ),
        ('use = [{ do = "draw" }]', 'use = [{ do = "attack", on = "god", damage = 1 }]', "only conquistadors attack"),
        ('use = [{ do = "fortress", points = 1 }]', 'use = [{ do = "fortress", points = 0 }]', "a number of points"),
        (', god = "quetzalcoatl" }] },', "}] },", "must leave nothing to choose"),
        (
            'cost = [{ do = "move", from = "hand", to = "mictlan" }]',
            'cost = [{ do = "draw" }]',
            "a cost is a move from",
        ),
        (
            'to = "battlefield", cards = "warrior", up_to = true',
            'to = "mictlan", cards = "warrior"',
            "write up_to = true",
        ),
        (', steps = [{ do = "leave" }] }', "}", "papalotl: object missing required field `steps`; give a list"),
        (
            'id = "fortress_main"\n',
            'id = "fortress_main"\nvalue = 3\n',
            "fortress[0].value: fortress_main: object contains",
        ),
        ('god = "main"', 'god = "secondary"', "two fortress cards for the secondary god"),
        ("brings_eagles = true", "brings_god = true", "there can be one additional god only"),
        (
            'from = "deck_top", to = "mictlan" }',
            'from = "deck_top", cards = "priest", to = "mictlan" }',
            "nobody can choose",
        ),
        (
            '\norigin = "attested"',
            '\norigin = "rumour"',
            "origin: devoto: invalid enum value 'rumour'; give one of \"attested\"",
        ),
        ('about = "', 'about = 3 # "', "about: this is no text"),
    ],
)
def test_a_fault_is_said_with_card_field_and_reason(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in refusal(tmp_path / "cards.toml", old, new)


def test_a_fault_is_said_with_its_line(tmp_path: Path) -> None:
    right = 'use = [{ do = "draw" }]'
    said = refusal(tmp_path / "cards.toml", right, 'use = [{ do = "drw" }]')
    line = SHIPPED_CARDS.read_text(encoding="utf-8").splitlines().index(right) + 1
    assert said.startswith(f":{line}: warrior[2].use[0].do: ")


def test_a_file_that_is_no_card_file(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="can't be read"):
        load("official", None, {"cards": str(tmp_path / "none.toml")})
    path = tmp_path / "cards.toml"
    path.write_text("warrior = 3", encoding="utf-8")
    with pytest.raises(RuleError, match=r"cards.toml:1: warrior: begin each card with a line \[\[warrior\]\]"):
        read_cards(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(RuleError, match=r"warrior: these cards are missing; give each in a table \[\[warrior\]\]"):
        read_cards(path)


@pytest.mark.parametrize(
    ("card", "change", "said"),
    [
        ("tequihua", {"cost": [{"do": "move", "from": "hand", "to": "mictlan"}], "use": []}, "there is no `use`"),
        ("devoto", {"sacrifice_to": ["main"]}, "`sacrifice_to` doesn't name quetzalcoatl"),
        (
            "tlaloc",
            {"trigger": [{"when": "falls", "steps": [{"do": "draw"}]}]},
            "only a Mexica card can be hurt or fall",
        ),
        ("quetzalcoatl", {"brings_eagles": True}, "the power card brings nobody"),
        ("macehual", {"use": [{"do": "move", "from": "hand", "to": "hand"}]}, "the card is there already"),
        ("macehual", {"use": [{"do": "fortress", "points": 1, "god": "this"}]}, "belongs on a god's card"),
        (
            "papalotl",
            {"trigger": [{"when": "siege", "steps": [{"do": "leave", "to": "reserve"}]}]},
            "don't go to reserve",
        ),
        ("nahualli", {"cost": [{"do": "move", "from": "hand", "to": "mictlan"}] * 2}, "two moves from one place"),
        (
            "papalotl",
            {"trigger": [{"when": "falls", "steps": [{"do": "leave"}]}]},
            "trigger[0].steps: papalotl: who falls has left the battlefield already",
        ),
        (
            "macehual",
            {"use": [{"do": "if", "test": {"hurt": True}, "then": [{"do": "draw"}]}]},
            "use[0].test.hurt: macehual: only a `trigger` or `influence` can ask",
        ),
        (
            "tlaloc",
            {"influence": [{"what": "no_redirect", "if": {"hurt": True}}]},
            "influence[0]: tlaloc: only a Mexica card can be hurt",
        ),
        ("hernan_cortes", {"count": 2}, "there are 2 cards, copies counted; the game has 1"),
        ("part_east", {"value": 6}, "part[0].value: part_east: expected `int` <= 5"),
    ],
)
def test_what_no_card_may_say(card: str, change: dict[str, Any], said: str) -> None:
    table = shipped()
    next(each for each in every_card(table) if each["id"] == card).update(change)
    with pytest.raises(RuleError) as caught:
        cards_from(table)
    assert str(caught.value).startswith("cards: ")
    assert said in str(caught.value)


JUNK: list[Any] = [None, True, -1, 0, 99, 1.5, "", "any", [], [[]], {}, {"do": "draw"}, {"do": []}, [{"do": "if"}], [3]]


def somewhere(value: Any, chance: random.Random) -> tuple[Any, Any]:
    """A table or list at random depth, and one of its keys."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys)
        if not isinstance(value[key], dict | list) or not value[key] or chance.random() < 0.2:
            return value, key
        value = value[key]


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32))
def test_any_spoilt_card_set_is_used_or_refused(seed: int) -> None:
    chance, table = random.Random(seed), shipped()
    owner, key = somewhere(table, chance)
    if chance.random() < 0.2 and isinstance(owner, dict):
        owner["extra_field"] = chance.choice(JUNK)
    elif chance.random() < 0.2:
        del owner[key]
    else:
        owner[key] = chance.choice(JUNK)
    with suppress(RuleError):
        cards_from(table)
