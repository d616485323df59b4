"""The book of a ladder: what follows from its games, one after the other. Pure arithmetic.

Ratings are Elo's, on the usual scale, brought up to date after every game: against each other seat, a bot gains what it
got more than was expected, all of it at the ratings before the game, so that ties and the order of the seats don't
matter. A game costs constant work whatever the ladder's age, and a bot that its author improves is followed; both speak
for this and against a fit of all games at a time. The order of the games does matter, a little. It is that of the log,
so whoever counts again gets the same numbers; `mexica rate` fits the same log without regard to order, with intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import msgspec

from mexica_cli.record.lines import VOID, ResultLine

BEGINNER = 1500.0
"""Rating of a bot without games."""
STEP = 16.0
"""Elo's K: no game of a settled bot gains or costs it more."""
HASTE = 4.0
"""A newcomer's steps are so many times as long."""
SETTLED = 30
"""Games until the steps have their final length."""


class Entry(msgspec.Struct, kw_only=True):
    """One bot."""

    bot: str
    rating: float = BEGINNER
    games: int = 0
    wins: float = 0.0
    """First places without a forfeit; one shared by k counts 1/k for each."""
    forfeits: int = 0
    failures: int = 0
    """Forfeits in a row, up to now."""
    seats: list[int] = []
    """How often it has sat in each seat, as far as it has come."""

    def sat(self, seat: int) -> int:
        """How often it has sat there."""
        return self.seats[seat] if seat < len(self.seats) else 0

    def sit(self, seat: int) -> None:
        """It has sat there once more."""
        self.seats += [0] * (seat + 1 - len(self.seats))
        self.seats[seat] += 1


def pair(one: str, other: str) -> tuple[str, str]:
    """The key of two bots, whichever comes first."""
    return (one, other) if one <= other else (other, one)


def meetings(bots: Sequence[str]) -> list[tuple[str, str]]:
    """The keys of every two of these bots."""
    return [pair(*two) for two in combinations(bots, 2)]


class Book:
    """All bots of a ladder."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.entries: dict[str, Entry] = {}
        self.meetings: Counter[tuple[str, str]] = Counter()
        """How often two have met."""

    def of(self, bot: str) -> Entry:
        """The bot's entry, made where there is none."""
        if bot not in self.entries:
            self.entries[bot] = Entry(bot=bot)
        return self.entries[bot]

    def enter(self, seats: Sequence[str], result: ResultLine) -> None:
        """One more game; a void one changes nothing."""
        if result.outcome == VOID:
            return
        players = [self.of(bot) for bot in seats]
        gains = [self._gain(players, result.ranking, seat) for seat in range(len(players))]
        for seat, (player, gain) in enumerate(zip(players, gains, strict=True)):
            player.rating += gain
            player.games += 1
            player.sit(seat)
            self._count(player, result, seat)
        self.meetings.update(meetings(seats))

    def _gain(self, players: Sequence[Entry], ranking: Sequence[int], seat: int) -> float:
        """What the seat's bot gains: the mean over the other seats."""
        me, place = players[seat], ranking[seat]
        surplus = sum(
            (place < other_place) + 0.5 * (place == other_place) - expected(me.rating - other.rating)
            for number, (other, other_place) in enumerate(zip(players, ranking, strict=True))
            if number != seat
        )
        return _step(me.games) * surplus / (len(players) - 1)

    def _count(self, player: Entry, result: ResultLine, seat: int) -> None:
        if result.reasons[seat] is not None:
            player.forfeits += 1
            player.failures += 1
            return
        player.failures = 0
        if result.ranking[seat] == 1:
            player.wins += 1 / result.ranking.count(1)

    def standings(self) -> list[Entry]:
        """Best first."""
        return sorted(self.entries.values(), key=lambda entry: (-entry.rating, entry.bot))


def expected(difference: float) -> float:
    """The part of the points that is expected of a bot rated so much higher."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def _step(games: int) -> float:
    return STEP * (HASTE - (HASTE - 1) * min(1.0, games / SETTLED))
