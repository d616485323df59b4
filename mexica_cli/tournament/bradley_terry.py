"""The Bradley-Terry model: strengths from comparisons in pairs, by maximum likelihood.

Of two players of strengths a and b, the first is expected to get `1 / (1 + exp(b - a))` of the points, a tie counting
half. The likelihood is concave and has its maximum where everyone's expected points are those that he got; Newton's
method finds it. Ties need no model of their own.

To keep strengths finite where somebody won or lost everything, everyone has a little against a player of strength 0
besides: `prior` games, drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

Pair = tuple[int, int]
"""Two players, the lower number first."""
Vector = list[float]
Matrix = list[Vector]

CLOSE = 1e-10
"""Where Newton's method stops: the last step, in natural units of strength (1 is 174 Elo)."""
LONGEST = 2.0
"""The longest step that it may take at once, so that it doesn't overshoot where the data say little."""
STEPS = 200


class Comparisons(NamedTuple):
    """What the likelihood depends on. Players are numbers from 0."""

    halves: Sequence[int]
    """The points of each player in all his comparisons, times two: 2 for a win, 1 for a tie."""
    games: Mapping[Pair, int]
    """How many comparisons there were, by pair."""


def strengths(data: Comparisons, prior: float, start: Sequence[float] | None = None) -> Vector:
    """The likeliest strengths, in natural units. Without prior they add up to 0, and everyone must be comparable."""
    found = list(start or [0.0] * len(data.halves))
    for _ in range(STEPS):
        gradient, curvature = _derivatives(data, prior, found)
        step = _solve(curvature, gradient)
        length = max(map(abs, step), default=0.0)
        found = [a + b * min(1.0, LONGEST / length) if length else a for a, b in zip(found, step, strict=True)]
        if length < CLOSE:
            break
    return found


def _derivatives(data: Comparisons, prior: float, at: Sequence[float]) -> tuple[Vector, Matrix]:
    """Gradient of the log-likelihood, and its second derivatives with the sign turned.

    The sum of the strengths, which the comparisons don't touch, is held at 0 by a term of its own.
    """
    level = sum(at)
    gradient = [halves / 2 - level for halves in data.halves]
    curvature = [[1.0] * len(at) for _ in at]
    for player, strength in enumerate(at):
        expected = _expected(strength)
        gradient[player] += prior * (0.5 - expected)
        curvature[player][player] += prior * expected * (1 - expected)
    for (one, other), games in data.games.items():
        expected = _expected(at[one] - at[other])
        gradient[one] -= games * expected
        gradient[other] -= games * (1 - expected)
        weight = games * expected * (1 - expected)
        curvature[one][one] += weight
        curvature[other][other] += weight
        curvature[one][other] -= weight
        curvature[other][one] -= weight
    return gradient, curvature


def _expected(difference: float) -> float:
    """The logistic function, without overflow."""
    return 1 / (1 + exp(-difference)) if difference > -700 else 0.0


def _solve(matrix: Matrix, right: Sequence[float]) -> Vector:
    """The solution of a positive definite system, by Gauss's elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for pivot, row in enumerate(rows):
        for below in rows[pivot + 1 :]:
            factor = below[pivot] / row[pivot]
            if factor:
                below[pivot:] = [a - factor * b for a, b in zip(below[pivot:], row[pivot:], strict=True)]
    solution = [0.0] * size
    for index in reversed(range(size)):
        known = sum(rows[index][column] * solution[column] for column in range(index + 1, size))
        solution[index] = (rows[index][size] - known) / rows[index][index]
    return solution
