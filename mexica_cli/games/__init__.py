"""The games of the arena, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mexica_cli.games import mexica, moctezuma
from mexica_cli.games.game import Game, JsonDict, RuleError

__all__ = ["GAMES", "GameKind", "load_game", "restore_game"]


class GameKind(NamedTuple):
    """A game of the table below: how it is made, and what is said of it before it is."""

    load: Callable[[str, str | None, Mapping[str, str]], Game]
    """From names or paths of rule set and board, and options as text."""
    restore: Callable[[JsonDict], Game]
    """From what `Game.options` wrote."""
    rules: tuple[str, ...]
    """The shipped rule sets."""
    seats: tuple[int, int]
    """Least and greatest number of seats."""
    cooperative: bool = False
    """Whether all seats win or lose together."""


GAMES: dict[str, GameKind] = {
    "mexica": GameKind(mexica.load, mexica.restore, mexica.SHIPPED, mexica.SEATS),
    "moctezuma": GameKind(moctezuma.load, moctezuma.restore, moctezuma.SHIPPED, moctezuma.SEATS, cooperative=True),
}


def load_game(
    name: str, rules: str = "official", board: str | None = None, options: Mapping[str, str] | None = None
) -> Game:
    """The game `name` under a shipped rule set or a rule file, on a shipped board or a board file.

    `options` override single rule fields, as text (`{"stall_rounds": "off"}`). Raises RuleError for anything that can't
    be used.
    """
    return _kind(name).load(rules, board, options or {})


def restore_game(name: str, options: JsonDict) -> Game:
    """The game that `Game.options` described, made without any file. Raises RuleError."""
    return _kind(name).restore(options)


def _kind(name: str) -> GameKind:
    try:
        return GAMES[name]
    except KeyError:
        raise RuleError(f"there is no game {name!r}; there is {', '.join(sorted(GAMES))}") from None
