"""Making a game: from names and files, or from the options that a game wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from mexica_cli.games.game import JsonDict, RuleError
from mexica_cli.games.mexica.board import Board, parse_board, read_board
from mexica_cli.games.mexica.game import MexicaGame
from mexica_cli.games.mexica.rules import DATA, SHIPPED, RuleSet, override, read_rules, rules_from, shipped_rules
from mexica_cli.games.mexica.variant import Variant

SHIPPED_BOARDS = ("standard",)

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


def load(rules: str, board: str | None, options: Mapping[str, str]) -> MexicaGame:
    """The game under a shipped rule set or one from a TOML file, on a shipped board (None: the standard one) or one
    from a text file, with single rule fields replaced by `options`. Raises RuleError.
    """
    name, rule_set = _rules(rules)
    return MexicaGame(Variant(name, override(rule_set, options), _board(board or SHIPPED_BOARDS[0])))


def _rules(rules: str) -> tuple[str, RuleSet]:
    if rules in SHIPPED:
        return rules, shipped_rules(rules)
    return _stem(rules), read_rules(_file(rules, "rule set", SHIPPED))


def _board(board: str) -> Board:
    if board in SHIPPED_BOARDS:
        return read_board(DATA / f"{board}.txt", board)
    return read_board(_file(board, "board", SHIPPED_BOARDS), _stem(board))


def _file(name: str, thing: str, shipped: tuple[str, ...]) -> Path:
    path = Path(name)
    if not path.is_file():
        raise RuleError(f"there is no {thing} or file {name!r}; there is {', '.join(shipped)}, or give a file's path")
    return path


def _stem(path: str) -> str:
    """A name for what a file holds, fit for a position line."""
    return _UNFIT.sub("_", Path(path).stem)


class _BoardOptions(msgspec.Struct, frozen=True):
    name: str
    rows: list[str]


class _Options(msgspec.Struct, frozen=True):
    """The shape of `Game.options`."""

    rules: dict[str, Any]
    board: _BoardOptions


def restore(options: JsonDict) -> MexicaGame:
    """The game that `MexicaGame.options` described. Raises RuleError."""
    try:
        read = msgspec.convert(options, _Options)
    except msgspec.ValidationError as error:
        raise RuleError(f"options: {error}") from None
    rules = dict(read.rules)
    name = _checked_name(rules.pop("name", None), "rules")
    board = parse_board("\n".join(read.board.rows), _checked_name(read.board.name, "board"), "options: board")
    return MexicaGame(Variant(name, rules_from(rules), board))


def _checked_name(name: object, field: str) -> str:
    if not isinstance(name, str) or not name or _UNFIT.search(name):
        raise RuleError(f"options: {field}: name: give one of letters, digits and . _ -")
    return name
