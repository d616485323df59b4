"""Blocks: one deal and a set of bots, played in several seatings.

The games of a block share their deal, so its luck is shared out by the seats; they are not independent of each other,
and the statistics count blocks.

The id of a block is made of its bots' names and a number that counts this set of bots, never of a place in the
schedule: `greedy+random.3` is the third block of these two, whoever else plays and however long. `council@3` is the
team `council` at deal 3, which other teams play too. The id of a game is `<block>-<k>`, from 1. Names are
percent-encoded, so that ids are safe as file names. All chance follows from the master seed and these ids
(`record.seeds`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import permutations
from math import gcd, lcm
from urllib.parse import quote

import msgspec

from mexica_cli.games.chance import derive_seed

Seating = tuple[str, ...]
"""Names of bots by seat."""

# Rows in which every place holds everyone once and everyone is followed by everyone else once (E. J. Williams, 1949).
# Round the table, those who sit opposite in the first row follow each other twice; three first rows take turns at that.
_FOUR_ROWS = ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))
_FOUR_STARTS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))


class Seatings(StrEnum):
    """In which seatings a block is played."""

    ROTATED = "rotated"
    """As many as there are seats: every bot sits in every seat once."""
    ALL = "all"
    """Every one there is: 2, 6 or 24."""


class Fixture(msgspec.Struct, frozen=True):
    """One game of the schedule."""

    id: str
    seats: Seating


class Block(msgspec.Struct, frozen=True):
    """One deal in several seatings."""

    id: str
    seatings: tuple[Seating, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """Their names, each once, sorted."""
        return tuple(sorted(set(self.seatings[0])))

    def fixtures(self) -> list[Fixture]:
        """The games, in order."""
        return [Fixture(f"{self.id}-{k}", seats) for k, seats in enumerate(self.seatings, 1)]


def block(bots: Sequence[str], number: int, kind: Seatings = Seatings.ROTATED) -> Block:
    """The block of that number, from 1, of these bots, in whatever order they are given. A bot may come twice."""
    names = sorted(bots)
    return Block(f"{_join(names)}.{number}", seatings(names, number, kind))


def team_block(members: Sequence[str], deal: int, seats: int) -> Block:
    """A team at a deal, from 1: one bot in all seats, or as many members as there are seats."""
    names = sorted(members)
    if len(names) == 1:
        return Block(f"{_join(names)}@{deal}", ((names[0],) * seats,))
    return Block(f"{_join(names)}@{deal}", seatings(names, deal, Seatings.ROTATED))


def number_of(block_id: str) -> int:
    """The number of a block among those of the same bots, or of its deal, from 1."""
    return int(re.split(r"[.@]", block_id)[-1])


def turn_of(block_id: str, rule_sets: int, kind: Seatings = Seatings.ROTATED) -> int:
    """Which of so many rule sets, from 0, a block is played under: the blocks of the same bots take turns at them.

    Blocks take turns at the ways to sit too. If the two went in step, a rule set would always meet the same ways. So
    the turns of the rule sets are put off by one whenever the pairs of both begin to come again: over as many blocks as
    there are such pairs, each comes once.
    """
    ways = _ways_to_sit(block_id.count("+") + 1, kind)
    number = number_of(block_id) - 1
    put_off = number // lcm(rule_sets, ways) % gcd(rule_sets, ways)
    return (number + put_off) % rule_sets


def numbered(sets: Iterable[Sequence[str]]) -> Iterator[tuple[Sequence[str], int]]:
    """Each set of bots with how often it has come by now."""
    times: Counter[Seating] = Counter()
    for bots in sets:
        key = tuple(sorted(bots))
        times[key] += 1
        yield bots, times[key]


def seatings(bots: Sequence[str], number: int, kind: Seatings) -> tuple[Seating, ...]:
    """The seatings of block `number` of these bots.

    Where there are several ways to rotate them, blocks take turns at them, so that over a few blocks everyone sits
    behind everyone else equally often; which way is first depends on the names.
    """
    if kind is Seatings.ALL:
        return tuple(dict.fromkeys(permutations(bots)))
    turn = number + derive_seed("seatings", *bots)
    rows = _four_rows(turn) if len(bots) == 4 else _rotated_rows(len(bots), turn)
    return tuple(tuple(bots[index] for index in row) for row in rows)


def _ways_to_sit(bots: int, kind: Seatings) -> int:
    """In how many ways `seatings` places so many, block by block, before it begins again."""
    if kind is Seatings.ALL:
        return 1
    return len(_FOUR_STARTS) if bots == 4 else len(_steps(bots))


def _four_rows(turn: int) -> list[list[int]]:
    start = _FOUR_STARTS[turn % len(_FOUR_STARTS)]
    return [[start[index] for index in row] for row in _FOUR_ROWS]


def _rotated_rows(seats: int, turn: int) -> list[list[int]]:
    """One row round the table, from every seat; the steps take turns."""
    steps = _steps(seats)
    step = steps[turn % len(steps)]
    return [[step * (place + first) % seats for place in range(seats)] for first in range(seats)]


def _steps(seats: int) -> list[int]:
    """The steps round the table that reach everyone."""
    return [step for step in range(1, seats) if gcd(step, seats) == 1] or [1]


def _join(names: Iterable[str]) -> str:
    return "+".join(quote(name, safe="") for name in names)
