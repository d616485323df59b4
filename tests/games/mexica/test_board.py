"""Reading boards, and refusing those that can't be used."""

from __future__ import annotations

from pathlib import Path

import pytest
from games.mexica_kit import code, do, game, game_on

from mexica_cli.games import load_game
from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica.board import Board, parse_board


def parse(text: str) -> Board:
    return parse_board(text, "drawn", "b.txt")


def test_the_standard_board() -> None:
    board = game().variant.board
    assert (len(board.rows), len(board.rows[0])) == (14, 21)
    assert board.land.bit_count() == 192
    assert (board.land & ~board.palace).bit_count() == 187
    assert board.texts(board.canals) == ["o6", "o7", "o8", "o9"]
    assert board.texts(board.starts) == ["h6", "g7", "i7", "h8"]
    assert board.texts(board.palace & ~board.starts) == ["h7"]
    assert len(board.lakes) == 1


def test_cells_are_named_and_numbered_in_reading_order() -> None:
    board = parse("SCS\n##.\n")
    names = ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert [board.text(cell) for cell in sorted(board.names)] == names
    assert sorted(names, key=board.numbers.__getitem__) == names


def test_labels_are_allowed() -> None:
    assert parse("   ABC\n 1 SCS\n 2 ##.\n").rows == parse("SCS\n##.").rows == ("SCS", "##.")


def test_a_closed_lake_is_another_water() -> None:
    board = parse("SCS##\n#.###\n#####")
    assert len(board.lakes) == 2


def test_twenty_six_columns_and_many_rows() -> None:
    on = game_on("\n".join(["SCS" + "#" * 23] + ["#" * 26] * 200))
    state = on.start(2, {"calpulli": game().deal(3, 1)["calpulli"]})
    do(state, "place a1", "place c1", "teleport z200", "end", "canal y201 z201", "end")
    assert code(state, "walk z201") == "water"
    assert sum(text.startswith("canal") for text in map(state.text, state.legal_actions())) > 15000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SCS\n#x#", r"b\.txt:2:2: unknown character 'x'; a space is one of # \. = S C"),
        (" 1 SCS\n 2 #?#", r"b\.txt:2:5: unknown character '\?'"),
        ("SCS\n\n####", r"b\.txt:3: this row has 4 spaces, the first one has 3"),
        (" 1 SCS\n 3 ###", r"b\.txt:2: this row is number 2 but is labelled 3"),
        ("", r"b\.txt: the board has no rows"),
        ("SCS\n...", r"b\.txt: the board has no land to build on; draw it with #"),
        ("S#S", r"b\.txt:1:3: the palace is split: c1 isn't joined to the rest of it; draw its S and C in one piece"),
        ("  ABC\n1 SC#\n2 ##S\n", r"b\.txt:3:5: the palace is split: c2 isn't joined"),
        ("C###", r"b\.txt: the board has no starting space; draw an S for each"),
        ("SCS" + "#" * 24, r"b\.txt:1:27: the board has 27 columns; at most 26 can be named"),
        ("SCS\n" + "###\n" * 9999, r"b\.txt:10000: the board has 10000 rows; at most 9999 can be numbered"),
        ("ABCD\nSCS\n###", r"b\.txt:2: this row has 3 spaces, the letters above name 4"),
        ("ABD\nSCS", r"b\.txt:1:1: unknown character 'A'"),
        ("SCS\n  #", r"b\.txt:2: this row has 1 spaces, the first one has 3; draw lake with a \."),
        ("SCS\n#\t#", r"b\.txt:2:2: unknown character '\\t'"),
        ("SCS\n" + "9" * 5000 + " ###", r"b\.txt:2:1: unknown character '9'"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        parse(text)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my board.txt"
    path.write_text("SCS#\n####\n")
    loaded = load_game("mexica", board=str(path))
    assert loaded.options()["board"] == {"name": "my_board", "rows": ["SCS#", "####"]}
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RuleError, match=r"my board\.txt: the board can't be read"):
        load_game("mexica", board=str(path))


def test_too_few_starting_spaces_for_the_players() -> None:
    on = game_on("SCS# ####")
    assert on.seats == (2, 2)
    with pytest.raises(RuleError, match="the board drawn has 2 starting spaces, too few for 3 players"):
        on.deal(3, 1)
    assert game_on("SCS# ####", "summary").seats == (2, 4)
