"""Games on a dask cluster of several processes."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Iterator
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from arena.scripted import timeless
from arena.zookeeper import inherited_token, processes_with
from tournament.real import dies, jobs_of, notes, plan, spies
from tournament.staged import lines_of

from mexica_cli.cli.main import run
from mexica_cli.extras import how_to_install
from mexica_cli.tournament import executors
from mexica_cli.tournament.directory import Directory
from mexica_cli.tournament.executors import DaskExecutor, Executor, ExecutorError, dask_executor, local_executor
from mexica_cli.tournament.job import Job, Outcome
from mexica_cli.tournament.lost import is_lost
from mexica_cli.tournament.runner import Runner
from mexica_cli.wire.handshake import SERVER

distributed = pytest.importorskip("distributed", reason="the extra [dask] is not installed")


def start_cluster(workers: int) -> Any:
    """A cluster of so many worker processes, each of one thread."""
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL
    )


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a cluster of two workers. Nothing may be left of it."""
    resource_tracker.ensure_running()  # multiprocessing's own; it stays
    with inherited_token() as token:
        with start_cluster(2) as cluster:
            yield cluster.scheduler_address
        assert all(dies(pid) for pid in processes_with(token))


async def log_of(executor: Executor, folder: Path, spy_folder: Path) -> list[dict[str, object]]:
    """The log of a tournament, without times."""
    tournament = plan({**spies(spy_folder, "a", "b"), "c": "random"}, games=8)
    directory = Directory(folder)
    with directory.claimed(), directory.resume(tournament.header()) as writer:
        runner = Runner(tournament, directory, executor, [], lambda seats, result: None)
        assert await runner.run(writer, lambda: False)
    return lines_of(directory)


async def test_the_log_is_that_of_this_machine_alone(scheduler: str, tmp_path: Path) -> None:
    async with dask_executor(scheduler, None) as executor:
        assert executor.slots == 2
        far = await log_of(executor, tmp_path / "far", tmp_path)
    async with local_executor(1) as near_executor:
        assert await log_of(near_executor, tmp_path / "near", tmp_path) == far


async def test_bots_live_in_the_workers_from_job_to_job(scheduler: str, tmp_path: Path) -> None:
    job = jobs_of(plan(spies(tmp_path, "a", "b", tell=True), games=1))[0]
    async with dask_executor(scheduler, 1) as executor:
        assert executor.slots == 1
        seen = [notes((await executor.play(job)).lines) for _ in range(3)]
    bots = {pid for pid, *_ in set.union(*seen)}
    workers = {worker for _, worker, _ in set.union(*seen)}
    assert os.getpid() not in workers
    assert len(bots) == 2 * len(workers)


async def test_a_job_whose_worker_is_killed_is_played_again(scheduler: str, tmp_path: Path) -> None:
    job = jobs_of(plan(spies(tmp_path, "a", "b"), games=1))[0]
    async with dask_executor(scheduler, None) as executor:
        undisturbed = await executor.play(job)
        (tmp_path / job.match).write_text("SIGKILL worker")
        killed = await executor.play(job)
    assert not (tmp_path / job.match).exists()
    assert timeless(killed.lines) == timeless(undisturbed.lines)


class GivenUp:
    """A client whose cluster gives every job up, and the job's future: each worker that it was sent to died."""

    released = 0

    def submit(self, function: object, job: Job, *, pure: bool) -> GivenUp:
        return self

    def result(self) -> Outcome:
        raise distributed.KilledWorker("play_job", None, 3)

    def release(self) -> None:
        self.released += 1


async def test_a_job_that_kills_every_worker_is_lost(tmp_path: Path) -> None:
    """Real workers would take seconds to die so often, and be missing from the tests that follow."""
    job = jobs_of(plan(spies(tmp_path, "a", "b"), games=1))[0]
    client = GivenUp()
    outcome = await DaskExecutor(client, 1).play(job)
    assert (outcome.result.match, outcome.result.outcome, outcome.seats) == (job.match, "void", list(job.seats))
    assert is_lost(outcome.result)
    assert client.released == 1


def test_from_the_command_line(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["random", "other=random", "--games", "2", "--name", "cup", "--seed", "5"]
    assert run(["tournament", "run", *words, "--executor", "dask", "--scheduler", scheduler]) == 0
    assert "2 of 2 games played" in capsys.readouterr().out


# ---- refusals --------------------------------------------------------------------------------------------------------


async def refusal(scheduler: str) -> str:
    with pytest.raises(ExecutorError) as caught:
        async with dask_executor(scheduler, None):
            pass
    return str(caught.value)


async def test_without_dask_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert await refusal("tcp://127.0.0.1:1") == f"dask isn't installed; install it with: {how_to_install('dask')}"


async def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "CONNECT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    said = await refusal(address)
    assert said.startswith(f"no dask scheduler answers at {address}: ")
    assert "\n" not in said


@pytest.mark.parametrize("address", ["", "nonsense://x", "tcp://127.0.0.1:port"])
async def test_an_address_that_is_none(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "CONNECT", 0.2)
    assert (await refusal(address)).startswith(f"no dask scheduler answers at {address}: ")


async def test_a_cluster_without_workers() -> None:
    cluster = await trio.to_thread.run_sync(partial(start_cluster, 0))
    try:
        assert await refusal(cluster.scheduler_address) == f"the cluster at {cluster.scheduler_address} has no workers"
    finally:
        await trio.to_thread.run_sync(cluster.close)


async def test_workers_that_run_another_version(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "SERVER", "mexica 99")
    assert f"runs {SERVER}, not mexica 99; install the same everywhere" in await refusal(scheduler)


async def test_a_folder_that_the_workers_don_t_have(scheduler: str, tmp_path: Path) -> None:
    job = jobs_of(plan(spies(tmp_path, "a", "b"), games=1))[0]
    async with dask_executor(scheduler, 1) as executor:
        with pytest.raises(ExecutorError, match=r"dask could not play a\+b.1-1: FileNotFoundError: .* '/nowhere'"):
            await executor.play(msgspec.structs.replace(job, folder="/nowhere"))
