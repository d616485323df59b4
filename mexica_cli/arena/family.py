"""A bot's process and all that it started: who they are, what memory they take, and how they are ended.

A bot gets a session and process group of its own. Children that leave the group still carry its mark in their
environment and are found by it.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

PROC = Path("/proc")
MARK = "MEXICA_BOT"
"""Environment variable that every bot process, and by inheritance its children, carries."""

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def signal_group(group: int, number: signal.Signals) -> bool:
    """Signal every process of the group; False when there is none left."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says so of a group of zombies
        return False
    return True


def kill_marked(mark: str) -> None:
    """Kill every process that carries `mark`, wherever it has gone. Does nothing where there is no /proc."""
    wanted = f"{MARK}={mark}".encode()
    for process in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)


def resident_bytes(pid: int) -> int:
    """Resident memory of a process and its descendants together. 0 where there is no /proc, or the process is gone."""
    return sum(_resident(member) for member in _tree(pid))


def can_measure() -> bool:
    """Whether memory can be measured on this machine."""
    return (PROC / "self" / "statm").exists()


def _tree(pid: int) -> list[int]:
    members = [pid]
    for member in members:
        with contextlib.suppress(OSError):
            for task in (PROC / str(member) / "task").iterdir():
                members.extend(map(int, (task / "children").read_bytes().split()))
    return members


def _resident(pid: int) -> int:
    try:
        return int((PROC / str(pid) / "statm").read_bytes().split()[1]) * _PAGE_BYTES
    except OSError:
        return 0
