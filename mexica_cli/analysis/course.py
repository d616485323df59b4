"""What is known of an action beyond its line, counted along as the actions of a game go by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from mexica_cli.record.lines import ActionLine


class Moment(NamedTuple):
    """An action, and when in the game it was done. None is what the game doesn't have."""

    verb: str
    """The first word of the action's text."""
    size: int | None = None
    """What the action is a number of: level of a temple, spaces of a canal, size of a token."""
    card: str | None = None
    """The card that it is about."""
    turn: int | None = None
    """As in the state before the action; so are the next three."""
    round: int | None = None
    period: int | None = None
    phase: str | None = None
    ap: int | None = None
    """AP that it cost."""
    ap_left: int | None = None
    """AP left after it to the seat that has the turn; after an `end`, what it left unused."""


class Course(Protocol):
    """One game, as far as its actions have been given to `take`."""

    @property
    def rounds(self) -> int | None:
        """The round of the last action."""

    @property
    def turns(self) -> Sequence[int] | None:
        """Turns by seat."""

    @property
    def unused(self) -> Sequence[int] | None:
        """AP left unused at the ends of turns, in all, by seat."""

    @property
    def ending(self) -> str | None:
        """How the game came to its end by the rules; None before."""

    def take(self, line: ActionLine) -> Moment:
        """The next action. Raises BadAction for a text that names none."""


class PlainCourse:
    """The course of a game of which nothing more is known."""

    rounds: None = None
    turns: None = None
    unused: None = None
    ending: None = None

    def take(self, line: ActionLine) -> Moment:
        """The next action."""
        return Moment(line.action.partition(" ")[0])
