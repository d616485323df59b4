"""`mexica log`: verify, show or copy game logs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args

import click
import msgspec

from mexica_cli.record.lines import TIME_FIELDS, GameLine, Header, Line
from mexica_cli.record.reader import LogError, LogReader, open_log
from mexica_cli.record.replay import ReplayError
from mexica_cli.record.verify import Report
from mexica_cli.record.verify import verify as verify_log
from mexica_cli.view.console import console_for
from mexica_cli.view.narration import Every, Excerpt, Narrator

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)

_fields: msgspec.json.Decoder[dict[str, msgspec.Raw]] = msgspec.json.Decoder(dict[str, msgspec.Raw])


@click.group()
def log() -> None:
    """Verify, show or copy game logs.

    A FILE may be compressed with gzip; - is standard input. The format is described in protocol/LOG.md.
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
        click.echo(f"Error: {reader.name}: {_tally(report)} are right, then {_cut(reader)}", err=True)
    if sys.stderr.isatty():
        rate = report.games / (time.perf_counter() - begun)
        click.echo(f"{rate:.0f} games a second", err=True)
    return report.whole


def _tally(report: Report) -> str:
    void = f", {_count(report.void, 'void game')}" if report.void else ""
    return f"{_count(report.games, 'game')}, {_count(report.actions, 'action')}{void}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _cut(reader: LogReader) -> str:
    """How a log ends that isn't whole."""
    if reader.header is None:
        return "the log ends within its first line"
    where = f"match {reader.open_match!r} has no end" if reader.open_match is not None else "the last line has no end"
    return f"{where}; the run that wrote it is under way or was cut off and can be resumed"


# ---- show ----------------------------------------------------------------------------------------


@log.command(context_settings={"show_default": True})
@click.argument("file", type=FILE)
@click.option("--game", "match", metavar="ID", help="Only the match of this id.")
@click.option("--from", "first", type=click.IntRange(1), default=1, metavar="N", help="First action to show.")
@click.option("--to", "last", type=click.IntRange(0), metavar="N", help="Last action to show.  [default: the last]")
@click.option("--every", type=click.Choice(get_args(Every)), default="turn", help="After what to draw the position.")
@click.pass_context
def show(ctx: click.Context, /, file: str, **excerpt: Any) -> None:
    """Draw games step by step as text: positions, and between them the actions and what followed from them."""
    wanted = Excerpt(**excerpt)
    narrator = Narrator(console_for(sys.stdout), wanted)
    with _reading(file) as reader:
        for _, line in reader:
            _tell(narrator, reader, line)
    if wanted.match is not None and not narrator.matches:
        raise click.ClickException(f"{reader.name}: there is no match {wanted.match!r}")
    if reader.torn or reader.open_match is not None:
        click.echo(f"{reader.name}: {_cut(reader)}", err=True)
        ctx.exit(1)


def _tell(narrator: Narrator, reader: LogReader, line: Line) -> None:
    try:
        narrator.take(line)
    except ReplayError as error:
        raise reader.error(str(error)) from None


# ---- cat -----------------------------------------------------------------------------------------


@log.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.option("--game", "match", metavar="ID", help="Only the match of this id.")
@click.option("--bot", metavar="NAME", help="Only matches that this bot played in.")
@click.option("--no-times", is_flag=True, help="Leave out what differs between two runs of the same games.")
@click.pass_context
def cat(ctx: click.Context, files: tuple[str, ...], match: str | None, bot: str | None, no_times: bool) -> None:
    """Print the lines of logs, header and whole matches, as they are.

    Two runs of the same bots from the same seed print the same with --no-times.
    """
    whole = [_cat(path, match, bot, no_times=no_times) for path in files]
    ctx.exit(0 if all(whole) else 1)


def _cat(path: str, match: str | None, bot: str | None, *, no_times: bool) -> bool:
    """Print one log; whether it ends with a whole line."""
    write = sys.stdout.buffer.write
    wanted = True
    with _reading(path) as reader:
        for _, line in reader:
            if isinstance(line, GameLine):
                wanted = match in {None, line.match} and (bot is None or bot in line.seats)
            if wanted or isinstance(line, Header):
                write(_without_times(reader.raw) if no_times else reader.raw)
    sys.stdout.flush()
    if reader.torn:
        click.echo(f"{reader.name}: {_cut(reader)}", err=True)
    return not reader.torn


def _without_times(raw: bytes) -> bytes:
    fields = _fields.decode(raw)
    return msgspec.json.encode({name: fields[name] for name in fields if name not in TIME_FIELDS}) + b"\n"


@contextmanager
def _reading(path: str) -> Iterator[LogReader]:
    """A log that is printed as it is read: what is wrong with it ends the command after what was printed before."""
    try:
        with open_log(path) as reader:
            yield reader
    except LogError as error:
        sys.stdout.flush()
        raise click.ClickException(str(error)) from None
