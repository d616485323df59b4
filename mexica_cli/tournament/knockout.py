"""The knockout for two seats: who loses a match is out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

import msgspec

from mexica_cli.tournament.blocks import Block, block
from mexica_cli.tournament.formats import FormatError, check_bots
from mexica_cli.tournament.results import Results, Unplayed

Pair = tuple[str, str]
"""Better seed first."""


class KnockoutMatch(msgspec.Struct, frozen=True):
    """One match of the bracket that is over."""

    stage: int
    """0 for the first stage; the last one of a knockout that is over is the final."""
    winner: str
    loser: str
    decided: str
    """By what: `points`, `scores` or `seed`."""


class Knockout:
    """A bracket in which the first seed meets the second in the final at the earliest, and so on down.

    A number of bots that is no power of two is filled up with byes, which go to the first seeds. A match is `blocks`
    blocks; tied, it goes on by one block at a time, up to `extra`; still tied, the greater sum of the game's own scores
    over the match decides, and if that is the same too, the better seed. Further blocks are rounds of their own, in
    which only those play who are tied.
    """

    def __init__(self, bots: Sequence[str], blocks: int = 1, extra: int = 2) -> None:
        """`bots` are in the order of seeding. Raises FormatError."""
        check_bots(bots, at_least=2)
        if blocks < 1 or extra < 0:
            raise FormatError("a match of a knockout is at least one block, and no fewer than 0 extra ones")
        self._bots = list(bots)
        self._blocks = blocks
        self._extra = extra

    def round(self, number: int, results: Results) -> list[Block] | None:
        """Every match's first block, then every match's second, and so on."""
        return next(islice(self._rounds(results, []), number, None), None)

    def matches(self, results: Results) -> list[KnockoutMatch]:
        """The matches of all stages that are over, in the order of the bracket."""
        over: list[KnockoutMatch] = []
        with suppress(Unplayed):
            for _ in self._rounds(results, over):
                pass
        return over

    def _rounds(self, results: Results, over: list[KnockoutMatch]) -> Iterator[list[Block]]:
        """Round after round, each as soon as the one before is played; what is over goes to `over`."""
        order = _bracket(len(self._bots))
        stage = 0
        while len(order) > 1:
            pairs = [_by_seed(*order[place : place + 2]) for place in range(0, len(order), 2)]
            matches: dict[Pair, list[Block]] = {
                (self._bots[a], self._bots[b]): [] for a, b in pairs if b < len(self._bots)
            }
            yield from self._stage(matches, results)
            ended = {pair: self._decide(stage, pair, blocks, results) for pair, blocks in matches.items()}
            over += ended.values()
            losers = {self._bots.index(match.loser) for match in ended.values()}
            order = [b if a in losers else a for a, b in pairs]
            stage += 1

    def _stage(self, matches: dict[Pair, list[Block]], results: Results) -> Iterator[list[Block]]:
        """The rounds of one stage; fills in the blocks of its matches."""
        for extension in range(self._extra + 1):
            tied = [pair for pair, blocks in matches.items() if not blocks or _lead(pair, blocks, results) == 0]
            parts = 1 if extension else self._blocks
            for pair in tied:
                matches[pair] += [block(pair, len(matches[pair]) + part) for part in range(1, parts + 1)]
            if tied:
                blocks = [matches[pair][part] for part in range(-parts, 0) for pair in tied]
                yield blocks
                results.check(blocks)

    def _decide(self, stage: int, pair: Pair, blocks: Sequence[Block], results: Results) -> KnockoutMatch:
        if lead := _lead(pair, blocks, results):
            decided = "points"
        elif lead := results.scores(blocks, pair[0]) - results.scores(blocks, pair[1]):
            decided = "scores"
        else:
            decided, lead = "seed", 1
        winner, loser = pair if lead > 0 else pair[::-1]
        return KnockoutMatch(stage, winner, loser, decided)


def _lead(pair: Pair, blocks: Sequence[Block], results: Results) -> float:
    return float(results.points(blocks, pair[0]) - results.points(blocks, pair[1]))


def _by_seed(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _bracket(bots: int) -> list[int]:
    """Seeds, from 0, in the order of the bracket's lines; seeds from `bots` on are byes."""
    order = [0]
    while len(order) < bots:
        order = [seed for top in order for seed in (top, 2 * len(order) - 1 - top)]
    return order
