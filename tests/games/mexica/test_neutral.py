"""The neutral colour of a game of two, and the variant with more of it."""

from __future__ import annotations

import pytest
from games.mexica_kit import game
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games import load_game
from mexica_cli.games.chance import Chance
from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica.board import near_lake
from mexica_cli.games.mexica.consistency import neutral_temples
from mexica_cli.games.mexica.loading import load
from mexica_cli.games.mexica.rule_files import override, shipped_rules
from mexica_cli.games.mexica.setup import neutral_room


def made(levels: int, **options: str) -> tuple[int, ...] | None:
    rules = override(shipped_rules("official"), options | {"neutral_levels": str(levels)})
    return neutral_temples(rules)


@pytest.mark.parametrize(
    ("levels", "temples"),
    [
        (0, (4, 3, 2, 1)),
        (20, (4, 3, 2, 1)),
        (21, (5, 3, 2, 1)),
        (24, (4, 3, 2, 2)),
        (25, (5, 3, 2, 2)),
        (31, (4, 3, 3, 3)),
        (40, (6, 5, 4, 3)),
    ],
)
def test_the_highest_that_fit_come_first(levels: int, temples: tuple[int, ...]) -> None:
    assert made(levels) == temples


def test_a_lower_one_makes_way_where_a_high_one_leaves_a_rest_that_none_can_fill() -> None:
    assert made(6, temples="[[0, 3, 0, 1], [0, 0, 0, 0]]", neutral_temples="") == (0, 1, 0, 1)
    assert made(6, temples="[[0, 0, 2, 1], [0, 0, 0, 0]]", neutral_temples="") == (0, 0, 2, 0)


@given(st.integers(20, 40))
def test_every_total_up_to_the_stock_can_be_made(levels: int) -> None:
    temples = made(levels)
    assert temples is not None
    assert sum(level * number for level, number in enumerate(temples, 1)) == levels
    assert all(base <= number <= most for base, number, most in zip((4, 3, 2, 1), temples, (6, 5, 4, 3), strict=True))


@settings(max_examples=20)
@given(levels=st.sampled_from(["0", "24", "28"]), seed=st.integers(0, 2**32))
def test_they_are_drawn_by_the_rules(levels: str, seed: int) -> None:
    on = load("official", None, {"neutral_levels": levels})
    neutral = on.deal(2, seed)["neutral"]
    board = on.variant.board
    cells = [board.numbers[cell] for cell in neutral]
    assert sum(neutral.values()) == max(20, int(levels))
    for cell in cells:
        assert board.land >> cell & 1
        assert not (board.palace | near_lake(board)) >> cell & 1
    places = [divmod(cell, board.stride) for cell in cells]
    assert all(abs(a - c) + abs(b - d) >= 5 for a, b in places for c, d in places if (a, b) != (c, d))


def test_the_variant_leaves_other_games_as_they_are() -> None:
    on = load("official", None, {"neutral_levels": "24"})
    assert on.deal(3, 7) == game().deal(3, 7)
    assert on.deal(2, 7)["calpulli"] == game().deal(2, 7)["calpulli"]


def test_no_room() -> None:
    on = load_game("mexica", options={"neutral_levels": "40"})
    with pytest.raises(RuleError, match="the board standard has no room for 18 neutral temples 5 apart; give smaller"):
        on.deal(2, 1)
    assert on.deal(3, 1)["neutral"] == {}


def test_in_how_many_draws_they_fit() -> None:
    assert neutral_room(game().variant, Chance(1), 100) == 76
    assert neutral_room(load("official", "large", {}).variant, Chance(1), 20) == 20
