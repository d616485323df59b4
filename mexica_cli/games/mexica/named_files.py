"""Files with rule sets and boards: the shipped ones, and those that a user names by their path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from mexica_cli.games.game import RuleError

DATA = Path(__file__).parent / "data"
"""Where the shipped ones are."""

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


def find_file(path: str, thing: str, shipped: Sequence[str]) -> Path:
    """The file of a path; `shipped` are the names that would have done too. Raises RuleError where there is none."""
    if not is_file(Path(path)):
        raise RuleError(f"there is no {thing} or file {path!r}; there is {', '.join(shipped)}, or give a file's path")
    return Path(path)


def is_file(path: Path) -> bool:
    """Whether it can be read as one, as far as can be told without opening it."""
    try:
        return path.is_file()
    except OSError:  # a name too long, a folder that mustn't be looked into
        return False


def name_of(path: Path) -> str:
    """A name for what a file holds, fit for a position line."""
    return _UNFIT.sub("_", path.stem)


def is_name(text: object) -> bool:
    """Whether that is fit for a position line."""
    return isinstance(text, str) and bool(text) and not _UNFIT.search(text)
