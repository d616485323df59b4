"""Bots as processes: how they are started anew, watched, ended, and that nothing outlives the arena."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import trio
from arena.zookeeper import (
    LONG,
    SEED,
    SHORT,
    Played,
    clean_arena,
    death_of,
    inherited_token,
    limits,
    members,
    no_process_left,
    play,
    processes_with,
    survivor,
    zoo_bot,
)

from mexica_cli.arena import guard
from mexica_cli.arena.bot import Arena
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.faults import ArenaFailed, FaultKind
from mexica_cli.arena.guard import Guard
from mexica_cli.arena.interrupt import Interrupt
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.process import ProcessChannel
from mexica_cli.arena.series import Series, SeriesPlan
from mexica_cli.arena.spec import BotSpec, parse_spec
from mexica_cli.games.game import Game
from mexica_cli.record.lines import STDERR_CHARACTERS, ActionLine, GameLine, Line, ResultLine
from mexica_cli.wire.handshake import Refused

When = Callable[[Line], bool]


class Watcher:
    """Looks at the bots whenever a line is written."""

    def __init__(self) -> None:
        self.channels: list[ProcessChannel] = []
        """Every process, in the order in which they came."""
        self.by_game: list[int] = []
        """Process of the first bot at the start of each game."""
        self._begun = False

    def see(self, arena: Arena, line: Line) -> None:
        """For `play`."""
        begun, self._begun = self._begun, isinstance(line, GameLine)
        if not begun:
            return  # the bots are brought after the game's first line, and have all been by the second
        found = [bot.channel for bot in arena.bots if isinstance(bot.channel, ProcessChannel)]
        self.channels += [channel for channel in found if channel not in self.channels]
        self.by_game.append(found[0].pid)


# ---- from game to game -----------------------------------------------------------------------------------------------


async def two_games(
    game: Game, spec: BotSpec, *, move: float = LONG, bounds: Limits | None = None
) -> tuple[Played, list[int]]:
    """What two games of a bot against a good one came to, and by which processes it played them."""
    watcher = Watcher()
    specs = [spec, survivor("survivor", [])]
    played = await play(game, specs, bounds or limits(), move=move, games=2, record=watcher.see)
    return played, watcher.by_game


async def test_a_bot_lives_from_game_to_game(nim: Game) -> None:
    played, (first, second) = await two_games(nim, zoo_bot("good"))
    assert [result.outcome for result in played.results] == ["finished", "finished"]
    assert first == second


async def test_a_bot_that_crashed_is_started_anew_for_the_next_game(nim: Game, tmp_path: Path) -> None:
    played, (first, second) = await two_games(nim, zoo_bot("crashes_once", str(tmp_path / "warning")))
    assert [result.outcome for result in played.results] == ["forfeit", "finished"]
    assert [result.reasons[0] is None for result in played.results] == [False, True]
    assert first != second


async def test_the_old_process_has_no_say_in_the_next_game(nim: Game) -> None:
    """The first process answers when it has been sent away, while the second already plays."""
    played, (first, second) = await two_games(nim, zoo_bot("answers_late"), move=SHORT, bounds=limits(quit=2.0))
    assert first != second
    assert [result.stale for result in played.results] == [[0, 0], [0, 0]]
    kinds = [fault.kind for result in played.results for fault in result.reasons if fault is not None]
    assert kinds == [FaultKind.TIMEOUT, FaultKind.TIMEOUT]


async def test_a_bot_that_leaves_after_every_game_is_brought_back(nim: Game) -> None:
    """Whether it is gone already when the next game starts, or still on its way out."""
    played, _ = await two_games(nim, zoo_bot("leaves_after_result"))
    assert [result.outcome for result in played.results] == ["finished", "finished"]


async def test_a_file_that_cannot_be_written_costs_no_game(nim: Game, tmp_path: Path) -> None:
    (tmp_path / "floods_stderr.stderr").mkdir()
    specs = [zoo_bot("floods_stderr"), survivor("survivor", [])]
    played = await play(nim, specs, limits(), stderr_dir=tmp_path)
    assert [result.outcome for result in played.results] == ["finished"]


async def test_a_bot_that_only_played_badly_stays(nim: Game) -> None:
    """It hears that it has forfeited, and plays the next game in the same process."""
    played, (first, second) = await two_games(nim, zoo_bot("illegal_thrice", "take 9"))
    assert first == second
    assert [result.outcome for result in played.results] == ["forfeit", "forfeit"]
    assert [result.stale for result in played.results] == [[0, 0], [0, 0]]
    assert played.results[1].reasons[1] == played.results[0].reasons[0]


# ---- standard error --------------------------------------------------------------------------------------------------


async def test_standard_error_goes_to_a_file_up_to_its_limit(nim: Game, tmp_path: Path) -> None:
    bounds = Limits(startup=LONG, ready=LONG, quit=SHORT, stderr_bytes=100_000)
    played = await play(nim, [zoo_bot("floods_stderr"), survivor("survivor", [])], bounds, stderr_dir=tmp_path)
    assert played.results[0].outcome == "finished"
    assert [path.name for path in tmp_path.iterdir()] == ["floods_stderr.stderr"]
    kept = (tmp_path / "floods_stderr.stderr").read_bytes()
    assert len(kept) == 100_000
    assert kept.startswith(b"thinking very hard thinking")


async def test_the_record_of_a_failed_game_has_the_end_of_standard_error(nim: Game, tmp_path: Path) -> None:
    played = await play(nim, [zoo_bot("crashes_loudly"), survivor("survivor", [])], limits(), stderr_dir=tmp_path)
    tail = played.results[0].stderr[0]
    assert tail is not None
    assert len(tail) == STDERR_CHARACTERS
    assert tail.endswith("it is all over\n")
    kept = (tmp_path / "crashes_loudly.stderr").read_text(encoding="utf-8")
    assert len(kept) > 900_000
    assert kept.endswith(tail)


# ---- the end of a bot ------------------------------------------------------------------------------------------------


async def test_a_bot_is_ended_by_word_then_end_of_input_then_signals(nim: Game, tmp_path: Path) -> None:
    watcher, diary = Watcher(), tmp_path / "diary"
    specs = [zoo_bot("ignores_everything", str(diary)), survivor("survivor", [])]
    await play(nim, specs, limits(quit=0.7), record=watcher.see)
    assert diary.read_text(encoding="utf-8").split("\n") == ["bye", "end of input", "SIGTERM", ""]
    assert [channel._process.returncode for channel in watcher.channels] == [-signal.SIGKILL]


async def test_a_bot_that_leaves_when_told_is_sent_no_signal(nim: Game) -> None:
    watcher = Watcher()
    await play(nim, [zoo_bot("good"), survivor("survivor", [])], limits(quit=LONG), record=watcher.see)
    assert [channel._process.returncode for channel in watcher.channels] == [0]


@pytest.mark.parametrize("name", ["outlived_by_anonym", "outlived_by_child", "outlived_by_daemon", "outlived_by_stray"])
async def test_what_a_bot_started_ends_with_it(nim: Game, tmp_path: Path, name: str) -> None:
    watcher, note = Watcher(), tmp_path / "note"
    played = await play(
        nim, [zoo_bot(name, str(note)), survivor("survivor", [])], limits(quit=LONG), record=watcher.see
    )
    assert played.results[0].outcome == "finished"
    await death_of(int(note.read_text(encoding="utf-8")))
    [channel] = watcher.channels
    assert channel._process.returncode == 0
    assert members(channel.pid) == []


async def test_an_error_within_the_arena_leaves_nothing_either() -> None:
    async def fail() -> None:
        async with clean_arena(limits()) as arena:
            await arena.add(zoo_bot("ignores_everything")).start()
            raise LookupError

    with pytest.raises(ExceptionGroup) as caught:
        await fail()
    assert caught.group_contains(LookupError)


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------


class Interrupted:
    """Two games of a good bot and another, interrupted some times at the first line of the log that is so."""

    def __init__(self, when: When, times: int) -> None:
        self._when = when
        self._times = times
        self.lines: list[Line] = []
        self.notices: list[str] = []
        self.cancelled = False

    async def run(self, game: Game, spec: BotSpec) -> None:
        """Without any limit on time, and with all patience for bots to leave by themselves."""
        plan = SeriesPlan(games=2, master_seed=SEED, control=TimeControl())
        with trio.fail_after(LONG), trio.CancelScope() as scope:
            self._interrupt = Interrupt(scope, self.notices.append)
            async with clean_arena(limits(quit=2 * LONG)) as arena:
                bots = [arena.add(survivor("survivor", [])), arena.add(spec)]
                series = Series(game, bots, plan, self._record, lambda *_: None)
                await series.run(frozenset(), lambda: self._interrupt.asked)
        self.cancelled = scope.cancelled_caught

    def _record(self, line: Line) -> None:
        self.lines.append(line)
        if self._when(line) and not self._interrupt.asked:
            for _ in range(self._times):
                self._interrupt.receive()


def at_once(line: Line) -> bool:
    """When the game begins."""
    return isinstance(line, GameLine)


def in_its_turn(line: Line) -> bool:
    """When the next to be asked is the bot in seat 1."""
    return isinstance(line, ActionLine) and line.action == "end"


@pytest.mark.parametrize("when", [at_once, in_its_turn])
async def test_the_first_interrupt_lets_the_game_finish_and_starts_none(nim: Game, when: When) -> None:
    run = Interrupted(when, 1)
    await run.run(nim, zoo_bot("good"))
    assert not run.cancelled
    assert len(run.notices) == 1
    assert [line.outcome for line in run.lines if isinstance(line, ResultLine)] == ["finished"]
    assert len([line for line in run.lines if isinstance(line, GameLine)]) == 1


@pytest.mark.parametrize(
    ("name", "when"),
    [("never_ready", at_once), ("good", in_its_turn), ("hangs", in_its_turn), ("hangs_for_good", in_its_turn)],
)
async def test_the_second_interrupt_stops_at_once(nim: Game, name: str, when: When) -> None:
    run = Interrupted(when, 2)
    await run.run(nim, zoo_bot(name))
    assert run.cancelled
    assert when(run.lines[-1])


# ---- the end of the arena --------------------------------------------------------------------------------------------

ARENA = """
import sys

