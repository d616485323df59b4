"""DuckDB over the CSV files of tables: Parquet files, and answers to questions in SQL. Needs the extra `analysis`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from mexica_cli.analysis.columns import TABLES
from mexica_cli.analysis.tables import csv_path
from mexica_cli.extras import how_to_install
from mexica_cli.record.reader import LINE_BYTES

MEMORY = "128MB"
"""What DuckDB may use; what doesn't fit goes to disk."""
ROW_GROUP = 8192
"""Rows of a Parquet file that are held in memory before they are written. Where bots write long notes they are large,
so it is much less than DuckDB's usual number.
"""
_EXPLAIN = "explain "
_QUESTIONS = {"SELECT", "EXPLAIN", "MULTI"}
"""Kinds of statements that are answered; MULTI is what DuckDB makes of a `pivot`."""
_AIDS = {*_QUESTIONS, "CREATE"}
"""What may come before the last statement: what is created is there in memory, for the length of the query."""


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
        in error, or one that does more than read.
        """
        with self._errors():
            kinds = [statement.type.name for statement in self._duckdb.extract_statements(query)]
            _refuse_writing(kinds)
            single = len(kinds) == 1
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
            answer = self._run(query)
            if answer is None:
                raise DatabaseError("there is no statement in the query; write one, as in: from games")
            names = [str(column[0]) for column in answer.description or []]
            yield names, iter(answer.fetchone, None)

    def _run(self, query: str) -> Any:
        """Run a query so that Ctrl-C ends it: DuckDB itself looks for it between long stretches of work only."""
        with ThreadPoolExecutor(1) as pool:
            try:
                return pool.submit(self._connection.execute, query).result()
            except KeyboardInterrupt:
                self._connection.interrupt()
                raise

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
        raise DatabaseError(f"DuckDB isn't installed; install it with: {how_to_install('analysis')}") from None
    return duckdb


def _refuse_writing(kinds: Sequence[str]) -> None:
    """Refuse a query whose statements, by kind, do more than ask. Raises DatabaseError."""
    wrong = [kind for kind in kinds[:-1] if kind not in _AIDS] + [kind for kind in kinds[-1:] if kind not in _QUESTIONS]
    if wrong == ["CREATE"]:
        raise DatabaseError("the query creates something and asks nothing of it; end it with a SELECT or FROM")
    if wrong:
        raise DatabaseError(
            f"the query has a statement of the kind {wrong[0]}, but logs are only read; ask with SELECT or FROM, and"
            " write tables with `mexica log export`, or an answer with --format csv > FILE"
        )


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
