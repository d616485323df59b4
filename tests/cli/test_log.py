"""`mexica log`: what it prints where, and how it exits."""

from __future__ import annotations

import gzip
import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from toylog import ToyMatch, encode, header

from mexica_cli.games import load_game
from mexica_cli.games.game import Game
from mexica_cli.record.lines import Line, ResultLine

Mexica = Callable[..., tuple[int, str, str]]
MEXICA = [sys.executable, "-m", "mexica_cli"]


# ---- verify ----------------------------------------------------------------------------------------------------------


def test_verify_a_right_log(log_command: Mexica, path: Path, log: list[Line]) -> None:
    actions = sum(line.actions for line in log if isinstance(line, ResultLine))
    assert log_command("verify", "games.jsonl") == (
        0,
        f"ok: 6 games, {actions} actions, 1 void game in games.jsonl\n",
        "",
    )


def test_verify_a_log_of_one_match(log_command: Mexica, path: Path, nim: Game) -> None:
    path.write_bytes(encode([header(nim), *ToyMatch(nim, "0-0", ("ann", "bob")).act("end").fail(1, "crash").result()]))
    assert log_command("verify", "games.jsonl") == (0, "ok: 1 game, 1 action in games.jsonl\n", "")


def test_verify_names_the_first_wrong_line(log_command: Mexica, path: Path) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], lines[3].replace('"n":2', '"n":3'), *lines[4:]]))
    code, out, err = log_command("verify", "games.jsonl")
    assert (code, out) == (1, "")
    assert err == "Error: games.jsonl, line 4: `n` is 3, right would be 2\n"


def test_verify_looks_at_every_file(log_command: Mexica, path: Path) -> None:
    Path("bad.jsonl").write_text("{}\n{}\n")
    Path("good.gz").write_bytes(gzip.compress(path.read_bytes()))
    code, out, err = log_command("verify", "games.jsonl", "bad.jsonl", "good.gz")
    assert code == 1
    assert [line.split()[-1] for line in out.splitlines()] == ["games.jsonl", "good.gz"]
    assert err.startswith("Error: bad.jsonl, line 1: ")


@pytest.mark.parametrize(
    ("cut", "sentence"),
    [
        (slice(-1), "match '3-0' has no end"),
        (slice(-200), "match '3-0' has no end"),
        (slice(30), "the log ends within its first line"),
    ],
)
def test_verify_says_that_a_log_is_unfinished(log_command: Mexica, path: Path, cut: slice, sentence: str) -> None:
    path.write_bytes(path.read_bytes()[cut])
    code, out, err = log_command("verify", "games.jsonl")
    assert (code, out) == (1, "")
    assert err.startswith("Error: games.jsonl: ")
    assert sentence in err


def test_verify_says_that_the_last_line_is_torn(log_command: Mexica, path: Path, log: list[Line]) -> None:
    path.write_bytes(encode(log) + b'{"type":"ga')
    code, _, err = log_command("verify", "games.jsonl")
    assert code == 1
    assert "the last line has no end; the run that wrote it is under way or was cut off and can be resumed" in err


def test_verify_standard_input(log_command: Mexica, log: list[Line], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(encode(log)))))
    code, out, _ = log_command("verify", "-")
    assert (code, out[-19:]) == (0, " in standard input\n")


# ---- usage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["cat"],
        ["show"],
        ["verify", "missing.jsonl"],
        ["cat", "."],
        ["show", "games.jsonl", "games.jsonl"],
        ["show", "games.jsonl", "--every", "year"],
        ["show", "games.jsonl", "--from", "0"],
        ["show", "games.jsonl", "--to", "x"],
        ["cat", "games.jsonl", "--nosuch"],
        ["nosuch"],
    ],
)
def test_wrong_usage_is_2(log_command: Mexica, path: Path, arguments: list[str]) -> None:
    code, out, err = log_command(*arguments)
    assert (code, out) == (2, "")
    assert "Usage: mexica log" in err


@pytest.mark.parametrize("command", ["verify", "show", "cat"])
@pytest.mark.parametrize(
    "content", [b"", b"\n", b"hello\n" * 3, b"\xff\xfe\x00\n\n", b"\x1f\x8b\x08broken", b"[]\n1\n"]
)
def test_what_is_no_log_is_1_and_a_sentence(log_command: Mexica, path: Path, command: str, content: bytes) -> None:
    path.write_bytes(content)
    code, out, err = log_command(command, "games.jsonl")
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert "games.jsonl" in err


# ---- show ------------------------------------------------------------------------------------------------------------


def test_show_all_matches(log_command: Mexica, path: Path) -> None:
    code, out, err = log_command("show", "games.jsonl")
    assert (code, err) == (0, "")
    titles = [line.split()[1] for line in out.splitlines() if line.startswith("match ")]
    assert titles == ["0-0:", "0-1:", "1-0:", "1-1:", "1-1:", "2-0:", "3-0:"]


