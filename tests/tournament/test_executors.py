"""Worker processes of this machine, with real bots."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio
from arena.scripted import timeless
from tournament.real import Gate, dies, gate, jobs_of, notes, nothing_left, plan, spies, workers_of

from mexica_cli.record.lines import ActionLine
from mexica_cli.tournament.directory import Directory
from mexica_cli.tournament.executors import ATTEMPTS, Executor, ExecutorError, local_executor
from mexica_cli.tournament.job import Job, Outcome
from mexica_cli.tournament.runner import Runner


@pytest.fixture(autouse=True)
def clean() -> object:
    with nothing_left():
        yield


async def play_all(executor: Executor, jobs: list[Job]) -> list[Outcome]:
    """Play jobs at the same time, no more than the executor takes; their outcomes in their order."""
    outcomes: dict[int, Outcome] = {}

    async def play(number: int, job: Job) -> None:
        outcomes[number] = await executor.play(job)

    async with trio.open_nursery() as nursery:
        for number, job in enumerate(jobs):
            nursery.start_soon(play, number, job)
    return [outcomes[number] for number in range(len(jobs))]


async def run(jobs: int, directory: Directory, folder: Path) -> list[dict[str, object]]:
    """The log of a tournament, without times, at that many jobs."""
    tournament = plan({**spies(folder, "a", "b"), "c": "random"}, games=8)
    with directory.claimed(), directory.resume(tournament.header()) as writer:
        async with local_executor(jobs) as executor:
            runner = Runner(tournament, directory, executor, [], lambda seats, result: None)
            assert await runner.run(writer, lambda: False)
    return directory_lines(directory)
