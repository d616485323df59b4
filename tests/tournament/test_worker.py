"""What a worker does with jobs: which bots it keeps, and for how long. The bots run inside, the time is virtual."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import trio
from arena.scripted import timeless
from tournament.real import jobs_of, plan
from trio.testing import MockClock

from mexica_cli.arena.bot import Arena, open_arena
from mexica_cli.arena.inside import run_inside
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.spec import Command, parse_spec
from mexica_cli.record.lines import GameLine, ResultLine
from mexica_cli.tournament.config import Entrant
from mexica_cli.tournament.job import Job
from mexica_cli.tournament.worker import BOTS_KEPT, IDLE, Desk, Workshop, _watch_parent, play_job


def entrant(name: str, **fields: Any) -> Entrant:
    """A random bot inside."""
    usual: dict[str, Any] = {"limits": Limits(), "restart_after": None}
    return Entrant(spec=run_inside(parse_spec(f"{name}=random")), **usual | fields)


def job(*seats: str, match: str = "1-1", **fields: Any) -> Job:
    """A game of such bots."""
    (first, *_) = jobs_of(plan({"a": "random", "b": "random"}, games=1))
    entrants = {name: entrant(name) for name in seats}
    return msgspec.structs.replace(first, match=match, seats=seats, **{"entrants": entrants} | fields)


@asynccontextmanager
async def open_desk() -> AsyncIterator[tuple[Desk, Arena]]:
    async with open_arena(Limits(), []) as arena, trio.open_nursery() as nursery:
        desk = Desk(arena)
        nursery.start_soon(desk.rest)
        yield desk, arena
        nursery.cancel_scope.cancel()


def present(arena: Arena) -> list[str]:
    """The bots that are there."""
    assert all(bot.channel is not None for bot in arena.bots)
    return [bot.name for bot in arena.bots]


async def test_a_job_gives_the_lines_of_its_game() -> None:
    async with open_desk() as (desk, _):
        outcome = await desk.play(job("a", "b"))
    assert isinstance(outcome.lines[0], GameLine)
    assert outcome.seats == ["a", "b"]
    assert outcome.result.outcome == "finished"
    assert outcome.stderr == {}


async def test_what_was_played_before_makes_no_difference() -> None:
    async with open_desk() as (desk, _):
        await desk.play(job("b", "a", match="1-2"))
        later = await desk.play(job("a", "b"))
    async with open_desk() as (desk, _):
        alone = await desk.play(job("a", "b"))
    assert timeless(later.lines) == timeless(alone.lines)


async def test_bots_stay_and_the_longest_unused_leave_first() -> None:
    pairs = [(f"bot{n}", f"bot{n + 1}") for n in range(0, BOTS_KEPT, 2)]
    async with open_desk() as (desk, arena):
        for pair in pairs:
            await desk.play(job(*pair))
        assert len(present(arena)) == BOTS_KEPT
        before = list(arena.bots)
        await desk.play(job("bot1", "bot0"))
        assert arena.bots == before
        await desk.play(job("bot0", "new"))
        assert sorted(present(arena)) == sorted([*(name for pair in pairs for name in pair if name != "bot2"), "new"])
        assert [bot.name for bot in before if bot.channel is None] == ["bot2"]


async def test_the_same_bot_may_sit_twice() -> None:
    async with open_desk() as (desk, arena):
        outcome = await desk.play(job("a", "a"))
        await desk.play(job("a", "b"))
        assert outcome.seats == ["a", "a"]
        assert sorted(present(arena)) == ["a", "a", "b"]


@pytest.mark.parametrize(
    "change",
    [
        {"entrants": {"a": entrant("a", limits=Limits(illegal=1)), "b": entrant("b")}},
        {"entrants": {"a": entrant("a", restart_after=2), "b": entrant("b")}},
        {"folder": "/"},
    ],
)
async def test_a_bot_plays_on_only_under_the_same_conditions(change: dict[str, Any]) -> None:
    async with open_desk() as (desk, arena):
        await desk.play(job("a", "b"))
        await desk.play(job("a", "b", **change))
        assert present(arena).count("a") == 2


async def test_a_bot_is_started_anew_after_as_many_games_as_it_says() -> None:
    told: list[object] = []
    bots = {"a": entrant("a", restart_after=2), "b": entrant("b")}
    async with open_desk() as (desk, arena):
        for match in ("1-1", "1-2", "2-1"):
            await desk.play(job("a", "b", match=match, entrants=bots))
            told.append(arena.bots[0].channel)
    assert told[0] is told[1]
    assert told[1] is not told[2]


async def test_bots_leave_when_nothing_is_played_for_long(autojump_clock: MockClock) -> None:
    async with open_desk() as (desk, arena):
        await desk.play(job("a", "b"))
        await trio.sleep(0.9 * IDLE)
        await desk.play(job("a", "b", match="1-2"))
        await trio.sleep(0.9 * IDLE)
        assert len(present(arena)) == 2
        await trio.sleep(0.2 * IDLE)
        assert present(arena) == []
        outcome = await desk.play(job("a", "b", match="1-3"))
        assert outcome.result.outcome == "finished"
        await trio.sleep(2 * IDLE)
        assert present(arena) == []


@pytest.mark.parametrize("attempts", [1, 2])
async def test_a_game_is_played_as_often_as_the_job_says(attempts: int) -> None:
    absent = msgspec.structs.replace(parse_spec("absent=false"), launch=Command(("false",)))
    bots = {"a": entrant("a"), "absent": Entrant(spec=absent, limits=Limits(), restart_after=None)}
    async with open_desk() as (desk, _):
        outcome = await desk.play(job("a", "absent", entrants=bots, attempts=attempts))
    results = [line for line in outcome.lines if isinstance(line, ResultLine)]
    assert [line.outcome for line in results] == ["void"] * attempts


# ---- in a thread -----------------------------------------------------------------------------------------------------


def threads() -> Sequence[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "arena"]


def test_a_workshop_works_in_a_thread_of_its_own_and_leaves_nothing() -> None:
    workshop = Workshop()
    assert threads() == ["arena"]
    assert workshop.play(job("a", "b")).result.outcome == "finished"
    assert workshop.play(job("a", "b", match="1-2")).result.outcome == "finished"
    workshop.close()
    workshop.close()
    assert threads() == []


def test_jobs_are_played_in_their_folder_and_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path.cwd())
    seen: list[tuple[str, Path]] = []

    class Counter:
        def play(self, given: Job) -> None:
            seen.append(("in", Path.cwd()))
            os.sched_yield()
            seen.append(("out", Path.cwd()))

    monkeypatch.setattr("mexica_cli.tournament.worker._workshop", Counter)
    folders = [tmp_path / str(number) for number in range(8)]
    callers = [threading.Thread(target=play_job, args=[job("a", "b", folder=str(folder))]) for folder in folders]
    for folder in folders:
        folder.mkdir()
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert [what for what, _ in seen] == ["in", "out"] * len(folders)
    assert [where for _, where in seen[::2]] == [where for _, where in seen[1::2]]
    assert {where for _, where in seen} == set(folders)


async def test_a_worker_whose_parent_is_gone_ends_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is broken off while a bot starts would be told as a fault of the arena."""
    sentinel, parent = os.pipe()
    os.close(parent)
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: SimpleNamespace(sentinel=sentinel))
    stderr = os.dup(2)
    try:
        with trio.CancelScope() as orphaned:
            await _watch_parent(orphaned)
        assert orphaned.cancel_called
        assert os.path.samestat(os.fstat(2), Path(os.devnull).stat())
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(sentinel)
