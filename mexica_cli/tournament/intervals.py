"""Means with 95 % intervals, from games that come in clusters.

Games of one deal share its luck, so it is clusters (blocks, deals) that count as independent: a cluster is the sum of a
number over its games, and how many games that were. The mean is that of all games; its variance comes from how the
clusters differ (the ratio estimator of cluster sampling: Cochran, Sampling Techniques, chapter 3.12), which is the
variance of the clusters' means where all are of the same size.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import atan, cos, fsum, inf, pi, sin, sqrt
from statistics import NormalDist

import msgspec

Cluster = tuple[float, int]
"""Sum over the games, and number of games (1 or more)."""

LEVEL = 0.95
"""Of every interval in the project."""
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""Half the width of the normal distribution's interval, in standard deviations: 1.96."""
MANY = 1000
"""Degrees of freedom beyond which Student's distribution doesn't change any more."""


class Estimate(msgspec.Struct, frozen=True):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def mean_of(clusters: Sequence[Cluster]) -> Estimate:
    """The mean of any number, with Student's interval on the clusters; infinite for a single cluster."""
    mean, variance = _moments(clusters)
    if len(clusters) < 2:
        return Estimate(mean, -inf, inf)
    error = student(len(clusters) - 1) * sqrt(variance / (len(clusters) - 1))
    return Estimate(mean, mean - error, mean + error)


def rate_of(clusters: Sequence[Cluster]) -> Estimate:
    """The mean of a number between 0 and 1 a game, with an interval that stays between 0 and 1.

    Wilson's score interval for as many independent games as would be as informative as these (Korn and Graubard,
    Survey Methodology 24, 1998): `p (1 - p)` over the variance of the mean. To the clusters one is added that knows
    nothing, so that a few that happen to agree don't look like certainty. Where the mean is 0 or 1, each cluster counts
    as one game.
    """
    p, variance = _moments(clusters)
    number = len(clusters)
    spread = max(0.0, p * (1 - p))
    effective = spread * number * number / (variance * number + spread) if spread else number
    t = student(number)
    scale = 1 / (1 + t * t / effective)
    centre = (p + t * t / (2 * effective)) * scale
    error = t * scale * sqrt(spread / effective + (t / (2 * effective)) ** 2)
    return Estimate(p, max(0.0, min(p, centre - error)), min(1.0, max(p, centre + error)))


@cache
def student(freedom: int) -> float:
    """Half the width of Student's 95 % interval for so many degrees of freedom (1 or more), by bisection."""
    low, high = 0.0, 13.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if _within(middle, min(freedom, MANY)) < LEVEL:
            low = middle
        else:
            high = middle
    return high


def _within(t: float, freedom: int) -> float:
    """The probability that Student's t is between -t and t (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def _moments(clusters: Sequence[Cluster]) -> tuple[float, float]:
    """The mean over all games, and the mean squared deviation of a cluster, in units of a cluster of average size."""
    games = sum(size for _, size in clusters)
    mean = fsum(total for total, _ in clusters) / games
    squares = fsum((total - mean * size) ** 2 for total, size in clusters)
    return mean, squares * len(clusters) / games**2
