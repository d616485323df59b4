"""Runs a tournament: hands its games to an executor, and writes what comes back to the log in the schedule's order.

Everything that follows from results - who is withdrawn, whether a sequential test has decided, who meets whom next - is
derived from the log as far as it is written, never from what has been played beyond. So the log is the same for any
number of workers, and a run that was broken off goes on as if it had not been.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import trio

from mexica_cli.arena.faults import FaultKind
from mexica_cli.arena.host import VOIDS_IN_A_ROW
from mexica_cli.arena.log import log
from mexica_cli.record.lines import VOID, ResultLine
from mexica_cli.record.writer import LogWriter
from mexica_cli.tournament.blocks import Block, Fixture
from mexica_cli.tournament.config import Tournament
from mexica_cli.tournament.directory import Directory, Played
from mexica_cli.tournament.executors import Executor
from mexica_cli.tournament.job import Job, Outcome
from mexica_cli.tournament.knockout import Knockout
from mexica_cli.tournament.lost import LOST, is_lost
from mexica_cli.tournament.results import GameResult, Results, game_result
from mexica_cli.tournament.sprt import Decision, Sprt
from mexica_cli.tournament.swiss import Swiss

ATTEMPTS = VOIDS_IN_A_ROW
"""A void game is played again; void again, whoever didn't start is out, and if the arena failed the run stops."""
AHEAD = 8
"""For each slot, so many games may be under way or wait for an earlier one to be written."""


class RunFailed(Exception):
    """The run can't go on; the message says why."""


class Ledger:
    """What follows from the games that the log holds. Fed with every game in the log's order."""

    def __init__(self, tournament: Tournament, played: Iterable[Played]) -> None:
        self._withdraw_after = tournament.file.withdraw_after
        self._test = None if tournament.sprt is None else PairTest(tournament.sprt, *tournament.entrants)
        self._failures: Counter[str] = Counter()
        self._voids: Counter[str] = Counter()
        self._lost: dict[str, frozenset[str]] = {}
        """The bots of games that are lost, by id."""
        self._failed: dict[str, str] = {}
        """Bots that are out for failing in their games, with the reason."""
        self.absent: dict[str, str] = {}
        """Bots that are out for a game that couldn't be played, with the reason."""
        self.games: list[GameResult] = []
        """Games that are not void."""
        for game in played:
            self.add(game.seats, game.result)

    @property
    def is_decided(self) -> bool:
        """Whether a sequential test has ended the tournament."""
        return self._test is not None and self._test.is_decided

    @property
    def withdrawn(self) -> dict[str, str]:
        """Bots that don't play any more, with the reason."""
        return self.absent | self._failed

    def retry(self, names: Iterable[str]) -> None:
        """Let these bots play again, whatever they did."""
        for name in names:
            self.absent.pop(name, None)
            if self._failed.pop(name, None) is not None:
                self._failures[name] = 0

    def add(self, seats: Sequence[str], result: ResultLine) -> None:
        """One more game. That a bot was out is over where it has played after all."""
        if result.outcome == VOID:
            self._add_void(seats, result)
            return
        self.retry(seats)
        self._lost.pop(result.match, None)
        game = game_result(seats, result)
        self.games.append(game)
        self._count_failures(seats, result)
        if self._test is not None:
            self._test.add(game)

    def results(self) -> Results:
        """For the format."""
        return Results(self.games, self.withdrawn)

    def attempts(self, match: str) -> int:
        """How often a game may be played until it isn't void: what an earlier run left of its attempts, or all."""
        return ATTEMPTS - self._voids[match] % ATTEMPTS

    def _add_void(self, seats: Sequence[str], result: ResultLine) -> None:
        if is_lost(result):
            self._lost[result.match] = frozenset(seats)
            self._find_culprit()
            return
        self._voids[result.match] += 1
        if self._voids[result.match] % ATTEMPTS:
            return
        for name, fault in zip(seats, result.reasons, strict=True):
            if fault is not None and fault.kind == FaultKind.STARTUP:
                self.absent.setdefault(name, f"it did not start: {fault.reason}")

    def _find_culprit(self) -> None:
        """Who sat in every lost game, if that is one bot and no other, is out."""
        suspects = frozenset.intersection(*self._lost.values())
        if len(suspects) == 1:
            (name,) = suspects
            self.absent[name] = f"it played in every game that was lost with its process, {', '.join(self._lost)}"
            self._lost.clear()

    def _count_failures(self, seats: Sequence[str], result: ResultLine) -> None:
        for name, fault in zip(seats, result.reasons, strict=True):
            failed = fault is not None and fault.kind != FaultKind.ILLEGAL
            self._failures[name] = self._failures[name] + 1 if failed else 0
            if self._failures[name] >= self._withdraw_after:
                self._failed.setdefault(name, f"it failed in {self._failures[name]} games in a row")


