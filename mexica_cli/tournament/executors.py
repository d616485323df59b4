"""Where jobs are played: worker processes of this machine, or a dask cluster."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import cycle, islice
from typing import Any, Protocol

import trio
import trio_parallel

from mexica_cli.extras import how_to_install
from mexica_cli.games.tomlfile import plain, sentence
from mexica_cli.tournament.job import Job, Outcome
from mexica_cli.tournament.lost import lost
from mexica_cli.tournament.worker import begin, play_job
from mexica_cli.wire.handshake import SERVER

ATTEMPTS = 3
"""So many workers may die over one job before it is lost."""
CONNECT = 10.0
"""Seconds within which a scheduler must answer."""


class ExecutorError(Exception):
    """Jobs can't be played any more; the message says why."""


class Executor(Protocol):
    """Plays jobs."""

    @property
    def slots(self) -> int:
        """How many it plays at once; `play` is never called for more."""

    async def play(self, job: Job) -> Outcome:
        """Play a job; again where its worker dies, until it is lost. Raises ExecutorError."""


# ---- this machine ----------------------------------------------------------------------------------------------------


class LocalExecutor:
    """A worker process for each slot, each on a CPU of its own. Made by `local_executor`."""

    def __init__(self, workers: Sequence[trio_parallel.WorkerContext]) -> None:
        self.slots = len(workers)
        self._idle = list(workers)
        self._limiter = trio.CapacityLimiter(len(workers))

    async def play(self, job: Job) -> Outcome:
        """See `Executor.play`."""
        worker = self._idle.pop()
        try:
            return await self._play(worker, job)
        finally:
            self._idle.append(worker)

    async def _play(self, worker: trio_parallel.WorkerContext, job: Job) -> Outcome:
        for _ in range(ATTEMPTS):
            try:
                # Under trio_parallel's own limiter there would be no more games at once than CPUs.
                outcome: Outcome = await worker.run_sync(play_job, job, kill_on_cancel=True, limiter=self._limiter)
            except trio_parallel.BrokenWorkerError:
                continue
            except OSError as error:
                raise ExecutorError(f"{job.match} can't be played: {sentence(error)}") from error
            return outcome
        return lost(job)


@asynccontextmanager
async def local_executor(jobs: int, *, affinity: bool = True) -> AsyncIterator[LocalExecutor]:
    """`jobs` worker processes; with `affinity`, each with its bots on one CPU, as far as there are CPUs."""
    finished = trio.Event()
    async with trio.open_nursery() as nursery:
        cpus = islice(cycle(_cpus(affinity=affinity)), jobs)
        workers = [await nursery.start(_keep_worker, cpu, finished) for cpu in cpus]
        yield LocalExecutor(workers)
        finished.set()


async def _keep_worker(
    cpu: int | None,
    finished: trio.Event,
    task_status: trio.TaskStatus[trio_parallel.WorkerContext] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Have a worker until it isn't needed any more. That one died when it had nothing to do is no loss."""
    with suppress(trio_parallel.BrokenWorkerError):
        async with trio_parallel.open_worker_context(
            idle_timeout=math.inf, init=partial(begin, cpu), grace_period=math.inf
        ) as worker:
            task_status.started(worker)
            await finished.wait()


def _cpus(*, affinity: bool) -> Sequence[int | None]:
    """The CPUs that workers may have, or none in particular where the system doesn't say."""
    if not affinity or not hasattr(os, "sched_getaffinity"):
        return [None]
    return sorted(os.sched_getaffinity(0))


# ---- dask ------------------------------------------------------------------------------------------------------------


class DaskExecutor:
    """The workers of a dask cluster, one job each at a time. Made by `dask_executor`."""

    def __init__(self, client: Any, workers: int) -> None:
        self.slots = workers
        self._client = client
        self._limiter = trio.CapacityLimiter(workers)

    async def play(self, job: Job) -> Outcome:
        """See `Executor.play`. dask itself sends a job to another worker where one dies."""
        from distributed import KilledWorker  # noqa: PLC0415 (an extra)

        future = self._client.submit(play_job, job, pure=False)
        try:
            outcome: Outcome = await trio.to_thread.run_sync(
                future.result, abandon_on_cancel=True, limiter=self._limiter
            )
        except KilledWorker:
            return lost(job)
        except Exception as error:
            raise ExecutorError(f"dask could not play {job.match}: {type(error).__name__}: {error}") from error
        finally:
            future.release()
        return outcome


@asynccontextmanager
async def dask_executor(scheduler: str, jobs: int | None) -> AsyncIterator[DaskExecutor]:
    """The cluster of the scheduler at that address; no more than `jobs` of its workers. Raises ExecutorError."""
    client = await trio.to_thread.run_sync(_connect, scheduler)
    try:
        workers = await trio.to_thread.run_sync(_count_workers, client, scheduler)
        yield DaskExecutor(client, min(workers, jobs or workers))
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(client.close)


def _connect(scheduler: str) -> Any:
    """A client of the scheduler. Raises ExecutorError."""
    try:
        from distributed import Client  # noqa: PLC0415 (an extra)
        from distributed.comm.addressing import get_address_host_port  # noqa: PLC0415
    except ImportError:
        raise ExecutorError(f"dask isn't installed; install it with: {how_to_install('dask')}") from None
    for name in ("distributed", "distributed.client"):  # what goes wrong there comes to us as an exception
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        get_address_host_port(scheduler)  # the client would try a wrong one again and again
        return Client(scheduler, timeout=CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
    except Exception as error:
        raise ExecutorError(f"no dask scheduler answers at {scheduler}: {plain(error)}") from None


def _count_workers(client: Any, scheduler: str) -> int:
    """The workers of the cluster; all must run this program. Raises ExecutorError."""
    try:
        programs: dict[str, str] = client.run(_program)
    except Exception as error:
        raise ExecutorError(f"the workers of {scheduler} can't play: {type(error).__name__}: {error}") from None
    if not programs:
        raise ExecutorError(f"the cluster at {scheduler} has no workers")
    for worker, program in sorted(programs.items()):
        if program != SERVER:
            raise ExecutorError(f"the worker at {worker} runs {program}, not {SERVER}; install the same everywhere")
    return len(programs)


def _program() -> str:
    """What a worker runs."""
    return SERVER
