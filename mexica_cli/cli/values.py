"""Values on the command line: names of files, times, time controls, sizes, rule options."""

from __future__ import annotations

import os
import secrets
from typing import Any

import click

from mexica_cli.arena.clock import parse_bank, parse_duration

SEED_BITS = 48


def seed_or_new(seed: int | None) -> int:
    """The master seed that was asked for, else a new one."""
    return secrets.randbits(SEED_BITS) if seed is None else seed


class FileName(click.Path):
    """The name of a file or folder. Every option and argument that takes one has this type.

    An empty one, as from a variable of the shell that isn't set, is refused: to a `Path` it means the current folder.
    """

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.Path`."""
        if not os.fspath(value):
            self.fail(f"the name is empty; give that of a {'file' if self.file_okay else 'folder'}", param, ctx)
        return super().convert(value, param, ctx)


OUT_FILE = FileName(dir_okay=False, readable=False, allow_dash=True)
"""A file that is written, or `-` for standard output."""


class Duration(click.ParamType[float]):
    """A time: `2`, `2s`, `500ms`, `1.5m`. Comes out in seconds."""

    name = "time"

    def __init__(self, *, positive: bool = False) -> None:
        """`positive`: nothing gets done in no time, so 0 is refused."""
        self._positive = positive

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Text to seconds."""
        if isinstance(value, float):
            return value
        try:
            seconds = parse_duration(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if self._positive and not seconds:
            self.fail("a time of 0 would be over at once; give more", param, ctx)
        return seconds


class Bank(click.ParamType[tuple[float, float]]):
    """A bank with increment: `60+0.5`, `5m+2s`, `300`. Comes out as two numbers in seconds."""

    name = "bank+inc"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Text to seconds of bank and increment."""
        if isinstance(value, tuple):
            return value
        try:
            return parse_bank(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Setting(click.ParamType[tuple[str, str]]):
    """A rule option: `field=value`. Comes out as a pair of texts."""

    name = "field=value"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Text to name and value."""
        if isinstance(value, tuple):
            return value
        name, equals, text = str(value).partition("=")
        if not name or not equals:
            self.fail(f"{value!r} is no option; write FIELD=VALUE, as in stall_rounds=0", param, ctx)
        return name, text
