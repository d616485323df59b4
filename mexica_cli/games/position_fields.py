"""What the position lines of all games have in common: the game's name, then `field=value`, one space between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from mexica_cli.games.game import RuleError

_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}")


def split_fields(game: str, names: Sequence[str], line: str) -> dict[str, str]:
    """The values of a line that has exactly these fields, in this order. Raises RuleError."""
    words = line.split(" ")
    if words[0] != game:
        raise RuleError(f"position: a line begins with the word {game}")
    return dict(_pair(names[-1], n, name, word) for n, (name, word) in enumerate(zip_longest(names, words[1:]), 1))


def _pair(last: str, n: int, name: str | None, word: str | None) -> tuple[str, str]:
    if name is None:
        raise RuleError(f"position: the line goes on after its last field, {last}")
    if word is None or not word.startswith(f"{name}="):
        raise RuleError(f"position: field {n} must be {name}=… (one space between fields)")
    return name, word[len(name) + 1 :]


def wrong(field: str, reason: str) -> RuleError:
    """The error for a field."""
    return RuleError(f"position: {field}: {reason}")


def items_of(text: str) -> list[str]:
    """The items of a list; `-` is an empty one."""
    return [] if text == "-" else text.split(",")


def number_of(field: str, text: str, least: int, most: int) -> int:
    """A number within bounds. Raises RuleError."""
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise wrong(field, f"{text!r} is no number from {least} to {most}")
    return int(text)


def parts_of(field: str, text: str, number: int) -> list[str]:
    """So many parts with / between them. Raises RuleError."""
    parts = text.split("/")
    if len(parts) != number:
        raise wrong(field, f"there must be {number} parts with / between them, not {len(parts)}")
    return parts
