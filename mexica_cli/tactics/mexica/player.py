"""The part of a bot that any search needs: when it is asked for what, and how long it may think."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import cast

from mexica_cli.client import MirrorBot, Reject, Start, Turn
from mexica_cli.games.mexica import State
from mexica_cli.games.mexica.table import PLACING, VOTE
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.outlook import Outlook, weights_for
from mexica_cli.tactics.mexica.pace import Pace
from mexica_cli.tactics.mexica.plans import AGREE, END, REFUSE
from mexica_cli.tactics.mexica.retiring import agrees, retirement, unusable
from mexica_cli.tactics.mexica.thinker import Thinker
from mexica_cli.tactics.mexica.ways import Actions

THINKING = 0.75
"""Part of a turn's budget for the turn itself, where a proposal may follow."""


class TurnBot(MirrorBot):
    """Plays Mexica turn by turn; a subclass says how it chooses one."""

    games = ("mexica",)
    clock: Callable[[], float] = staticmethod(time.monotonic)

    @classmethod
    def arguments(cls, parser: argparse.ArgumentParser) -> None:
        """See `Bot.arguments`."""
        parser.add_argument("--share", type=_share, default=0.5, help="part of a turn's time to use (default 0.5)")

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.thinker = Thinker()
        self.pace = Pace(options.share)
        self._careful: int | None = None
        """The turn in which the arena has rejected something."""

    def start(self, match: Start) -> None:
        """Forget the last match: the board may be another."""
        self.thinker = Thinker(Outlook(weights_for(len(match.seats))))
        self.pace = Pace(self.options.share)
        self._careful = None

    def rejected(self, reject: Reject) -> None:
        """Be careful in this turn: the arena sees something otherwise."""
        self._careful = reject.id

    def play(self, turn: Turn) -> list[str]:
        """The whole turn in one answer, or up to a proposal, whose outcome isn't known yet."""
        self.pace.asked(turn.clock)
        state = cast(State, self.state)
        if turn.id == self._careful and state.is_legal(END):
            chosen: Actions = (END,)
        elif state.phase == PLACING:
            chosen = (self.random.choice(sorted(state.legal_actions())),)
        elif state.phase == VOTE:
            chosen = (AGREE if agrees(self.thinker, state, self.budget(turn)) else REFUSE,)
        else:
            chosen = self._turn(state, self.budget(turn))
        return [state.text(action) for action in chosen]

    def budget(self, turn: Turn) -> Budget:
        """What an answer may cost, by the clock."""
        return Budget(seconds=self.pace.seconds(turn.clock), clock=self.clock)

    def _turn(self, state: State, budget: Budget) -> Actions:
        """A turn; where a token is on display that nobody can use, maybe with a proposal in place of the end."""
        size = unusable(state)
        chosen = self.think(state, budget if size is None else budget.part(THINKING))
        if size is None or chosen[-1] != END:
            return chosen
        last = state.copy()
        for action in chosen[:-1]:
            last.apply(action)
        proposal = retirement(self.thinker, last, size, budget)
        return chosen if proposal is None else (*chosen[:-1], proposal)

    def think(self, state: State, budget: Budget) -> Actions:
        """All actions of a turn, within a budget that is made by the clock."""
        raise NotImplementedError


def _share(text: str) -> float:
    """A part of one, as an option's value."""
    share = float(text)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no part of a turn's time; write a number above 0, at most 1")
    return share
