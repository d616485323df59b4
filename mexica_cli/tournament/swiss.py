"""The Swiss system for two seats: every round, bots of about the same score meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, count
from typing import NamedTuple

import msgspec

from mexica_cli.tournament.blocks import Block, block
from mexica_cli.tournament.formats import FormatError, check_bots
from mexica_cli.tournament.matching import can_pair
from mexica_cli.tournament.results import Results


class SwissRow(msgspec.Struct, frozen=True):
    """One bot in the table, after some rounds."""

    bot: str
    score: Fraction
    """Sum over the rounds of the part of its games that it won, draws half; 1 for a bye."""
    buchholz: Fraction
    """Sum of the scores of all whom it met. A bye counts like one of its own score."""
    sonneborn: Fraction
    """Sonneborn-Berger: the same, each times what it won of him."""
    byes: int


class _Match(NamedTuple):
    """Two bots of one round, and what each won: the two add up to 1, but for walkovers on both sides."""

    bots: tuple[str, str]
    points: tuple[Fraction, Fraction]


class _Round(NamedTuple):
    matches: list[_Match]
    bye: str | None


class Swiss:
    """Each round pairs everyone, but for one of an odd number, who has a bye and scores 1.

    From the top of the table down, each bot meets the one nearest in score whom it has not met; within a group of equal
    scores the upper half meets the lower, by the order of the entry list. Nobody meets twice while any pairing of the
    round avoids it (a matching of the whole round tells). The bye goes to the last in the table of those who had the
    fewest. A match is `blocks` blocks, so both sit in every seat equally often. What decides the table is score,
    Buchholz, Sonneborn-Berger, order of entry.
    """

    def __init__(self, bots: Sequence[str], rounds: int, blocks: int = 1) -> None:
        """`bots` are in the order of seeding. Raises FormatError."""
        check_bots(bots, at_least=2)
        if rounds < 1 or blocks < 1:
            raise FormatError("a Swiss tournament has at least one round, and a match at least one block")
        self._bots = list(bots)
        self._rounds = rounds
        self._blocks = blocks

    def round(self, number: int, results: Results) -> list[Block] | None:
        """Every match's first block, then every match's second, and so on."""
        if number >= self._rounds:
            return None
        history = self._history(number, results)
        pairs, _ = self._pairing(history)
        return [blocks[part] for part in range(self._blocks) for blocks in self._blocks_of(pairs, history)]

    def table(self, rounds: int, results: Results) -> list[SwissRow]:
        """The table after so many rounds, best first. Raises Unplayed."""
        history = self._history(min(rounds, self._rounds), results)
        scores = self._scores(history)
        rows = [_row(bot, history, scores) for bot in self._bots]
        return sorted(rows, key=lambda row: (-row.score, -row.buchholz, -row.sonneborn, self._bots.index(row.bot)))

    def _history(self, rounds: int, results: Results) -> list[_Round]:
        """What was played, found out by pairing every round again."""
        history: list[_Round] = []
        for _ in range(rounds):
            pairs, bye = self._pairing(history)
            blocks = self._blocks_of(pairs, history)
            results.check(chain.from_iterable(blocks))
            matches = [
                _Match(pair, (results.points(own, pair[0]), results.points(own, pair[1])))
                for pair, own in zip(pairs, blocks, strict=True)
            ]
            history.append(_Round(matches, bye))
        return history

    def _blocks_of(self, pairs: Sequence[tuple[str, str]], history: Sequence[_Round]) -> list[list[Block]]:
        """The blocks of every match; who meets again goes on counting."""
        met = _meetings(history)
        first = [met[frozenset(pair)] * self._blocks + 1 for pair in pairs]
        return [
            [block(pair, number + part) for part in range(self._blocks)]
            for pair, number in zip(pairs, first, strict=True)
        ]

    def _scores(self, history: Sequence[_Round]) -> dict[str, Fraction]:
        scores = dict.fromkeys(self._bots, Fraction(0))
        for matches, bye in history:
            for match in matches:
                for bot, points in zip(match.bots, match.points, strict=True):
                    scores[bot] += points
            if bye is not None:
                scores[bye] += 1
        return scores

    def _pairing(self, history: Sequence[_Round]) -> tuple[list[tuple[str, str]], str | None]:
        """The pairs of the next round, from the top down, and who has the bye."""
        scores = self._scores(history)
        met = _meetings(history)
        table = sorted(self._bots, key=lambda bot: (-scores[bot], self._bots.index(bot)))
        byes = Counter(bye for _, bye in history)
        fewest = min(byes[bot] for bot in table)
        candidates: list[str | None] = [bot for bot in reversed(table) if byes[bot] == fewest]
        for often in count():
            for bye in candidates if len(table) % 2 else [None]:
                players = [bot for bot in table if bot != bye]
                if _can_pair(players, met, often):
                    return list(_pairs(players, scores, met, often)), bye
        raise AssertionError("everyone may meet everyone once `often` is large enough")


def _meetings(history: Sequence[_Round]) -> Counter[frozenset[str]]:
    return Counter(frozenset(match.bots) for matches, _ in history for match in matches)


def _can_pair(players: Sequence[str], met: Counter[frozenset[str]], often: int) -> bool:
    """Whether all can be paired without anyone meeting whom he has met more than `often`."""
    return can_pair(
        [
            [
                index
                for index, other in enumerate(players)
                if other != player and met[frozenset((player, other))] <= often
            ]
            for player in players
        ]
    )


def _pairs(
    players: Sequence[str], scores: dict[str, Fraction], met: Counter[frozenset[str]], often: int
) -> Iterator[tuple[str, str]]:
    """The pairs of players who are in the order of the table."""
    left = list(players)
    while left:
        partner = _partner(left, scores, met, often)
        yield left[0], partner
        left = [bot for bot in left[1:] if bot != partner]


def _partner(left: Sequence[str], scores: dict[str, Fraction], met: Counter[frozenset[str]], often: int) -> str:
    """Whom the first of those left meets: the best choice after which the others can still be paired."""
    first, *others = left
    middle = sum(scores[bot] == scores[first] for bot in left) // 2
    times = {other: met[frozenset((first, other))] for other in others}
    away = {other: abs(place - middle) for place, other in enumerate(others, 1)}
    choices = sorted(others, key=lambda other: (times[other], scores[first] - scores[other], away[other]))
    return next(
        choice
        for choice in choices
        if times[choice] <= often and _can_pair([bot for bot in others if bot != choice], met, often)
    )


def _row(bot: str, history: Sequence[_Round], scores: dict[str, Fraction]) -> SwissRow:
    byes = sum(bye == bot for _, bye in history)
    met = [match for matches, _ in history for match in matches if bot in match.bots]
    own = [match.points[match.bots.index(bot)] for match in met]
    opponents = [scores[match.bots[1 - match.bots.index(bot)]] for match in met]
    return SwissRow(
        bot=bot,
        score=scores[bot],
        buchholz=sum(opponents, byes * scores[bot]),
        sonneborn=sum((points * score for points, score in zip(own, opponents, strict=True)), byes * scores[bot]),
        byes=byes,
    )