import trio
from arena.zookeeper import limits, zoo_bot
from mexica_cli.arena.bot import open_arena


async def main():
    async with open_arena(limits(), []) as arena:
        bot = arena.add(zoo_bot(sys.argv[1]))
        await bot.start()
        print("it is", bot.channel.pid, end=".", flush=True)
        await trio.sleep_forever()


trio.run(main)
"""


async def told_pid(process: trio.Process) -> int:
    """The number that such a process prints."""
    assert process.stdout is not None
    said = b""
    with trio.fail_after(LONG):
        while not (found := re.search(rb"it is (\d+)\.", said)):
            said += (await process.stdout.receive_some()) or pytest.fail(
                f"it ended, and had said no more than {said!r}"
            )
    return int(found[1])


@pytest.mark.parametrize(
    ("name", "marked"), [("ignores_everything", 1), ("outlived_by_anonym", 1), ("outlived_by_daemon", 2)]
)
async def test_no_bot_outlives_an_arena_that_is_killed(root: Path, name: str, marked: int) -> None:
    with inherited_token() as token:
        command = [sys.executable, "-c", ARENA, name]
        env = {**os.environ, "PYTHONPATH": f"{root}:{root / 'tests'}"}
        async with trio.open_nursery() as nursery:
            run = partial(trio.run_process, command, env=env, stdout=subprocess.PIPE, check=False)
            arena: trio.Process = await nursery.start(run)
            group = await told_pid(arena)
            assert len(processes_with(token)) == marked + len(["the arena", "its guard"])
            assert members(group)
            arena.kill()
        await no_process_left(token)
        for pid in members(group):
            await death_of(pid)


# ---- what the arena itself lacks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "blames"), [("EMFILE", ArenaFailed), ("EAGAIN", ArenaFailed), ("ENOEXEC", Refused)])
async def test_a_bot_is_not_blamed_for_what_the_arena_lacks(
    monkeypatch: pytest.MonkeyPatch, number: str, blames: type[Exception]
) -> None:
    async def fail(*_: object, **__: object) -> None:
        await trio.lowlevel.checkpoint()
        raise OSError(getattr(errno, number), "it can't be")

    async with clean_arena(limits()) as arena:
        monkeypatch.setattr(trio.lowlevel, "open_process", fail)
        with pytest.raises(blames, match="it can't be"):
            await arena.connect(arena.add(zoo_bot("good")))
        monkeypatch.undo()


async def test_pipes_that_cannot_be_had_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, left = os.pipe, [None] * 2

    def failing_pipe() -> tuple[int, int]:
        if not left:
            raise OSError(errno.EMFILE, "Too many open files")
        left.pop()
        return pipe()

    async with clean_arena(limits()) as arena:
        monkeypatch.setattr(os, "pipe", failing_pipe)
        with pytest.raises(ArenaFailed, match="the arena can't start good: Too many open files"):
            await arena.connect(arena.add(zoo_bot("good")))
        monkeypatch.undo()


async def test_a_guard_that_cannot_be_had_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    async with clean_arena(limits()) as arena:
        monkeypatch.setattr(Guard, "watch", fail)
        with pytest.raises(ArenaFailed, match="Cannot allocate memory"):
            await arena.connect(arena.add(zoo_bot("ignores_everything")))


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
async def test_a_guard_that_was_stopped_or_killed_does_no_harm(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setattr(guard, "PATIENCE", SHORT)
    with trio.fail_after(LONG):
        async with clean_arena(limits()) as arena:
            await arena.add(zoo_bot("good")).start()
            process = arena._guard._process
            assert process is not None
            process.send_signal(number)
            if number == signal.SIGKILL:
                await death_of(process.pid)
            await arena.add(zoo_bot("good")).start()
            assert (arena._guard._process is process) == (number == signal.SIGSTOP)
    assert process.returncode == -signal.SIGKILL


async def test_a_bot_whose_file_was_changed_is_not_started(tmp_path: Path) -> None:
    """Neither is its hash that of the log, nor is the bot to blame."""
    path = tmp_path / "changing.py"
    path.write_text("#")
    spec = parse_spec(f"python3 {path}")
    os.utime(path, (1, 1))
    assert spec.changed_file() is None
    path.write_text("##")
    async with clean_arena(limits()) as arena:
        with pytest.raises(ArenaFailed, match=r"changing\.py, a file of the bot changing, was changed while"):
            await arena.add(spec).start()
