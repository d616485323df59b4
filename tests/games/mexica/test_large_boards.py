"""Boards with as many columns as there are letters and far more rows than a screen has."""

from __future__ import annotations

import random

import pytest
from games.mexica_kit import code, do, game, game_on

from mexica_cli.games import load_game, restore_game
from mexica_cli.games.mexica.board import drawn, make_board
from mexica_cli.games.mexica.loading import SHIPPED_BOARDS
from mexica_cli.view.board import draw
from mexica_cli.view.scene import Look, Scene

TALL = "\n".join([*["#" * 26] * 998, "#" * 23 + "SCS", *["#" * 26] * 6])


def test_rows_of_four_digits() -> None:
    on = game_on(TALL)
    state = on.start(2, on.deal(2, 1))
    do(state, "place x999", "place z999", "walk x1000", "canal a1004 b1004", "canal z1005", "canal y998", "end")
    assert state.observation(0).canals == ["y998", "a1004", "b1004", "z1005"]
    assert code(state, "teleport b1004") == "not_land"
    assert on.from_position(state.position()).digest() == state.digest()
    assert restore_game("mexica", on.options()).from_position(state.position()).digest() == state.digest()


def test_the_last_row_that_can_be_numbered() -> None:
    on = game_on("\n".join(["SCS", *["#.#"] * 9997, "###"]), canal_tiles="9")
    state = on.start(2, {"calpulli": game().deal(3, 1)["calpulli"]})
    do(state, "place a1", "place c1", "teleport c9999", "canal a9999", "end")
    assert state.pawns[0] == on.variant.board.numbers["c9999"]
    assert state.text(state.parse("walk b9999")) == "walk b9999"


@pytest.mark.parametrize("rows", [99, 100, 2401])
def test_a_drawing_is_read_back(rows: int) -> None:
    board = make_board(["SCS" + "#." * 11 + "#", *["=" * 26] * (rows - 1)], "b", "b")
    assert make_board(drawn(board).splitlines(), "b", "b").rows == board.rows


@pytest.mark.parametrize("rows", [9, 10, 100, 1000])
def test_the_text_board_keeps_its_columns(rows: int) -> None:
    on = game_on("\n".join(["SCSS" + "#" * 22, *["#" * 26] * (rows - 1)]))
    state = on.start(3, on.deal(3, 1))
    do(state, "place a1", "place c1")
    scene = Scene(observation=state.observation(None), options=on.options(), seats=["ann", "bob", "cyd"])
    picture = draw(scene, Look(unicode=False, width=10**6)).plain.split("\n")
    margin = len(str(rows)) + 1
    assert picture[0][: margin + 26 * 3] == " " * margin + "".join(f" {c} " for c in "abcdefghijklmnopqrstuvwxyz")
    assert picture[1][: margin + 9] == "1".rjust(margin - 1) + " (A) # (B)"
    assert picture[rows][: margin + 6] == f"{rows}  .  . "


@pytest.mark.parametrize("board", SHIPPED_BOARDS)
@pytest.mark.parametrize("rules", ["official", "help", "summary"])
def test_whole_games_on_every_shipped_board(board: str, rules: str) -> None:
    on = load_game("mexica", rules, board)
    for players in (2, 4):
        state = on.start(players, on.deal(players, 3))
        chance = random.Random(players)
        while state.to_act is not None:
            actions = state.legal_actions()
            state.apply(chance.choice(actions))
        assert on.from_position(state.position()).ranking() == state.ranking()
