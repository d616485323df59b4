"""A log of some of a log's games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from mexica_cli.record.lines import VOID, GameLine, Header, ResultLine
from mexica_cli.record.reader import LogReader

ANY = "any"
"""Any kind of fault."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Which games are wanted: those that fit every condition. An empty list, or None, is no condition."""

    matches: list[str] = []
    """One of these ids."""
    bots: list[str] = []
    """All of these play."""
    players: list[int] = []
    """One of these numbers of seats."""
    rules: list[str] = []
    """Under one of these rule sets."""
    variants: list[str] = []
    """Under one of these of the header's variants."""
    outcomes: list[str] = []
    """One of these outcomes."""
    faults: list[str] = []
    """A seat forfeited by one of these kinds of fault, or of `ANY`."""
    winners: list[str] = []
    """One of these is in first place, perhaps not alone; in games without a team."""
    team_won: bool | None = None
    """The team won, or lost."""
    inverted: bool = False
    """Those that don't fit are wanted."""

    def may_want(self, header: Header, game: GameLine) -> bool:
        """Whether a game that begins like this may be wanted, however it ends."""
        return self.inverted or self._fits_beginning(header, game)

    def wants(self, header: Header, game: GameLine, result: ResultLine) -> bool:
        """Whether a game is wanted."""
        return self.inverted != (self._fits_beginning(header, game) and self._fits_end(game, result))

    def _fits_beginning(self, header: Header, game: GameLine) -> bool:
        variant = header.variants.get(game.variant or "", header)
        return (
            _among(game.match, self.matches)
            and set(self.bots) <= set(game.seats)
            and _among(len(game.seats), self.players)
            and _among(variant.rules, self.rules)
            and _among(game.variant, self.variants)
        )

    def _fits_end(self, game: GameLine, result: ResultLine) -> bool:
        kinds = {fault.kind for fault in result.reasons if fault} if result.outcome != VOID else set()
        first = {bot for bot, place in zip(game.seats, result.ranking, strict=False) if place == 1}
        return (
            _among(result.outcome, self.outcomes)
            and (not self.faults or not kinds.isdisjoint(self.faults) or (ANY in self.faults and bool(kinds)))
            and (not self.winners or not first.isdisjoint(self.winners))
            and (self.team_won is None or result.won == self.team_won)
        )


def _among(value: Any, wanted: list[Any]) -> bool:
    return not wanted or value in wanted


class Selected(msgspec.Struct):
    """How much of a log was wanted, so far."""

    games: int = 0
    wanted: int = 0


def select(reader: LogReader, selection: Selection, write: Callable[[bytes], object]) -> Selected:
    """Write the header and the whole games that are wanted, as they are; void ones are games too here.

    A game is held in memory until its end, unless its beginning tells that it isn't wanted. Raises LogError.
    """
    counts = Selected()
    kept: list[bytes] | None = None
    for _, line in reader:
        match line:
            case Header():
                header = line
                write(reader.raw)
            case GameLine():
                game = line
                kept = [reader.raw] if selection.may_want(header, line) else None
            case ResultLine():
                counts.games += 1
                if kept is not None and selection.wants(header, game, line):
                    counts.wanted += 1
                    write(b"".join([*kept, reader.raw]))
            case _:
                if kept is not None:
                    kept.append(reader.raw)
    return counts
