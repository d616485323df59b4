"""Plays jobs in a process of its own, whoever sends them: a worker process on this machine, or one of a cluster.

The bots stay alive from job to job, so they live in an event loop that does too, in a thread beside the one that takes
the jobs. When the process that started it is gone, so is the worker, with its bots.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
from collections import Counter
from contextlib import suppress
from functools import cache
from multiprocessing.util import Finalize

import msgspec
import trio

from mexica_cli.arena.bot import Arena, Bot, open_arena
from mexica_cli.arena.host import Host
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import log
from mexica_cli.games import restore_game
from mexica_cli.games.game import Game
from mexica_cli.record.lines import Line
from mexica_cli.tournament.job import Job, Outcome
from mexica_cli.wire.handshake import games_on_offer

BOTS_KEPT = 8
"""Bots that a worker keeps alive, at most, or as many as the next game has seats: the longest unused goes first."""
IDLE = 60.0
"""Seconds without a job after which a worker sends its bots away: whoever sent the jobs may be gone."""


def play_job(job: Job) -> Outcome:
    """Play the game. Runs in a worker process; calls from several threads wait for each other."""
    with _one_at_a_time:
        os.chdir(job.folder)
        return _workshop().play(job)


def begin(cpu: int | None) -> None:
    """Keep this process, and with it the bots that it starts, on one CPU. For the start of a worker.

    A terminal that is closed is the affair of the process that started it, which has games to finish.
    """
    signal.signal(signal.SIGHUP, lambda *_: None)  # as if ignored, but not for the bots
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})


class Workshop:
    """A desk in a thread of its own."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._work, name="arena", daemon=True)
        self._thread.start()
        self._ready.wait()

    def play(self, job: Job) -> Outcome:
        """Play a job, from another thread."""
        return trio.from_thread.run(self._desk.play, job, trio_token=self._token)

    def close(self) -> None:
        """End all bots and the thread."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._closing.set)
        self._thread.join()

    def _work(self) -> None:
        """The thread. Without a parent, or with an arena that broke down, this process is of no use any more."""
        try:
            orphaned = trio.run(self._run)
        except BaseException:
            log.exception("the worker broke down")
            orphaned = True
        if orphaned:
            os._exit(1)

    async def _run(self) -> bool:
        """Serve until closed, or until the parent process is gone: True then."""
        self._token = trio.lowlevel.current_trio_token()
        self._closing = trio.Event()
        with trio.CancelScope() as orphaned:
            async with open_arena(Limits(), games_on_offer()) as arena, trio.open_nursery() as helpers:
                self._desk = Desk(arena)
                helpers.start_soon(self._desk.rest)
                helpers.start_soon(_watch_parent, orphaned)
                self._ready.set()
                await self._closing.wait()
                helpers.cancel_scope.cancel()
        return orphaned.cancelled_caught


async def _watch_parent(orphaned: trio.CancelScope) -> None:
    """Cancel the scope when the process that started this one has ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        await trio.lowlevel.wait_readable(parent.sentinel)
        _be_silent()
        orphaned.cancel()


def _be_silent() -> None:
    """That a game was broken off concerns nobody any more."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)


class Desk:
    """Takes jobs, one at a time, within the event loop, and keeps bots between them."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._bots: dict[tuple[bytes, int], Bot] = {}
        """By what they are and how many there are of the same; the longest unused first."""
        self._games: dict[bytes, Game] = {}
        self._idle_until = math.inf
        self._resting = trio.CancelScope()

    async def play(self, job: Job) -> Outcome:
        """Play a job."""
        self._expect_a_job_until(math.inf)
        try:
            lines: list[Line] = []
            host = Host(self._game(job), job.master_seed, job.control, lines.append, job.variant)
            await host.play_until_valid(job.match, await self._seat(job), lambda _: None, job.attempts)
            return Outcome(lines=lines, stderr=host.last_words)
        finally:
            self._expect_a_job_until(trio.current_time() + IDLE)

    async def rest(self) -> None:
        """Send all bots away whenever there was no job for long. To be run beside the jobs."""
        while True:
            with trio.CancelScope(deadline=self._idle_until) as self._resting:
                await trio.sleep_forever()
            if self._idle_until <= trio.current_time():  # else a job came at the same moment
                self._idle_until = math.inf
                await self._send_away(list(self._bots), "there is nothing to play")

    def _expect_a_job_until(self, deadline: float) -> None:
        self._idle_until = self._resting.deadline = deadline

    def _game(self, job: Job) -> Game:
        key = msgspec.json.encode([job.game, job.options])
        if key not in self._games:
            self._games[key] = restore_game(job.game, job.options)
        return self._games[key]

    async def _seat(self, job: Job) -> list[Bot]:
        """The bots by seat, the ones there are where they will do."""
        times: Counter[bytes] = Counter()
        keys = []
        for name in job.seats:
            what = _identity(job, name)
            times[what] += 1
            keys.append((what, times[what]))
        idle = [key for key in self._bots if key not in keys]
        excess = len(idle) + len(keys) - BOTS_KEPT
        await self._send_away(idle[: max(0, excess)], "other bots play now")
        return [self._take(key, job, name) for key, name in zip(keys, job.seats, strict=True)]

    def _take(self, key: tuple[bytes, int], job: Job, name: str) -> Bot:
        """The bot, which is now the one used last."""
        entrant = job.entrants[name]
        bot = self._bots.pop(key, None) or self._arena.add(entrant.spec, entrant.limits, entrant.restart_after)
        self._bots[key] = bot
        return bot

    async def _send_away(self, keys: list[tuple[bytes, int]], reason: str) -> None:
        bots = [self._bots.pop(key) for key in keys]
        async with trio.open_nursery() as nursery:
            for bot in bots:
                nursery.start_soon(bot.stop, reason)
        for bot in bots:
            self._arena.bots.remove(bot)


def _identity(job: Job, name: str) -> bytes:
    """The same for two bots that the same process may play for."""
    entrant = job.entrants[name]
    return msgspec.json.encode([job.folder, entrant.spec.record(), entrant.limits, entrant.restart_after])


_one_at_a_time = threading.Lock()


@cache
def _workshop() -> Workshop:
    """This process's workshop, made at its first job and closed at its end."""
    workshop = Workshop()
    Finalize(None, workshop.close, exitpriority=100)
    return workshop
