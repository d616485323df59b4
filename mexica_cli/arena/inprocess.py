"""A bot inside the arena's own process: no pipe, no process start, and no defence against it.

For the project's own bots, tests and benchmarks. The bot's code runs while the arena waits for its answer: its time is
its own, but it can't be timed out or confined.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import trio

from mexica_cli.arena.channel import Channel
from mexica_cli.arena.faults import ChannelClosed, FaultKind, SeatFault

Respond = Callable[[bytes], list[bytes]]
"""A bot as a function: a line from the arena to the lines it answers; raising an exception is its crash."""


class InProcessChannel(Channel):
    """Calls the bot with every line and keeps what it answers."""

    computes_here = True

    def __init__(self, respond: Respond) -> None:
        self._respond: Respond | None = respond
        self._waiting: deque[bytes] = deque()
        self._answers: deque[bytes] = deque()
        self._crash = ""

    def post(self, data: bytes) -> None:
        """See `Channel.post`."""
        self._waiting.extend(data.splitlines())

    @property
    def flushed(self) -> bool:
        """See `Channel.flushed`."""
        return True

    async def flush(self) -> None:
        """See `Channel.flush`."""
        await trio.lowlevel.checkpoint()

    async def receive_line(self) -> bytes:
        """See `Channel.receive_line`. A bot that has heard everything and not answered never will."""
        await trio.lowlevel.checkpoint()
        while not self._answers:
            if self._respond is None:
                raise ChannelClosed(self._crash)
            if not self._waiting:
                await trio.sleep_forever()
            self._hear(self._respond, self._waiting.popleft())
        return self._answers.popleft().rstrip(b"\r\n")

    def _hear(self, respond: Respond, line: bytes) -> None:
        """Have the bot take a line."""
        try:
            self._answers.extend(respond(line))
        except (Exception, SystemExit) as error:
            self._respond = None
            self._crash = f"{type(error).__name__}: {error}"

    def poll_line(self) -> bytes | None:
        """See `Channel.poll_line`."""
        return self._answers.popleft().rstrip(b"\r\n") if self._answers else None

    def has_ended(self) -> bool:
        """See `Channel.has_ended`."""
        return self._respond is None

    @property
    def unfinished(self) -> int:
        """See `Channel.unfinished`."""
        return 0

    async def why_closed(self) -> SeatFault:
        """See `Channel.why_closed`."""
        await trio.lowlevel.checkpoint()
        if self._crash:
            return SeatFault(FaultKind.CRASH, f"the bot raised {self._crash}")
        return SeatFault(FaultKind.DISCONNECT, "the bot left")

    async def close(self, grace: float) -> None:
        """See `Channel.close`. The bot hears what it was last told."""
        await trio.lowlevel.checkpoint()
        while self._waiting and self._respond is not None:
            self._hear(self._respond, self._waiting.popleft())
        self._respond = None
