"""Making a game: from names and files, or from the options that a game wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mexica_cli.games.game import JsonDict, RuleError, not_shipped
from mexica_cli.games.mexica.board import Board, make_board, read_board
from mexica_cli.games.mexica.game import MexicaGame
from mexica_cli.games.mexica.named_files import DATA, find_file, is_name, name_of
from mexica_cli.games.mexica.notation import FIELDS
from mexica_cli.games.mexica.rule_files import SHIPPED, find_rules, override, rules_from
from mexica_cli.games.mexica.setup import check_board
from mexica_cli.games.mexica.variant import Variant
from mexica_cli.games.position_fields import split_fields

SHIPPED_BOARDS = ("standard", "small", "large")


def load(rules: str, board: str | None, options: Mapping[str, str]) -> MexicaGame:
    """The game under a shipped rule set or one from a TOML file, on a shipped board (None: the standard one) or one
    from a text file, with single rule fields replaced by `options`. Raises RuleError.
    """
    if "cards" in options:
        raise RuleError("Mexica has no cards; leave them out")
    file = find_rules(rules)
    return _game(
        Variant(file.name, override(file.rules, options), find_board(SHIPPED_BOARDS[0] if board is None else board))
    )


def find_board(board: str) -> Board:
    """A shipped board by its name, or one from a text file. Raises RuleError."""
    if board in SHIPPED_BOARDS:
        return read_board(DATA / f"{board}.txt", board)
    path = find_file(board, "board", SHIPPED_BOARDS)
    return read_board(path, name_of(path))


def of_position(line: str) -> MexicaGame:
    """The game under the shipped rule set and on the shipped board that a position line names. Raises RuleError."""
    fields = split_fields("mexica", FIELDS, line)
    for field, shipped in (("rules", SHIPPED), ("board", SHIPPED_BOARDS)):
        if fields[field] not in shipped:
            raise not_shipped(field, fields[field])
    return load(fields["rules"], fields["board"], {})


def _game(variant: Variant) -> MexicaGame:
    check_board(variant)
    return MexicaGame(variant)


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
    board = make_board(read.board.rows, _checked_name(read.board.name, "board"), "options: board")
    return _game(Variant(name, rules_from(rules), board))


def _checked_name(name: object, field: str) -> str:
    if not is_name(name):
        raise RuleError(f"options: {field}: name: give one of letters, digits and . _ -")
    return str(name)
