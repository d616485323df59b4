"""Worker processes of this machine, with real bots."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from arena.scripted import timeless
from tournament.real import dies, gate, jobs_of, notes, nothing_left, plan, spies, workers_of
from tournament.staged import lines_of

from mexica_cli.tournament.directory import Directory
from mexica_cli.tournament.executors import Executor, ExecutorError, local_executor
from mexica_cli.tournament.job import Job, Outcome
from mexica_cli.tournament.lost import is_lost
from mexica_cli.tournament.runner import Runner

CPUS = sorted(os.sched_getaffinity(0))


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    with nothing_left():
        yield


async def play_all(executor: Executor, jobs: Sequence[Job]) -> list[Outcome]:
    """Play jobs at the same time, no more than the executor takes; their outcomes in their order."""
    outcomes: dict[int, Outcome] = {}

    async def play(number: int, job: Job) -> None:
        outcomes[number] = await executor.play(job)

    async with trio.open_nursery() as nursery:
        for number, job in enumerate(jobs):
            nursery.start_soon(play, number, job)
    return [outcomes[number] for number in range(len(jobs))]


async def log_at(jobs: int, folder: Path, spy_folder: Path) -> list[dict[str, Any]]:
    """The log of a tournament, without times, at that many jobs."""
    tournament = plan({**spies(spy_folder, "a", "b"), "c": "random"}, games=8)
    directory = Directory(folder)
    with directory.claimed(), directory.resume(tournament.header()) as writer:
        async with local_executor(jobs) as executor:
            runner = Runner(tournament, directory, executor, [], lambda seats, result: None)
            assert await runner.run(writer, lambda: False)
    return lines_of(directory)


async def test_the_log_is_the_same_at_any_number_of_jobs(tmp_path: Path) -> None:
    one, two = [await log_at(jobs, tmp_path / f"jobs{jobs}", tmp_path) for jobs in (1, 2)]
    assert one == two
    assert sum(line["type"] == "result" for line in one) == 8


async def test_bots_live_from_job_to_job_and_without_affinity_run_anywhere(tmp_path: Path) -> None:
    first, second, *_ = jobs_of(plan(spies(tmp_path, "a", "b", tell=True), games=2))
    async with local_executor(1, affinity=False) as executor:
        outcomes = [await executor.play(job) for job in (first, second)]
    assert first.seats != second.seats
    assert notes(outcomes[0].lines) == notes(outcomes[1].lines)
    assert len(notes(outcomes[0].lines)) == 2
    assert {cpus for *_, cpus in notes(outcomes[0].lines)} == {str(CPUS)}


async def test_workers_and_their_bots_keep_to_one_cpu_each(tmp_path: Path) -> None:
    jobs = jobs_of(plan(spies(tmp_path, "a", "b", tell=True), games=2))
    async with local_executor(2) as executor:
        outcomes = await play_all(executor, jobs)
    assert len(workers_of(*outcomes)) == 2
    seen = [{cpus for *_, cpus in notes(outcome.lines)} for outcome in outcomes]
    assert sorted(map(len, seen)) == [1, 1]
    assert set.union(*seen) == {str([CPUS[0]]), str([CPUS[1 % len(CPUS)]])}


async def test_more_jobs_than_cpus_run_at_once(tmp_path: Path) -> None:
    """Each of the games waits until all of them have begun."""
    slots = len(CPUS) + 1
    jobs, gates = [], []
    with ExitStack() as stack:
        for slot in range(slots):
            folder = tmp_path / str(slot)
            folder.mkdir()
            jobs += jobs_of(plan(spies(folder, "a", "b"), games=1))[:1]
            (folder / jobs[-1].match).write_text("wait")
            gates.append(stack.enter_context(gate(folder)))
        async with local_executor(slots) as executor, trio.open_nursery() as nursery:
            nursery.start_soon(play_all, executor, jobs)
            for one in gates:
                await trio.to_thread.run_sync(one.wait)
            for one in gates:
                await trio.to_thread.run_sync(one.open)


async def test_a_job_whose_worker_is_killed_is_played_again(tmp_path: Path) -> None:
    job = jobs_of(plan(spies(tmp_path, "a", "b"), games=1))[0]
    async with local_executor(1) as executor:
        undisturbed = await executor.play(job)
        (tmp_path / job.match).write_text("SIGKILL worker")
        killed = await executor.play(job)
    assert not (tmp_path / job.match).exists()
    assert timeless(killed.lines) == timeless(undisturbed.lines)


async def test_a_job_that_kills_every_worker_is_lost(tmp_path: Path) -> None:
    killer = tmp_path / "killer"
    killer.write_text("#!/bin/sh\nkill -9 $PPID\n")
    killer.chmod(0o755)
    job = jobs_of(plan({"a": str(killer), "b": "random"}, games=1))[0]
    async with local_executor(1) as executor:
        outcome = await executor.play(job)
    assert (outcome.result.match, outcome.result.outcome, outcome.seats) == (job.match, "void", list(job.seats))
    assert is_lost(outcome.result)


async def test_a_worker_that_dies_while_it_has_nothing_to_do_is_replaced(tmp_path: Path) -> None:
    jobs = jobs_of(plan(spies(tmp_path, "a", "b", tell=True), games=2))
    async with local_executor(1) as executor:
        workers = []
        for job in jobs:
            (worker,) = workers_of(await executor.play(job))
            os.kill(worker, signal.SIGKILL)
            assert dies(worker)
            workers.append(worker)
    assert len(set(workers)) == 2


async def test_a_folder_that_is_gone_is_said_in_a_sentence(tmp_path: Path) -> None:
    job = jobs_of(plan(spies(tmp_path, "a", "b"), games=1))[0]
    async with local_executor(1) as executor:
        with pytest.raises(ExecutorError, match=r"a\+b.1-1 can't be played: /nowhere: No such file or directory"):
            await executor.play(msgspec.structs.replace(job, folder="/nowhere"))


async def test_cancelled_games_leave_nothing(tmp_path: Path) -> None:
    job = jobs_of(plan(spies(tmp_path, "a", "b"), games=1))[0]
    (tmp_path / job.match).write_text("wait")
    with gate(tmp_path) as waiting:
        async with trio.open_nursery() as nursery, local_executor(1) as executor:
            nursery.start_soon(executor.play, job)
            await trio.to_thread.run_sync(waiting.wait)
            nursery.cancel_scope.cancel()
