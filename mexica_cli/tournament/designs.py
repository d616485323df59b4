"""Block designs: sets of bots in which every bot meets every other equally often.

A balanced incomplete block design takes `size` of `points` at a time, so that every point is in equally many sets and
every two points are together in equally many, `meetings`, of them. Such designs are found here by the method of Kramer
and Mesner (Discrete Mathematics 15, 1976): only designs are tried that a rotation of the points maps to themselves. The
sets then come in orbits that are in the design as a whole or not at all, and what is left is a small exact cover.

For 3 and 4 of 5 to 12 points this finds a design of the least length that arithmetic allows, in milliseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb

PointSet = tuple[int, ...]
Pair = tuple[int, int]

EFFORT = 10_000
"""How many orbits one search looks at before the next symmetry is tried."""
LENGTHS = 3
"""Designs up to so many times the least length are tried."""
LARGE = 20_000
"""Beyond so many sets to choose from, no design is looked for."""
ENOUGH = 8
"""Where no design is found: the choice of sets ends, at the latest, when all have met so often."""


@cache
def design(points: int, size: int) -> tuple[PointSet, ...]:
    """Sets of `size` of the points 0 to `points` - 1, none twice, in an order whose beginnings are even too.

    Every point is in equally many sets. Every two points are together in equally many, for sizes up to 4 of up to 13
    points and for most beyond; where no such design is found, the numbers of meetings differ by as little as a greedy
    choice of whole orbits gets. Raises ValueError for fewer points than `size`.
    """
    if not 1 <= size <= points:
        raise ValueError(f"there are no sets of {size} of {points}")
    if size in (1, points):
        return tuple(combinations(range(points), size))
    if size == 2:
        return tuple(_circle(points))
    if comb(points, size) > LARGE:
        return tuple(_evenly(points, _Orbits(points, size, (points,)).nearly()))
    least = _least_meetings(points, size)
    for meetings in range(least, least * LENGTHS + 1, least):
        for cycles in _symmetries(points):
            if sets := _Orbits(points, size, cycles).exact(meetings):
                return tuple(_evenly(points, sets))
    return tuple(_evenly(points, _Orbits(points, size, (points,)).nearly()))


def meetings(sets: Sequence[PointSet]) -> Counter[Pair]:
    """How often every two points are in the same set; pairs as (lower, higher)."""
    return Counter(pair for chosen in sets for pair in combinations(sorted(chosen), 2))


def _circle(points: int) -> Iterator[PointSet]:
    """All pairs by the circle method: round after round in which everyone, but for one of an odd number, plays once."""
    ring = [*range(points), points][: points + points % 2]
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        pairs = zip(ring[:half], reversed(ring[half:]), strict=True)
        yield from (tuple(sorted(pair)) for pair in pairs if points not in pair)
        ring = [ring[0], ring[-1], *ring[1:-1]]


def _least_meetings(points: int, size: int) -> int:
    """The least number of meetings of a pair for which sets and sets a point come out whole."""
    whole = (
        number
        for number in range(1, size * size)
        if number * (points - 1) % (size - 1) == 0 and number * points * (points - 1) % (size * (size - 1)) == 0
    )
    return next(whole)


def _symmetries(points: int) -> Iterator[tuple[int, ...]]:
    """Rotations to try, as lengths of cycles: one, two or three equal ones, with all points or all but one."""
    for parts in (1, 2, 3):
        for fixed in (0, 1):
            if (points - fixed) % parts == 0 and points - fixed >= parts:
                yield ((points - fixed) // parts,) * parts + (1,) * fixed


def _rotation(cycles: Sequence[int]) -> list[int]:
    """Where the rotation takes every point."""
    image: list[int] = []
    for length in cycles:
        start = len(image)
        image += [start + (place + 1) % length for place in range(length)]
    return image


def _orbits(points: int, size: int, image: Sequence[int]) -> list[list[PointSet]]:
    """All sets of that size, by orbit: those that the rotation takes into each other."""
    seen: set[PointSet] = set()
    found = []
    for first in combinations(range(points), size):
        orbit: list[PointSet] = []
        chosen = first
        while chosen not in seen:
            seen.add(chosen)
            orbit.append(chosen)
            chosen = tuple(sorted(image[point] for point in chosen))
        if orbit:
            found.append(orbit)
    return found


class _Orbits:
    """The orbits of sets under one rotation, and how often each brings the pairs of every orbit of pairs together."""

    def __init__(self, points: int, size: int, cycles: Sequence[int]) -> None:
        image = _rotation(cycles)
        self._sets = _orbits(points, size, image)
        pairs = _orbits(points, 2, image)
        number = {pair: index for index, orbit in enumerate(pairs) for pair in orbit}
        self._covers = []
        for orbit in self._sets:
            counts = Counter(number[pair] for chosen in orbit for pair in combinations(chosen, 2))
            self._covers.append([counts[index] // len(pair_orbit) for index, pair_orbit in enumerate(pairs)])
        self._pairs = range(len(pairs))
        self._sizes = [len(orbit) for orbit in pairs]
        self._effort = 0

    def exact(self, times: int) -> list[PointSet]:
        """The sets of a design in which every pair meets that many times; empty where none is found in time."""
        self._effort = 0
        chosen = self._search([times] * len(self._pairs), list(range(len(self._sets))))
        return [points for orbit in chosen or () for points in self._sets[orbit]]

    def nearly(self) -> list[PointSet]:
        """The sets of whole orbits, each chosen to even out the meetings, until they are as even as they get."""
        full = max(map(len, self._sets))
        free = [orbit for orbit, sets in enumerate(self._sets) if len(sets) == full]
        met = [0 for _ in self._pairs]
        chosen: list[int] = []
        best: tuple[int, int] = (len(self._pairs) * full, 0)
        while free and min(met) < ENOUGH:
            orbit = min(free, key=lambda orbit: self._unevenness(met, orbit))
            free.remove(orbit)
            chosen.append(orbit)
            met = [a + b for a, b in zip(met, self._covers[orbit], strict=True)]
            if min(met):
                best = min(best, (max(met) - min(met), len(chosen)))
        return [points for orbit in chosen[: best[1]] for points in self._sets[orbit]]

    def _unevenness(self, met: list[int], orbit: int) -> int:
        """Sum of the squares of all pairs' meetings if that orbit joined."""
        return sum(n * (a + b) ** 2 for n, a, b in zip(self._sizes, met, self._covers[orbit], strict=True))

    def _search(self, left: list[int], free: list[int]) -> list[int] | None:
        """Orbits out of `free` that cover exactly what is `left` to cover, by the pairs that have the fewest orbits."""
        if not any(left):
            return []
        self._effort += len(free)
        if self._effort > EFFORT:
            return None
        free = [orbit for orbit in free if all(a <= b for a, b in zip(self._covers[orbit], left, strict=True))]
        if any(sum(self._covers[orbit][pair] for orbit in free) < left[pair] for pair in self._pairs):
            return None
        by_pair = [[orbit for orbit in free if self._covers[orbit][pair]] for pair in self._pairs]
        for orbit in min((by_pair[pair] for pair in self._pairs if left[pair]), key=len):
            free = [other for other in free if other != orbit]
            rest = self._search([a - b for a, b in zip(left, self._covers[orbit], strict=True)], free)
            if rest is not None:
                return [orbit, *rest]
        return None


def _evenly(points: int, sets: Sequence[PointSet]) -> Iterator[PointSet]:
    """The sets in an order in which, at any time, all have played about equally often and met about equally often."""
    left = list(sets)
    played = [0] * points
    met: Counter[Pair] = Counter()
    while left:
        best = min(
            left,
            key=lambda chosen: (
                max(played[point] for point in chosen),
                sum(played[point] for point in chosen),
                sum(met[pair] for pair in combinations(chosen, 2)),
                chosen,
            ),
        )
        left.remove(best)
        for point in best:
            played[point] += 1
        met.update(combinations(best, 2))
        yield best
