"""Games under rules and on boards of one's own, whatever they are: they end, add up, and come back from text."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from games.conservation import assert_districts, assert_stock
from hypothesis import event, given, settings
from hypothesis import strategies as st
from toylog import BOTS, ToyMatch, encode, header

from mexica_cli.games import load_game
from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica import MexicaGame, State
from mexica_cli.games.mexica.board import Board, drawn
from mexica_cli.games.mexica.islands import Wish, make_island
from mexica_cli.games.mexica.loading import load, restore
from mexica_cli.games.mexica.rule_files import SHIPPED
from mexica_cli.record.reader import open_log
from mexica_cli.record.verify import verify

# ---- rules and boards ------------------------------------------------------------------------------------------------


def numbers(most: int, least: int = 0) -> st.SearchStrategy[int]:
    return st.integers(least, most)


def by_level(most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(numbers(most), min_size=4, max_size=4)


FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "action_points": numbers(12, 3),
    "kept_points": numbers(4),
    "action_tokens": numbers(12),
    "tokens_per_turn": numbers(3, 1),
    "canal_tiles": st.lists(numbers(9), min_size=1, max_size=7),
    "canal_cost": st.sampled_from(["tile", "space"]),
    "canal_touches_water": st.booleans(),
    "bridges": numbers(6),
    "boat_cost": numbers(6, 1),
    "boat_toll": st.sampled_from(["bridge", "trip"]),
    "teleport": st.sampled_from(["off", "land", "anywhere"]),
    "teleport_cost": numbers(9, 1),
    "temples": st.lists(by_level(3), min_size=2, max_size=2),
    "temple_reach": st.sampled_from(["district", "adjacent"]),
    "neutral_temples": st.lists(numbers(2), max_size=4),
    "neutral_levels": st.sampled_from([0, 0, 0, 14, 20, 24, 30]),
    "neutral_distance": numbers(4, 1),
    "calpulli": st.lists(numbers(13, 2), min_size=7, max_size=12),
    "first_calpulli": numbers(6, 1),
    "found_cost": numbers(2),
    "start_bonus": numbers(9),
    "start_anywhere": st.booleans(),
    "period_end": st.sampled_from(["round", "at_once"]),
    "period_end_needs": st.sampled_from(["both", "either"]),
    "penning_first_round": st.booleans(),
    "penning_temples": st.booleans(),
    "automatic_retirement": st.booleans(),
    "stall_rounds": numbers(3),
    "round_limit": st.just(0) | numbers(20),
}

RULE_FILES = st.builds(
    lambda base, fields: "".join(
        f"{field} = {json.dumps(value)}\n" for field, value in [("extends", base), *fields.items()]
    ),
    st.sampled_from(SHIPPED),
    st.fixed_dictionaries({}, optional=FIELDS),
)

WISHES = st.builds(
    Wish,
    rows=numbers(16, 9),
    columns=numbers(26, 9),
    size=numbers(75, 40),
    starts=st.sampled_from([2, 3, 4, 4, 4]),
    palace=st.sampled_from(["cross", "square"]),
    neutral=st.just(False),
)

BOARDS = st.builds(lambda wish, seed: make_island(wish, seed, "island"), WISHES, numbers(1000))


def test_the_strategy_knows_all_fields() -> None:
    rules: dict[str, Any] = load_game("mexica").options()["rules"]
    assert ["name", *FIELDS] == list(rules)


# ---- what holds ------------------------------------------------------------------------------------------------------


def begun(folder: str, rules: str, board: Board, players: int, seed: int) -> tuple[MexicaGame, State] | str:
    """The game of a rule file and a board file, and a first state; or why they can't be used."""
    (Path(folder) / "own.toml").write_text(rules)
    (Path(folder) / "own.txt").write_text(drawn(board))
    try:
        game = load(f"{folder}/own.toml", f"{folder}/own.txt", {})
        return game, game.start(players, game.deal(players, seed))
    except RuleError as error:
        return str(error)


@settings(max_examples=60)
@given(rules=RULE_FILES, board=BOARDS, players=numbers(4, 2), seed=numbers(2**32))
def test_own_rules_are_refused_in_a_line_or_played_to_the_end(
    rules: str, board: Board, players: int, seed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        begin = begun(folder, rules, board, players, seed)
    if isinstance(begin, str):
        event("refused")
        assert "\n" not in begin
        assert begin.startswith((f"{folder}/own.toml", "the board own has ", "canal_tiles: without canals "))
        return
    event("played")
    game, state = begin
    assert restore(game.options()).options() == game.options()
    play(game, state, random.Random(seed))


def play(game: MexicaGame, state: State, chance: random.Random) -> None:
    """A random game; what must hold is looked at now and then, and at the end."""
    totals, retired, steps = [0] * state.players, Counter[int](), 0
    while state.to_act is not None:
        if steps % 10 == 0:
            assert_comes_back(game, state)
            assert_stock(game, state)
            assert_districts(state)
        for entry in state.apply(chance.choice(chance.choice(list(state.legal_by_kind().values())))):
            if entry["what"] == "points":
                totals[entry["seat"]] += entry["points"]
            if entry["what"] == "retired":
                retired[entry["size"]] += 1
        steps += 1
    assert totals == state.scores()
    assert_comes_back(game, state)
    assert Counter(mask.bit_count() for mask in state.founded) + retired == Counter(game.variant.rules.calpulli)


def assert_comes_back(game: MexicaGame, state: State) -> None:
    """Position and actions as text."""
    again = game.from_position(state.position())
    assert (again.digest(), sorted(again.legal_actions())) == (state.digest(), sorted(state.legal_actions()))
    for action in state.legal_actions()[::7]:
        assert state.parse(state.text(action)) == action


@settings(max_examples=8)
@given(rules=RULE_FILES, board=BOARDS, players=numbers(4, 3), seed=numbers(2**32))
def test_a_log_replays_without_the_files(rules: str, board: Any, players: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        begin = begun(folder, rules, board, players, seed)
        if isinstance(begin, str):
            return
        game, _ = begin
        lines = [header(game, seed=seed), *ToyMatch(game, "1-1", BOTS[:players], seed=seed).play().result()]
        (Path(folder) / "own.toml").unlink()
        (Path(folder) / "own.txt").unlink()
        (Path(folder) / "games.jsonl").write_bytes(encode(lines))
        with open_log(f"{folder}/games.jsonl") as reader:
            assert verify(reader).games == 1


@pytest.mark.parametrize("rules", SHIPPED)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_the_stall_switched_off_a_game_ends_all_the_same(rules: str, players: int) -> None:
    game = load_game("mexica", rules, options={"stall_rounds": "off", "round_limit": "7"})
    state = game.start(players, game.deal(players, 1))
    followed = []
    while state.to_act is not None:
        followed += state.apply(state.neutral_action())
    assert [entry for entry in followed if entry["what"] == "round_limit"] == [
        {"what": "round_limit", "round": 7},
        {"what": "round_limit", "round": 14},
    ]


def test_without_any_option_but_the_stall_a_game_ends() -> None:
    game = load_game("mexica", options={"stall_rounds": "off"})
    state = game.start(2, game.deal(2, 1))
    while state.to_act is not None:
        state.apply(state.neutral_action())
    assert state.turn == 2 * 1000 + 1
