"""The numbers of the rulebook, and those that follow from it."""

from __future__ import annotations

from collections import Counter

import pytest
from games.moctezuma.kit import DIFFICULTIES, blank_game, do, game, shipped

from mexica_cli.games.game import RuleError
from mexica_cli.games.moctezuma import MoctezumaGame, State
from mexica_cli.games.moctezuma.cards import COUNTS

FORTRESS = {"easy": (9, 6, 5), "normal": (8, 5, 4), "hard": (7, 4, 3), "critical": (6, 3, 2)}
LINE = {1: (2, 1), 2: (2, 1), 3: (3, 2), 4: (4, 2), 5: (5, 3)}


@pytest.mark.parametrize("players", LINE)
def test_the_siege_line(players: int) -> None:
    on = game()
    line = on.start(players, on.deal(players, 1)).observation(None).line
    number, face_up = LINE[players]
    assert [soldier.face_up for soldier in line] == [True] * face_up + [False] * (number - face_up)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_fortress_by_difficulty(difficulty: str) -> None:
    on = game(difficulty=difficulty)
    seeds = (seed for seed in range(99) if len(on.deal(2, seed)["gods"]) == 2)
    gods = on.start(2, on.deal(2, next(seeds))).observation(None).gods
    assert tuple(god.fortress for god in gods) == FORTRESS[difficulty]
    assert [god.place for god in gods] == ["main", "secondary", "quetzalcoatl"]


def test_a_hundred_and_ten_cards() -> None:
    table = shipped()
    assert {group: sum(card.get("count", 1) for card in table[group]) for group in COUNTS} == COUNTS
    groups = Counter[str]()
    names = {"warrior": "mexica", "eagle": "mexica", "moctezuma": "mexica", "priest": "mexica", "fortress": "fortress",
             "conquistador": "conquistador", "cortes": "conquistador"}  # fmt: skip
    for group, count in COUNTS.items():
        groups[names.get(group, "god")] += count
    assert groups == {"mexica": 58, "god": 14, "conquistador": 34, "fortress": 4}


@pytest.mark.parametrize(("players", "hand"), [(1, 4), (2, 3), (3, 3), (4, 3), (5, 3)])
def test_hands_and_the_mexica_deck(players: int, hand: int) -> None:
    on = game()
    view = on.start(players, on.deal(players, 1)).observation(None)
    assert [held.cards for held in view.hands] == [hand] * players
    assert view.deck.cards == 52 - hand * players
    assert view.round == 1


def test_conquistador_decks() -> None:
    beginner = game().deal(3, 1)["conquistadors"]
    assert "hernan_cortes" not in beginner
    assert not any(game().variant.numbers[card] in game().variant.special for card in beginner)
    decks = [game("advanced").deal(3, seed)["conquistadors"] for seed in range(30)]
    assert {len(deck) for deck in decks} == {27}
    assert all(deck.count("hernan_cortes") == 1 for deck in decks)
    assert len({deck.index("hernan_cortes") for deck in decks}) > 10
    assert len({tuple(sorted(deck)) for deck in decks}) > 10


@pytest.mark.parametrize(
    ("players", "with_27", "with_34"), [(1, 13, 17), (2, 13, 17), (3, 9, 11), (4, 6, 8), (5, 5, 6)]
)
def test_attack_rounds_until_the_deck_fails(players: int, with_27: int, with_34: int) -> None:
    assert attack_rounds(blank_game(special=True), players) == with_27
    assert attack_rounds(blank_game(special=True, deck="advanced"), players) == with_27
    assert attack_rounds(blank_game(special=False), players) == with_34


def attack_rounds(on: MoctezumaGame, players: int) -> int:
    """Rounds with attacks, in a game in which nobody does more than they must."""
    state = on.start(players, on.deal(players, 3))
    while state.to_act is not None:
        state.apply(state.neutral_action())
    result = state.observation(None).result
    assert result is not None
    assert result.reason == "siege_completed"
    return result.rounds


def test_round_one_has_no_defence() -> None:
    on = game()
    state = on.start(2, on.deal(2, 1))
    followed = do(state, "keep", "keep")
    assert [entry["phase"] for entry in followed if entry["what"] == "phase"] == ["planning"]


@pytest.mark.parametrize("players", [0, 6])
def test_one_to_five_play(players: int) -> None:
    with pytest.raises(RuleError, match="Moctezuma is played by 1 to 5"):
        game().deal(players, 1)


def with_gods(main: str, secondary: str) -> State:
    on = game()
    setup = on.deal(2, 1)
    others = [god for god in ("tlaloc", "tonatiuh") if god not in {main, secondary}]
    third = others[:1] if "coyolxauhqui" in {main, secondary} else []
    return on.start(2, setup | {"gods": [main, secondary, *third]})


def test_huitzilopochtli_brings_the_eagle_warriors() -> None:
    assert with_gods("xipe_totec", "huitzilopochtli").observation(None).eagles == [
        "cuauhtli", "cuauhtli", "cuauhtli", "cuauhpilli", "cuauhpilli", "tlacateccatl",
    ]  # fmt: skip
    assert with_gods("xipe_totec", "tlaloc").observation(None).eagles == []


def test_coyolxauhqui_brings_the_additional_god() -> None:
    gods = with_gods("coyolxauhqui", "xipe_totec").observation(None).gods
    assert [(god.card, god.place, god.fortress) for god in gods][2] == ("tlaloc", "additional", 4)
    dealt = [game().deal(2, seed)["gods"] for seed in range(80)]
    assert all((len(gods) == 3) == ("coyolxauhqui" in gods[:2]) for gods in dealt)
    assert {len(gods) for gods in dealt} == {2, 3}
