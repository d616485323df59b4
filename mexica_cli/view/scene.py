"""What is drawn and on what, the same for every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from rich.text import Text

from mexica_cli.view.console import clean

SEAT_STYLES = (
    "bold white on #b8281a",
    "bold black on #f0e442",
    "bold white on #7a3a9a",
    "bold black on #f4f4f4",
    "bold white on #1f5f8b",
)
NAME_CHARACTERS = 16


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A position as somebody sees it."""

    observation: msgspec.Struct
    """`State.observation`, or what came over the wire as `state`, converted."""
    options: dict[str, Any]
    """`Game.options`."""
    seats: list[str]
    """Names of the bots, by seat."""
    views: list[msgspec.Struct] = []
    """What each seat sees, where everything may be shown."""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What the drawing is for."""

    unicode: bool
    """False: ASCII only."""
    width: int
    """Columns that there are."""


Picture = Callable[[Scene, Look], Text]
"""Draws a position. The text ends without a line feed."""


def letter(seat: int) -> str:
    """What a seat is called in a drawing: A is seat 0."""
    return chr(ord("A") + seat)


def seat_style(seat: int) -> str:
    """The colours of a seat."""
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


def short_name(name: str) -> str:
    """A bot's name as it fits into a table."""
    return clean(name) if len(name) <= NAME_CHARACTERS else clean(name[: NAME_CHARACTERS - 2]) + ".."
