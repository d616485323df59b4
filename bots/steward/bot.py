"""Plays Moctezuma by rules of thumb, each seat for itself, without looking ahead.

Everything is priced in fortress points. A point of fortress is worth the more, the fewer are left for the attacks to
come; an invocation marker, the fewer cards can still be played in time. A unit is worth its sacrifice, its ability, or
the damage that it will keep off the gods, whichever is most. From that follows the rest: priests are sacrificed to
Quetzalcoatl unless another god offers more, units that can take a point and stay take it first, damage goes to the gods
where it would cost a better card, what isn't urgent waits for Defence, and Moctezuma stays in the hand.

The prices are the arena's own (`mexica_cli.tactics.moctezuma.thumbs`, `.outlook` and `.reckoning`), read off the cards'
effects, so the bot plays other card sets too. It uses its own hand and what lies open: what is imagined of the rest
doesn't matter to it.
"""

from __future__ import annotations

from typing import cast

from mexica_cli.client import ImaginingBot, Start, Turn, run
from mexica_cli.games.moctezuma import State
from mexica_cli.tactics.moctezuma.reckoning import Reckoning
from mexica_cli.tactics.moctezuma.thumbs import choose


class StewardBot(ImaginingBot):
    """Plays Moctezuma by rules of thumb."""

    name = "steward"
    games = ("moctezuma",)

    def start(self, match: Start) -> None:
        """Reckon up the cards."""
        self.reckoning = Reckoning(cast(State, self.state).variant)

    def play(self, turn: Turn) -> str:
        """The action that looks best."""
        state = cast(State, self.state)
        return state.text(choose(self.reckoning, state))


make = StewardBot.make

if __name__ == "__main__":
    run(StewardBot)
