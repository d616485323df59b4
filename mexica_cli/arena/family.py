"""A bot's process and all that it started: who they are, what memory they take, and how they are ended.

A bot gets a session and process group of its own, and a mark in its environment, which its children inherit. A
process whose parent has died becomes a child of the arena's process, an orphan. It is known by its mark or its session;
one that has neither hides whose it is, and is a stray.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
MARK = "MEXICA_BOT"
"""Environment variable that every bot process, and by inheritance its children, carries."""

own: set[int] = set()
"""Children of this process that are no orphans, whatever their session: its bots, its guard, what was there before."""

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PR_SET_CHILD_SUBREAPER = 36
_starts: list[None] = []
"""One for each process that is being started: not yet among `own`, it looks like a stray."""


class Member(NamedTuple):
    """A process, known for sure: its number may be another's later, but not with the same start."""

    pid: int
    started: int


class _Stat(NamedTuple):
    state: str
    session: int
    started: int


def adopt_orphans() -> None:
    """From now on the orphans of all bots become children of this process. Linux only; elsewhere they get away."""
    own.update(_children(os.getpid()))
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 (the guard has no use for it)

        with contextlib.suppress(OSError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """A block in which a process is started in a session of its own; within it, it is put among `own`."""
    _starts.append(None)
    try:
        yield
    finally:
        _starts.pop()


# ---- how they are ended ----------------------------------------------------------------------------------------------


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
    for pid in _marked(mark):
        _kill(pid)


def kill_tree(pid: int) -> None:
    """Kill a process and its descendants."""
    for member in _tree(pid):
        _kill(member)


def kill_orphans(group: int, mark: str) -> bool:
    """Kill what a bot that has ended left behind, and all strays; False when there are none left."""
    left = [orphan for orphan in _living_orphans() if _is_of(orphan, group, mark) or _is_stray(orphan)]
    for orphan in left:
        kill_tree(orphan)
    return bool(left)


def kill_strays() -> int:
    """Kill those that nobody can be charged with; how many they are."""
    strays = list(filter(_is_stray, _living_orphans()))
    for stray in strays:
        kill_tree(stray)
    return len(strays)


def members(group: int, mark: str) -> set[Member]:
    """The process of a bot and those that carry its mark, with all their descendants."""
    pids = {pid for root in (group, *_marked(mark)) for pid in _tree(root)}
    return {Member(pid, stat.started) for pid in pids if (stat := _stat(pid)) is not None}


def kill_members(found: set[Member]) -> None:
    """Kill those that are still there."""
    for member in found:
        if (stat := _stat(member.pid)) is not None and stat.started == member.started:
            _kill(member.pid)


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


# ---- what memory they take -------------------------------------------------------------------------------------------


def takes_more(pid: int, mark: str, limit: int) -> bool:
    """Whether a bot, its descendants and its orphans together have more than `limit` bytes of memory.

    False where there is no /proc. What processes share is counted once; but that takes long, so it is only done where
    it may matter.
    """
    orphans = (orphan for orphan in _living_orphans() if _is_of(orphan, pid, mark))
    family = [member for root in (pid, *orphans) for member in _tree(root)]
    return sum(map(_resident, family)) > limit and sum(map(_proportional, family)) > limit


def can_measure() -> bool:
    """Whether memory can be measured on this machine."""
    return (PROC / "self" / "statm").exists()


def _resident(pid: int) -> int:
    try:
        return int((PROC / str(pid) / "statm").read_bytes().split()[1]) * _PAGE_BYTES
    except OSError:
        return 0


def _proportional(pid: int) -> int:
    """Memory in which a page that n processes share counts 1/n for each; all of it, where the system doesn't say."""
    with contextlib.suppress(OSError):
        for line in (PROC / str(pid) / "smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return _resident(pid)


# ---- who they are ----------------------------------------------------------------------------------------------------


def _tree(pid: int) -> list[int]:
    found = [pid]
    for member in found:
        found.extend(_children(member))
    return found


def _children(pid: int) -> Iterator[int]:
    with contextlib.suppress(OSError):
        for task in (PROC / str(pid) / "task").iterdir():
            yield from map(int, (task / "children").read_bytes().split())


def _living_orphans() -> Iterator[int]:
    """The orphans; those that are dead are buried, as nobody else will do so.

    They are the children that this process hasn't started: from a session of a bot no way leads back into its own.
    """
    session = os.getsid(0)
    for child in list(_children(os.getpid())):
        stat = None if child in own else _stat(child)
        if stat is None or stat.session == session:
            continue
        if stat.state != "Z":
            yield child
            continue
        with contextlib.suppress(OSError):
            os.waitpid(child, os.WNOHANG)


def _is_of(orphan: int, group: int, mark: str) -> bool:
    stat = _stat(orphan)
    return _mark(orphan) == mark or (stat is not None and stat.session == group)


def _is_stray(orphan: int) -> bool:
    stat = _stat(orphan)
    return stat is not None and not _starts and not _mark(orphan) and stat.session not in own


def _marked(mark: str) -> Iterator[int]:
    return (int(process.name) for process in PROC.glob("[0-9]*") if _mark(int(process.name)) == mark)


def _mark(pid: int) -> str:
    """The mark of the bot that a process belongs to, "" without one."""
    start = f"{MARK}=".encode()
    with contextlib.suppress(OSError):
        for variable in (PROC / str(pid) / "environ").read_bytes().split(b"\0"):
            if variable.startswith(start):
                return variable.removeprefix(start).decode("ascii", "replace")
    return ""


def _stat(pid: int) -> _Stat | None:
    try:
        fields = (PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return _Stat(fields[0].decode(), int(fields[3]), int(fields[19]))
