"""Hosts matches of one game: brings the bots, lets the referee work, and knows what makes a match void."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mexica_cli.arena.audience import Audience
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.faults import ArenaFailed, FaultKind, NeverStarted, first_of
from mexica_cli.arena.latency import LatencyMeter
from mexica_cli.arena.log import log
from mexica_cli.arena.minutes import Record
from mexica_cli.arena.player import Player
from mexica_cli.arena.referee import MatchPlan, Referee
from mexica_cli.games.game import Game, JsonDict
from mexica_cli.record.lines import STDERR_CHARACTERS, VOID, GameLine, Line, ResultLine, timestamp
from mexica_cli.record.seeds import deal_seed
from mexica_cli.wire.framing import excerpt
from mexica_cli.wire.messages import Fault

VOIDS_IN_A_ROW = 2
"""So many void games under one id are enough: it would not get better by itself."""


class Host:
    """Plays one match after the other. Every line of the log goes to `record` as it comes to be."""

    def __init__(
        self, game: Game, master_seed: int, control: TimeControl, record: Record, variant: str | None = None
    ) -> None:
        """`variant`: what the log's header calls the game's rule set and board, if they aren't its first."""
        self._game = game
        self._variant = variant
        self._master_seed = master_seed
        self._control = control
        self._record_line = record
        self._unrecorded: OSError | None = None
        """Why a line could not be recorded: that ends the run, and is no fault of a match."""
        self.latency = LatencyMeter()
        """The arena's own part of every decision of every match."""
        self.last_words: dict[str, str] = {}
        """What bots that failed in the last match wrote to standard error, its end, by name."""

    async def play_until_valid(
        self, match: str, bots: Sequence[Player], report: Callable[[ResultLine], None], attempts: int = VOIDS_IN_A_ROW
    ) -> ResultLine:
        """Play a match, and again under the same id while it is void. `report` is told of every attempt."""
        for _ in range(attempts):
            result = await self.play(match, bots)
            report(result)
            if result.outcome != VOID:
                break
        return result

    async def play(
        self, match: str, bots: Sequence[Player], audience: Audience | None = None, past: Sequence[Line] = ()
    ) -> ResultLine:
        """Play a match between `bots`, by seat; `past`: go on with one of which the log has these lines.

        Raises OSError where a line can't be recorded.
        """
        setup = self._deal(match, len(bots))
        plan = MatchPlan(id=match, setup=setup, control=self._control)
        seats = [bot.name for bot in bots]
        if not past:
            self._begin(match, seats, setup)
        try:
            await self._bring(bots)
            referee = Referee(self._game, plan, bots, self._record, audience, past)
            result = await referee.run()
        except NeverStarted as error:
            return self._void(match, seats, FaultKind.STARTUP, error.reason, error)
        except Exception as error:  # whatever it is, it is the arena's fault and not a bot's
            if self._unrecorded is not None:
                raise self._unrecorded from None
            log.error("the arena failed", match=match, exc_info=None if isinstance(error, ArenaFailed) else error)
            for bot in bots:
                await bot.stop("the arena failed")
            return self._void(match, seats, FaultKind.ARENA, _cause(error))
        self.latency.merge(referee.latency)
        self.last_words = referee.last_words()
        return result

    def give_up(self, match: str, seats: Sequence[str], reason: str) -> None:
        """Record that a match between the bots of these names can't be played, through no fault that we can tell."""
        self._begin(match, seats, self._deal(match, len(seats)))
        self._void(match, seats, FaultKind.ARENA, reason)

    def _deal(self, match: str, seats: int) -> JsonDict:
        return self._game.deal(seats, deal_seed(self._master_seed, match))

    def _begin(self, match: str, seats: Sequence[str], setup: JsonDict) -> None:
        self._record(GameLine(match=match, seats=list(seats), variant=self._variant, setup=setup, started=timestamp()))

    def _record(self, line: Line) -> None:
        try:
            self._record_line(line)
        except OSError as error:
            self._unrecorded = error
            raise

    async def _bring(self, bots: Sequence[Player]) -> None:
        """Have every bot at the table. One after the other: two that start at once slow each other down."""
        for bot in bots:
            await bot.start()
            plays = bot.joined.games if bot.joined else None
            if plays is not None and self._game.name not in plays:
                raise NeverStarted(bot.name, f"it says that it plays {excerpt(', '.join(plays)) or 'nothing'}")

    def _void(
        self, match: str, seats: Sequence[str], kind: FaultKind, reason: str, culprit: NeverStarted | None = None
    ) -> ResultLine:
        """The result of a match that counts for nothing; the reason stands at the bot that caused it, or at all."""
        blamed = [culprit is None or name == culprit.name for name in seats]
        stderr = culprit.stderr if culprit else None
        self.last_words = {culprit.name: stderr} if culprit and stderr else {}
        line = ResultLine(
            match=match,
            outcome=VOID,
            ranking=[],
            scores=[],
            reasons=[Fault(kind=kind, reason=reason) if blame else None for blame in blamed],
            actions=0,
            digest="",
            stale=[0] * len(seats),
            stderr=[stderr[-STDERR_CHARACTERS:] if stderr and blame else None for blame in blamed],
            used_ms=[0.0] * len(seats),
        )
        self._record(line)
        return line


def _cause(error: BaseException) -> str:
    """The first exception of a group, or the exception itself, in a line."""
    error = first_of(error)
    return str(error) if isinstance(error, ArenaFailed) else f"{type(error).__name__}: {error}"
