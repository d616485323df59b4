"""Those who watch a match, as the referee knows them: they are shown things, and nobody waits for them."""

from __future__ import annotations

from typing import Protocol

from mexica_cli.games.game import State
from mexica_cli.wire.messages import Event, Result, Said


class Match(Protocol):
    """A match under way, to look at and not to touch."""

    @property
    def state(self) -> State:
        """The state as it stands, hidden things included."""

    @property
    def actions(self) -> int:
        """How many actions have been done."""


class Audience(Protocol):
    """Those who watch."""

    @property
    def watched(self) -> bool:
        """Whether anybody is there."""

    @property
    def reveal(self) -> bool:
        """Whether they see everything, hidden things included."""

    def begin(self, match: Match) -> None:
        """The match begins, or is gone on with."""

    def show(self, message: Event | Said | Result) -> None:
        """Something has happened. Called right after it, so that the state is the one that it led to."""
