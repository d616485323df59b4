"""Consoles: colours on terminals only, and nothing that a stream can't take."""

from __future__ import annotations

import io

import pytest
from rich.table import Table
from rich.text import Text
from terminalkit import set_terminal

from mexica_cli.view.console import clean, console_for


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns that knows colours."""
    set_terminal(monkeypatch)


def printed(kind: type[io.TextIOWrapper], encoding: str, text: Text) -> bytes:
    data = io.BytesIO()
    stream = kind(data, encoding=encoding)
    console_for(stream).print(text)
    stream.flush()
    return data.getvalue()


def test_a_pipe_gets_no_colours_and_long_lines() -> None:
    assert printed(io.TextIOWrapper, "utf-8", Text("x " * 99, "red")) == b"x " * 98 + b"x\n"


def test_lines_in_a_pipe_end_with_what_they_say() -> None:
    table = Table(box=None, pad_edge=False)
    for column in ("bot", "what it says"):
        table.add_column(column)
    table.add_row("ann", "a long sentence  about it")
    table.add_row("", "")
    table.add_row("bob", "")
    data = io.StringIO()
    console = console_for(data)
    console.print(table)
    console.print("half a line ", end="")
    assert data.getvalue() == "bot  what it says\nann  a long sentence  about it\n\nbob\nhalf a line "


def test_a_terminal_gets_colours() -> None:
    assert printed(Terminal, "utf-8", Text("x", "red")).startswith(b"\x1b[")


def test_a_dumb_terminal_gets_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert printed(Terminal, "utf-8", Text("x", "red")) == b"x\n"


def test_what_the_encoding_lacks_is_replaced() -> None:
    assert printed(io.TextIOWrapper, "ascii", Text("Tláloc")) == b"Tl?loc\n"


def test_markup_in_texts_is_text() -> None:
    data = io.StringIO()
    console_for(data).print("[bold]x[/bold] :smile:")
    assert data.getvalue() == "[bold]x[/bold] :smile:\n"


@pytest.mark.parametrize("bad", ["\x1b[2J", "\n", "\r", "\t", "\x7f", "\x9b", "\u202e", "\u2028", "\x00"])
def test_control_characters_are_replaced(bad: str) -> None:
    assert clean(f"a{bad}é z").isprintable()
    assert clean("aé ≈ z") == "aé ≈ z"