class PairTest:
    """A sequential test of two bots, from one pair of games to the next."""

    def __init__(self, sprt: Sprt, bot: str, other: str) -> None:
        self._sprt = sprt
        self._bots = {bot, other}
        self._bot = bot
        self._halves: dict[str, int] = {}
        """Half points from pairs of which one game is played, by block."""
        self._counts = [0, 0, 0, 0, 0]
        self.is_decided = False

    def add(self, game: GameResult) -> None:
        """One more game. Those of others don't count, nor does one that comes after the decision."""
        if self.is_decided or set(game.seats) != self._bots:
            return
        points = game.half_points(game.seats.index(self._bot))
        if game.block not in self._halves:
            self._halves[game.block] = points
            return
        self._counts[self._halves.pop(game.block) + points] += 1
        self.is_decided = self._sprt.state(self._counts).decision is not Decision.CONTINUE


class Runner:
    """One run of a tournament."""

    def __init__(
        self,
        tournament: Tournament,
        directory: Directory,
        executor: Executor,
        played: Sequence[Played],
        report: Callable[[Sequence[str], ResultLine], None],
        retry: Iterable[str] = (),
    ) -> None:
        """`played`: what the log holds already; `report` is told of every game that is written to it.

        `retry`: bots that may play again although they are out.
        """
        self._tournament = tournament
        self._directory = directory
        self._executor = executor
        self._report = report
        self._played = played
        self.ledger = Ledger(tournament, played)
        self.ledger.retry(retry)
        self._passed_over: set[frozenset[str]] = set()
        """Bots of which a game was lost: this run plays no other between them."""
        self.left_out = 0
        """Games of the schedule that are not to be played, as a bot is out. Counted by `run`."""

    async def run(self, writer: LogWriter, stopping: Callable[[], bool]) -> bool:
        """Play what is missing; whether that was all. Raises RunFailed, LogError, ExecutorError, OSError.

        Bots that were out before as they didn't start are tried again when nothing else is left to play. So a run that
        was broken off is first gone on with as if it had not been.
        """
        self._check_variants()
        again = list(self.ledger.absent) if can_come_back(self._tournament) else []
        finished = await self._play_rounds(writer, stopping)
        if finished and again and not stopping():
            self.ledger.retry(again)
            finished = await self._play_rounds(writer, stopping)
        return finished

    async def _play_rounds(self, writer: LogWriter, stopping: Callable[[], bool]) -> bool:
        number = self.left_out = 0
        while not self.ledger.is_decided:
            blocks = self._tournament.format.round(number, self.ledger.results())
            if blocks is None:
                return True
            await _Order(self._missing(blocks), self, writer).play(self._executor, stopping)
            if self._missing(blocks):
                return self.ledger.is_decided
            self.left_out += self._count_left_out(blocks)
            number += 1
        self.left_out = 0
        return True

    def _count_left_out(self, blocks: Sequence[Block]) -> int:
        played = {game.id for game in self.ledger.games}
        return sum(fixture.id not in played for fixture in self._wanted(blocks))

    def _check_variants(self) -> None:
        """Raises RunFailed where a game was played under other rules than the schedule has for it.

        So two schedules never mix: that of another `seatings`, or of a version of this program that gave the rule sets
        their turns in another way.
        """
        if not self._tournament.variants:
            return
        for _, result, was in self._played:
            if result.outcome != VOID and was != (now := self._tournament.variant_of(result.match)):
                raise RunFailed(
                    f"{result.match} is in the log as played under {_rules(was)}, and the schedule now wants "
                    f"{_rules(now)}: restore its `seatings`, go on with the version of mexica that began this "
                    "tournament, or reset"
                )

    def _missing(self, blocks: Sequence[Block]) -> list[Fixture]:
        """The games of a round that are still to be played. Raises RunFailed where one was played by others."""
        wanted = {fixture.id: fixture for fixture in self._wanted(blocks)}
        for game in self.ledger.games:
            if game.id in wanted and game.seats != wanted[game.id].seats:
                was, now = ", ".join(game.seats), ", ".join(wanted[game.id].seats)
                raise RunFailed(
                    f"{game.id} is in the log with the seats {was}, and the file now wants {now}: "
                    "restore its `seats` and `seatings`, or reset"
                )
        return [fixture for fixture in self.ledger.results().open(blocks) if fixture.id in wanted]

    def _wanted(self, blocks: Sequence[Block]) -> Iterator[Fixture]:
        """The games of a round, as far as `games` goes."""
        fixtures = (fixture for block in blocks for fixture in block.fixtures())
        return islice(fixtures, self._tournament.file.games)

    def job(self, fixture: Fixture) -> Job:
        """The game as a job."""
        tournament = self._tournament
        variant = tournament.variant_of(fixture.id)
        game = tournament.game if variant is None else tournament.variants[variant]
        return Job(
            match=fixture.id,
            seats=fixture.seats,
            entrants={name: tournament.entrants[name] for name in fixture.seats},
            game=game.name,
            options=game.options(),
            variant=variant,
            master_seed=tournament.file.seed,
            control=tournament.control,
            attempts=self.ledger.attempts(fixture.id),
            folder=str(Path.cwd()),
        )

    def is_wanted(self, fixture: Fixture) -> bool:
        """Whether the game is still to be played, by what the log says up to here."""
        out = self.ledger.withdrawn.keys()
        return (
            not self.ledger.is_decided
            and out.isdisjoint(fixture.seats)
            and frozenset(fixture.seats) not in self._passed_over
        )

    def write(self, outcome: Outcome, writer: LogWriter) -> None:
        """Put a game into the log. Raises RunFailed where it is void by the arena's fault, OSError."""
        out = set(self.ledger.withdrawn)
        for line in outcome.lines:
            writer.write(line)
            if isinstance(line, ResultLine):
                self._report(outcome.seats, line)
                self.ledger.add(outcome.seats, line)
        self._directory.keep_stderr(outcome.result.match, outcome.stderr)
        for name in self.ledger.withdrawn.keys() - out:
            log.warning("withdrawn", bot=name, why=self.ledger.withdrawn[name])
        if is_lost(outcome.result):
            self._passed_over.add(frozenset(outcome.seats))
            log.warning("lost", match=outcome.result.match, why=LOST)
        elif outcome.result.outcome == VOID and self.ledger.withdrawn.keys() == out:
            raise RunFailed(_void_again(outcome.result))


