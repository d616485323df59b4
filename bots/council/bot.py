"""Plays Moctezuma by trying its choices out in worlds that it imagines.

A world is the game as it could be: all that the seat sees, and the hands, decks and covered cards that it can't see
drawn at random. In each world every choice that looks sensible is tried; play goes on by the rules of thumb of
`steward`, in all seats, until the Planning of the next round, and is judged by the chance to win from there. All
choices are tried in the same worlds, so that they differ by what they do and not by luck. A choice that falls behind
the leading one by more than chance explains, or comes to the same in every world, is tried no further, and the rules of
thumb are followed unless another choice does better by more than chance explains.

With `--playouts N` it tries so many times for each of its decisions, and plays the same match the same way again.
Few tries go to few choices, so that each can be judged. Otherwise it takes a share of the time that its clock leaves
it.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from typing import cast

from mexica_cli.client import ImaginingBot, Start, Turn, run
from mexica_cli.games.chance import Chance
from mexica_cli.games.moctezuma import State
from mexica_cli.games.moctezuma.table import PLANNING, WON
from mexica_cli.tactics.moctezuma.outlook import Outlook
from mexica_cli.tactics.moctezuma.reckoning import Reckoning
from mexica_cli.tactics.moctezuma.thumbs import best, choose
from mexica_cli.wire.messages import Clock

CHOICES = 6
"""Choices that are tried, at most: those that look best to the rules of thumb."""
UNTIMED = 300
"""Tries for a decision where there is no clock."""
WORLDS = 4
"""Worlds between two looks at who is behind, and that a choice needs to be judged."""
BEHIND, AHEAD = 1.0, 1.0
"""Standard errors by which a choice is given up, and by which one must lead the rules of thumb's own."""
SHARE = 0.2
"""Of the time left for a turn, what one of its answers takes."""
ANSWERS = 60
"""Answers that a bank should last for."""
GoOn = Callable[[int], bool]
"""Whether to go on after so many tries."""


class CouncilBot(ImaginingBot):
    """Plays Moctezuma by playing its choices out in imagined worlds."""

    name = "council"
    games = ("moctezuma",)

    @classmethod
    def arguments(cls, parser: argparse.ArgumentParser) -> None:
        """`--playouts`."""
        parser.add_argument("--playouts", type=int, metavar="N", help="tries for a decision (default: by the clock)")

    def start(self, match: Start) -> None:
        """Reckon up the cards."""
        self.reckoning = Reckoning(cast(State, self.state).variant)

    def play(self, turn: Turn) -> str:
        """The choice that does best."""
        state = cast(State, self.state)
        playouts = self.options.playouts
        debate = Debate(self.reckoning, state, self.seat, self.chance, choices_for(playouts))
        debate.hold(patience(turn.clock, playouts))
        self.note = f"{debate.tried} tries, {debate.promise():.2f}"
        return state.text(debate.chosen())


# ---- time ------------------------------------------------------------------------------------------------------------


def patience(clock: Clock, playouts: int | None) -> GoOn:
    """How long to go on: for so many tries, or by the clock."""
    seconds = time_for(clock)
    if playouts is not None or seconds is None:
        most = UNTIMED if playouts is None else playouts
        return lambda tried: tried < most
    until = time.monotonic() + seconds
    return lambda _: time.monotonic() < until


def time_for(clock: Clock) -> float | None:
    """Seconds for one answer; None where there is no limit. A turn can ask for many answers, one after the other."""
    if clock.left_ms is None:
        return None
    seconds = SHARE * clock.left_ms / 1000
    if clock.bank_ms is not None:
        seconds = min(seconds, clock.bank_ms / 1000 / ANSWERS)
    return seconds


def choices_for(playouts: int | None) -> int:
    """Choices to try: no more than can each be judged in so many tries, but two."""
    return CHOICES if playouts is None else max(2, min(CHOICES, playouts // WORLDS))


# ---- the search ------------------------------------------------------------------------------------------------------


class Debate:
    """The choices of a seat in one position, tried in the same worlds, one batch of worlds after the other."""

    def __init__(self, reckoning: Reckoning, state: State, seat: int, chance: Chance, choices: int = CHOICES) -> None:
        """`state` is as the seat sees it; what is hidden in it isn't looked at. `choices` are tried at most."""
        self.reckoning, self.state, self.seat, self.chance = reckoning, state, seat, chance
        self.results: dict[int, list[float]] = {action: [] for action in best(reckoning, state, choices)}
        """By choice that is still in question, how each world ended. The rules of thumb's own is the first."""
        self.first = next(iter(self.results))
        self.tried = 0

    def hold(self, go_on: GoOn) -> None:
        """Try the choices until one is left, or it is time to stop."""
        while len(self.results) > 1 and go_on(self.tried):
            for _ in range(WORLDS):
                if self.tried and not go_on(self.tried):
                    return
                self._try_all()
            self._give_up()

    def chosen(self) -> int:
        """The rules of thumb's own choice, or another that does clearly better."""
        leader = self._leader()
        if self.first not in self.results or self._lead(leader, self.first) > AHEAD:
            return leader
        return self.first

    def promise(self) -> float:
        """What the choice came to, from 0 to 1; 0 where nothing was tried."""
        results = self.results.get(self.chosen())
        return statistics.fmean(results) if results else 0.0

    def _try_all(self) -> None:
        world = self.state.sample_hidden(self.seat, self.chance)
        for action, results in self.results.items():
            results.append(outcome(self.reckoning, world, action))
            self.tried += 1

    def _give_up(self) -> None:
        leader = self._leader()
        self.results = {
            action: results
            for action, results in self.results.items()
            if action == leader or (results != self.results[leader] and self._lead(leader, action) < BEHIND)
        }

    def _leader(self) -> int:
        return max(self.results, key=lambda action: sum(self.results[action]))

    def _lead(self, one: int, other: int) -> float:
        """By how many standard errors one choice does better than another in the same worlds."""
        differences = [a - b for a, b in zip(self.results[one], self.results[other], strict=True)]
        if len(differences) < WORLDS:
            return 0.0
        mean, spread = statistics.fmean(differences), statistics.stdev(differences)
        if not spread:
            return math.copysign(math.inf, mean) if mean else 0.0
        return mean / spread * math.sqrt(len(differences))


def outcome(reckoning: Reckoning, world: State, action: int) -> float:
    """How good a world is after an action and a round by the rules of thumb: the chance to win, from 0 to 1."""
    state, until = world.copy(), world.round + 1
    state.apply(action)
    while state.options and (state.round, state.phase) < (until, PLANNING):
        state.apply(choose(reckoning, state))
    return Outlook(reckoning, state).chance() if state.options else float(state.outcome == WON)


make = CouncilBot.make

if __name__ == "__main__":
    run(CouncilBot)
