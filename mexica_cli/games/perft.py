"""Move counts (perft): the usual way to find out whether two programs have the same rules."""

from __future__ import annotations

from mexica_cli.games.game import State


class OverBudget(Exception):
    """A move count would have looked at more positions than it may."""


class MoveCounter:
    """Counts sequences of actions, looking at no more than `budget` positions. Raises OverBudget."""

    def __init__(self, budget: int) -> None:
        self._left = budget

    def count(self, state: State, depth: int) -> int:
        """Sequences of exactly `depth` actions from here; one that ends the game before doesn't count."""
        if depth == 0:
            return 1
        actions = self._look(state)
        if depth == 1:
            return len(actions)
        return sum(self.count(_after(state, action), depth - 1) for action in actions)

    def divide(self, state: State, depth: int) -> dict[str, int]:
        """The same by first action, in byte order of the actions."""
        actions = sorted((state.text(action), action) for action in self._look(state))
        return {text: self.count(_after(state, action), depth - 1) for text, action in actions}

    def _look(self, state: State) -> list[int]:
        if self._left == 0:
            raise OverBudget
        self._left -= 1
        return state.legal_actions()


def _after(state: State, action: int) -> State:
    after = state.copy()
    after.apply(action)
    return after
