"""Some games between the same bots: who sits where, and playing one after the other.

Games come in blocks. The games of a block have the same deal, and the bots move on by one seat from game to game, so
that over a whole block every bot has sat everywhere. The id of a game is `<block>-<k>`, both from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from mexica_cli.arena.bot import Bot
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.faults import ArenaError, FaultKind, NeverStarted
from mexica_cli.arena.latency import LatencyMeter
from mexica_cli.arena.log import log
from mexica_cli.arena.referee import MatchPlan, Record, Referee
from mexica_cli.games.game import Game
from mexica_cli.record.lines import VOID, GameLine, ResultLine
from mexica_cli.record.seeds import deal_seed
from mexica_cli.wire.messages import Fault

VOIDS_IN_A_ROW = 2
"""So many void games, one after the other, stop the run: it would not get better by itself."""


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


def now() -> str:
    """The time for the log: UTC, ISO 8601, seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


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
        self._game = game
        self._bots = bots
        self._plan = plan
        self._record = record
        self._report = report
        self.latency = LatencyMeter()
        """The arena's own part of every decision of every game."""

    async def run(self, done: frozenset[str], stopping: Callable[[], bool]) -> None:
        """Play until all is played or `stopping` says so between two games. Raises SeriesStopped."""
        for pairing in schedule(len(self._bots), self._plan.games):
            if pairing.id not in done:
                if stopping():
                    return
                await self._play_until_valid(pairing)

    async def _play_until_valid(self, pairing: Pairing) -> None:
        """A void game is played again under the same id."""
        for _ in range(VOIDS_IN_A_ROW):
            result = await self._play(pairing)
            self._report(pairing, result)
            if result.outcome != VOID:
                return
        reasons = "; ".join(dict.fromkeys(fault.reason for fault in result.reasons if fault is not None))
        raise SeriesStopped(f"game {pairing.id} was void {VOIDS_IN_A_ROW} times in a row: {reasons}")

    async def _play(self, pairing: Pairing) -> ResultLine:
        bots = [self._bots[index] for index in pairing.seats]
        setup = self._game.deal(len(bots), deal_seed(self._plan.master_seed, pairing.id))
        plan = MatchPlan(
            id=pairing.id,
            master_seed=self._plan.master_seed,
            setup=setup,
            control=self._plan.control,
            started=now(),
        )
        try:
            await self._bring(bots)
        except NeverStarted as error:
            self._record(
                GameLine(match=plan.id, seats=[bot.name for bot in bots], setup=plan.setup, started=plan.started)
            )
            return self._void(plan, bots, FaultKind.STARTUP, error)
        referee = Referee(self._game, plan, bots, self._record)
        try:
            result = await referee.run()
        except Exception as error:  # whatever it is, it is the arena's fault and not a bot's
            log.exception("the arena failed", match=pairing.id)
            for bot in bots:
                await bot.stop("the arena failed")
            return self._void(plan, bots, FaultKind.ARENA, error)
        self.latency.merge(referee.latency)
        return result

    async def _bring(self, bots: Sequence[Bot]) -> None:
        """Have every bot at the table. One after the other: two that start at once slow each other down."""
        for bot in bots:
            await bot.start()
            plays = bot.joined.games if bot.joined else None
            if plays is not None and self._game.name not in plays:
                raise NeverStarted(bot.name, f"it says that it plays {', '.join(plays) or 'nothing'}")

    def _void(self, plan: MatchPlan, bots: Sequence[Bot], kind: FaultKind, error: Exception) -> ResultLine:
        """The result of a game that counts for nothing; the reason stands at the bot that caused it, or at all."""
        culprit = error.name if isinstance(error, NeverStarted) else None
        reason = error.reason if isinstance(error, NeverStarted) else f"{type(error).__name__}: {error}"
        stderr = error.stderr if isinstance(error, NeverStarted) else None
        at_fault = [culprit is None or bot.name == culprit for bot in bots]
        line = ResultLine(
            match=plan.id,
            outcome=VOID,
            ranking=[],
            scores=[],
            reasons=[Fault(kind=kind, reason=reason) if fault else None for fault in at_fault],
            actions=0,
            digest="",
            stale=[0] * len(bots),
            stderr=[stderr if fault else None for fault in at_fault],
            used_ms=[0.0] * len(bots),
        )
        self._record(line)
        return line