def test_show_a_part_of_a_match(log_command: Mexica, path: Path) -> None:
    code, out, _ = log_command("show", "games.jsonl", "--game", "0-1", "--from", "3", "--to", "4", "--every", "action")
    actions = re.findall(r"^ {4}(\d+)   [AB]   ", out, flags=re.MULTILINE)
    assert (code, actions) == (0, ["3", "4"])
    assert out.count('"pile"') == 3


def test_show_a_match_that_is_not_there(log_command: Mexica, path: Path) -> None:
    assert log_command("show", "games.jsonl", "--game", "9-9") == (
        1,
        "",
        "Error: games.jsonl: there is no match '9-9'\n",
    )


def test_show_an_unfinished_log(log_command: Mexica, path: Path, log: list[Line]) -> None:
    path.write_bytes(encode(log[:-1]))
    code, out, err = log_command("show", "games.jsonl", "--game", "3-0")
    assert (code, out.startswith("match 3-0: ")) == (1, True)
    assert err.startswith("games.jsonl: match '3-0' has no end; ")


def test_show_stops_at_a_wrong_line(log_command: Mexica, path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], *lines[3:]]))
    code, out, err = log_command("show", "games.jsonl")
    assert (code, out.startswith("match 0-0: ")) == (1, True)
    assert err == "Error: games.jsonl, line 3: `n` is 2, right would be 1\n"


# ---- cat -------------------------------------------------------------------------------------------------------------


def test_cat_is_the_log(log_command: Mexica, path: Path) -> None:
    assert log_command("cat", "games.jsonl") == (0, path.read_text(), "")
    assert log_command("cat", "games.jsonl", "games.jsonl") == (0, path.read_text() * 2, "")


def test_cat_keeps_unknown_fields(log_command: Mexica, path: Path) -> None:
    text = path.read_text().replace('"type":"game"', '"type":"game", "weather": 1.50')
    path.write_text(text)
    assert log_command("cat", "games.jsonl") == (0, text, "")
    assert '"weather":1.50' in log_command("cat", "--no-times", "games.jsonl")[1]


def test_cat_without_times_is_the_same_for_two_runs_and_still_a_log(
    log_command: Mexica, path: Path, log: list[Line]
) -> None:
    times = {"created": "2027-01-01", "started": "2027-01-01", "ms": 0.25, "used_ms": [1.0], "latency": None}
    other = [
        msgspec.structs.replace(line, **{name: times[name] for name in times if getattr(line, name, None) is not None})
        for line in log
    ]
    Path("other.jsonl").write_bytes(encode(other))
    code, out, _ = log_command("cat", "--no-times", "games.jsonl")
    assert (code, out) == log_command("cat", "--no-times", "other.jsonl")[:2]
    assert not any(f'"{name}"' in out for name in times)
    Path("timeless.jsonl").write_text(out)
    assert log_command("verify", "timeless.jsonl")[0] == 0


def test_cat_a_torn_log(log_command: Mexica, path: Path, log: list[Line]) -> None:
    path.write_bytes(encode(log)[:-1])
    code, out, err = log_command("cat", "games.jsonl")
    assert (code, out) == (1, encode(log[:-1]).decode())
    assert err.startswith("games.jsonl: match '3-0' has no end; ")


def test_cat_prints_what_comes_before_a_wrong_line(log_command: Mexica, path: Path, log: list[Line]) -> None:
    path.write_bytes(encode(log[:3]) + b"{}\n" + encode(log[3:]))
    code, out, err = log_command("cat", "games.jsonl")
    assert (code, out) == (1, encode(log[:3]).decode())
    assert err.startswith("Error: games.jsonl, line 4: ")


# ---- as a program ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mexica_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of Mexica."""
    game = load_game("mexica")
    path = tmp_path_factory.mktemp("log") / "mexica.jsonl"
    matches = [line for block in range(3) for line in ToyMatch(game, f"{block}-0", ("ann", "bob")).play().result()]
    path.write_bytes(encode([header(game), *matches]))
    return path


@pytest.mark.parametrize(("command", "files"), [("show", 1), ("cat", 20)])
def test_a_reader_that_leaves_ends_it_without_a_word(mexica_log: Path, command: str, files: int) -> None:
    """What is printed fills the pipe many times over, so that the reader is gone before it is all written."""
    words = [*MEXICA, "log", command, *[str(mexica_log)] * files]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.stdout.close()
        _, err = process.communicate()
    assert (process.returncode, err) == (1, b"")


def test_a_terminal_without_unicode(mexica_log: Path) -> None:
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    command = [*MEXICA, "log", "show", str(mexica_log), "--game", "1-0"]
    result = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert result.stdout.isascii()
    assert b"~~~" in result.stdout
    assert b"\x1b" not in result.stdout
