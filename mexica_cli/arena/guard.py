"""Kills the bots, with all that they started, when the arena is gone, even if it was killed outright.

A small process of its own, in its own session. The arena writes `+GROUP MARK` when a bot starts and `-GROUP` when one
is gone; the end of the input means that the arena is no more. It runs without site-packages, so that it starts quickly:
this module and what it imports keep to the standard library.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import mexica_cli
from mexica_cli.arena import family

GRACE = 1.0
"""Seconds that bots get to see the end of their own input, which comes at the same moment."""
PATIENCE = 2.0
"""Seconds that the guard gets to end, once it has nobody left to watch."""


_RUN = "import sys; sys.path.append(sys.argv[1]); from mexica_cli.arena.guard import main; main()"
_ROOT = str(Path(mexica_cli.__file__).parent.parent)


class Guard:
    """The arena's end of the guard process. Started at the first bot."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._marks: dict[int, str] = {}
        """The groups under guard."""

    def watch(self, group: int, mark: str) -> None:
        """From now on `group`, and whatever carries `mark`, is killed with the arena. Raises OSError."""
        self._marks[group] = mark
        if self._process is None:
            self._start()
        else:
            self._tell(f"+{group} {mark}\n")

    def forget(self, group: int) -> None:
        """`group` is gone; its number may soon belong to somebody else."""
        del self._marks[group]
        with contextlib.suppress(OSError):  # whoever is watched next starts another one
            self._tell(f"-{group}\n")

    def close(self) -> None:
        """End the guard; every group must be gone."""
        if self._process is not None:
            process, self._process = self._process, None
            _end(process)

    def _start(self) -> None:
        """Start the guard process and tell it all. Raises OSError."""
        with family.starting():
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _RUN, _ROOT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
            family.own.add(self._process.pid)
        os.set_blocking(_input(self._process).fileno(), False)
        _write(self._process, "".join(f"+{group} {mark}\n" for group, mark in self._marks.items()))

    def _tell(self, line: str) -> None:
        """Tell the guard, or another one, all over, where it can't be told. Raises OSError."""
        if self._process is not None:
            try:
                _write(self._process, line)
            except OSError:
                self.close()
                self._start()


def _write(process: subprocess.Popen[bytes], text: str) -> None:
    """Without waiting: a guard that is stopped must stop nobody else. Raises OSError."""
    data = text.encode()
    if (sent := _input(process).write(data)) != len(data):
        raise BlockingIOError(f"the guard took {sent} bytes")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it, even if somebody has stopped it."""
    with contextlib.suppress(OSError):
        _input(process).close()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()
    family.own.discard(process.pid)


def _input(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdin is not None
    return process.stdin


def main() -> None:
    """The guard process."""
    for interrupt in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(interrupt, signal.SIG_IGN)
    marks: dict[int, str] = {}
    for line in sys.stdin:
        group, _, mark = line[1:].strip().partition(" ")
        if line.startswith("+"):
            marks[int(group)] = mark
        else:
            marks.pop(int(group), None)
    found = set[family.Member]().union(*(family.members(group, mark) for group, mark in marks.items()))
    if marks:
        time.sleep(GRACE)
    for group, mark in marks.items():
        family.signal_group(group, signal.SIGKILL)
        family.kill_marked(mark)
    family.kill_members(found)
