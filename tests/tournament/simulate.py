"""Players of known strength who play whatever is asked of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, permutations
from math import exp, prod

from mexica_cli.record.seeds import deal_of
from mexica_cli.tournament.blocks import Block, Fixture
from mexica_cli.tournament.formats import Format
from mexica_cli.tournament.results import GameResult, Results


def result(
    fixture: Fixture, ranking: Sequence[int], scores: Sequence[float] | None = None, block: str | None = None
) -> GameResult:
    """A game that was finished with these places; without scores, those are the number of seats less the place."""
    own = fixture.id.rpartition("-")[0] if block is None else block
    return GameResult(
        id=fixture.id,
        block=own,
        deal=deal_of(own),
        seats=fixture.seats,
        ranking=tuple(ranking),
        scores=tuple(len(ranking) - place for place in ranking) if scores is None else tuple(scores),
        outcome="finished",
        faults=(None,) * len(ranking),
        used_ms=(1.0,) * len(ranking),
    )


def void(fixture: Fixture) -> GameResult:
    """A game that counts for nothing."""
    block = fixture.id.rpartition("-")[0]
    return GameResult(
        id=fixture.id,
        block=block,
        deal=block,
        seats=fixture.seats,
        ranking=(),
        scores=(),
        outcome="void",
        faults=("startup",) * len(fixture.seats),
        used_ms=(0.0,) * len(fixture.seats),
    )


def games_of(pairs: Iterable[tuple[str, str, str]]) -> list[GameResult]:
    """Games of two seats, each a deal of its own, from (bot, other, `win`, `tie` or `loss` of the first)."""
    places = {"win": (1, 2), "tie": (1, 1), "loss": (2, 1)}
    return [
        result(Fixture(f"{number}-1", (bot, other)), places[outcome])
        for number, (bot, other, outcome) in enumerate(pairs)
    ]


class Players:
    """Bots whose games follow the Plackett-Luce model.

    Games of a block are not independent: each but the first is, with probability `alike`, ranked like the one before.
    A tie of some neighbours in the ranking comes of all their orders in equal parts, so that a tie counted as half of
    everything tells as much of the strengths as the orders would.
    """

    def __init__(
        self, strengths: Mapping[str, float], chance: random.Random, ties: float = 0.0, alike: float = 0.5
    ) -> None:
        """Strengths are natural logarithms of worths."""
        self._worth = {bot: exp(strength) for bot, strength in strengths.items()}
        self._chance = chance
        self._ties = ties
        self._alike = alike

    def play(self, blocks: Iterable[Block]) -> list[GameResult]:
        """The results of all games of the blocks."""
        games = []
        for block in blocks:
            places: dict[str, int] = {}
            for fixture in block.fixtures():
                if not places or self._chance.random() >= self._alike:
                    places = self._ranked(fixture.seats)
                games.append(result(fixture, [places[bot] for bot in fixture.seats]))
        return games

    def _ranked(self, bots: Sequence[str]) -> dict[str, int]:
        order = self._order(list(bots))
        first, last = self._tied(order)
        return {bot: first + 1 if first <= place < last else place + 1 for place, bot in enumerate(order)}

    def _order(self, left: list[str]) -> list[str]:
        order = []
        while left:
            chosen = self._chance.choices(left, [self._worth[bot] for bot in left])[0]
            left.remove(chosen)
            order.append(chosen)
        return order

    def _tied(self, order: Sequence[str]) -> tuple[int, int]:
        """The part of the order that ends in a tie: from, to; equal where none does."""
        first = self._chance.randrange(len(order) - 1)
        last = self._chance.randrange(first + 2, len(order) + 1)
        if self._ties:
            others = ([*order[:first], *middle, *order[last:]] for middle in permutations(order[first:last]))
            least = min(self._probability(other) for other in others)
            if self._chance.random() < self._ties * least / self._probability(order):
                return first, last
        return 0, 0

    def _probability(self, order: Sequence[str]) -> float:
        worths = [self._worth[bot] for bot in order]
        return prod(worth / sum(worths[place:]) for place, worth in enumerate(worths))


def play_all(tournament: Format, players: Players) -> list[list[GameResult]]:
    """The games of every round of a tournament."""
    rounds: list[list[GameResult]] = []
    while (blocks := tournament.round(len(rounds), Results(chain.from_iterable(rounds)))) is not None:
        rounds.append(players.play(blocks))
    return rounds


def names(count: int) -> list[str]:
    """That many bots, in the order of their names."""
    return [f"bot{number:02}" for number in range(count)]
