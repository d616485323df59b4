"""Some games between the same bots: who sits where, and playing one after the other.

Games come in blocks. The games of a block have the same deal, and the bots move on by one seat from game to game, so
that over a whole block every bot has sat everywhere. The id of a game is `<block>-<k>`, both from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from mexica_cli.arena.bot import Bot
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.faults import ArenaError
from mexica_cli.arena.host import VOIDS_IN_A_ROW, Host
from mexica_cli.arena.latency import LatencyMeter
from mexica_cli.arena.minutes import Record
from mexica_cli.arena.tally import void_reasons
from mexica_cli.games.game import Game
from mexica_cli.record.lines import VOID, ResultLine


class Pairing(msgspec.Struct, frozen=True):
    """One game of the schedule: its id, and the bots by seat, as indices into the list of bots."""

    id: str
    seats: tuple[int, ...]


class SeriesPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What all games of a series have in common."""

    games: int
    master_seed: int
    control: TimeControl


class SeriesStopped(ArenaError):
    """The run can't go on: games keep being void. The message says why."""


def schedule(bots: int, games: int) -> Iterator[Pairing]:
    """The games of a series in the order in which they are played."""
    for index in range(games):
        block, k = divmod(index, bots)
        yield Pairing(f"{block + 1}-{k + 1}", tuple((seat + k) % bots for seat in range(bots)))


def place(match: str, bots: int) -> int:
    """Where in the schedule the game of that id is, from 0."""
    block, k = match.split("-")
    return (int(block) - 1) * bots + int(k) - 1


class Series:
    """Plays the games of a plan that are not done yet."""

    def __init__(
        self,
        game: Game,
        bots: Sequence[Bot],
        plan: SeriesPlan,
        record: Record,
        report: Callable[[Pairing, ResultLine], None],
    ) -> None:
        """`record` takes the lines of the log; `report` is told of every game that has ended, the void ones too."""
        self._bots = bots
        self._plan = plan
        self._host = Host(game, plan.master_seed, plan.control, record)
        self._report = report

    @property
    def latency(self) -> LatencyMeter:
        """The arena's own part of every decision of every game."""
        return self._host.latency

    async def run(self, done: frozenset[str], stopping: Callable[[], bool]) -> None:
        """Play until all is played or `stopping` says so between two games. Raises SeriesStopped, OSError."""
        for pairing in schedule(len(self._bots), self._plan.games):
            if pairing.id not in done:
                if stopping():
                    return
                await self._play(pairing)

    async def _play(self, pairing: Pairing) -> None:
        bots = [self._bots[index] for index in pairing.seats]

        def report(result: ResultLine) -> None:
            self._report(pairing, result)

        result = await self._host.play_until_valid(pairing.id, bots, report)
        if result.outcome == VOID:
            reasons = void_reasons([bot.name for bot in bots], result)
            raise SeriesStopped(f"game {pairing.id} was void {VOIDS_IN_A_ROW} times in a row: {reasons}")
