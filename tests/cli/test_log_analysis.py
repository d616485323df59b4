"""`mexica log export`, `stats`, `filter` and `sql`: what they print where, and how they exit."""

from __future__ import annotations

import csv
import gzip
import io
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from toylog import encode

from mexica_cli.analysis.columns import TABLES
from mexica_cli.analysis.database import Database
from mexica_cli.cli import log_sql
from mexica_cli.cli.log_stats import SECTIONS
from mexica_cli.cli.main import run
from mexica_cli.extras import how_to_install
from mexica_cli.record.compression import zstd
from mexica_cli.record.lines import Line

Mexica = Callable[..., tuple[int, str, str]]


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch, log: list[Line]) -> None:
    """The log as standard input, compressed."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(zstd().compress(encode(log)))))


COMMANDS = [["stats"], ["filter"], ["export", "--to", "tables"], ["sql", "from games"]]


@pytest.mark.parametrize("words", COMMANDS)
def test_what_is_no_log_is_1_and_a_sentence(log_command: Mexica, path: Path, words: list[str]) -> None:
    path.write_bytes(b"hello\n" * 3)
    code, out, err = log_command(*words, "games.jsonl")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("Error: games.jsonl, line 1: ")


@pytest.mark.parametrize("words", COMMANDS)
def test_a_log_that_was_cut_off_is_1_after_its_whole_games(
    log_command: Mexica, path: Path, log: list[Line], words: list[str]
) -> None:
    path.write_bytes(encode(log)[:-1])
    code, out, err = log_command(*words, "games.jsonl")
    assert (code, err.count("\n")) == (1, 1)
    assert out
    assert err.startswith("games.jsonl")


@pytest.mark.parametrize("words", COMMANDS)
def test_how_fast_it_went(log_command: Mexica, path: Path, words: list[str]) -> None:
    code, _, err = log_command(*words, "games.jsonl", "--verbose")
    assert code == 0
    assert err.splitlines()[-1].endswith(" MB/s")
    assert log_command(*words, "games.jsonl")[2] == ""


@pytest.mark.parametrize("words", COMMANDS)
def test_standard_input(log_command: Mexica, path: Path, piped: None, words: list[str]) -> None:
    assert log_command(*words, "-")[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["stats"],
        ["stats", "missing.jsonl"],
        ["stats", "games.jsonl", "--format", "xml"],
        ["filter"],
        ["filter", "games.jsonl", "games.jsonl"],
        ["filter", "games.jsonl", "--outcome", "won"],
        ["filter", "games.jsonl", "--fault", "hunger"],
        ["filter", "games.jsonl", "--players", "x"],
        ["export", "games.jsonl"],
        ["export", "games.jsonl", "--to", "games.jsonl"],
        ["export", "games.jsonl", "--to", "tables", "--table", "chairs"],
        ["sql", "from games"],
    ],
)
def test_wrong_usage_is_2(log_command: Mexica, path: Path, words: list[str]) -> None:
    code, out, err = log_command(*words)
    assert (code, out) == (2, "")
    assert "Usage: mexica log" in err


# ---- stats -----------------------------------------------------------------------------------------------------------


def test_stats_as_tables(log_command: Mexica, path: Path) -> None:
    code, out, err = log_command("stats", "games.jsonl")
    assert (code, err) == (0, "")
    assert out.startswith("6 games, 1 void, ")
    titles = [line for line in out.splitlines() if line in {section.title for section in SECTIONS}]
    assert titles == [
        "Length of games",
        "Ends of games",
        "Bots",
        "What bots do in a game, and in a turn",
        "Actions a game",
        "Seats",
    ]
    assert "AP" not in out


def test_stats_as_lines(log_command: Mexica, path: Path) -> None:
    code, out, _ = log_command("stats", "games.jsonl", "games.jsonl", "--format", "jsonl")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert lines[0] == {"type": "stats", "version": 1, "games": 12, "void": 2, "actions": lines[0]["actions"]}
    assert {line["type"] for line in lines} == {"stats", "length", "ending", "bot", "action", "seat"}


def test_stats_of_no_games(log_command: Mexica, path: Path, log: list[Line]) -> None:
    path.write_bytes(encode(log[:1]))
    assert log_command("stats", "games.jsonl") == (0, "0 games, 0 actions\n", "")


def test_names_are_made_safe(log_command: Mexica, path: Path, log: list[Line]) -> None:
    path.write_bytes(encode(log).replace(b'"ann"', b'"a\\u001b[31mn"'))
    out = log_command("stats", "games.jsonl")[1]
    assert "\x1b" not in out
    assert "a�[31mn" in out


# ---- filter ----------------------------------------------------------------------------------------------------------


def test_filter_prints_a_log(log_command: Mexica, path: Path, log: list[Line]) -> None:
    code, out, err = log_command("filter", "games.jsonl", "--winner", "dan", "--players", "2")
    assert (code, err) == (0, "")
    assert [json.loads(line).get("match") for line in out.splitlines()] == [None, *["2-0"] * 7]
    assert log_command("filter", "games.jsonl") == (0, encode(log).decode(), "")


def test_filter_by_several_values(log_command: Mexica, path: Path) -> None:
    def chosen(*words: str) -> list[str]:
        lines = map(json.loads, log_command("filter", "games.jsonl", *words)[1].splitlines())
        return [line["match"] for line in lines if line["type"] == "game"]

    assert chosen("--game", "0-1", "--game", "2-0") == ["0-1", "2-0"]
    assert chosen("--bot", "cyd", "--bot", "dan") == ["2-0", "3-0"]
    assert chosen("--fault", "crash", "--fault", "memory") == ["1-0", "3-0"]
    assert chosen("--fault", "any", "--invert", "--outcome", "forfeit") == ["0-0", "0-1", "1-1", "1-1"]
    assert chosen("--team", "won") == []
    assert chosen("--rules", "nosuch") == []
    assert chosen("--variant", "nosuch") == []


@pytest.mark.parametrize(("name", "unpack"), [("x.gz", gzip.decompress), ("x.zst", zstd().decompress), ("x", bytes)])
def test_filter_into_a_file(
    log_command: Mexica, path: Path, log: list[Line], name: str, unpack: Callable[[bytes], bytes]
) -> None:
    assert log_command("filter", "games.jsonl", "--out", name) == (0, "", "")
    assert unpack(Path(name).read_bytes()) == encode(log)
    code, _, err = log_command("filter", "games.jsonl", "--out", name)
    assert (code, "the file exists" in err) == (2, True)


def test_filter_says_how_many(log_command: Mexica, path: Path) -> None:
    err = log_command("filter", "games.jsonl", "--outcome", "void", "--verbose")[2]
    assert err.splitlines()[0] == "1 of 7 games"


def test_filtered_games_can_be_verified(log_command: Mexica, path: Path) -> None:
    Path("some.jsonl").write_text(log_command("filter", "games.jsonl", "--outcome", "forfeit")[1])
    assert log_command("verify", "some.jsonl")[0] == 0


# ---- export ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["csv", "parquet"])
def test_export_names_its_files(log_command: Mexica, path: Path, format_: str) -> None:
    code, out, err = log_command("export", "games.jsonl", "--to", "tables", "--format", format_)
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"tables/{table}.{format_}" for table in TABLES]
    assert all(Path(name).is_file() for name in out.splitlines())


def test_export_some_tables(log_command: Mexica, path: Path) -> None:
    out = log_command("export", "games.jsonl", "--to", "tables", "--table", "seats", "--table", "games")[1]
    assert out.splitlines() == ["tables/seats.csv", "tables/games.csv"]


def test_export_without_duckdb(log_command: Mexica, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    code, _, err = log_command("export", "games.jsonl", "--to", "tables", "--format", "parquet")
    assert (code, err) == (1, f"Error: DuckDB isn't installed; install it with: {how_to_install('analysis')}\n")
    assert log_command("export", "games.jsonl", "--to", "tables")[0] == 0


# ---- sql -------------------------------------------------------------------------------------------------------------

QUERY = """
    select bot, count(*) as games, avg(place) as place, bool_or(fault = 'crash') as crashed, 0.5 as half,
        min(variant) as variant
    from seats join games using (game_no) group by bot order by bot
    """


def test_sql_as_a_table(log_command: Mexica, path: Path) -> None:
    code, out, err = log_command("sql", QUERY, "games.jsonl")
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines() if line.strip()]
    assert rows[0] == ["bot", "games", "place", "crashed", "half", "variant"]
    assert rows[1][:2] == ["ann", "5"]


def test_sql_as_lines(log_command: Mexica, path: Path) -> None:
    code, out, _ = log_command("sql", QUERY, "games.jsonl", "--format", "jsonl")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(line["bot"], line["games"], line["crashed"], line["half"], line["variant"]) for line in lines] == [
        ("ann", 5, False, 0.5, None),
        ("bob", 5, True, 0.5, None),
        ("cyd", 4, False, 0.5, None),
        ("dan", 2, False, 0.5, None),
    ]


def test_sql_as_csv(log_command: Mexica, path: Path) -> None:
    code, out, _ = log_command("sql", QUERY, "games.jsonl", "--format", "csv")
    rows = list(csv.reader(out.splitlines()))
    assert code == 0
    assert [row[3] for row in rows] == ["crashed", "false", "true", "false", "false"]
    assert [row[5] for row in rows] == ["variant", "", "", "", ""]


def test_sql_of_several_logs(log_command: Mexica, path: Path) -> None:
    out = log_command("sql", "select count(*) as n from games", "games.jsonl", "games.jsonl", "--format", "csv")[1]
    assert out == "n\n12\n"


def test_sql_of_several_statements(log_command: Mexica, path: Path) -> None:
    query = "create table best as from seats where place = 1; select count(*) as n from best"
    assert log_command("sql", query, "games.jsonl", "--format", "csv") == (0, "n\n6\n", "")


def test_sql_prints_the_first_rows_of_a_long_table(
    log_command: Mexica, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_sql, "TABLE_ROWS", 3)
    query = "from range(10)"
    code, out, err = log_command("sql", query, "games.jsonl")
    assert (code, len([line for line in out.splitlines() if line.strip().isdecimal()])) == (0, 3)
    assert err == "these are the first 3 rows; --format csv and jsonl print all\n"
    assert log_command("sql", query, "games.jsonl", "--format", "csv") == (
        0,
        "range\n" + "\n".join("0123456789") + "\n",
        "",
    )


@pytest.mark.parametrize(
    ("query", "words"),
    [("selec", "syntax error"), ("from chairs", "chairs"), ("", "no statement"), ("select 'x'::integer", "'x'")],
)
def test_sql_that_is_wrong(log_command: Mexica, path: Path, query: str, words: str) -> None:
    code, out, err = log_command("sql", query, "games.jsonl")
    assert (code, out) == (1, "")
    assert err.startswith("Error: ")
    assert words in err


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("drop table seats", "DROP"),
        ("insert into seats select * from seats", "INSERT"),
        ("delete from seats", "DELETE"),
        ("update seats set score = 0", "UPDATE"),
        ("attach 'other.db'", "ATTACH"),
        ("copy seats to 'other.csv'", "COPY"),
        ("copy (from seats) to 'other.parquet'; from seats", "COPY"),
        ("export database 'other'", "EXPORT"),
        ("from seats; drop table seats", "DROP"),
        ("install httpfs", "LOAD"),
        ("set threads = 4; from seats", "SET"),
    ],
)
def test_sql_only_reads(log_command: Mexica, path: Path, query: str, kind: str) -> None:
    code, out, err = log_command("sql", query, "games.jsonl")
    assert (code, out) == (1, "")
    assert err.startswith(f"Error: the query has a statement of the kind {kind}, but logs are only read; ")
    assert [str(name) for name in Path().iterdir()] == ["games.jsonl"]


def test_sql_that_creates_and_does_not_ask(log_command: Mexica, path: Path) -> None:
    code, out, err = log_command("sql", "create table best as from seats", "games.jsonl")
    assert (code, out) == (1, "")
    assert "end it with a SELECT or FROM" in err


@pytest.mark.parametrize(
    "query",
    [
        "explain from seats",
        "pivot seats on place using count(*)",
        "describe seats",
        "with best as (from seats) from best",
        "values (1)",
    ],
)
def test_sql_that_asks_otherwise(log_command: Mexica, path: Path, query: str) -> None:
    code, out, err = log_command("sql", query, "games.jsonl", "--format", "csv")
    assert (code, err) == (0, "")
    assert out


def test_ctrl_c_ends_a_query() -> None:
    interrupted = threading.Event()

    class Busy:
        """A connection whose query takes until it is interrupted."""

        def execute(self, query: str) -> None:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            assert interrupted.wait(60)

        def interrupt(self) -> None:
            interrupted.set()

    with Database() as database:
        whole, database._connection = database._connection, Busy()
        with pytest.raises(KeyboardInterrupt), database.answer("from seats"):
            pass
        database._connection = whole
    assert interrupted.is_set()


def test_sql_leaves_nothing_behind(log_command: Mexica, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(Path.cwd()))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert log_command("sql", "from actions order by note", "games.jsonl", "--format", "csv")[0] == 0
    assert [str(name) for name in Path().iterdir()] == ["games.jsonl"]


def test_a_reader_that_leaves_ends_it_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    words = ["match", "random", "random", "--inside", "--board", "small", "--log", str(path), "--format", "jsonl"]
    assert run([*words, "--option", "stall_rounds=1"]) == 0
    command = [sys.executable, "-m", "mexica_cli", "log", "sql", "from range(1000000)", str(path), "--format", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.stdout.close()
        _, err = process.communicate()
    assert (process.returncode, err) == (1, b"")
