"""The sequential probability ratio test: stops a match of two bots as soon as it has shown what was asked.

Of two hypotheses, H0 says that the first bot is `elo0` better than the second and H1 that it is `elo1` better. The test
goes on until the log-likelihood ratio leaves the bounds (A. Wald, 1945); then a true H0 was rejected with probability
`alpha` at most, and a true H1 with probability `beta`, but for the small error of an asymptotic theory.

The likelihoods are those of the generalised test (GSPRT): of all distributions over the five results of a pair of games
that fit a hypothesis, the one under which the counts are likeliest. So neither the rate of draws nor the advantage of a
seat or a deal has to be known. Elo is, by `model`,

- `logistic`: that of the expected score;
- `normalised`: the expected score's distance from a half in standard deviations of one game, times 800 / ln 10. Bounds
  in it take about the same number of games whatever the game's luck.

Formulas: M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution" and
"Comments on normalized Elo". With three counts in place of five, games are taken for independent, which games of one
deal are not: the error rates then hold no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import log, sqrt

import msgspec

from mexica_cli.tournament.elo import ELO, score_of

UNSEEN = 1e-3
"""What a result counts that never came, so that few pairs (or all alike) have a likelihood; as fishtest does."""

STEPS = 50
"""Of an iteration that takes about five."""

Values = Sequence[float]


class EloModel(StrEnum):
    """What the bounds are measured in."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"


class Decision(StrEnum):
    """What the test says."""

    CONTINUE = "continue"
    H0 = "H0"
    H1 = "H1"


class SprtState(msgspec.Struct, frozen=True):
    """How far a test has come."""

    llr: float
    lower: float
    upper: float
    decision: Decision


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """A test. Raises ValueError when made of hypotheses in the wrong order or error rates that are none."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = EloModel.NORMALISED

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta are between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    def state(self, counts: Sequence[int]) -> SprtState:
        """Where five counts of pairs (or three of games) leave the test. Nothing but the counts matters."""
        llr = self.llr(counts)
        lower, upper = log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)
        decision = Decision.H1 if llr >= upper else Decision.H0 if llr <= lower else Decision.CONTINUE
        return SprtState(llr, lower, upper, decision)

    def llr(self, counts: Sequence[int]) -> float:
        """The generalised log-likelihood ratio of H1 to H0; 0 before the first pair. Raises ValueError."""
        if len(counts) not in (3, 5):
            raise ValueError(f"a test takes five counts of pairs or three of games, not {len(counts)}")
        if not any(counts):
            return 0.0
        seen = [n or UNSEEN for n in counts]
        fit = _with_score if self.model is EloModel.LOGISTIC else _with_distance
        likeliest = [fit([n / sum(seen) for n in seen], elo) for elo in (self.elo0, self.elo1)]
        null, one = likeliest
        return sum(n * log(b / a) for n, a, b in zip(seen, null, one, strict=True))


def _with_score(seen: Values, elo: float) -> list[float]:
    """The likeliest distribution whose mean is the score of that Elo."""
    return _tilted(seen, [value - score_of(elo) for value in _results(seen)])


def _with_distance(seen: Values, elo: float) -> list[float]:
    """The likeliest distribution whose mean is that many standard deviations of a game away from a half.

    The condition isn't linear in the probabilities: it is linearised at one distribution after the other, until they
    don't move any more. The first has only 0 and 1 and fulfils the condition, so that every step has a solution.
    """
    distance = elo / (2 * ELO) * sqrt((len(seen) - 1) / 2)
    results = _results(seen)
    deviation = 1 / (2 * sqrt(1 + distance * distance))
    mean = 0.5 + distance * deviation
    found: list[float] = []
    for _ in range(STEPS):
        tangent = [deviation / 2 + (value - mean) ** 2 / (2 * deviation) for value in results]
        last, found = found, _tilted(seen, [v - 0.5 - distance * t for v, t in zip(results, tangent, strict=True)])
        mean = sum(p * value for p, value in zip(found, results, strict=True))
        deviation = sqrt(sum(p * (value - mean) ** 2 for p, value in zip(found, results, strict=True)))
        if last and max(abs(a - b) for a, b in zip(last, found, strict=True)) < 1e-9:
            break
    return found


def _results(seen: Values) -> list[float]:
    """The values of the results, 0 to 1."""
    return [index / (len(seen) - 1) for index in range(len(seen))]


def _tilted(seen: Values, gaps: Values) -> list[float]:
    """The likeliest distribution, given what was seen, under which the `gaps` (of either sign) are 0 on average.

    It is `seen / (1 + x gap)` (A. Owen, Empirical Likelihood, chapter 2.9), for the x between the poles at which that
    holds; the average falls there with x from plus to minus infinity.
    """
    low, high = -1 / max(gaps), -1 / min(gaps)
    x = 0.0
    for _ in range(STEPS):
        parts = [p * gap / (1 + x * gap) for p, gap in zip(seen, gaps, strict=True)]
        slope = sum(part * gap / (1 + x * gap) for part, gap in zip(parts, gaps, strict=True))
        step = sum(parts) / slope
        if abs(step) < 1e-13:
            break
        low, high = (x, high) if step > 0 else (low, x)
        x = x + step if low < x + step < high else (low + high) / 2
    return [p / (1 + x * gap) for p, gap in zip(seen, gaps, strict=True)]
