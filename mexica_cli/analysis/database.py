"""DuckDB over the CSV files of tables: Parquet files, and answers to questions in SQL. Needs the extra `analysis`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from mexica_cli.analysis.columns import TABLES
from mexica_cli.analysis.tables import csv_path
from mexica_cli.record.reader import LINE_BYTES

MEMORY = "128MB"
"""What DuckDB may use; what doesn't fit goes to disk."""
ROW_GROUP = 8192
"""Rows of a Parquet file that are held in memory before they are written. Where bots write long notes they are large,
so it is much less than DuckDB's usual number.
"""
_EXPLAIN = "explain "


class DatabaseError(Exception):
    """DuckDB isn't there, or can't do what it was asked to; the text says what."""


class Database:
    """DuckDB, in memory but for what doesn't fit. Use it as a context manager, or `close` it."""

    def __init__(self, scratch: Path | None = None) -> None:
        """What doesn't fit goes into the folder `scratch`. Raises DatabaseError where there is no DuckDB."""
        self._duckdb = _duckdb()
        self._connection = self._duckdb.connect()
        self._connection.execute(f"set memory_limit = '{MEMORY}'")
        self._connection.execute("set threads = 1")  # each further one needs memory of its own
        if scratch is not None:
            self._connection.execute(f"set temp_directory = {_quoted(str(scratch))}")

    def close(self) -> None:
        """Forget everything."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def to_parquet(self, table: str, source: Path, target: Path) -> None:
        """Write the CSV file of a table as a Parquet file. Raises DatabaseError."""
        with self._errors():
            self._connection.execute(
                f"copy (from {_csv(table, source)}) to {_quoted(str(target))}"
                f" (format parquet, compression zstd, row_group_size {ROW_GROUP})"
            )

    def tables_of(self, query: str) -> list[str]:
        """Those of `TABLES` that a query reads; perhaps more, where DuckDB can't tell. Raises DatabaseError for a query
        in error.
        """
        with self._errors():
            single = len(self._duckdb.extract_statements(query)) == 1
            for table, columns in TABLES.items():
                names = ", ".join(f"{column.name} {column.type}" for column in columns)
                self._connection.execute(f"create or replace temp table {table} ({names})")
            if single:  # of several, all but the first would be done
                self._check(query)
        try:
            found = {name.lower() for name in self._connection.get_table_names(query)}
        except self._duckdb.Error:  # it doesn't take several statements, nor a join with `using`
            found = set(re.findall(r"\w+", query.lower()))
        return [table for table in TABLES if table in found]

    def _check(self, query: str) -> None:
        """Find wrong names in a query before logs are read for it. What can't be explained isn't checked."""
        try:
            self._connection.execute(_EXPLAIN + query)
        except (self._duckdb.BinderException, self._duckdb.CatalogException) as error:
            raise DatabaseError(_unexplained(str(error))) from None
        except self._duckdb.Error:
            return

    def open_tables(self, folder: Path, tables: Collection[str]) -> None:
        """Let queries read the CSV files of tables in the folder, by the tables' names."""
        for table in tables:
            self._connection.execute(f"drop table if exists temp.{table}")
            self._connection.execute(f"create temp view {table} as from {_csv(table, csv_path(folder, table))}")

    @contextmanager
    def answer(self, query: str) -> Iterator[tuple[list[str], Iterator[tuple[Any, ...]]]]:
        """Names of the columns, and the rows, which are found as they are taken. Raises DatabaseError."""
        with self._errors():
            answer = self._connection.execute(query)
            if answer is None:
                raise DatabaseError("there is no statement in the query; write one, as in: from games")
            names = [str(column[0]) for column in answer.description or []]
            yield names, iter(answer.fetchone, None)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._duckdb.Error as error:
            raise DatabaseError(str(error)) from None


def _duckdb() -> Any:
    try:
        import duckdb  # noqa: PLC0415 (an extra)
    except ImportError:
        raise DatabaseError("DuckDB isn't installed; install it with: pip install 'mexica[analysis]'") from None
    return duckdb


def _unexplained(message: str) -> str:
    """An error message about a query as if `_EXPLAIN` didn't stand before it."""
    return re.sub(rf"\n {{{len(_EXPLAIN)}}}( *\^)", r"\n\1", message.replace(f": {_EXPLAIN}", ": ", 1))


def _csv(table: str, path: Path) -> str:
    """The call that reads the CSV file of a table. Nothing is guessed, and rows are as long as lines of a log."""
    columns = ", ".join(f"{column.name}: '{column.type}'" for column in TABLES[table])
    return (
        f"read_csv({_quoted(str(path))}, columns = {{{columns}}}, auto_detect = false, header = true, delim = ',',"
        f" quote = '\"', escape = '\"', nullstr = '', max_line_size = {LINE_BYTES}, buffer_size = {LINE_BYTES},"
        " parallel = false)"
    )


def _quoted(text: str) -> str:
    """A text as SQL."""
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
