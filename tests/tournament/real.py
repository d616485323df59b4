"""Tournaments of short games between real processes, and making sure that nothing is left of them."""

from __future__ import annotations

import gc
import multiprocessing
import os
import select
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from arena.zookeeper import LONG, inherited_token, open_files, processes_with

from mexica_cli.games.tomlfile import struct_from
from mexica_cli.record.lines import ActionLine, Line
from mexica_cli.tournament.config import Tournament, make_tournament
from mexica_cli.tournament.directory import Directory
from mexica_cli.tournament.fields import TournamentFile
from mexica_cli.tournament.job import Job, Outcome
from mexica_cli.tournament.results import Results
from mexica_cli.tournament.runner import Runner

SPY = Path(__file__).parent / "spy.py"
SHORT_GAMES = {"stall_rounds": 1}
"""Rules under which spies need some 15 actions."""


def spies(folder: Path, *names: str, tell: bool = False) -> dict[str, str]:
    """Commands of spies by name, who get their orders in that folder."""
    return dict.fromkeys(names, shlex.join([str(SPY), str(folder), *(["--tell"] if tell else [])]))


def plan(bots: dict[str, str], **fields: Any) -> Tournament:
    """A tournament of short games."""
    tables = [{"name": name, "command": command} for name, command in bots.items()]
    usual: dict[str, Any] = {"seed": 7, "move_time": "60s", "startup": "60s", "options": SHORT_GAMES, "bots": tables}
    return make_tournament(struct_from(TournamentFile, usual | fields))


def jobs_of(tournament: Tournament) -> list[Job]:
    """The games of its first round as jobs."""
    runner = Runner(tournament, Directory(Path()), None, [], lambda seats, result: None)  # type: ignore[arg-type]
    blocks = tournament.format.round(0, Results([])) or []
    return [runner.job(fixture) for block in blocks for fixture in block.fixtures()]


def notes(lines: list[Line]) -> set[tuple[int, int, str]]:
    """What spies told: their process, its parent, and its CPUs."""
    texts = [line.note for line in lines if isinstance(line, ActionLine) and line.note is not None]
    split = [text.split(" ", 2) for text in texts]
    return {(int(pid), int(parent), cpus) for pid, parent, cpus in split}


def workers_of(*outcomes: Outcome) -> set[int]:
    """The worker processes in which games with telling spies were played."""
    return {parent for outcome in outcomes for _, parent, _ in notes(outcome.lines)}


class Gate:
    """Where a spy with the order `wait` in that folder waits."""

    def __init__(self, folder: Path) -> None:
        for name in ("here", "go"):
            os.mkfifo(folder / name)
        self._go = folder / "go"
        self._here = os.open(folder / "here", os.O_RDONLY | os.O_NONBLOCK)

    def wait(self) -> None:
        """Until the spy is there."""
        assert select.select([self._here], [], [], LONG)[0], "nobody came"
        os.read(self._here, 1)

    def open(self) -> None:
        """Let it go on."""
        self._go.write_bytes(b"!")

    def close(self) -> None:
        """Be gone; a spy that waits is the caller's to end."""
        os.close(self._here)


@contextmanager
def gate(folder: Path) -> Iterator[Gate]:
    """A gate for as long as the block lasts."""
    made = Gate(folder)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def nothing_left() -> Iterator[None]:
    """After the block no process lives that was started in it, and no file is open that was not before."""
    resource_tracker.ensure_running()  # multiprocessing's own; it stays
    gc.collect()
    before = open_files()
    with inherited_token() as token:
        yield
        while pids := processes_with(token):  # those that are on their way out may still have started others
            assert all(map(dies, pids))
    multiprocessing.active_children()  # it forgets the dead ones, and their pipes
    gc.collect()
    assert open_files() == before


def dies(pid: int) -> bool:
    """Whether the process ends within a time that is long enough for everything."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([fd], [], [], LONG)[0])
    finally:
        os.close(fd)
