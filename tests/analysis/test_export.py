"""Exported files, and DuckDB over them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec.structs import replace
from toylog import encode

from mexica_cli.analysis import database as database_module
from mexica_cli.analysis.columns import TABLES
from mexica_cli.analysis.database import Database, DatabaseError
from mexica_cli.analysis.export import export
from mexica_cli.record.lines import ActionLine, Line
from mexica_cli.record.reader import LogError


def ask(query: str) -> list[Any]:
    """What DuckDB answers."""
    return duckdb.connect().execute(query).fetchall()


def rows(path: Path) -> list[Any]:
    """All rows of a CSV or Parquet file, as DuckDB reads it without being told anything."""
    return ask(f"from '{path}'")


def test_a_file_for_each_table(toy: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "tables"
    reading, files = export([str(toy)], folder, list(TABLES), parquet=False)
    assert reading.cut == []
    assert files == [folder / f"{table}.csv" for table in TABLES]
    assert sorted(folder.iterdir()) == sorted(files)


def test_parquet_and_csv_hold_the_same(toy: Path, tmp_path: Path) -> None:
    export([str(toy)], tmp_path / "csv", list(TABLES), parquet=False)
    _, files = export([str(toy)], tmp_path / "parquet", list(TABLES), parquet=True)
    assert [file.name for file in files] == [f"{table}.parquet" for table in TABLES]
    assert sorted((tmp_path / "parquet").iterdir()) == sorted(files)
    for file in files:
        names = ", ".join(f"{column.name}: '{column.type}'" for column in TABLES[file.stem])
        source = tmp_path / "csv" / f"{file.stem}.csv"
        assert rows(file) == ask(f"from read_csv('{source}', columns = {{{names}}})")


def test_parquet_has_the_columns_types(toy: Path, tmp_path: Path) -> None:
    _, files = export([str(toy)], tmp_path, list(TABLES), parquet=True)
    for file in files:
        found = [(name, kind) for name, kind, *_ in ask(f"describe from '{file}'")]
        assert found == [(column.name, column.type) for column in TABLES[file.stem]]


NOTES = ['say "a, b"', "two\nlines\r\n", "\t", "NULL", "é—ñ 🛶", " ", "\x01", "'", "a" * 70_000]


@pytest.mark.parametrize("note", NOTES)
def test_any_text_survives(toy: Path, log: list[Line], tmp_path: Path, note: str) -> None:
    number, action = next((n, line) for n, line in enumerate(log) if isinstance(line, ActionLine))
    toy.write_bytes(encode([*log[:number], replace(action, note=note), *log[number + 1 :]]))
    export([str(toy)], tmp_path, ["actions"], parquet=True)
    assert ask(f"select note from '{tmp_path}/actions.parquet' limit 1") == [(note,)]


def test_a_table_larger_than_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "MEMORY", "64MB")
    source = tmp_path / "says.csv"
    with source.open("w") as file:
        file.write("game_no,n,seat,text,claim\n")
        file.writelines(f"1,{n},0,{'x' * 1_000},\n" for n in range(80_000))
    with Database(tmp_path) as database:
        database.to_parquet("says", source, tmp_path / "says.parquet")
    assert ask(f"select count(*), sum(length(text)) from '{tmp_path}/says.parquet'") == [(80_000, 80_000_000)]


def test_a_wrong_log_leaves_what_was_there(toy: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    export([str(toy)], folder, ["games"], parquet=False)
    before = (folder / "games.csv").read_bytes()
    toy.write_bytes(toy.read_bytes().replace(b'"n":2', b'"n":"2"'))
    with pytest.raises(LogError):
        export([str(toy)], folder, ["games", "seats"], parquet=False)
    assert [path.name for path in folder.iterdir()] == ["games.csv"]
    assert (folder / "games.csv").read_bytes() == before


def test_files_of_before_are_replaced(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("old")
    export([str(toy)], tmp_path, ["games"], parquet=False)
    assert len(rows(tmp_path / "games.csv")) == 6


def test_without_duckdb(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(DatabaseError, match=r"pip install 'mexica\[analysis\]'"):
        export([str(toy)], tmp_path / "tables", ["games"], parquet=True)
    assert list((tmp_path / "tables").iterdir()) == []
    export([str(toy)], tmp_path / "tables", ["games"], parquet=False)


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("from games", ["games"]),
        ("SELECT * FROM Seats JOIN games USING (game_no)", ["games", "seats"]),
        ("with a as (from actions) from a where n in (select n from events)", ["actions", "events"]),
        ("describe games", ["games"]),
        ("select 1", []),
        ("from games; from seats", ["games", "seats"]),
        ("pivot seats on bot using avg(score)", ["seats"]),
        ("select avg(actions) from games", ["games"]),
    ],
)
def test_which_tables_a_query_reads(query: str, tables: list[str]) -> None:
    with Database() as database:
        assert database.tables_of(query) == tables


@pytest.mark.parametrize("query", ["selec", "from nosuch", "select nosuch from games", "select"])
def test_a_query_in_error_is_found_before_anything_is_read(query: str) -> None:
    with Database() as database, pytest.raises(DatabaseError) as caught:
        database.tables_of(query)
    assert "explain" not in str(caught.value)


def test_the_error_points_at_the_word() -> None:
    with Database() as database, pytest.raises(DatabaseError) as caught:
        database.tables_of("select n, nosuch from actions")
    line, marks = str(caught.value).splitlines()[-2:]
    assert line == "LINE 1: select n, nosuch from actions"
    assert line[marks.index("^") :].startswith("nosuch")


def test_nothing_is_written_by_looking_at_a_query(tmp_path: Path) -> None:
    copy = f"copy (from games) to '{tmp_path}/x.csv'"
    with Database() as database:
        for query in (copy, f"{copy}; from seats", f"from seats; {copy}"):
            with pytest.raises(DatabaseError, match="kind COPY, but logs are only read"):
                database.tables_of(query)
        assert database.tables_of("create table own as from games; from own join seats using (game_no)") == [
            "games",
            "seats",
        ]
    assert list(tmp_path.iterdir()) == []
