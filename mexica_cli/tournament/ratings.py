"""Ratings of all bots at once, from games of any number of seats.

Every two seats of a game are a comparison: who came before the other, ties half. The ratings are the strengths of the
Bradley-Terry model (`bradley_terry`) that make these comparisons likeliest, on the scale of Elo: a bot 100 better is
expected to come before the other in 64 %. They don't depend on the order of games, seats or bots.

- With two seats this is maximum likelihood, and the difference of two bots that only met each other is the Elo of
  their match. A draw counts half, as in Elo; models with a draw rate of their own give other scales.
- With more seats it is the maximum of the composite likelihood of all pairs. If games follow the Plackett-Luce model,
  the strengths are the same: it implies the Bradley-Terry model for every two of them. To compare pairs, rather than to
  fit whole rankings, costs 4 % of the information among 3 equal bots and 6 % among 4; for that, ties need no model and
  any number of seats or teams will do.
- Intervals are the bootstrap's over deals, since games of one deal are not independent: all is computed anew from as
  many deals drawn with replacement. Half the width is Student's factor times the standard deviation of what comes out.
- A weak prior, one drawn game against an average bot for everyone, keeps the ratings of those finite who won or lost
  everything; `firm` tells them. Bots that no chain of games links can't be compared: they are in different `group`s,
  and each group has its own mean.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import inf, sqrt
from statistics import stdev

import msgspec

from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.tournament.bradley_terry import Comparisons, Vector, strengths
from mexica_cli.tournament.elo import ELO
from mexica_cli.tournament.intervals import Estimate, student
from mexica_cli.tournament.links import firm_of, groups_of
from mexica_cli.tournament.results import GameResult

PRIOR = 1.0
"""Drawn games against an average bot that everyone has besides."""
RESAMPLES = 200
"""Of the bootstrap: the standard deviation of so many is right within about 5 %."""


class Rating(msgspec.Struct, frozen=True):
    """One bot."""

    bot: str
    elo: Estimate
    """Around the mean of its group, or as the anchor has it; the interval is infinite where there is only one deal,
    or all came out alike."""
    games: int
    """In which it met another bot."""
    group: int
    """Those of different groups can't be compared: no chain of games links them. 0 is the largest."""
    firm: bool
    """False where only the prior keeps the rating finite: it, or a circle of bots with it, won or lost every
    comparison with the rest of its group."""


def rate(
    games: Iterable[GameResult],
    anchor: tuple[str, float] | None = None,
    prior: float = PRIOR,
    resamples: int = RESAMPLES,
) -> list[Rating]:
    """The ratings of all bots that met another one, best first, group by group.

    `anchor` gives one bot a fixed rating, to which those of its group are relative; otherwise every group's mean is 0.
    Raises ValueError for an anchor that met nobody.
    """
    played = [game for game in games if game.counts and len(set(game.seats)) > 1]
    bots = sorted({bot for game in played for bot in game.seats})
    if anchor is not None and anchor[0] not in bots:
        others = f"these have: {', '.join(map(repr, bots))}" if bots else "nobody has"
        raise ValueError(f"{anchor[0]!r} can't be the anchor of the ratings: it has met no other bot; {others}")
    deals = _Deals(played, bots)
    everything = deals.all()
    groups = groups_of(len(bots), everything.games)
    scale = _Scale(groups, None if anchor is None else (bots.index(anchor[0]), anchor[1]))
    found = strengths(everything, prior)
    elos = _estimates(scale, found, _bootstrap(deals, found, prior, resamples), len(deals))
    met = Counter(bot for game in played for bot in set(game.seats))
    firm = firm_of(len(bots), _not_lost(played, bots), groups)
    ratings = [
        Rating(bot, elo, met[bot], group, index in firm)
        for index, (bot, elo, group) in enumerate(zip(bots, elos, groups, strict=True))
    ]
    return sorted(ratings, key=lambda rating: (rating.group, -rating.elo.value, rating.bot))


