"""A rule set on a board: what all states of a game share and none changes."""

from __future__ import annotations

import hashlib
from functools import cached_property

import msgspec

from mexica_cli.games.game import JsonDict
from mexica_cli.games.mexica.action_text import ActionText
from mexica_cli.games.mexica.actions import Lister
from mexica_cli.games.mexica.board import Board
from mexica_cli.games.mexica.rules import RuleSet


class Variant:
    """Rules, board and what is made ready from them."""

    def __init__(self, rules_name: str, rules: RuleSet, board: Board) -> None:
        self.rules_name = rules_name
        self.rules = rules
        self.board = board
        self.texts = ActionText(board, rules)
        self.lister = Lister(board)

    def options(self) -> JsonDict:
        """The whole of it as JSON: `{"rules": {"name", fields...}, "board": {"name", "rows"}}`."""
        fields: JsonDict = msgspec.to_builtins(self.rules)
        return {
            "rules": {"name": self.rules_name, **fields},
            "board": {"name": self.board.name, "rows": list(self.board.rows)},
        }

    @cached_property
    def fingerprint(self) -> bytes:
        """A hash over `options`."""
        return hashlib.blake2b(msgspec.json.encode(self.options()), digest_size=8).digest()
