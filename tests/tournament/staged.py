"""Tournaments of nim whose games are played by a script, in virtual time: no process, no bot, and any order of ends.

What becomes of a game follows from its id, its bots' names and the attempt, as it would with real bots:

- `strong…` takes as many stones as it may, any other bot plays at random;
- `crash…` forfeits every game, `rude…` too, by illegal actions, and `shaky…` those whose id has an even last digit;
- `killer…` kills whatever process it plays in;
- `absent…` never starts, `late…` starts at the second attempt of every third game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import trio
from toygame import NimGame
from toylog import ToyMatch
from trio.testing import MockClock

from mexica_cli.games.tomlfile import struct_from
from mexica_cli.record.lines import TIME_FIELDS, VOID, GameLine, Line, ResultLine
from mexica_cli.record.reader import open_log
from mexica_cli.tournament.config import Tournament, make_tournament
from mexica_cli.tournament.directory import Directory
from mexica_cli.tournament.executors import Executor
from mexica_cli.tournament.fields import TournamentFile
from mexica_cli.tournament.job import Job, Outcome
from mexica_cli.tournament.lost import lost
from mexica_cli.tournament.runner import ATTEMPTS, Runner
from mexica_cli.wire.messages import Fault

Length = Callable[[str], float]
"""Seconds that the game of an id takes."""


def tournament(*bots: str, **fields: Any) -> Tournament:
    """A tournament of nim. The toy game must be one of the arena's."""
    tables = [{"name": bot, "command": "random"} for bot in bots]
    return make_tournament(struct_from(TournamentFile, {"seed": 7, "game": "nim", "bots": tables, **fields}))


def at_random(seed: int) -> Length:
    """Lengths without any order; some games end at once."""
    return lambda match: random.Random(f"{seed} {match}").choice([0.0, 1.0, random.Random(f"{match} {seed}").random()])


class Stage:
    """An executor."""

    def __init__(self, slots: int = 1, length: Length = lambda _: 1.0, broken: Sequence[tuple[str, int]] = ()) -> None:
        """`broken`: games and attempts, from 1, at which the arena fails."""
        self.slots = slots
        self.begun: list[str] = []
        """Ids of the games, in the order in which they were begun."""
        self.running = 0
        self.most = 0
        """Games that ran at once."""
        self._length = length
        self._broken = frozenset(broken)

    async def play(self, job: Job) -> Outcome:
        """See `Executor.play`."""
        self.begun.append(job.match)
        self.running += 1
        self.most = max(self.most, self.running)
        await trio.sleep(self._length(job.match))
        self.running -= 1
        return self._outcome(job)

    def _outcome(self, job: Job) -> Outcome:
        if any(name.startswith("killer") for name in job.seats):
            return lost(job)
        lines: list[Line] = []
        for attempt in range(1 + ATTEMPTS - job.attempts, 1 + ATTEMPTS):
            lines += self._attempt(job, attempt)
            if not _is_void(lines[-1]):
                break
        stderr = {name: f"{name} fell in {job.match}" for name in job.seats if name.startswith("crash")}
        return Outcome(lines=lines, stderr=stderr)

    def _attempt(self, job: Job, attempt: int) -> list[Line]:
        match = ToyMatch(NimGame(**job.options), job.match, job.seats, seed=job.master_seed)
        match.lines = [msgspec.structs.replace(line, variant=job.variant) for line in match.lines]
        if (job.match, attempt) in self._broken:
            return match.void()
        for seat, name in enumerate(job.seats):
            if _is_absent(name, job.match, attempt):
                return _absent(match, seat)
        for seat, name in enumerate(job.seats):
            if _crashes(name, job.match):
                match.fail(seat, "crash")
        return _played(match, job.seats).result()


def _is_void(line: Line) -> bool:
    return isinstance(line, ResultLine) and line.outcome == VOID


def _is_absent(name: str, match: str, attempt: int) -> bool:
    return name.startswith("absent") or (name.startswith("late") and attempt == 1 and sum(match.encode()) % 3 == 0)


def _absent(match: ToyMatch, seat: int) -> list[Line]:
    """The lines of a game to which that seat did not come."""
    *lines, last = match.void()
    assert isinstance(last, ResultLine)
    fault = Fault(kind="startup", reason="no licence")
    reasons = [fault if place == seat else None for place in range(match.state.players)]
    return [*lines, msgspec.structs.replace(last, reasons=reasons)]


def _crashes(name: str, match: str) -> bool:
    return name.startswith("crash") or (name.startswith("shaky") and ord(match[-3]) % 2 == 0)


def _played(match: ToyMatch, seats: Sequence[str]) -> ToyMatch:
    while (seat := match.state.to_act) is not None and not match._decided():
        if seats[seat].startswith("rude") and seat not in match._faults:
            match.reject("take 9").reject("take 9").reject("take 9").fail(seat, "illegal")
        elif seats[seat].startswith("strong") and len(match.state.legal_actions()) > 1:
            match.act(match.state.text(match.state.legal_actions()[-1]))
        else:
            match.play(1)
    return match


def run(
    plan: Tournament, directory: Directory, stage: Executor | None = None, stopping: Callable[[], bool] = lambda: False
) -> bool:
    """Run the tournament, in no time; whether it is finished. Raises what the runner raises."""

    async def main() -> bool:
        with directory.claimed(), directory.resume(plan.header()) as writer:
            runner = Runner(plan, directory, stage or Stage(), directory.played(), lambda seats, result: None)
            return await runner.run(writer, stopping)

    try:
        return trio.run(main, clock=MockClock(autojump_threshold=0))
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            (error,) = error.exceptions
        raise error from None


def lines_of(directory: Directory) -> list[dict[str, Any]]:
    """The log without times."""
    with suppress(FileNotFoundError), open_log(str(directory.log)) as reader:
        rows = [msgspec.to_builtins(line) for _, line in reader]
        return [{name: row[name] for name in row if name not in TIME_FIELDS} for row in rows]
    return []


def games_of(directory: Directory) -> list[tuple[str, str]]:
    """Ids and outcomes of the games in the log, in its order."""
    return [(result.match, result.outcome) for _, result, _ in directory.played()]


def seats_of(directory: Directory) -> list[tuple[str, ...]]:
    """Who sat in the games of the log that are not void."""
    return [tuple(seats) for seats, result, _ in directory.played() if result.outcome != VOID]


__all__ = ["GameLine", "Stage", "at_random", "games_of", "lines_of", "run", "seats_of", "tournament"]
