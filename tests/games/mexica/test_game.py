"""Games by name, their options, and set-ups."""

from __future__ import annotations

import json
from typing import Any

import pytest
from games.mexica_kit import RULE_SETS, do, game, position

from mexica_cli.games import load_game, restore_game
from mexica_cli.games.game import JsonDict, RuleError


def test_there_is_no_other_game() -> None:
    with pytest.raises(RuleError, match="there is no game 'chess'; there is mexica"):
        load_game("chess")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_options_make_the_same_game_without_files(rules: str) -> None:
    options: JsonDict = json.loads(json.dumps(game(rules).options()))
    again = restore_game("mexica", options)
    assert again.options() == options
    assert (again.name, again.rules, again.seats) == ("mexica", rules, (2, 4))
    setup = again.deal(2, 3)
    assert setup == game(rules).deal(2, 3)
    assert again.start(2, setup).digest() == game(rules).start(2, setup).digest()


def test_overrides_are_in_the_options() -> None:
    options = load_game("mexica", options={"stall_rounds": "off"}).options()
    assert options["rules"]["stall_rounds"] == 0
    assert restore_game("mexica", options).options() == options


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": 3}, "options: Expected `object`, got `int` - at `\\$.rules`"),
        ({"rules": {"name": "official"}}, "action_points: this field is missing"),
        ({"rules": {}}, "options: rules: name: give one of letters, digits and"),
        ({"board": {"name": "a b", "rows": []}}, "options: board: name: give one of letters, digits and"),
        ({"board": {"name": "b", "rows": ["SCS", "#"]}}, "options: board:2: this row has 1 spaces"),
        ({"board": {"name": "b", "rows": [7]}}, "options: Expected `str`, got `int` - at `\\$.board.rows"),
        ({"board": {"name": "b"}}, "options: Object missing required field `rows`"),
    ],
)
def test_options_that_cant_be_used(change: JsonDict, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        restore_game("mexica", game().options() | change)


def test_a_deal_is_a_function_of_its_seed() -> None:
    assert game().deal(2, 7) == load_game("mexica").deal(2, 7)
    deals = {json.dumps(game().deal(4, seed)) for seed in range(20)}
    assert len(deals) == 20


def test_a_deal_never_changes() -> None:
    assert game().deal(2, 7) == {
        "calpulli": [[8, 9, 3, 6, 6, 12, 11, 13], [10, 4, 5, 3, 7, 4, 5]],
        "neutral": {
            "f6": 1, "j3": 1, "f11": 1, "m11": 1, "i13": 2, "t8": 2, "m5": 2, "k8": 3, "b4": 3, "p9": 4,
        },
    }  # fmt: skip


def test_a_deal_has_all_tokens() -> None:
    first, second = game().deal(3, 5)["calpulli"]
    assert (len(first), len(second)) == (8, 7)
    assert sorted(first + second) == game().variant.rules.calpulli


@pytest.mark.parametrize("players", [1, 5])
def test_too_few_or_too_many_players(players: int) -> None:
    with pytest.raises(RuleError, match=f"Mexica is played by 2 to 4, not by {players}"):
        game().start(players, game().deal(3, 1))


TOKENS = [[3, 3, 4, 4, 5, 5, 6, 6], [7, 8, 9, 10, 11, 12, 13]]


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({}, "setup: Object missing required field `calpulli`"),
        ({"calpulli": [TOKENS[0]]}, "setup: .*calpulli"),
        ({"calpulli": [[3], [3]]}, "setup: calpulli: the first period has 8 tokens, not 1"),
        ({"calpulli": [TOKENS[0], [7] * 7]}, "setup: calpulli: both periods together must be the tokens"),
        ({"calpulli": TOKENS, "neutral": {"g5": 0}}, "setup: Expected `int` >= 1 - at"),
        ({"calpulli": TOKENS, "neutral": {"g5": 5}}, "setup: neutral: g5 has level 5; levels go from 1 to 4"),
        ({"calpulli": TOKENS, "neutral": {"a1": 1}}, "setup: neutral: 'a1' is no land space outside the palace"),
        ({"calpulli": TOKENS, "neutral": {"h7": 1}}, "setup: neutral: 'h7' is no land space outside the palace"),
        ({"calpulli": TOKENS, "neutral": {"zz": 1}}, "setup: neutral: 'zz' is no land space outside the palace"),
        ({"calpulli": TOKENS, "more": 1}, "setup: Object contains unknown field `more`"),
    ],
)
def test_a_setup_that_doesnt_fit(setup: Any, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        game().start(2, setup)


def test_neutral_temples_are_for_two() -> None:
    with pytest.raises(RuleError, match="neutral temples belong to games of two players, not of 3"):
        game().start(3, {"calpulli": TOKENS, "neutral": {"g5": 1}})


def test_an_absent_seat_passes() -> None:
    state = game().start(2, {"calpulli": TOKENS, "neutral": {"g5": 1}})
    passed = []
    for _ in range(3):
        passed.append(state.text(state.neutral_action()))
        state.apply(state.neutral_action())
    assert passed == ["place h6", "place g7", "end"]
    state = position(game(), period=2, pawns="h6/i7")
    do(state, "retire 13")
    assert state.text(state.neutral_action()) == "refuse"


def test_a_whole_game_by_the_few_lines_that_the_package_shows() -> None:
    example = load_game("mexica")
    state = example.start(2, example.deal(2, seed=7))
    while state.to_act is not None:
        state.apply(state.legal_actions()[0])
    assert state.ranking() is not None
