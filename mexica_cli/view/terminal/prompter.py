"""Where a person types: a terminal with line editing and completion, or a plain one (a pipe, a dumb terminal)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from rich.text import Text

from mexica_cli.view.console import trimmed
from mexica_cli.view.terminal.canvas import Canvas

PLAIN_WIDTH = 100
"""Columns that are used where there is no terminal to say how many it has."""

Texts = Callable[[], Sequence[str]]
"""What can be typed now."""


class Prompter(Protocol):
    """Shows things to a person, and asks."""

    canvas: Canvas

    def ask(self, label: str, texts: Texts) -> str:
        """A line. Raises EOFError at the end of input, KeyboardInterrupt for Ctrl-C."""

    def show(self, text: Text | str = "") -> None:
        """Print a line or several."""

    @property
    def width(self) -> int:
        """Columns that there are."""

    def close(self) -> None:
        """Stop asking, from another thread."""


def prompter(*, plain: bool = False) -> Prompter:
    """The best for this standard input and output."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    if plain or not terminal:
        return PlainPrompter(Canvas(unicode=unicode and not plain, colours=False))
    return LinePrompter(Canvas(unicode=unicode, colours="NO_COLOR" not in os.environ))


class PlainPrompter:
    """Line by line, without colours."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def ask(self, label: str, texts: Texts) -> str:
        """See `Prompter.ask`."""
        sys.stdout.write(label)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            sys.stdout.write(f"{line.rstrip()}\n")  # in a pipe nobody sees what was typed
        return line

    def show(self, text: Text | str = "") -> None:
        """See `Prompter.show`."""
        sys.stdout.write(trimmed(f"{text}\n"))
        sys.stdout.flush()

    @property
    def width(self) -> int:
        """See `Prompter.width`."""
        return PLAIN_WIDTH

    def close(self) -> None:
        """See `Prompter.close`."""


class LinePrompter:
    """With editing, history and completion."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self._session: PromptSession[str] = PromptSession(complete_while_typing=False)

    def ask(self, label: str, texts: Texts) -> str:
        """See `Prompter.ask`."""
        return self._session.prompt(label, completer=_Words(texts), in_thread=False)

    def show(self, text: Text | str = "") -> None:
        """See `Prompter.show`."""
        sys.stdout.write(self.canvas.ansi(text if isinstance(text, Text) else Text(text)) + "\n")
        sys.stdout.flush()

    @property
    def width(self) -> int:
        """See `Prompter.width`."""
        return self._session.output.get_size().columns

    def close(self) -> None:
        """See `Prompter.close`."""
        app = self._session.app
        if app.is_running and app.loop is not None:
            app.loop.call_soon_threadsafe(lambda: app.exit(exception=EOFError) if app.is_running else None)


class _Words(Completer):
    """Completes what stands behind the last semicolon."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """One word at a time, so that a long list of actions doesn't come at once."""
        typed = document.text_before_cursor.rpartition(";")[2].lstrip()
        words = typed.count(" ") + 1
        found = {" ".join(text.split(" ")[:words]) for text in self._texts() if text.startswith(typed)}
        for text in sorted(found):
            yield Completion(text, start_position=-len(typed))
