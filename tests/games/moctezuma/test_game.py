"""The game by its options, and set-ups."""

from __future__ import annotations

import json

import pytest
from games.moctezuma.kit import DECKS, DIFFICULTIES, game

from mexica_cli.games.game import JsonDict, RuleError
from mexica_cli.games.moctezuma import load, restore


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_options_make_the_same_game_without_files(deck: str, difficulty: str) -> None:
    options: JsonDict = json.loads(json.dumps(game(deck, difficulty).options()))
    again = restore(options)
    assert again.options() == options
    assert (again.name, again.rules, again.seats, again.cooperative) == ("moctezuma", "official", (1, 5), True)
    setup = again.deal(2, 3)
    assert setup == game(deck, difficulty).deal(2, 3)
    assert again.start(2, setup).digest() == game(deck, difficulty).start(2, setup).digest()


def test_options_are_part_of_the_digest() -> None:
    games = [game(deck, difficulty, end) for deck in DECKS for difficulty in DIFFICULTIES for end in ("last", "first")]
    assert len({each.start(2, each.deal(2, 3)).digest() for each in games}) == 16


@pytest.mark.parametrize(
    ("rules", "board", "options", "said"),
    [
        ("house", None, {}, "there is no rule set 'house' of Moctezuma; there is official"),
        ("official", "standard", {}, "Moctezuma has no board"),
        (
            "official",
            None,
            {"level": "easy"},
            "there is no option 'level'; there is difficulty, deck, siege_end, cards",
        ),
        ("official", None, {"difficulty": "mild"}, "difficulty: 'mild' is none of easy, normal, hard, critical"),
        ("official", None, {"siege_end": "mid"}, "siege_end: 'mid' is none of last, first"),
    ],
)
def test_options_that_cant_be_used(rules: str, board: str | None, options: dict[str, str], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        load(rules, board, options)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"options": {"difficulty": "mild"}}, "options: Invalid enum value 'mild'"),
        ({"cards": {"name": "a b"}}, "options: cards: name: give one of letters"),
        ({"cards": {"name": "a"}}, "cards: warrior: these cards are missing"),
        ({"cards": 3}, "options: Expected `object`, got `int`"),
    ],
)
def test_written_options_that_cant_be_used(change: JsonDict, said: str) -> None:
    with pytest.raises(RuleError, match=said):
        restore(game().options() | change)


def test_a_deal_is_a_function_of_its_seed() -> None:
    assert game().deal(2, 7) == load("official", None, {}).deal(2, 7)
    assert len({json.dumps(game().deal(4, seed)) for seed in range(20)}) == 20


def test_a_deal_never_changes() -> None:
    setup = game("advanced").deal(3, 2026)
    assert setup["gods"] == ["chalchiuhtlicue", "xipe_totec"]
    assert (setup["mexica"][:3], setup["conquistadors"][:3], setup["parts"][0]) == (
        ["tequihua", "tonalpouhqui", "papalotl"],
        ["ballestero", "lengua", "refuerzo_simple"],
        "part_south",
    )


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("mexica", [], "setup: mexica: 'devoto' is there 0 times; there must be 2"),
        ("conquistadors", ["cura"], "setup: conquistadors: 'refuerzo_doble' is there 0 times; there must be 2"),
        ("gods", ["tlaloc"], "setup: Expected `array` of length >= 2 - at `\\$.gods`"),
        ("gods", ["tlaloc", "zeus"], "setup: gods: 'zeus' is no god's id; gods are tlaloc"),
        ("gods", ["tlaloc", "tlaloc"], "setup: gods: a god is named twice"),
        ("gods", ["tlaloc", "coyolxauhqui"], "setup: gods: there must be three gods, for one brings another"),
        ("gods", ["tlaloc", "tonatiuh", "coyolxauhqui"], "setup: gods: there must be two gods"),
        ("parts", ["part_east"], "setup: parts: 'part_north' is there 0 times; there must be 1"),
        ("chance", -1, "setup: Expected `int` >= 0"),
    ],
)
def test_set_ups_that_cant_be_used(field: str, value: object, said: str) -> None:
    with pytest.raises(RuleError, match=said):
        game().start(2, game().deal(2, 1) | {field: value})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda cards: [*cards, "cura"], "setup: conquistadors: "),
        (lambda cards: ["hernan_cortes"] * 27, "'hernan_cortes' is there 27 times; the game has 1"),
        (lambda cards: [card for card in cards if card != "hernan_cortes"], "has 27 cards, with hernan_cortes among"),
    ],
)
def test_advanced_decks_that_cant_be_used(change: object, said: str) -> None:
    setup = game("advanced").deal(2, 1)
    assert callable(change)
    with pytest.raises(RuleError, match=said):
        game("advanced").start(2, setup | {"conquistadors": change(setup["conquistadors"])})
