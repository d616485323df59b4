"""What protocol/NOTATION-MOCTEZUMA.md says is true: its examples and its tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
from games.moctezuma.kit import DECKS, game, walk

from mexica_cli.games import restore_game
from mexica_cli.games.moctezuma import MoctezumaState
from mexica_cli.games.moctezuma.action_text import FORMS
from mexica_cli.games.moctezuma.notation import FIELDS
from mexica_cli.games.moctezuma.rules import Options, choices
from mexica_cli.games.moctezuma.table import OUTCOMES

PAGE = (Path(__file__).parents[3] / "protocol" / "NOTATION-MOCTEZUMA.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(heading: str) -> list[list[str]]:
    """The rows of a section's table, without its head."""
    lines = re.findall(r"^\| (.*) \|$", section(heading), re.MULTILINE)
    return [line.split(" | ") for line in lines[1:] if not line.startswith("--")]


def words(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def block(heading: str, info: str) -> str:
    return section(heading).partition(f"```{info}\n")[2].partition("```")[0]


def test_every_form_of_an_action_is_in_the_table() -> None:
    told = [form for row in rows("Actions") for form in words(row[0])]
    assert {form.split()[0] for form in told} == set(FORMS)
    assert set(told) >= set(FORMS.values()) - {"hit CARD or hit CARD:DAMAGE", "take PLACE [CARD]"}


def test_the_examples_of_actions_are_actions() -> None:
    lines = block("Actions", "action moctezuma").splitlines()
    state = game().start(2, game().deal(2, 1))
    assert {line.split()[0] for line in lines} == set(FORMS)
    assert [state.text(state.parse(line)) for line in lines] == lines


def test_the_state_is_one_with_every_field() -> None:
    text = block("The state", "state moctezuma")
    view = msgspec.json.decode(text, type=MoctezumaState, strict=True)
    assert set(json.loads(text)) == set(MoctezumaState.__struct_fields__)
    assert (view.seat, view.to_act) == (1, 0)


def test_every_reason_of_an_end_is_told() -> None:
    assert words(section("The state").partition("The reasons are")[2]) == list(OUTCOMES[1:])


def test_every_entry_that_follows_is_told_with_its_fields() -> None:
    told = {what: set(words(row[1])) for row in rows("What followed") for what in words(row[0])}
    told["warded"] = set()
    seen: dict[str, set[str]] = {}
    for deck in DECKS:
        for seed in range(40):
            for state in walk(game(deck), 3, seed):
                if state.to_act is None:
                    break
                for entry in state.copy().apply(state.legal_actions()[0]):
                    seen.setdefault(entry["what"], set()).update(entry)
    assert {what: fields - {"what"} for what, fields in seen.items()} == told


def test_the_options_are_told_with_what_they_may_be() -> None:
    told = {words(row[0])[0]: words(row[1]) for row in rows("Options")}
    assert told.pop("cards") == []
    assert told == {name: list(choices(name)) for name in Options.__struct_fields__}


def test_the_fields_of_a_position_are_told_in_order() -> None:
    assert tuple(words(section("Positions").partition("in order:")[2])) == FIELDS


def test_the_set_up_has_the_fields_of_a_deal() -> None:
    assert list(json.loads(block("Set-up", "json setup"))) == list(game().deal(2, 1))


def test_the_options_are_all_that_is_needed() -> None:
    options = game().options()
    assert list(options) == ["options", "cards"]
    assert restore_game("moctezuma", options).options() == options