def can_come_back(tournament: Tournament) -> bool:
    """Whether a bot that was out may play again: not where rounds have followed from its being so."""
    return not isinstance(tournament.format, Swiss | Knockout)


def _rules(variant: str | None) -> str:
    return "the file's own rules" if variant is None else f"the variant {variant!r}"


def _void_again(result: ResultLine) -> str:
    reasons = dict.fromkeys(fault.reason for fault in result.reasons if fault is not None)
    return f"game {result.match} was void {ATTEMPTS} times in a row: {'; '.join(reasons)}"


class _Order:
    """Games played side by side and written one after the other."""

    def __init__(self, fixtures: Sequence[Fixture], runner: Runner, writer: LogWriter) -> None:
        self._fixtures = fixtures
        self._runner = runner
        self._writer = writer
        self._waiting: dict[int, Outcome | None] = {}
        """Games that are over, or were passed over, and come after one that isn't."""
        self._next = 0
        """The game that is written next."""

    async def play(self, executor: Executor, stopping: Callable[[], bool]) -> None:
        """Play them, or begin no more once told to stop."""
        self._room = trio.Semaphore(executor.slots * AHEAD)
        self._free = trio.Semaphore(executor.slots)
        async with trio.open_nursery() as nursery:
            for index, fixture in enumerate(self._fixtures):
                await self._room.acquire()
                await self._free.acquire()
                if self._runner.is_wanted(fixture):
                    if stopping():
                        return
                    nursery.start_soon(self._play, executor, index)
                else:
                    self._free.release()
                    self._settle(index, None)

    async def _play(self, executor: Executor, index: int) -> None:
        outcome = await executor.play(self._runner.job(self._fixtures[index]))
        self._free.release()
        self._settle(index, outcome)

    def _settle(self, index: int, outcome: Outcome | None) -> None:
        """One game more is over: write it and those that waited for it."""
        self._waiting[index] = outcome
        while self._next in self._waiting:
            ready = self._waiting.pop(self._next)
            if ready is not None and self._runner.is_wanted(self._fixtures[self._next]):
                self._runner.write(ready, self._writer)
            self._next += 1
            self._room.release()
