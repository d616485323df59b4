"""What is checked, and how."""

from __future__ import annotations

import msgspec

from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.spec import BotSpec, Command, Listen
from mexica_cli.games.game import Game


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One bot, and the matches that the checks play with it."""

    spec: BotSpec
    game: Game
    players: int
    """Seats in most matches."""
    seed: int
    """All chance follows from it."""
    move: float = 1.0
    """Seconds for a turn."""
    limits: Limits = Limits()

    @property
    def control(self) -> TimeControl:
        """The time control of most matches."""
        return TimeControl(move=self.move)

    @property
    def calls(self) -> bool:
        """Whether the bot connects, rather than being started."""
        return isinstance(self.spec.launch, Listen)

    @property
    def is_program(self) -> bool:
        """Whether the bot is a process of the arena's, whose end can be seen."""
        return isinstance(self.spec.launch, Command)
