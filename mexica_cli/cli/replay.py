"""`mexica replay`: a logged game in the terminal."""

from __future__ import annotations

import os
import sys

import click

from mexica_cli.cli.values import FileName
from mexica_cli.record.lines import GameLine, Header, Line, ResultLine
from mexica_cli.record.reader import LogError, LogReader, open_log
from mexica_cli.record.replay import ReplayError, Rulebook
from mexica_cli.view.terminal.canvas import Canvas
from mexica_cli.view.terminal.replayer import Replayer
from mexica_cli.view.terminal.timeline import Timeline


@click.command()
@click.argument("log", type=FileName(exists=True, dir_okay=False), metavar="LOG")
@click.option("--game", "match", metavar="ID", help="The match of this id, or the one of this number, from 1.")
@click.option("--at", type=click.IntRange(0), default=0, metavar="N", help="Begin after so many actions.")
def replay(log: str, match: str | None, at: int) -> None:
    """Go through a logged game in the terminal: forward and back by action, turn, round and period.

    The log may end within a game. `?` shows the keys. Where there is no terminal: mexica log show.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        raise click.UsageError("this takes a terminal; `mexica log show` prints a game")
    timeline = _timeline(log, match)
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    Replayer(timeline, Canvas(unicode=unicode, colours="NO_COLOR" not in os.environ), at).run()


def _timeline(log: str, match: str | None) -> Timeline:
    """The game that is wanted, the first one by default. Raises click's errors."""
    try:
        with open_log(log) as reader:
            return _find(reader, match)
    except LogError as error:
        raise click.ClickException(str(error)) from None


def _find(reader: LogReader, wanted: str | None) -> Timeline:
    header: Header | None = None
    lines: list[Line] = []
    number = 0
    for _, line in reader:
        if isinstance(line, Header):
            header = line
        elif isinstance(line, GameLine):
            if lines:
                break
            number += 1
            if wanted in (None, line.match, str(number)):
                lines.append(line)
        elif lines:
            lines.append(line)
            if isinstance(line, ResultLine):
                break
    if header is None or not lines:
        what = "no game" if wanted is None else f"no match {wanted!r}; there are {number}"
        raise click.ClickException(f"{reader.name}: there is {what}")
    begun, *rest = lines
    assert isinstance(begun, GameLine)
    try:
        return Timeline(Rulebook(header).of(begun), header, begun, rest)
    except ReplayError as error:
        raise reader.error(str(error)) from None
