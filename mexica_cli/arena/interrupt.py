"""Ctrl-C, politely: the first lets running games finish, the second stops at once, the third ends the process.

SIGTERM counts as Ctrl-C, and so does a terminal that is closed (SIGHUP), unless the run was told to outlive it (nohup).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import trio

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_STREAMS = (0, 1, 2)


class Interrupt:
    """Whether, and how often, the run was asked to stop."""

    def __init__(self, scope: trio.CancelScope, notice: Callable[[str], None]) -> None:
        """`scope` is cancelled at the second signal; `notice` tells the person who sent the first."""
        self._scope = scope
        self._notice = notice
        self._signals = 0
        """How many have come; the event loop may not have seen them yet."""
        self.asked = False
        """Finish what runs, start nothing."""

    async def watch(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Take the signals, until cancelled."""
        token = trio.lowlevel.current_trio_token()
        terminals = [stream for stream in _STREAMS if os.isatty(stream)]

        def take(number: int, _: FrameType | None) -> None:
            self._signals += 1
            if self._signals == 2:  # a loop that hangs in writing to a pipe that nobody reads sees none
                _let_the_next_one_kill()
            if number == signal.SIGHUP:
                _leave_closed(terminals)
            token.run_sync_soon(self.receive)

        with _handled(take):
            task_status.started()
            await trio.sleep_forever()

    def receive(self) -> None:
        """One signal."""
        if self.asked:
            self._scope.cancel()
        else:
            self.asked = True
            with suppress(OSError):  # whoever would read it may be gone
                self._notice("finishing the running game; once more to stop at once")


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Have the signals handled so within the block."""
    taken = [number for number in _SIGNALS if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN]
    before = [signal.signal(number, handler) for number in taken]
    try:
        yield
    finally:
        for number, old in zip(taken, before, strict=True):
            signal.signal(number, old)


def _let_the_next_one_kill() -> None:
    for number in _SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _leave_closed(terminals: list[int]) -> None:
    """Let what was a terminal, and is closed, take what is written to it: the run has yet to end in order."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in terminals:
        if not os.isatty(stream):
            os.dup2(null, stream)
    os.close(null)
