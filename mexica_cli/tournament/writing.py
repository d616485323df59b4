"""Writes the file of a tournament that was asked for on the command line alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

TomlValue = str | int | float | bool


def tournament_text(fields: Mapping[str, TomlValue | None], bots: Sequence[tuple[str, str]]) -> str:
    """TOML of top-level fields (None ones are left out) and of bots, as (name, command)."""
    return "\n".join(_lines(fields, bots)) + "\n"


def _lines(fields: Mapping[str, TomlValue | None], bots: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, value in fields.items():
        if value is not None:
            yield f"{name} = {_value(value)}"
    for name, command in bots:
        yield "\n[[bots]]"
        yield f"name = {_value(name)}"
        yield f"command = {_value(command)}"


def _value(value: TomlValue) -> str:
    """A basic string of TOML is written like one of JSON, and so are numbers and truth."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
