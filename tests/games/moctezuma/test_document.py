"""docs/MOCTEZUMA.md keeps up with the cards, the language and the options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from games.moctezuma.kit import game

from mexica_cli.games.moctezuma.action_text import FORMS
from mexica_cli.games.moctezuma.cards import COUNTS, cards_of, copies
from mexica_cli.games.moctezuma.language import WORDS, Goal, Source, Trigger
from mexica_cli.games.moctezuma.rules import Options, choices
from mexica_cli.games.moctezuma.steps import EFFECTS
from mexica_cli.games.moctezuma.variant import AfterUse

TEXT = (Path(__file__).parents[3] / "docs" / "MOCTEZUMA.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in TEXT.splitlines() if line.startswith("|")]


def test_every_card_is_listed_as_it_is() -> None:
    cards = game().variant.cards
    told = [row[:4] for row in ROWS if row[0] in COUNTS and "(`" in row[1]]
    real = [
        [group, f"{card.name} (`{card.id}`)", str(copies(card)), card.origin]
        for group in COUNTS
        for card in cards_of(cards, group)
    ]
    assert told == real
    says = {row[1]: row[4] for row in ROWS if len(row) == 5 and "(`" in row[1]}
    for group in COUNTS:
        for card in cards_of(cards, group):
            assert card.text in says[f"{card.name} (`{card.id}`)"]


def test_every_reading_is_marked() -> None:
    assert {int(number) for number in re.findall(r"\*\*Reading (\d+)\*\*", TEXT, re.IGNORECASE)} == set(range(1, 14))


def test_every_step_with_its_fields() -> None:
    told = {row[0]: row[1] for row in ROWS if len(row) == 3}
    for kind in EFFECTS:
        if kind is not AfterUse:
            fields = [field.encode_name for field in msgspec.structs.fields(kind)]
            written = re.findall(r"`(\w+)`", told[f"`{kind.__name__.lower()}`"])
            assert sorted(written) == sorted(fields), kind


def test_every_option_with_its_values() -> None:
    told = {row[0]: row[1] for row in ROWS if len(row) == 3}
    for option in Options.__struct_fields__:
        assert told[f"`{option}`"] == ", ".join(f"`{choice}`" for choice in choices(option))


@pytest.mark.parametrize("word", [*WORDS, *get_args(Source), *get_args(Goal), *FORMS])
def test_every_word_is_there(word: str) -> None:
    assert re.search(rf"`{word}[ `]", TEXT)


def test_every_time_of_a_trigger() -> None:
    (when,) = (field.type for field in msgspec.structs.fields(Trigger) if field.name == "when")
    for word in get_args(when):
        assert f"`{word}`" in TEXT


def test_followed_entries_are_named() -> None:
    source = Path(__file__).parents[3] / "mexica_cli" / "games" / "moctezuma"
    said = {word for path in source.glob("*.py") for word in re.findall(r'"what": "(\w+)"', path.read_text())}
    assert said == set(re.findall(r"`(\w+)`", TEXT.split("`what` is one of:")[1].split("\n\n")[0]))
