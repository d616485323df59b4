"""The game as `games.game.Game` wants it: cards and options."""

from __future__ import annotations

import msgspec

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import JsonDict
from mexica_cli.games.moctezuma import position_reader
from mexica_cli.games.moctezuma.imagining import imagine
from mexica_cli.games.moctezuma.rules import SEATS
from mexica_cli.games.moctezuma.setup import check_players, deal, lay_out, read_setup
from mexica_cli.games.moctezuma.state import State
from mexica_cli.games.moctezuma.variant import Variant


class MoctezumaGame:
    """Moctezuma with one set of cards and options. All seats win or lose together."""

    name = "moctezuma"
    rules = "official"
    seats = SEATS
    cooperative = True
    open_information = False

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    def deal(self, players: int, seed: int) -> JsonDict:
        """`{"mexica", "conquistadors", "gods", "parts": ids from the top, "chance": number}`; a seed is 0 or more."""
        dealt: JsonDict = msgspec.to_builtins(deal(self.variant, players, seed))
        return dealt

    def start(self, players: int, setup: JsonDict) -> State:
        """The first state of a game with that set-up. Raises RuleError."""
        check_players(players)
        return lay_out(State(), self.variant, players, read_setup(self.variant, setup))

    def from_position(self, text: str) -> State:
        """The state of a position line. Raises RuleError that names the field."""
        return position_reader.read(State(), self.variant, text)

    def imagine(self, state: JsonDict, seat: int | None, chance: Chance) -> State:
        """A state that looks to that seat like `state`, an observation of it as JSON. Raises RuleError."""
        return imagine(State(), self.variant, state, seat, chance)

    def options(self) -> JsonDict:
        """Options and cards as JSON, for `restore`."""
        return self.variant.options_json()
