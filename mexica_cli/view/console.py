"""Where views print: a terminal with colours, or a pipe or file without."""

from __future__ import annotations

import io
from typing import IO, Any

from rich.console import Console

PIPE_WIDTH = 10_000
"""Columns where there is no terminal to say how many it has: nothing is wrapped for a pipe."""


class _QuietConsole(Console):
    """A console that lets the command know when nobody reads any more; rich's would exit from deep inside of it."""

    def on_broken_pipe(self) -> None:
        """Called by rich while it handles the error."""
        raise BrokenPipeError


class _PipeConsole(_QuietConsole):
    """One for a pipe or file, in which lines end with what they say: rich fills the last column of tables up."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does, without blanks before an end of line."""
        with self.capture() as capture:
            super().print(*objects, **options)
        self.file.write(trimmed(capture.get()))
        self.file.flush()


def console_for(stream: IO[str]) -> Console:
    """A console on the stream, which from then on prints `?` for what its encoding can't say."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    terminal = stream.isatty()
    return (_QuietConsole if terminal else _PipeConsole)(
        file=stream,
        force_terminal=terminal,  # whatever FORCE_COLOR says: programs read what goes into a pipe
        width=None if terminal else PIPE_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )


def trimmed(text: str) -> str:
    """A text without blanks before its line feeds."""
    *lines, rest = text.split("\n")
    return "".join(f"{line.rstrip(' ')}\n" for line in lines) + rest


def clean(text: str) -> str:
    """A text from outside, safe to print: control characters, which could drive the terminal, are replaced."""
    return "".join(c if c.isprintable() else "�" for c in text)
