"""`mexica board`: what it prints, and what it says of files that can't be used."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mexica_cli.cli.main import run
from mexica_cli.games.mexica.board import parse_board
from mexica_cli.games.mexica.loading import SHIPPED_BOARDS, find_board

Outcome = tuple[int, str, str]
Mexica = Callable[..., Outcome]


@pytest.fixture
def mexica(capsysbinary: pytest.CaptureFixture[bytes]) -> Mexica:
    """Runs `mexica board ...`: exit code, standard output, standard error."""

    def call(*arguments: str) -> Outcome:
        code = run(["board", *arguments])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return call


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def json_lines(outcome: Outcome) -> list[dict[str, Any]]:
    code, out, err = outcome
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


# ---- list and show ---------------------------------------------------------------------------------------------------


def test_list(mexica: Mexica) -> None:
    code, out, _ = mexica("list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["board", "standard", "small", "large"]
    lines = json_lines(mexica("list", "--format", "jsonl"))
    assert [(line["name"], line["land"], line["starts"]) for line in lines] == [
        ("standard", 192, 4),
        ("small", 147, 4),
        ("large", 432, 4),
    ]


@pytest.mark.parametrize("name", SHIPPED_BOARDS)
def test_show_prints_a_drawing_that_can_be_read(mexica: Mexica, name: str) -> None:
    code, out, _ = mexica("show", name)
    drawing, words = out.rstrip().rsplit("\n\n", 1)
    assert code == 0
    assert parse_board(drawing, name, name).rows == find_board(name).rows
    assert words.endswith("; for up to 4 players")


def test_show_for_programs(mexica: Mexica) -> None:
    Path("mine.txt").write_text("SC=#\n##=#\n")
    [line] = json_lines(mexica("show", "mine.txt", "--format", "jsonl"))
    assert line == {
        "type": "board", "version": 1, "name": "mine", "rows": 2, "columns": 4, "land": 6, "palace": 2, "starts": 1,
        "players": 1, "canals": 2, "districts": [4, 2], "neutral_room": 0.0, "drawing": ["SC=#", "##=#"],
    }  # fmt: skip


# ---- check -----------------------------------------------------------------------------------------------------------


def test_check(mexica: Mexica) -> None:
    Path("one.txt").write_text("S##\n")
    Path("two.txt").write_text("SCS#=#\r\n\r\n######   \r\n")
    code, out, err = mexica("check", "one.txt", "two.txt")
    assert (code, err) == (0, "")
    one, two = out.splitlines()
    assert one == (
        "ok: one.txt: 1 rows, 3 columns, 3 spaces of land (palace: 1, starting: 1), 0 of canal, districts of 3;"
        " only for rules by which pawns begin anywhere"
    )
    assert two == (
        "ok: two.txt: 2 rows, 6 columns, 11 spaces of land (palace: 3, starting: 2), 1 of canal, districts of 11;"
        " for up to 2 players, but without room for the neutral temples of a game of two"
    )


BROKEN = {
    "nothing": ("", r": the board has no rows; draw one line a row with the characters # \. = S C"),
    "blank lines": ("\n  \n\t\n", r": the board has no rows; "),
    "only letters": ("  ABC\n", r": the board has no rows; "),
    "no land": ("SCS\n...", r": the board has no land to build on; draw it with #"),
    "no palace": ("####\n####", r": the board has no starting space; draw an S for each"),
    "no start": ("#CC#", r": the board has no starting space; draw an S for each"),
    "a split palace": ("SCS#\n###S", r":2:4: the palace is split: d2 isn't joined to the rest of it; draw"),
    "a palace joined at a corner": ("SC##\n##S#", r":2:3: the palace is split: c2 isn't joined"),
    "an unknown character": ("SCS\n#x#", r":2:2: unknown character 'x'; a space is one of # \. = S C"),
    "a small letter": ("sCS\n###", r":1:1: unknown character 's'"),
    "a space in a row": ("SCS\n# #", r":2:2: unknown character ' '"),
    "a tab in a row": ("SCS\n#\t#", r":2:2: unknown character '\\t'"),
    "a control character": ("SCS\n#\x1b#", r":2:2: unknown character '\\x1b'"),
    "rows of two lengths": ("SCS\n####", r":2: this row has 4 spaces, the first one has 3; draw lake with a \."),
    "spaces for lake": ("SCS\n  #", r":2: this row has 1 spaces, the first one has 3; draw lake with a \."),
    "too many columns": ("SCS" + "#" * 24, r":1:27: the board has 27 columns; at most 26 can be named"),
    "too many columns beside numbers": ("1 SCS" + "#" * 24, r":1:29: the board has 27 columns; at most 26"),
    "too many rows": ("SCS\n" + "###\n" * 9999, r":10000: the board has 10000 rows; at most 9999 can be numbered"),
    "a wrong number": ("1 SCS\n3 ###", r":2: this row is number 2 but is labelled 3"),
    "an endless number": ("SCS\n" + "9" * 5000 + " ###", r":2:1: unknown character '9'"),
    "an odd digit": ("SCS\n٢ ###", r":2:1: unknown character '٢'"),
    "too few letters": ("AB\nSCS", r":2: this row has 3 spaces, the letters above name 2"),
    "letters out of order": ("ACB\nSCS", r":1:1: unknown character 'A'"),
}
"""What is in `bad.txt`, and what must be said of it after its name."""


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("command", [["board", "check"], ["match", "random", "random", "--inside", "--board"]])
def test_a_wrong_file_is_told_in_one_line(capsys: pytest.CaptureFixture[str], kind: str, command: list[str]) -> None:
    content, message = BROKEN[kind]
    Path("bad.txt").write_text(content, newline="")
    assert run([*command, "bad.txt"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert re.match(r"Error: bad\.txt" + message, err), err


def test_a_file_that_isnt_text(mexica: Mexica) -> None:
    Path("bad.txt").write_bytes(b"\xff\xfe\x00")
    code, out, err = mexica("check", "bad.txt")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("Error: bad.txt: the board can't be read: this is no text in UTF-8\n")


@pytest.mark.parametrize("path", ["nosuch.txt", ".", "/dev/zero", "a\0b", "x" * 5000, ""])
def test_what_is_no_file(mexica: Mexica, path: str) -> None:
    code, out, err = mexica("show", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "there is no board or file" in err


@pytest.mark.parametrize(
    ("drawing", "options", "message"),
    [
        ("SC##\n####", [], "the board bad has too few starting spaces for 2 players; draw more of them"),
        ("SCS#\n####", [], "the board bad has no room for 10 neutral temples 5 apart; give smaller"),
        (
            "SCS#######\n##########",
            ["--option", "canal_tiles=0"],
            "canal_tiles: without canals no district of the board bad ever has",
        ),
    ],
)
def test_a_board_that_doesnt_go_with_the_rules(
    capsys: pytest.CaptureFixture[str], drawing: str, options: list[str], message: str
) -> None:
    Path("bad.txt").write_text(drawing)
    code = run(["match", "random", "random", "--inside", "--board", "bad.txt", *options])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"Error: {message}")


@pytest.mark.parametrize(
    ("board", "bots"), [("small", ["greedy", "random"]), ("large", ["greedy", "random", "greedy", "random"])]
)
def test_bots_play_on_the_shipped_boards(capsys: pytest.CaptureFixture[str], board: str, bots: list[str]) -> None:
    assert run(["match", *bots, "--inside", "--board", board, "--seed", "1", "--log", "games.jsonl"]) == 0
    assert run(["log", "verify", "games.jsonl"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "1 played" in out
    assert "(1 finished)" in out
    assert "\nok: 1 game, " in out


# ---- generate --------------------------------------------------------------------------------------------------------


def test_generate_follows_from_the_seed(mexica: Mexica) -> None:
    code, out, err = mexica("generate", "--seed", "5")
    assert (code, err) == (0, "")
    assert mexica("generate", "--seed", "5")[1] == out
    assert mexica("generate", "--seed", "6")[1] != out
    Path("island.txt").write_text(out)
    assert mexica("check", "island.txt")[0] == 0


def test_generate_names_a_seed_of_its_own(mexica: Mexica) -> None:
    _, out, err = mexica("generate")
    seed = re.fullmatch(r"seed: (\d+)\n", err)
    assert seed
    assert mexica("generate", "--seed", seed[1])[1] == out


def test_generate_as_wished(mexica: Mexica) -> None:
    words = "--seed 1 --rows 30 --columns 26 --size 500 --starts 7 --palace square --format jsonl"
    [line] = json_lines(mexica("generate", *words.split()))
    assert (line["rows"], line["columns"], line["land"], line["starts"], line["palace"]) == (30, 26, 500, 7, 9)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--size 295", "size: 14 rows of 21 have only 294 spaces; give a smaller size or more of them"),
        ("--starts 5", "starts: a palace of the form cross has 1 to 4 starting spaces"),
        ("--size 60", "no island came out in .* room for neutral temples"),
        ("--size 36 --rows 6 --columns 6 --no-neutral", "no island came out in .* and is fair; give another size"),
        ("--columns 27", "Invalid value for '--columns'"),
    ],
)
def test_a_wish_that_cant_be_granted(mexica: Mexica, words: str, message: str) -> None:
    code, out, err = mexica("generate", "--seed", "1", *words.split())
    assert (code, out) == (2, "")
    assert re.search(f"Error: {message}", err)
