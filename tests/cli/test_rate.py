"""`mexica rate`, as a person at the shell has it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tournament.reported import Played, header, league, log_of, result
from toylog import encode

from mexica_cli.cli.main import run
from mexica_cli.record.lines import GameLine, Header, Line
from mexica_cli.tournament.report_data import write_jsonl
from mexica_cli.tournament.summary import Order, Settings, summarise

Capture = pytest.CaptureFixture[str]


def written(path: Path, log_header: Header, played: Sequence[Played]) -> Path:
    """A log with these games."""
    lines: list[Line] = [log_header]
    for seats, line in played:
        lines += [GameLine(match=line.match, seats=list(seats), setup={}), line]
    path.write_bytes(encode(lines))
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A league of three."""
    return written(tmp_path / "games.jsonl", header("ann", "bob", "cyd"), list(league(("ann", "bob", "cyd"), 2, 5)))


def bots(capsys: Capture) -> list[dict[str, object]]:
    """The `bot` lines that were printed."""
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return [line for line in lines if line["type"] == "bot"]


def test_the_table(log: Path, capsys: Capture) -> None:
    assert run(["rate", str(log)]) == 0
    out, err = capsys.readouterr()
    assert "30 games played in 15 blocks" in out
    assert "Standings, by rating" in out
    assert [line.split()[0] for line in out.partition("Standings")[2].splitlines()[3:6]] == ["ann", "bob", "cyd"]
    assert err == ""
    assert "\x1b" not in out


def test_lines_for_programs(log: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["rate", str(log), "--format", "jsonl"]) == 0
    wanted = io.BytesIO()
    games = log_of(list(league(("ann", "bob", "cyd"), 2, 5)), name=str(log))
    write_jsonl(wanted, summarise([games], Settings(order=Order.RATING)))
    assert capfdbinary.readouterr().out == wanted.getvalue()


def test_tables_for_programs(log: Path, capsys: Capture) -> None:
    assert run(["rate", str(log), "--format", "csv", "--table", "pair"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["bot"], row["other"]) for row in rows][:2] == [("ann", "bob"), ("ann", "cyd")]
    assert len(rows) == 6


def test_the_page(log: Path, capsys: Capture) -> None:
    assert run(["rate", str(log), "--format", "html"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<!doctype html>")
    assert "<h1>" in out


def test_an_anchor(log: Path, capsys: Capture) -> None:
    assert run(["rate", str(log), "--format", "jsonl", "--anchor", "bob=1000"]) == 0
    assert {bot["bot"]: bot["rating"] for bot in bots(capsys)}["bob"] == 1000.0
    assert run(["rate", str(log), "--format", "jsonl", "--anchor", "cyd"]) == 0
    assert {bot["bot"]: bot["rating"] for bot in bots(capsys)}["cyd"] == 0.0


def test_several_logs_and_compressed_ones(log: Path, tmp_path: Path, capsys: Capture) -> None:
    later = list(league(("ann", "dan"), 2, 4))
    other = written(tmp_path / "later.jsonl", header("ann", "dan", seed=8), later)
    other.with_suffix(".gz").write_bytes(gzip.compress(other.read_bytes()))
    assert run(["rate", str(log), str(other.with_suffix(".gz")), "--format", "jsonl"]) == 0
    assert {bot["bot"]: bot["games"] for bot in bots(capsys)} == {"ann": 28, "bob": 20, "cyd": 20, "dan": 8}


def test_standard_input(log: Path) -> None:
    command = [sys.executable, "-m", "mexica_cli", "rate", "-"]
    for content in (log.read_bytes(), gzip.compress(log.read_bytes())):
        done = subprocess.run(command, input=content, capture_output=True, check=True)
        assert done.stdout.startswith(b"standard input\n")
        assert b"30 games played" in done.stdout


def test_a_log_that_was_cut_off_is_rated_as_far_as_it_goes(log: Path, capsys: Capture) -> None:
    log.write_bytes(log.read_bytes()[:-20])
    assert run(["rate", str(log)]) == 1
    out, err = capsys.readouterr()
    assert "29 games played" in out
    assert f"{log} ends in mid-game" in err


def test_void_games_count_for_nothing(tmp_path: Path, capsys: Capture) -> None:
    line = result("1-1", [2, 1])
    void = type(line)(
        match="1-1", outcome="void", ranking=[], scores=[], reasons=[None] * 2, actions=0, digest="", stale=[0] * 2,
        stderr=[None] * 2,
    )  # fmt: skip
    path = written(tmp_path / "a.jsonl", header("ann", "bob"), [(("ann", "bob"), void), (("ann", "bob"), line)])
    assert run(["rate", str(path)]) == 0
    assert "1 game played in 1 block, 1 void" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["--anchor", "eve"],
            "'eve' can't be the anchor of the ratings: it has met no other bot; these have: 'ann', 'bob', 'cyd'",
        ),
        (["--anchor", "ann=strong"], "'strong' is no rating; write BOT or BOT=ELO"),
        (["--format", "xml"], "xml"),
        (["--format", "csv", "--table", "report"], "report"),
        (["--table", "bot"], "--table says which table --format csv writes"),
        (["no-such-file"], "no-such-file"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(log: Path, words: list[str], complaint: str, capsys: Capture) -> None:
    assert run(["rate", str(log), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "line 1: the file is empty"),
        (b'{"type":"log"', "line 1: the log ends within its first line"),
        (b"[]\n", "line 1"),
        (b'{"type":"result"}\n', "line 1"),
    ],
)
def test_a_file_that_is_no_log(tmp_path: Path, content: bytes, complaint: str, capsys: Capture) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert run(["rate", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert f"Error: {path}, {complaint}" in err


def test_logs_of_two_games_are_refused(log: Path, tmp_path: Path, capsys: Capture) -> None:
    other = written(tmp_path / "chess.jsonl", header("ann", game="chess"), [])
    assert run(["rate", str(log), str(other)]) == 2
    assert "take the logs of one game at a time" in capsys.readouterr().err


def test_every_command_of_the_documentation_works(
    root: Path, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    games = [((bot, other), line) for (bot, other), line in league(("random", "greedy"), 2, 3)]
    written(tmp_path / "games.jsonl", header("random", "greedy"), games)
    written(tmp_path / "tuesday.jsonl", header("random", "greedy", seed=8), games)
    (tmp_path / "monday.jsonl.gz").write_bytes(gzip.compress((tmp_path / "games.jsonl").read_bytes()))
    page = (root / "docs" / "REPORTS.md").read_text()
    commands = re.findall(r"^mexica (rate .*?) *(?:[|>#].*)?$", page, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        assert run(command.split()) == 0, capsys.readouterr().err
