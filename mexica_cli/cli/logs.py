"""What the commands that read logs have in common."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from mexica_cli.analysis.database import DatabaseError
from mexica_cli.cli.values import FileName
from mexica_cli.record.reader import LogError, LogReader, open_log
from mexica_cli.record.writer import NotWritable

FILE = FileName(exists=True, dir_okay=False, allow_dash=True)
logs_argument = click.argument("logs", nargs=-1, required=True, type=FILE, metavar="LOG...")
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Say on standard error how fast it went.")


def refused(error: LogError) -> click.ClickException:
    """The same for click: wrong usage where the file was named to be written to and may not be, else a failure."""
    return (click.UsageError if isinstance(error, NotWritable) else click.ClickException)(str(error))


@contextmanager
def reading(path: str) -> Iterator[LogReader]:
    """A log that is printed as it is read: what is wrong with it ends the command after what was printed before."""
    try:
        with open_log(path) as reader:
            yield reader
    except LogError as error:
        sys.stdout.flush()
        raise click.ClickException(str(error)) from None


@contextmanager
def errors_as_sentences() -> Iterator[None]:
    """What is wrong with a log, or with what DuckDB was asked for, ends the command."""
    try:
        yield
    except LogError as error:
        raise refused(error) from None
    except DatabaseError as error:
        raise click.ClickException(str(error)) from None


def cut(reader: LogReader) -> str:
    """How a log ends that isn't whole."""
    if reader.header is None:
        return "the log ends within its first line"
    where = f"match {reader.open_match!r} has no end" if reader.open_match is not None else "the last line has no end"
    return f"{where}; the run that wrote it is under way or was cut off and can be resumed"


def tell_cut(names: list[str]) -> int:
    """Say which logs end in mid-game; the exit code."""
    for name in names:
        click.echo(f"{name} ends in mid-game: its run is under way or was cut off; the whole games count", err=True)
    return 1 if names else 0


class Stopwatch:
    """How long a command takes over a log."""

    def __init__(self, *, verbose: bool) -> None:
        """`verbose`: tell it also where nobody seems to look."""
        self._verbose = verbose
        self._begun = time.perf_counter()

    def tell(self, read_bytes: int) -> None:
        """Say how much was read, and how fast."""
        if self._verbose or sys.stderr.isatty():
            seconds = time.perf_counter() - self._begun
            size = read_bytes / 1e6
            click.echo(f"{size:.1f} MB in {seconds:.1f} s, {size / seconds:.1f} MB/s", err=True)
