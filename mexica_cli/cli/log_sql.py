"""`mexica log sql`: questions in SQL."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import msgspec
from rich.table import Table

from mexica_cli.analysis.database import Database
from mexica_cli.analysis.rows import Rows
from mexica_cli.analysis.tables import csv_tables
from mexica_cli.analysis.walk import Reading, walk_logs
from mexica_cli.cli.logs import Stopwatch, errors_as_sentences, logs_argument, tell_cut, verbose_option
from mexica_cli.view.console import clean, console_for

TABLE_ROWS = 1000
"""As many as are printed as a table, which must be held in memory to know how wide its columns are."""

Answer = Iterable[tuple[Any, ...]]

_encoder = msgspec.json.Encoder(decimal_format="number", enc_hook=str)


@click.command(context_settings={"show_default": True})
@click.argument("query")
@logs_argument
@click.option("--format", "format_", type=click.Choice(["table", "jsonl", "csv"]), default="table", help="Output.")
@verbose_option
@click.pass_context
def sql(ctx: click.Context, query: str, logs: tuple[str, ...], format_: str, verbose: bool) -> None:
    """Ask logs a question in SQL.

    Its tables are those that `mexica log export` writes. DuckDB answers; it comes with the extra `analysis`. The tables
    that are asked for lie in a temporary folder meanwhile. Logs are only read: what writes, like INSERT or COPY, is
    refused. Tables, columns and more examples are in docs/ANALYSIS.md.

    \b
    mexica log sql "select bot, avg(score) from seats group by bot" games.jsonl
    mexica log sql "from actions where verb = 'teleport'" games.jsonl --format csv
    """
    watch = Stopwatch(verbose=verbose)
    with errors_as_sentences(), TemporaryDirectory(prefix="mexica-sql-") as folder, Database(Path(folder)) as database:
        reading = _load(database, query, logs, Path(folder))
        with database.answer(query) as (names, rows):
            _print(names, rows, format_)
    watch.tell(reading.read_bytes)
    ctx.exit(tell_cut(reading.cut))


def _load(database: Database, query: str, logs: tuple[str, ...], folder: Path) -> Reading:
    """Make the tables that the query reads. Raises LogError, DatabaseError."""
    tables = database.tables_of(query)
    with csv_tables(folder, tables) as write:
        reading = walk_logs(logs, Rows(tables, write))
    database.open_tables(folder, tables)
    return reading


def _print(names: list[str], rows: Iterator[tuple[Any, ...]], format_: str) -> None:
    match format_:
        case "jsonl":
            for row in rows:
                sys.stdout.buffer.write(_encoder.encode(dict(zip(names, row, strict=True))) + b"\n")
        case "csv":
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([_plain(value) for value in row] for row in rows)
        case _:
            _print_table(names, rows)


def _plain(value: Any) -> Any:
    """A value as the exported tables have it."""
    return str(value).lower() if isinstance(value, bool) else value


def _print_table(names: list[str], rows: Iterator[tuple[Any, ...]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(clean(name), overflow="fold")
    for row in islice(rows, TABLE_ROWS):
        table.add_row(*(_cell(value) for value in row))
    console_for(sys.stdout).print(table)
    if next(rows, None) is not None:
        click.echo(f"these are the first {TABLE_ROWS} rows; --format csv and jsonl print all", err=True)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.6g}" if isinstance(value, float) else clean(str(_plain(value)))
