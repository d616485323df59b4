"""What every step of an effect has to answer: how it goes on, and what an answer to its question does.

The innermost effect's step is done bit by bit. A method here advances the effect, or counts what is done of the step,
before it changes anything else: a change can end the effect it is part of (reading 11), or begin another.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from mexica_cli.games.moctezuma.language import Step
from mexica_cli.games.moctezuma.table import Frame, Question, Table
from mexica_cli.games.moctezuma.zones import Log

S = TypeVar("S", bound=Step)

Asking = Question | None
"""A question, or None: something was done, look again."""


class Effect(Generic[S]):
    """How a kind of step is done. It has no state: all of that is in the table."""

    def go_on(self, table: Table, step: S, frame: Frame, log: Log) -> Asking:
        """Do the next bit of the step, or say what it asks."""
        raise NotImplementedError

    def answer(self, table: Table, step: S, frame: Frame, action: int, log: Log) -> None:
        """Do what the question was answered with. Only of steps that ask."""
        raise NotImplementedError
