"""Plans whole turns, plays out what would follow, and takes the turn after which it stands best a round later.

How it thinks about a turn:

1. A beam search over plans (go there and build, carve a district out and found it, ...) finds some dozens of whole
   turns. They are ranked by an outlook: the points that every seat may expect, those of places that can't be overtaken
   in full, temples and action tokens in hand at what they bring in the average game.
2. For each of the best turns everybody's next turn is guessed, its own included, by the same search in its quickest
   form; what the outlook says then is the turn's value. So a district closed and not founded, a place that a rival
   overtakes with what it has in hand, or a pawn left far from everything shows by itself.
3. The better half is played on for another round, then the better half of those, while time lasts.

All of that is shared (`mexica_cli.tactics`); here are the order of it and the clock.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from mexica_cli.client import Turn, run
from mexica_cli.games.mexica import State
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.plans import Shapes
from mexica_cli.tactics.mexica.player import TurnBot
from mexica_cli.tactics.mexica.thinker import Line, Thinker
from mexica_cli.tactics.mexica.ways import Actions

PLANNING = 0.3
"""Part of the budget for finding turns; the rest is for playing them on."""
ENDINGS = 3
"""Ways to use the AP left over that are looked at, for so many of the best turns; for the others one."""


class PlannerBot(TurnBot):
    """Plays Mexica: searches whole turns and plays out what would follow."""

    name = "planner"

    @classmethod
    def arguments(cls, parser: argparse.ArgumentParser) -> None:
        """See `Bot.arguments`."""
        super().arguments(parser)
        parser.add_argument("--nodes", type=int, help="states to try in a turn, whatever the clock says")
        parser.add_argument("--width", type=int, default=6, help="states of a turn that are searched on (default 6)")
        parser.add_argument("--turns", type=int, default=16, help="turns that are played on (default 16)")

    def budget(self, turn: Turn) -> Budget:
        """See `TurnBot.budget`."""
        return super().budget(turn) if self.options.nodes is None else Budget(self.options.nodes)

    def think(self, state: State, budget: Budget) -> Actions:
        """See `TurnBot.think`."""
        chosen = Search(self.thinker, state, budget, self.options.width, self.options.turns).run()
        self.note = f"{chosen.value:+.1f} after {chosen.rounds} rounds, {budget.spent} states"
        return chosen.line.actions


class Candidate:
    """A whole turn, and how it goes on."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.state = line.state
        """As far as it was played on."""
        self.outcomes: list[float] = []
        """Utility round after round."""

    @property
    def rounds(self) -> int:
        """Rounds that were played on."""
        return len(self.outcomes)

    @property
    def value(self) -> float:
        """What the turn is worth: the mean over the rounds."""
        return sum(self.outcomes) / len(self.outcomes) if self.outcomes else self.line.utility


def best(candidates: Sequence[Candidate]) -> Candidate:
    """The one worth most of those that were played on; the first, where the budget was too small for any."""
    played = [candidate for candidate in candidates if candidate.rounds] or candidates[:1]
    return max(played, key=lambda candidate: candidate.value)


class Search:
    """The search for one turn."""

    def __init__(self, thinker: Thinker, state: State, budget: Budget, width: int, turns: int) -> None:
        self.thinker, self.state, self.budget, self.width, self.turns = thinker, state, budget, width, turns

    def run(self) -> Candidate:
        """The best turn. Legal also where the budget is nothing."""
        shapes = self.thinker.shapes(self.state, self.budget)
        candidates = self._candidates(shapes)
        while self._play_on(candidates, shapes) and len(candidates) > 1:
            candidates = sorted(candidates, key=lambda candidate: -candidate.value)[: (len(candidates) + 1) // 2]
        return best(candidates)

    def _candidates(self, shapes: Shapes) -> list[Candidate]:
        lines = self.thinker.turns(self.state, shapes, self.budget.part(PLANNING), self.width, tries=12)
        candidates: list[Candidate] = []
        for place, line in enumerate(lines[: self.turns]):
            number = ENDINGS if place < ENDINGS else 1
            candidates += map(Candidate, self.thinker.complete(line, shapes if self.budget.lasts else {}, number))
            if not self.budget.lasts:
                break
        return candidates

    def _play_on(self, candidates: list[Candidate], shapes: Shapes) -> bool:
        """Play every candidate on for a round; False if the budget ended before all were."""
        for candidate in candidates:
            state = self.thinker.ahead(candidate.state, self.state.seat, shapes, self.budget)
            if state is None:
                return False
            candidate.state = state
            candidate.outcomes.append(self.thinker.outlook.view(state, self.state.seat))
        return True


make = PlannerBot.make

if __name__ == "__main__":
    run(PlannerBot)
