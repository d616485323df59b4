"""One game as a piece of work that can be done anywhere, and what comes back. Plain Structs: they are pickled."""

from __future__ import annotations

from typing import Any

import msgspec

from mexica_cli.arena.clock import TimeControl
from mexica_cli.record.lines import GameLine, Line, ResultLine
from mexica_cli.tournament.config import Entrant


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be played; all that is needed to do so."""

    match: str
    seats: tuple[str, ...]
    """Names of bots."""
    entrants: dict[str, Entrant]
    """Those of these names."""
    game: str
    options: dict[str, Any]
    """`Game.options`."""
    variant: str | None
    """What the log's header calls these, if they aren't its first."""
    master_seed: int
    control: TimeControl
    attempts: int
    """How often it may be played until it isn't void."""
    folder: str
    """Where commands are run."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a job came to: every line for the log, of void attempts too."""

    lines: list[Line]
    stderr: dict[str, str]
    """What bots that failed wrote to standard error, its end, by name."""

    @property
    def result(self) -> ResultLine:
        """How it ended at last."""
        line = self.lines[-1]
        assert isinstance(line, ResultLine)
        return line

    @property
    def seats(self) -> list[str]:
        """Names of bots by seat."""
        line = self.lines[0]
        assert isinstance(line, GameLine)
        return line.seats
