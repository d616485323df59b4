"""The file and the directory of a tournament, as the command line names them, and the results of what is there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

import click

from mexica_cli.arena.sandbox import SandboxError, probe
from mexica_cli.arena.spec import SpecError
from mexica_cli.cli.logs import refused
from mexica_cli.cli.values import FileName
from mexica_cli.games.tomlfile import FieldError, FileError, sentence
from mexica_cli.record.reader import LogError
from mexica_cli.tournament.config import Tournament, read_tournament
from mexica_cli.tournament.directory import Busy, Directory
from mexica_cli.tournament.plan import summary_of
from mexica_cli.tournament.report_data import write_csv, write_jsonl
from mexica_cli.tournament.report_html import html
from mexica_cli.tournament.report_table import print_table
from mexica_cli.tournament.summary import Summary
from mexica_cli.view.console import console_for

SUFFIX = ".toml"

notice = partial(click.echo, err=True)

format_option = click.option(
    "--format", "format_", type=click.Choice(["table", "jsonl", "csv"]), default="table", show_default=True,
    help="How the results are printed on standard output.",
)  # fmt: skip
directory_option = click.option(
    "--dir", "directory", type=FileName(file_okay=False, path_type=Path),
    help="Directory of log, standard error and report.  [default: FILE without .toml]",
)  # fmt: skip
file_argument = click.argument("file", type=FileName(exists=True, dir_okay=False, path_type=Path))


class Site:
    """A tournament's file and directory, as named on the command line."""

    def __init__(self, file: Path, directory: Path | None) -> None:
        """From then on the file's folder is the current one: its commands are run there. Raises click.UsageError."""
        if file.suffix != SUFFIX:
            raise click.UsageError(f"{file}: the name of a tournament file ends in {SUFFIX}")
        self.file = file.absolute()
        self.directory = Directory((directory or self.file.with_suffix("")).absolute())
        os.chdir(self.file.parent)

    @cached_property
    def tournament(self) -> Tournament:
        """What the file says. Raises click.UsageError."""
        with usage_errors():
            return read_tournament(self.file)

    def summary(self) -> Summary | None:
        """What the log comes to; None where nothing has been played. Raises click.UsageError."""
        plan = self.tournament
        with usage_errors():
            header, played = self.directory.header(), self.directory.played()
            if header is None or not played:
                return None
            return summary_of(plan, str(self.directory.log), self.file.stem, header, played)

    def probe_sandbox(self) -> None:
        """Make sure that bots can be sandboxed if any is to be. Raises click.UsageError."""
        if any(entrant.spec.in_sandbox for entrant in self.tournament.entrants.values()):
            with usage_errors():
                probe()


@contextmanager
def usage_errors() -> Iterator[None]:
    """Files and bots that can't be used are wrong usage; a log with something wrong in it is a failure."""
    try:
        yield
    except LogError as error:
        raise refused(error) from None
    except (FileError, FieldError, SpecError, SandboxError, Busy) as error:
        raise click.UsageError(str(error)) from None


def print_results(site: Site, format_: str, *, page: bool, without_games: int = 0) -> int:
    """The results on standard output, and, if wanted, the page in the directory. The exit code: 1 without that page."""
    summary = site.summary()
    if summary is None:
        notice("nothing is played yet")
        return without_games
    code = _write_page(site, summary) if page else 0
    if format_ == "jsonl":
        write_jsonl(sys.stdout.buffer, summary)
    elif format_ == "csv":
        write_csv(sys.stdout, summary)
    else:
        print_table(console_for(sys.stdout), summary)
    return code


def _write_page(site: Site, summary: Summary) -> int:
    try:
        site.directory.write_report(html(summary))
    except OSError as error:
        notice(f"Error: the page can't be written: {sentence(error)}")
        return 1
    notice(f"the page is {site.directory.report}")
    return 0
