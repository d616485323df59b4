"""Plays at random: first a kind of action, then one action of that kind.

Of some thousand legal actions in Mexica nearly all build temples or dig canals. Drawing the kind first gives walking,
founding and ending the turn their share, and so a game that gets somewhere. It needs nothing but the list of legal
actions, so it plays any game.
"""

from __future__ import annotations

from collections import defaultdict

from mexica_cli.client import Bot, Turn, run


class RandomBot(Bot):
    """Plays any game at random, uniformly over kinds of action and then over actions of that kind."""

    name = "random"
    want = ("legal",)

    def play(self, turn: Turn) -> str:
        """One action at a time: the next list of legal actions comes with the next turn message."""
        kinds = defaultdict(list)
        for action in turn.legal or []:
            kinds[action.partition(" ")[0]].append(action)
        return self.random.choice(kinds[self.random.choice(sorted(kinds))])


make = RandomBot.make

if __name__ == "__main__":
    run(RandomBot)
