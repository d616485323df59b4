"""docs/ANALYSIS.md: every column and field is there, and every recipe runs and gives the right numbers."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from analysis.playing import arena_log

from mexica_cli.analysis.columns import TABLES
from mexica_cli.analysis.export import export
from mexica_cli.analysis.report import LINES
from mexica_cli.cli.log_filter import filter_
from mexica_cli.cli.main import run
from mexica_cli.record.lines import ActionLine
from mexica_cli.record.reader import LoggedGame, games, open_log

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "ANALYSIS.md").read_text()
BOTS = ["greedy", "random"]


def blocks(kind: str) -> list[str]:
    """The examples of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def section(title: str) -> str:
    return re.split(r"^##+ ", PAGE.split(f"{title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


# ---- tables and fields -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_columns(table: str) -> None:
    title = re.search(rf"^(### `{table}`: .*)$", PAGE, re.MULTILINE)
    assert title is not None
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (null)? ?\|", section(title[1]), re.MULTILINE)
    assert rows == [(column.name, column.type, "null" if column.nullable else "") for column in TABLES[table]]


def test_fields_of_the_statistics() -> None:
    told: dict[str, list[str]] = {}
    for kind, names in re.findall(
        r"^\| (?:`(\w+)` )?\| ((?:`\w+`(?:, )?)+) \|", section("## Statistics"), re.MULTILINE
    ):
        kind_now = kind or list(told)[-1]
        told.setdefault(kind_now, []).extend(re.findall(r"\w+", names))
    wanted = {
        str(kind.__struct_config__.tag): [name for name in kind.__struct_fields__ if name != "version"]
        for kind in LINES
    }
    assert told == wanted


def test_options_of_filter() -> None:
    told = set(re.findall(r"`(--[\w]+)", section("## Some of the games")))
    options = {name for option in filter_.params for name in option.opts if name.startswith("--")}
    assert told == options - {"--verbose"}


# ---- recipes ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log of Mexica and its tables, in both formats."""
    folder = tmp_path_factory.mktemp("recipes")
    log = folder / "games.jsonl"
    log.write_bytes(arena_log("--board", "small", "--option", "stall_rounds=2", games=2, bots=BOTS))
    for parquet in (False, True):
        export([str(log)], folder / "tables", list(TABLES), parquet=parquet)
    return folder


@pytest.fixture(scope="module")
def played(folder: Path) -> list[LoggedGame]:
    """The games in the log."""
    with open_log(str(folder / "games.jsonl")) as reader:
        return list(games(reader))


@pytest.fixture(scope="module")
def points(played: list[LoggedGame]) -> dict[str, int]:
    """Points by bot."""
    return {bot: sum(game.result.scores[game.game.seats.index(bot)] for game in played) for bot in BOTS}


def texts(played: list[LoggedGame], verb: str) -> list[tuple[str, list[str]]]:
    """Bot and words of all actions of a kind."""
    return [
        (game.game.seats[line.seat], line.action.split(" "))
        for game in played
        for _, line in game.lines
        if isinstance(line, ActionLine) and line.action.split(" ")[0] == verb
    ]


def output(folder: Path, *words: str) -> str:
    """What a program prints that runs in the folder."""
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def needs(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} isn't installed")


def test_jq(folder: Path, played: list[LoggedGame], points: dict[str, int]) -> None:
    needs("jq")
    first, second, third = (output(folder, "sh", "-c", block) for block in blocks("sh jq"))
    assert json.loads(first) == points
    sizes = [words[1] for _, words in texts(played, "found")]
    assert sizes
    assert {line.split()[1]: int(line.split()[0]) for line in second.splitlines()} == {
        size: sizes.count(size) for size in sizes
    }
    slow = [line for game in played for _, line in game.lines if isinstance(line, ActionLine) and (line.ms or 0) > 1000]
    assert len(third.splitlines()) == len(slow)


def ask(folder: Path, capsys: pytest.CaptureFixture[str], query: str) -> list[dict[str, Any]]:
    """The rows of an answer."""
    assert run(["log", "sql", query, str(folder / "games.jsonl"), "--format", "jsonl"]) == 0
    return [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]


def test_sql(
    folder: Path, played: list[LoggedGame], points: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    seats, ap, growth, districts, refused, ends, sacrifices = blocks("sql")
    rows = ask(folder, capsys, seats)
    assert [(row["seat"], row["games"]) for row in rows] == [(0, 2), (1, 2)]
    assert sum(row["points"] * row["games"] for row in rows) == sum(points.values())
    rows = ask(folder, capsys, ap)
    temples = sum(int(words[1]) for bot, words in texts(played, "temple") if bot == "greedy")
    assert {(row["bot"], row["verb"]): row["ap"] for row in rows}["greedy", "temple"] == temples
    assert sum(row["part"] for row in rows) == pytest.approx(2, abs=0.01)
    rows = ask(folder, capsys, growth)
    last = {(row["game_no"], row["seat"]): row["score"] for row in rows}
    scores = {(n, seat): score for n, game in enumerate(played, 1) for seat, score in enumerate(game.result.scores)}
    assert last == {key: score for key, score in scores.items() if key in last}
    assert sum(last.values()) == sum(points.values())
    rows = ask(folder, capsys, districts)
    entries = [
        district
        for game in played
        for _, line in game.lines
        if isinstance(line, ActionLine)
        for entry in line.followed
        if entry["what"] == "scored"
        for district in entry["districts"]
    ]
    assert len(rows) == len(entries) > 0
    assert sorted(row["cell"] for row in rows) == sorted(entry["cell"] for entry in entries)
    assert sum(sum(row["points"]) for row in rows) == sum(sum(entry["points"]) for entry in entries)
    for query in (refused, ends, sacrifices):
        assert ask(folder, capsys, query) == []


def test_sql_of_moctezuma(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games.jsonl").write_bytes(arena_log("--game", "moctezuma", games=20, bots=["random", "r2=random"]))
    capsys.readouterr()
    *_, ends, sacrifices = blocks("sql")
    assert sum(row["games"] for row in ask(tmp_path, capsys, ends)) == 20
    with open_log(str(tmp_path / "games.jsonl")) as reader:
        wanted = texts(list(games(reader)), "sacrifice")
    rows = ask(tmp_path, capsys, sacrifices)
    assert sum(row["number"] for row in rows) == len(wanted)
    assert {(row["card"], row["god"]) for row in rows} == {(words[1], words[2]) for _, words in wanted}


def run_python(folder: Path, program: str) -> str:
    return output(folder, sys.executable, "-c", program)


def numbers_after(text: str, name: str, lines: Sequence[str]) -> list[float]:
    """The numbers in the first of the lines that has the name in it."""
    line = next(line for line in lines if name in line)
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", line.split(name)[1])]


def test_pandas(folder: Path, played: list[LoggedGame], points: dict[str, int]) -> None:
    pytest.importorskip("pandas")
    (program,) = blocks("python pandas")
    head, temples = run_python(folder, program).split("size", 1)
    count, mean, *_ = numbers_after(head, "greedy", head.splitlines())
    assert (count, mean) == (2, points["greedy"] / 2)
    built = numbers_after(temples, "greedy", temples.splitlines())
    levels = [int(words[1]) for bot, words in texts(played, "temple") if bot == "greedy"]
    assert built == [levels.count(level) for level in sorted(set(levels))]


def test_polars(folder: Path, played: list[LoggedGame]) -> None:
    pytest.importorskip("polars")
    (program,) = blocks("python polars")
    ends = len(texts(played, "place"))
    assert "bot" in run_python(folder, program)
    program += "\nprint(used.collect().filter(pl.col('verb') == 'place')['number'].sum())"
    assert run_python(folder, program).split()[-1] == str(ends)


def test_r(folder: Path, points: dict[str, int]) -> None:
    needs("Rscript")
    (program,) = blocks("r")
    text = output(folder, "Rscript", "-e", program)
    assert numbers_after(text, "greedy", text.splitlines())[-1] == points["greedy"] / 2


def test_the_commands_at_the_head(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    commands = [line.partition("  #")[0] for line in blocks("sh")[0].splitlines()]
    assert len(commands) == 4
    for command in commands:
        text = command.replace("mexica ", f"{shlex.quote(sys.executable)} -m mexica_cli ", 1)
        subprocess.run(text, shell=True, check=True, capture_output=True)
