"""The game as `games.game.Game` wants it: a rule set with its board."""

from __future__ import annotations

import msgspec

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import JsonDict, RuleError
from mexica_cli.games.mexica import position_reader
from mexica_cli.games.mexica.setup import check_players, deal, lay_out, most_players, read_setup
from mexica_cli.games.mexica.state import State
from mexica_cli.games.mexica.variant import Variant


class MexicaGame:
    """Mexica under one rule set on one board."""

    name = "mexica"
    cooperative = False
    open_information = True

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    @property
    def rules(self) -> str:
        """Name of the rule set."""
        return self.variant.rules_name

    @property
    def seats(self) -> tuple[int, int]:
        """Least and greatest number of seats; the greatest may be less than 4 on a board with few starting spaces."""
        return 2, most_players(self.variant)

    def deal(self, players: int, seed: int) -> JsonDict:
        """`{"calpulli": [sizes of period 1, of period 2], "neutral": {cell: level}}`, for a seed of 0 or more."""
        dealt: JsonDict = msgspec.to_builtins(deal(self.variant, players, seed))
        return dealt

    def start(self, players: int, setup: JsonDict) -> State:
        """The first state of a game with that set-up. Raises RuleError."""
        check_players(self.variant, players)
        return lay_out(State(), self.variant, players, read_setup(self.variant, players, setup))

    def from_position(self, text: str) -> State:
        """The state of a position line. Raises RuleError that names the field."""
        return position_reader.read(State(), self.variant, text)

    def imagine(self, state: JsonDict, seat: int | None, chance: Chance) -> State:
        """The state that was observed: nothing of it is hidden. Raises RuleError."""
        position = state.get("position")
        if not isinstance(position, str):
            raise RuleError("state: it has no position")
        return self.from_position(position)

    def options(self) -> JsonDict:
        """Rule set and board as JSON, for `restore`."""
        return self.variant.options()
