"""What the position lines of all games have in common: the game's name, then `field=value`, one space between."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from mexica_cli.games.game import RuleError


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
