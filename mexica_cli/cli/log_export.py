"""`mexica log export`: tables for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from mexica_cli.analysis.columns import TABLES
from mexica_cli.analysis.export import export as export_tables
from mexica_cli.cli.logs import Stopwatch, errors_as_sentences, logs_argument, tell_cut, verbose_option
from mexica_cli.cli.values import FileName


@click.command(context_settings={"show_default": True})
@logs_argument
@click.option(
    "--to", "folder", required=True, type=FileName(file_okay=False, path_type=Path), metavar="DIR", help="Where to."
)
@click.option("--format", "format_", type=click.Choice(["csv", "parquet"]), default="csv", help="Of the files.")
@click.option("--table", "tables", multiple=True, type=click.Choice(list(TABLES)), help="Only this one; repeatable.")
@verbose_option
@click.pass_context
def export(
    ctx: click.Context, logs: tuple[str, ...], folder: Path, format_: str, tables: tuple[str, ...], verbose: bool
) -> None:
    """Write what logs hold as tables, a file each.

    DIR is made if it isn't there; files of an earlier export are replaced. Void games are left out. Parquet needs
    DuckDB, which comes with the extra `analysis`. Tables and columns are described in docs/ANALYSIS.md.

    \b
    mexica log export games.jsonl --to tables
    mexica log export monday.jsonl.gz tuesday.jsonl.zst --to tables --format parquet
    """
    watch = Stopwatch(verbose=verbose)
    with errors_as_sentences():
        reading, files = export_tables(logs, folder, tables or list(TABLES), parquet=format_ == "parquet")
    for file in files:
        click.echo(str(file))
    watch.tell(reading.read_bytes)
    ctx.exit(tell_cut(reading.cut))
