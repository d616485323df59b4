"""Two bots: Elo, normalised Elo and likelihood of superiority, from pairs of games.

The two games of a block are one observation. It has five values, so that what a match comes to is five counts, the
pentanomial: of pairs with 0, 0.5, 1, 1.5 and 2 points for the first bot. Where there are no pairs, three counts of
losses, draws and wins do (the trinomial), and say that all games were independent: with equal deals, they are not.

All numbers are as chess engines' testers (cutechess, fastchess, fishtest) define them. Elo is the logistic one of the
score; its interval is that of the score under the normal distribution, put into Elo. Normalised Elo is the score's
distance from a half in standard deviations of one game, times 800 / ln 10, so that it says how many games it takes to
show a difference (M. Van den Bergh, "Normalized Elo"). Likelihood of superiority is the probability that the first bot
is the better one, given the results and no prejudice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf, log, log10, sqrt
from statistics import NormalDist

import msgspec

from mexica_cli.tournament.intervals import Estimate, Z, rate_of
from mexica_cli.tournament.results import GameResult

ELO = 400 / log(10)
"""Elo points of a factor e in odds."""


class MatchStatistics(msgspec.Struct, frozen=True):
    """What the counts of a match between two bots say about the first."""

    counts: tuple[int, ...]
    """Five (pairs with 0 to 2 points) or three (losses, draws, wins)."""
    score: Estimate
    """Part of the points, 0 to 1."""
    elo: Estimate
    """Infinite where the score is 0 or 1."""
    normalised_elo: Estimate
    """Its interval is infinite, and so is it unless it is 0, where all observations were alike."""
    superiority: float
    """Likelihood of superiority, 0 to 1. Where all observations were alike, as if they varied as much as can be."""


def elo_of(score: float) -> float:
    """The logistic Elo difference of a score from 0 to 1, infinite at the ends."""
    if 0 < score < 1:
        return -400 * log10(1 / score - 1)
    return inf if score > 0.5 else -inf


def score_of(elo: float) -> float:
    """The score expected at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def pentanomial(games: Iterable[GameResult], bot: str, other: str) -> tuple[int, int, int, int, int]:
    """Blocks of two games of these two bots that are both played, by the points of `bot`: 0, 0.5, 1, 1.5, 2."""
    blocks: dict[str, list[int]] = defaultdict(list)
    for game in games:
        if game.counts and sorted(game.seats) == sorted((bot, other)):
            blocks[game.block].append(game.half_points(game.seats.index(bot)))
    pairs = [sum(points) for points in blocks.values() if len(points) == 2]
    return pairs.count(0), pairs.count(1), pairs.count(2), pairs.count(3), pairs.count(4)


def match_statistics(counts: Sequence[int]) -> MatchStatistics:
    """Everything about a match of five counts or three. Raises ValueError for another number, or for none played."""
    games = {3: 1, 5: 2}.get(len(counts), 0)
    total = sum(counts)
    if not games or not total:
        raise ValueError(f"these are no counts of a match that was played: {list(counts)}")
    values = [index / (len(counts) - 1) for index in range(len(counts))]
    score = sum(n * value for n, value in zip(counts, values, strict=True)) / total
    variance = sum(n * (value - score) ** 2 for n, value in zip(counts, values, strict=True)) / total
    error = sqrt(variance / total)
    interval = _interval(counts, values, score, error)
    return MatchStatistics(
        counts=tuple(counts),
        score=interval,
        elo=Estimate(elo_of(score), elo_of(interval.low), elo_of(interval.high)),
        normalised_elo=_normalised(score, sqrt(variance * games), total * games),
        superiority=NormalDist().cdf((score - 0.5) / (error or 0.5 / sqrt(total))),
    )


def _interval(counts: Sequence[int], values: Sequence[float], score: float, error: float) -> Estimate:
    """The normal interval of the score; Wilson's where all observations were alike and the normal one has no width."""
    if error:
        return Estimate(score, max(0.0, score - Z * error), min(1.0, score + Z * error))
    return rate_of([(value, 1) for n, value in zip(counts, values, strict=True) for _ in range(n)])


def _normalised(score: float, deviation: float, games: int) -> Estimate:
    """Normalised Elo from the standard deviation of one game; the error takes the latter as known."""
    if not deviation:
        return Estimate(inf * (score - 0.5) if score != 0.5 else 0.0, -inf, inf)
    value, error = 2 * ELO * (score - 0.5) / deviation, 2 * ELO * Z / sqrt(games)
    return Estimate(value, value - error, value + error)
