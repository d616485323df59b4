"""The games of the arena, by name.

A game is loaded when it is first made: who plays one of them never waits for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from mexica_cli.games.game import Game, JsonDict, RuleError

__all__ = ["GAMES", "GameKind", "game_of_position", "load_game", "restore_game"]


class GameKind(NamedTuple):
    """A game of the table below: how it is made, and what is said of it before it is."""

    load: Callable[[str, str | None, Mapping[str, str]], Game]
    """From names or paths of rule set and board, and options as text."""
    restore: Callable[[JsonDict], Game]
    """From what `Game.options` wrote."""
    of_position: Callable[[str], Game]
    """The one, among those that need no file, which a position line is of."""
    rules: tuple[str, ...]
    """The shipped rule sets."""
    seats: tuple[int, int]
    """Least and greatest number of seats."""
    cooperative: bool = False
    """Whether all seats win or lose together."""


class _Package(Protocol):
    """What the package of a game has to offer here."""

    def load(self, rules: str, board: str | None, options: Mapping[str, str]) -> Game: ...

    def restore(self, options: JsonDict) -> Game: ...

    def of_position(self, line: str) -> Game: ...


def _lazily(
    package: Callable[[], _Package], rules: tuple[str, ...], seats: tuple[int, int], *, cooperative: bool = False
) -> GameKind:
    """The kind of game whose package is imported only when a game is made."""
    return GameKind(
        lambda name, board, options: package().load(name, board, options),
        lambda options: package().restore(options),
        lambda line: package().of_position(line),
        rules,
        seats,
        cooperative,
    )


def _mexica() -> _Package:
    from mexica_cli.games import mexica  # noqa: PLC0415

    return mexica


def _moctezuma() -> _Package:
    from mexica_cli.games import moctezuma  # noqa: PLC0415

    return moctezuma


GAMES: dict[str, GameKind] = {
    "mexica": _lazily(_mexica, ("official", "help", "summary"), (2, 4)),
    "moctezuma": _lazily(_moctezuma, ("official",), (1, 5), cooperative=True),
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


def game_of_position(line: str) -> Game:
    """The game, rules and board that a position line names. Raises RuleError, also where they don't come with us."""
    return _kind(line.partition(" ")[0]).of_position(line)


def _kind(name: str) -> GameKind:
    try:
        return GAMES[name]
    except KeyError:
        raise RuleError(f"there is no game {name!r}; there is {', '.join(sorted(GAMES))}") from None
