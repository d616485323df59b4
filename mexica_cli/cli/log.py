"""`mexica log`: verify, show, copy or analyse game logs."""

from __future__ import annotations

import sys
import time
from typing import Any

import click
import msgspec

from mexica_cli.cli.log_export import export
from mexica_cli.cli.log_filter import filter_
from mexica_cli.cli.log_sql import sql
from mexica_cli.cli.log_stats import stats
from mexica_cli.cli.logs import FILE, cut, reading
from mexica_cli.number_text import count
from mexica_cli.record.lines import TIME_FIELDS, Line
from mexica_cli.record.reader import LogError, LogReader, open_log
from mexica_cli.record.replay import ReplayError
from mexica_cli.record.verify import Report
from mexica_cli.record.verify import verify as verify_log
from mexica_cli.view.console import console_for
from mexica_cli.view.narration import Excerpt, Narrator
from mexica_cli.view.tellers import UNITS

_fields: msgspec.json.Decoder[dict[str, msgspec.Raw]] = msgspec.json.Decoder(dict[str, msgspec.Raw])


@click.group()
def log() -> None:
    """Verify, show, copy or analyse game logs.

    A log may be compressed with gzip or zstd; - is standard input. The format is described in protocol/LOG.md.
    """


# ---- verify --------------------------------------------------------------------------------------


@log.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.pass_context
def verify(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Replay every action of every game and check every number.

    Names the first line of each log that is wrong, and why. Exits with 1 if one is wrong or ends in mid-game.
    """
    right = [_verify(path) for path in files]
    ctx.exit(0 if all(right) else 1)


def _verify(path: str) -> bool:
    """Say on stdout that the log is right and whole, or on stderr why it isn't."""
    begun = time.perf_counter()
    try:
        with open_log(path) as reader:
            report = verify_log(reader)
    except LogError as error:
        click.echo(f"Error: {error}", err=True)
        return False
    if report.whole:
        click.echo(f"ok: {_tally(report)} in {reader.name}")
    else:
        click.echo(f"Error: {reader.name}: {_tally(report)} are right, then {cut(reader)}", err=True)
    if sys.stderr.isatty():
        rate = report.games / (time.perf_counter() - begun)
        click.echo(f"{rate:.0f} games a second", err=True)
    return report.whole


def _tally(report: Report) -> str:
    void = f", {count(report.void, 'void game')}" if report.void else ""
    return f"{count(report.games, 'game')}, {count(report.actions, 'action')}{void}"


# ---- show ----------------------------------------------------------------------------------------


@log.command(context_settings={"show_default": True})
@click.argument("file", type=FILE)
@click.option("--game", "match", metavar="ID", help="Only the match of this id.")
@click.option("--from", "first", type=click.IntRange(1), default=1, metavar="N", help="First action to show.")
@click.option("--to", "last", type=click.IntRange(0), metavar="N", help="Last action to show.  [default: the last]")
@click.option("--seat", type=click.IntRange(0), metavar="N", help="As this seat saw it.  [default: everything]")
@click.option("--every", type=click.Choice(UNITS), default="turn", help="After what to draw the position.")
@click.pass_context
def show(ctx: click.Context, /, file: str, **excerpt: Any) -> None:
    """Draw games step by step as text.

    Positions, and between them the actions and what followed from them.
    """
    wanted = Excerpt(**excerpt)
    narrator = Narrator(console_for(sys.stdout), wanted)
    with reading(file) as reader:
        for _, line in reader:
            _tell(narrator, reader, line)
    if wanted.match is not None and not narrator.matches:
        raise click.ClickException(f"{reader.name}: there is no match {wanted.match!r}")
    if reader.torn or reader.open_match is not None:
        click.echo(f"{reader.name}: {cut(reader)}", err=True)
        ctx.exit(1)


def _tell(narrator: Narrator, reader: LogReader, line: Line) -> None:
    try:
        narrator.take(line)
    except ReplayError as error:
        raise reader.error(str(error)) from None


# ---- cat -----------------------------------------------------------------------------------------


@log.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.option("--no-times", is_flag=True, help="Leave out what differs between two runs of the same games.")
@click.pass_context
def cat(ctx: click.Context, files: tuple[str, ...], no_times: bool) -> None:
    """Print the lines of logs as they are, decompressed.

    Two runs of the same bots from the same seed print the same with --no-times.
    """
    whole = [_cat(path, no_times=no_times) for path in files]
    ctx.exit(0 if all(whole) else 1)


def _cat(path: str, *, no_times: bool) -> bool:
    """Print one log; whether it ends with a whole line."""
    write = sys.stdout.buffer.write
    with reading(path) as reader:
        for _ in reader:
            write(_without_times(reader.raw) if no_times else reader.raw)
    sys.stdout.flush()
    if reader.torn:
        click.echo(f"{reader.name}: {cut(reader)}", err=True)
    return not reader.torn


def _without_times(raw: bytes) -> bytes:
    fields = _fields.decode(raw)
    return msgspec.json.encode({name: fields[name] for name in fields if name not in TIME_FIELDS}) + b"\n"


for command in (export, filter_, sql, stats):
    log.add_command(command)