class _Scale:
    """Puts strengths on the scale of Elo, group by group."""

    def __init__(self, groups: Sequence[int], anchor: tuple[int, float] | None) -> None:
        self._groups = groups
        self._anchor = anchor

    def elo(self, found: Sequence[float]) -> list[float]:
        """The ratings at these strengths."""
        zero = [self._zero(group, found) for group in range(max(self._groups, default=-1) + 1)]
        return [ELO * (strength - zero[group]) for strength, group in zip(found, self._groups, strict=True)]

    def _zero(self, group: int, found: Sequence[float]) -> float:
        """The strength that is rated 0."""
        if self._anchor is not None and self._groups[self._anchor[0]] == group:
            player, elo = self._anchor
            return found[player] - elo / ELO
        members = [strength for strength, other in zip(found, self._groups, strict=True) if other == group]
        return sum(members) / len(members)


class _Deals:
    """The comparisons of every deal; equal deals are kept once.

    A deal is a sparse square table: above the diagonal how often two met, on it twice the points of each.
    """

    def __init__(self, games: Iterable[GameResult], bots: Sequence[str]) -> None:
        self._players = len(bots)
        number = {bot: index for index, bot in enumerate(bots)}
        tables: dict[str, Counter[int]] = defaultdict(Counter)
        for game in games:
            players = [(number[bot], place) for bot, place in zip(game.seats, game.ranking, strict=True)]
            for (one, first), (other, second) in combinations(sorted(players), 2):
                if one != other:
                    tables[game.deal][one * len(bots) + one] += (first < second) + (first <= second)
                    tables[game.deal][other * len(bots) + other] += (second < first) + (second <= first)
                    tables[game.deal][one * len(bots) + other] += 1
        deals = [tuple(sorted(tables[name].items())) for name in sorted(tables)]
        self._kinds = sorted(set(deals))
        place = {kind: index for index, kind in enumerate(self._kinds)}
        self._deals = [place[deal] for deal in deals]

    def __len__(self) -> int:
        return len(self._deals)

    def all(self) -> Comparisons:
        """Every deal once."""
        return self._sum(Counter(self._deals))

    def drawn(self, chance: Chance) -> Comparisons:
        """As many deals, drawn with replacement."""
        return self._sum(Counter(self._deals[chance.below(len(self._deals))] for _ in self._deals))

    def _sum(self, times: Counter[int]) -> Comparisons:
        """Every kind of deal as often as `times` says."""
        size = self._players
        table = [0] * (size * size)
        for kind, repeat in times.items():
            for cell, number in self._kinds[kind]:
                table[cell] += repeat * number
        games = {pair: met for pair in combinations(range(size), 2) if (met := table[pair[0] * size + pair[1]])}
        return Comparisons(table[:: size + 1], games)


def _bootstrap(deals: _Deals, start: Sequence[float], prior: float, resamples: int) -> Iterator[Vector]:
    """Strengths from deals drawn with replacement."""
    chance = Chance(derive_seed("bootstrap", len(deals)))
    for _ in range(resamples if len(deals) > 1 else 0):
        yield strengths(deals.drawn(chance), prior, start)


def _estimates(scale: _Scale, found: Vector, drawn: Iterable[Vector], deals: int) -> list[Estimate]:
    """The ratings with their intervals, from the strengths and those of the bootstrap."""
    values = scale.elo(found)
    deviations = [stdev(sample) for sample in zip(*map(scale.elo, drawn), strict=True)]
    if not any(deviations):  # one deal, or deals all alike, say nothing of the error
        return [Estimate(value, -inf, inf) for value in values]
    errors = [student(deals - 1) * deviation * sqrt(deals / (deals - 1)) for deviation in deviations]
    return [Estimate(value, value - error, value + error) for value, error in zip(values, errors, strict=True)]


def _not_lost(games: Iterable[GameResult], bots: Sequence[str]) -> set[tuple[int, int]]:
    """Who once came before whom, or level."""
    number = {bot: index for index, bot in enumerate(bots)}
    return {
        (number[one], number[other])
        for game in games
        for one, first in zip(game.seats, game.ranking, strict=True)
        for other, second in zip(game.seats, game.ranking, strict=True)
        if first <= second
    }
