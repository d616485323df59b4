"""Searches the tree of turns of all seats: Monte Carlo tree search over whole turns, each seat for itself (max-n).

A node of the tree is a position at the start of a turn, a branch a whole turn. How it thinks:

1. A turn's candidates come from the same beam search over plans that `planner` uses, best first by its outlook.
2. Progressive widening: a node looks at its best candidate first, and at one more with every further square number of
   visits, so that the tree grows deep although there are thousands of turns.
3. From the tree's edge everybody's turn is guessed quickly until the seat that searches has just had its own: only
   there is the outlook asked, a vector of points by seat. Positions are compared fairly in no other way.
4. The vector goes back up. At each node the seat on turn prefers, by an upper confidence bound, what serves itself.

The turn that was visited most is played. Each iteration is short, so the search can stop whenever time is up.
"""

from __future__ import annotations

import argparse
import math

from mexica_cli.client import Turn, run
from mexica_cli.games.mexica import State
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.plans import Shapes
from mexica_cli.tactics.mexica.player import TurnBot
from mexica_cli.tactics.mexica.thinker import Line, Thinker, ended
from mexica_cli.tactics.mexica.ways import Actions

PLANNING = 0.25
"""Part of the time for finding the root's candidates."""


TURNS = 24
"""Turns at the root."""
ENDINGS = 3
"""Ways to use the AP left over that are looked at, for so many of the best turns; for the others one."""


class MctsBot(TurnBot):
    """Plays Mexica by Monte Carlo tree search over whole turns."""

    name = "mcts"

    @classmethod
    def arguments(cls, parser: argparse.ArgumentParser) -> None:
        """See `Bot.arguments`."""
        super().arguments(parser)
        parser.add_argument("--iterations", type=int, help="iterations in a turn, whatever the clock says")
        parser.add_argument("--explore", type=float, default=4.0, help="points' worth of exploration (default 4)")

    def budget(self, turn: Turn) -> Budget:
        """See `TurnBot.budget`."""
        return super().budget(turn) if self.options.iterations is None else Budget()

    def think(self, state: State, budget: Budget) -> Actions:
        """See `TurnBot.think`."""
        iterations = self.options.iterations
        tree = Tree(self.thinker, state, budget, self.options.explore)
        tree.search(MOST_ITERATIONS if iterations is None else iterations)
        best = tree.best
        utility = tree.utility(best.mean, state.seat) if best.visits else best.line.utility
        self.note = f"{utility:+.1f}, {tree.root.visits} iterations, {best.visits} of this turn"
        return best.line.actions


MOST_ITERATIONS = 1000
"""Where there is no limit of time."""


class Branch:
    """A turn out of a node, and the node that it leads to."""

    def __init__(self, line: Line, state: State) -> None:
        self.line = line
        self.state = state
        """After the turn's end."""
        self.node: Node | None = None
        self.visits = 0
        self.total = [0.0] * state.players
        """Sum by seat of the points that were expected after it."""

    @property
    def mean(self) -> list[float]:
        """Expected points by seat."""
        return [points / self.visits for points in self.total]

    def add(self, values: list[float]) -> None:
        """Count one more outcome."""
        self.visits += 1
        self.total = [old + new for old, new in zip(self.total, values, strict=True)]


class Node:
    """A position at the start of a turn, with the turns that were found for it."""

    def __init__(self, state: State, branches: list[Branch]) -> None:
        self.state, self.branches = state, branches
        self.visits = 0

    @property
    def open(self) -> list[Branch]:
        """The branches that may be looked at by now."""
        return self.branches[: math.isqrt(self.visits) + 1]


class Tree:
    """The tree of one search."""

    def __init__(self, thinker: Thinker, state: State, budget: Budget, explore: float) -> None:
        self.thinker, self.budget, self.explore = thinker, budget, explore
        self.seat = state.seat
        self.shapes: Shapes = thinker.shapes(state, budget)
        self.root = Node(state, self._root_branches(state))

    def search(self, iterations: int) -> None:
        """Iterate so often, or until the budget ends."""
        while self.root.visits < iterations and self.budget.lasts and len(self.root.branches) > 1:
            if not self._iterate():
                break

    @property
    def best(self) -> Branch:
        """The root's branch that was visited most; of several, the one that promises most."""
        return max(self.root.branches, key=lambda branch: (branch.visits, self._promise(branch)))

    def _promise(self, branch: Branch) -> float:
        return self.utility(branch.mean, self.seat) if branch.visits else branch.line.utility

    def utility(self, values: list[float], seat: int) -> float:
        """What counts for a seat."""
        return self.thinker.outlook.utility(values, seat)

    # ---- an iteration ----

    def _iterate(self) -> bool:
        """Go down to the tree's edge, and up again with what is expected there; False if the budget ended before."""
        path, node = [self._choose(self.root)], self.root
        nodes = [node]
        while path[-1].visits and path[-1].state.to_act is not None:
            node = self._node(path[-1])
            if not node.branches:
                break
            nodes.append(node)
            path.append(self._choose(node))
        values = self._outcome(path[-1].state, len(nodes) > 1 and nodes[-1].state.seat == self.seat)
        if values is None:
            return False
        for node, branch in zip(nodes, path, strict=True):
            node.visits += 1
            branch.add(values)
        return True

    def _choose(self, node: Node) -> Branch:
        """The branch with the best upper confidence bound, for the seat on turn; new ones first."""
        seat, logarithm = node.state.seat, math.log(node.visits + 1)

        def bound(branch: Branch) -> float:
            if not branch.visits:
                return math.inf
            return self.utility(branch.mean, seat) + self.explore * math.sqrt(logarithm / branch.visits)

        return max(node.open, key=bound)

    def _outcome(self, state: State, again: bool) -> list[float] | None:
        """Points expected by seat when the searching seat has had another turn; None if the budget ended before.

        `again`: that turn has just been taken, in the tree.
        """
        if not again:
            later = self.thinker.ahead(state, self.seat, self.shapes, self.budget)
            if later is None:
                return None
            state = later
        return self.thinker.outlook.values(state)

    # ---- candidates ----

    def _root_branches(self, state: State) -> list[Branch]:
        """The turns that may be played: a broad search, and with each what is best done with the AP left."""
        lines = self.thinker.turns(state, self.shapes, self.budget.part(PLANNING), width=6, tries=12)
        branches: list[Branch] = []
        for place, line in enumerate(lines[:TURNS]):
            number = ENDINGS if place < ENDINGS else 1
            whole = self.thinker.complete(line, self.shapes if self.budget.lasts else {}, number)
            branches += [Branch(line, line.state) for line in whole]
            if not self.budget.lasts:
                break
        return branches

    def _node(self, branch: Branch) -> Node:
        """The node that a branch leads to, made when it is first needed: a narrow search."""
        if branch.node is None:
            state = branch.state
            lines = self.thinker.turns(state, self.shapes, self.budget, width=2, tries=6, depth=4)
            branch.node = Node(state, [Branch(line, ended(line.state, state.turn)) for line in lines[:8]])
        return branch.node


make = MctsBot.make

if __name__ == "__main__":
    run(MctsBot)
