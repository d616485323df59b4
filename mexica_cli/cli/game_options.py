"""What is played: the options with which `match`, `play` and `check` say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from mexica_cli.cli.values import FileName, Setting
from mexica_cli.games import GAMES, load_game
from mexica_cli.games.game import Game

C = TypeVar("C", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--game", type=click.Choice(sorted(GAMES)), default="mexica", help="What is played."),
    click.option("--rules", default="official", metavar="NAME|FILE", help="Rule set, or a TOML file with one."),
    click.option("--board", metavar="NAME|FILE", help="Board, or a text file with one.  [default: the rule set's]"),
    click.option(
        "--cards", type=FileName(exists=True, dir_okay=False), metavar="FILE", help="Cards of Moctezuma, a TOML file."
    ),
    click.option("--option", "options", type=Setting(), multiple=True, help="Change one field of the rule set."),
)


def game_options(command: C) -> C:
    """Decorator: the options, in this order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen_game(given: Mapping[str, Any]) -> Game:
    """The game that they say. Raises RuleError."""
    cards = {"cards": given["cards"]} if given["cards"] else {}
    return load_game(given["game"], given["rules"], given["board"], {**dict(given["options"]), **cards})
