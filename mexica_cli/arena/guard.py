"""Kills the bots, with all that they started, when the arena is gone, even if it was killed outright.

A small process of its own, in its own session. The arena writes `+GROUP MARK` when a bot starts and `-GROUP` when one
is gone; the end of the input means that the arena is no more. It runs without site-packages, so that it starts quickly:
this module and what it imports keep to the standard library.
"""

from __future__ import annotations

import contextlib
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


_RUN = "import sys; sys.path.append(sys.argv[1]); from mexica_cli.arena.guard import main; main()"
_ROOT = str(Path(mexica_cli.__file__).parent.parent)


class Guard:
    """The arena's end of the guard process. Started at the first bot."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, group: int, mark: str) -> None:
        """From now on `group`, and whatever carries `mark`, is killed with the arena."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _RUN, _ROOT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._tell(f"+{group} {mark}\n")

    def forget(self, group: int) -> None:
        """`group` is gone; its number may soon belong to somebody else."""
        self._tell(f"-{group}\n")

    def close(self) -> None:
        """End the guard; every group must be gone."""
        if self._process is not None:
            process, self._process = self._process, None
            with contextlib.suppress(OSError):
                _input(process).close()
            process.wait()

    def _tell(self, line: str) -> None:
        if self._process is not None:
            with contextlib.suppress(OSError):
                _input(self._process).write(line.encode())
                _input(self._process).flush()


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
    if marks:
        time.sleep(GRACE)
    for number, mark in marks.items():
        family.signal_group(number, signal.SIGKILL)
        family.kill_marked(mark)
