"""What moves on the terminal while games are played. In a pipe nothing does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from mexica_cli.record.lines import ActionLine, GameLine, Line, ResultLine
from mexica_cli.view.console import console_for

ACTIONS_SHOWN = 25
"""The line is renewed every so many actions, so that fast games aren't slowed by it."""


class LiveLine:
    """A line that says which game is being played, and how far it is. Fed with the lines of the log."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task
        self._seats = ""

    def see(self, line: Line) -> None:
        """One more line of the log."""
        match line:
            case GameLine():
                self._seats = f"{line.match}  {' : '.join(line.seats)}"
                self._say("")
            case ActionLine() if line.n % ACTIONS_SHOWN == 0:
                self._say(f"action {line.n}")
            case ResultLine() if line.outcome != "void":
                self._progress.advance(self._task)

    def _say(self, text: str) -> None:
        self._progress.update(self._task, now=f"{self._seats}  {text}")


@contextmanager
def live_line(stream: IO[str], games: int, done: int) -> Iterator[LiveLine | None]:
    """A live line on a terminal, None where `stream` isn't one."""
    if not stream.isatty():
        yield None
        return
    columns = (
        TextColumn("game"),
        MofNCompleteColumn(),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}"),
    )
    console = console_for(stream)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        yield LiveLine(progress, progress.add_task("games", total=games, completed=done, now=""))
