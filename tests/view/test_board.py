"""The text board: every thing in its space, in ASCII and Unicode, beside the panel or above it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from view.position import ROWS, positions
from view.position import STATE as ONE_TOKEN

from mexica_cli.games import load_game
from mexica_cli.games.mexica import MexicaState
from mexica_cli.games.mexica.observation import Temple, Vote
from mexica_cli.view.board import draw
from mexica_cli.view.scene import Look, Scene

NAMES = ["ann", "bob", "a very long name indeed"]
STATE = msgspec.structs.replace(ONE_TOKEN, tokens={"f1": 3, "c1": 12})


def lines(state: MexicaState, *, unicode: bool = False, width: int = 200, rows: list[str] = ROWS) -> list[str]:
    scene = Scene(observation=state, options={"board": {"rows": rows}}, seats=NAMES)
    return draw(scene, Look(unicode=unicode, width=width)).plain.split("\n")


def changed(**fields: Any) -> MexicaState:
    return msgspec.structs.replace(STATE, **fields)


def test_a_board_in_ascii() -> None:
    assert lines(STATE, width=30)[:4] == [
        "   a  b  c  d  e  f  g ",
        "1     : *12 : ~=~ *3   ",
        "2  : (A) #  + ~~~ : =B=",
        "3  :  A3 :  N4~|~ :    ",
    ]


def test_a_board_in_unicode() -> None:
    assert lines(changed(tokens={}), unicode=True, width=30)[:4] == [
        "   a  b  c  d  e  f  g ",
        "1     ·  ·  · ≈═≈ ·    ",
        "2  · (A) #  + ≈≈≈ · ═B═",
        "3  ·  A3 ·  N4≈║≈ ·    ",
    ]


def test_a_panel_beside_the_board() -> None:
    wide = lines(STATE)
    assert [line[26:] for line in wide] == [
        "period 1, round 4",
        "B bob to act, 3 AP left",
        "",
        "                      points  tokens  temples  1  2  3",
        "  A  ann                   7       0           3  2  1",
        "> B  bob                  12       2           0  0  0",
        "  C  a very long na..    105       1           3  3  2",
        "",
        "display  3 11",
        "canals   6 of 1, 30 of 2",
        "supply   9 bridges, 9 action tokens",
        "quiet    1 rounds",
        "districts  c1:11 A3 N4  f1:3",
        "",
        ". land  : founded  ~~~ canal  + start  # centre",
        "(A) pawn  A3 temple  N3 neutral  *7 token  ~=~ ~|~ bridge",
    ]


def test_districts_are_listed_with_those_who_hold_them() -> None:
    temples = {**STATE.temples, "f2": Temple(seat=1, level=2), "f3": Temple(seat=2, level=2)}
    (line,) = (line[26:] for line in lines(changed(temples=temples, tokens={"f1": 3})) if "districts" in line)
    assert line == "districts  (b1:11 A3 N4)  f1:3 B2 C2"


def test_a_narrow_terminal_has_the_panel_below() -> None:
    assert lines(STATE, width=60) == [
        *(line[:23] for line in lines(STATE)[:4]),
        "",
        *(line[26:] for line in lines(STATE)),
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"phase": "place", "to_act": 0}, "A ann places its pawn"),
        (
            {"phase": "vote", "vote": Vote(size=13, by=2, asked=0), "to_act": 0},
            "A ann is asked: retire 13, as C proposes?",
        ),
        ({"kept": [2, 1, 0]}, "B bob to act, 3 AP left, 1 kept"),
        ({"phase": "over", "to_act": None}, "the game is over"),
    ],
)
def test_who_is_to_act(fields: dict[str, Any], words: str) -> None:
    assert lines(changed(**fields))[1][26:] == words


def test_places_once_over() -> None:
    panel = lines(changed(phase="over", to_act=None, ranking=[3, 2, 1], display=[]))
    assert [line.rpartition("  ")[2] for line in panel[4:7]] == ["place 3", "place 2", "place 1"]
    assert "display  -" in panel[8]


def test_the_tokens_of_the_second_period() -> None:
    assert "later    4 5" in "\n".join(lines(changed(later=[4, 5])))


def test_names_can_not_drive_the_terminal() -> None:
    scene = Scene(observation=STATE, options={"board": {"rows": ROWS}}, seats=["\x1b[2J", "b", "c"])
    assert "\x1b" not in draw(scene, Look(unicode=True, width=100)).plain


def test_a_board_of_26_columns_and_rows_of_two_digits() -> None:
    rows = ["#" * 25 + "S", *["#" * 26] * 11]
    text = lines(changed(canals=["z12"], bridges={}, temples={}, tokens={}, pawns=[None] * 3), width=10, rows=rows)
    assert text[0] == "   " + "".join(f" {c} " for c in "abcdefghijklmnopqrstuvwxyz")
    assert text[12] == "12 " + " . " * 25 + "~~~"


# ---- real positions --------------------------------------------------------------------------------------------------


def spaces(board: list[str]) -> dict[str, str]:
    """What is printed in each space, by cell."""
    head, *rows = board
    return {f"{c}{row[:2].strip()}": row[3 + 3 * n : 6 + 3 * n] for row in rows for n, c in enumerate(head.split())}


def check_spaces(seen: MexicaState, drawn: dict[str, str]) -> None:
    """Read the drawing back: it holds what the position holds, each in its space, and nothing else."""
    pawns = {cell: "ABCD"[seat] for seat, cell in enumerate(seen.pawns) if cell}
    assert {cell: text[1] for cell, text in drawn.items() if text[0] + text[2] in ("()", "==", "||")} == pawns
    temples = {cell: f" {'N' if t.seat is None else 'ABCD'[t.seat]}{t.level}" for cell, t in seen.temples.items()}
    assert {cell: text for cell, text in drawn.items() if text[1] in "ABCDN" and text[2].isdecimal()} == temples
    assert {cell: int(text.strip(" *")) for cell, text in drawn.items() if "*" in text} == seen.tokens
    bridges = {cell: axis for cell, axis in seen.bridges.items() if cell not in pawns}
    assert {cell: {"=": "h", "|": "v"}[t[1]] for cell, t in drawn.items() if t[0] == "~" != t[1]} == bridges
    assert {cell for cell, text in drawn.items() if text == "~~~"} == set(seen.canals) - set(seen.bridges)
    founded = sum(":" in text for text in drawn.values())
    assert bool(seen.tokens) is bool(founded)
    assert founded <= sum(seen.tokens.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_thing_is_drawn_in_its_space(players: int) -> None:
    options = load_game("mexica").options()
    names = [*NAMES, "dan"][:players]
    count = 0
    for count, seen in enumerate(positions(players, every=7), 1):  # noqa: B007
        scene = Scene(observation=seen, options=options, seats=names)
        board = draw(scene, Look(unicode=False, width=10)).plain.split("\n")[:15]
        assert all(len(line) == len(board[0]) and line.isascii() for line in board)
        check_spaces(seen, spaces(board))
    assert count > 20
