"""Ctrl-C, politely: the first lets running games finish, the second stops at once. SIGTERM counts as Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Callable

import trio


class Interrupt:
    """Whether, and how often, the run was asked to stop."""

    def __init__(self, scope: trio.CancelScope, notice: Callable[[str], None]) -> None:
        """`scope` is cancelled at the second signal; `notice` tells the person who sent the first."""
        self._scope = scope
        self._notice = notice
        self.asked = False
        """Finish what runs, start nothing."""

    async def watch(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Take the signals, until cancelled."""
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            task_status.started()
            async for _ in signals:
                self.receive()

    def receive(self) -> None:
        """One signal."""
        if self.asked:
            self._scope.cancel()
        else:
            self.asked = True
            self._notice("finishing the running game; once more to stop at once")
