"""Formats whose schedule is known before the first game: round robin, gauntlet, and teams.

All are interleaved: everyone has met everyone before anything is repeated, and within such a cycle all have played
about equally often at any time, so that half a run already says something. A longer schedule begins like a shorter one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.tournament.blocks import Block, Seatings, block, numbered, team_block
from mexica_cli.tournament.designs import design
from mexica_cli.tournament.results import Results


class FormatError(Exception):
    """A tournament that can't be; the message says why and what would do."""


class Format(Protocol):
    """Who meets whom."""

    def round(self, number: int, results: Results) -> list[Block] | None:
        """The blocks of a round, from 0, in the order in which they are played; None after the last round.

        A pure function of the results of the rounds before. Raises Unplayed while games of those are missing.
        """


class _Ahead:
    """A format that is known before the first game: all of it is round 0."""

    def round(self, number: int, results: Results) -> list[Block] | None:
        """See `Format.round`."""
        return None if number else list(self._blocks())

    def _blocks(self) -> Iterable[Block]:
        raise NotImplementedError


class RoundRobin(_Ahead):
    """Every bot meets every other equally often and sits in every seat equally often, at any number of seats.

    With two seats, a cycle is one block of every pair. With more, it is a block design (`designs`): with 3 and 4 seats
    and 5 to 12 bots (and most greater numbers), after every whole cycle all have met equally often; within a cycle, the
    numbers of blocks played differ by at most 2 and those of meetings by at most 3. Each cycle gives the bots other
    places in the design, so that other companies come together.
    """

    def __init__(
        self, bots: Sequence[str], seats: int = 2, cycles: int = 1, seatings: Seatings = Seatings.ROTATED
    ) -> None:
        """Raises FormatError."""
        check_bots(bots, at_least=seats)
        self._bots = sorted(bots)
        self._seats = seats
        self._cycles = cycles
        self._seatings = seatings

    def _blocks(self) -> Iterable[Block]:
        companies = chain.from_iterable(companies_of(self._bots, self._seats, cycle) for cycle in range(self._cycles))
        return (block(bots, times, self._seatings) for bots, times in numbered(companies))


class Gauntlet(_Ahead):
    """Challengers against all others, who don't meet among themselves.

    With more than two seats, one challenger sits with several opponents; where there are too few, some sit more than
    once, by turns.
    """

    def __init__(
        self,
        challengers: Sequence[str],
        opponents: Sequence[str],
        seats: int = 2,
        cycles: int = 1,
        seatings: Seatings = Seatings.ROTATED,
    ) -> None:
        """Raises FormatError."""
        check_bots([*challengers, *opponents])
        if not challengers or not opponents or seats < 2:
            raise FormatError("a gauntlet is for two seats or more and needs at least one challenger and one opponent")
        self._challengers = sorted(challengers)
        self._opponents = sorted(opponents)
        self._seats = seats
        self._cycles = cycles
        self._seatings = seatings

    def _blocks(self) -> Iterable[Block]:
        cycles = chain.from_iterable(self._companies(cycle) for cycle in range(self._cycles))
        companies = ((challenger, *company) for company in cycles for challenger in self._challengers)
        return (block(bots, times, self._seatings) for bots, times in numbered(companies))

    def _companies(self, cycle: int) -> Iterator[Sequence[str]]:
        """The opponents of one game, over a cycle."""
        chairs, opponents = self._seats - 1, self._opponents
        if chairs <= len(opponents):
            return companies_of(opponents, chairs, cycle)
        return (
            [opponents[(first + chair) % len(opponents)] for chair in range(chairs)] for first in range(len(opponents))
        )


class Teams(_Ahead):
    """Cooperative games: every bot, in all seats at once, plays the same deals as every other."""

    def __init__(self, bots: Sequence[str], seats: int, deals: int = 1) -> None:
        """Raises FormatError."""
        check_bots(bots)
        self._bots = sorted(bots)
        self._seats = seats
        self._deals = deals

    def _blocks(self) -> Iterable[Block]:
        return (team_block([bot], deal, self._seats) for deal in range(1, self._deals + 1) for bot in self._bots)


class MixedTeams(_Ahead):
    """Cooperative games: bots play together, everyone with everyone equally often and in every seat.

    The teams are those of a round robin of as many seats. The n-th block of a team is deal n, for all teams.
    """

    def __init__(self, bots: Sequence[str], seats: int, cycles: int = 1) -> None:
        """Raises FormatError."""
        check_bots(bots, at_least=seats)
        if seats < 2:
            raise FormatError("a mixed team has two seats or more; for one seat, let the bots play as teams")
        self._bots = sorted(bots)
        self._seats = seats
        self._cycles = cycles

    def _blocks(self) -> Iterable[Block]:
        teams = chain.from_iterable(companies_of(self._bots, self._seats, cycle) for cycle in range(self._cycles))
        return (team_block(members, times, self._seats) for members, times in numbered(teams))


def companies_of(bots: Sequence[str], size: int, cycle: int) -> Iterator[Sequence[str]]:
    """The sets of bots of one cycle of a design, everyone at a place in it that depends on the cycle."""
    places = Chance(derive_seed("cycle", cycle)).shuffled(bots) if cycle else bots
    return ([places[point] for point in points] for points in design(len(bots), size))


def check_bots(bots: Sequence[str], at_least: int = 1) -> None:
    """Raises FormatError for too few bots, or two of the same name."""
    if len(bots) < at_least:
        raise FormatError(f"{len(bots)} bots for {at_least} seats: name at least {at_least}")
    if twice := {bot for bot in bots if bots.count(bot) > 1}:
        raise FormatError(f"two bots are called {min(twice)!r}: give each a name of its own")
