"""A channel carries lines to and from one bot.

`Channel` is what the referee knows. A subclass says how bytes move and what it means when they stop: a process
(`process.py`), a TCP connection (`tcp.py`), a bot inside the arena (`inprocess.py`).

Nothing is read from a bot that isn't asked: what it says out of turn waits in its pipe, and counts when it is asked.
So a match depends on what bots say and never on when, and a babbling bot fills its own pipe and stops.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from contextlib import suppress

import trio

from mexica_cli.arena.faults import ChannelClosed, SeatFault
from mexica_cli.wire.framing import LineBuffer, LineTooLong

READ_BYTES = 65536
OUTBOX_BYTES = 4 << 20
"""What may wait for a bot that doesn't read, before it counts as gone."""


class Channel(ABC):
    """Lines to and from one bot."""

    computes_here = False
    """Whether the bot computes in the arena's own loop, so that what holds the loop up may be the bot itself."""

    @abstractmethod
    def post(self, data: bytes) -> None:
        """Hand over whole lines without waiting; what the bot doesn't take at once is kept and goes first next time.

        Never fails: a closed channel shows when it is read.
        """

    @property
    @abstractmethod
    def flushed(self) -> bool:
        """Whether the bot's end has taken everything posted; then there is nothing to wait for."""

    @abstractmethod
    async def flush(self) -> None:
        """Wait until the bot's end has taken everything posted. Raises ChannelClosed."""

    @abstractmethod
    async def receive_line(self) -> bytes:
        """The next line, without its end. Raises ChannelClosed, LineTooLong."""

    @abstractmethod
    def poll_line(self) -> bytes | None:
        """A line that has already arrived, or None. Never waits, never fails."""

    @abstractmethod
    def has_ended(self) -> bool:
        """Whether the other end is known to be gone. Never waits, never fails."""

    @property
    @abstractmethod
    def unfinished(self) -> int:
        """Bytes that arrived without a line feed after them."""

    @abstractmethod
    async def why_closed(self) -> SeatFault:
        """What the end of this channel means. Called once it raised ChannelClosed."""

    @abstractmethod
    async def close(self, grace: float) -> None:
        """End the bot, giving it `grace` seconds to leave by itself, and leave nothing behind. May be called twice."""

    def stderr_tail(self) -> str | None:
        """The last of what the bot wrote to its standard error, where there is such a thing."""
        return None


class FdChannel(Channel):
    """A channel over file descriptors, which it owns: two ends of pipes, or one socket twice.

    Reads and writes go to the descriptors directly: between every two moves stands one write, one wait, one read.
    """

    def __init__(self, read_fd: int, write_fd: int, line_bytes: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._lines = LineBuffer(line_bytes)
        self._outbox = bytearray()
        self._write_broken = False
        self._given_up = False
        self._stopped = False
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)

    def post(self, data: bytes) -> None:
        """See `Channel.post`."""
        if self._write_broken:
            return
        self._outbox += data
        self._write_some()
        if len(self._outbox) > OUTBOX_BYTES:
            self._give_up_writing()

    @property
    def flushed(self) -> bool:
        """See `Channel.flushed`."""
        return not self._outbox and not self._write_broken

    async def flush(self) -> None:
        """See `Channel.flush`."""
        while self._outbox and not self._write_broken:
            with suppress(trio.ClosedResourceError):  # `give_up` ends the wait
                await trio.lowlevel.wait_writable(self._write_fd)
                self._write_some()
        if self._write_broken:
            raise ChannelClosed("it no longer reads")

    async def receive_line(self) -> bytes:
        """See `Channel.receive_line`."""
        while (line := self._lines.next_line()) is None:
            if self._read_fd < 0 or self._stopped:
                raise ChannelClosed("closed here")
            await self._arrival()
            read = None if self._stopped else self._read_some()
            if read == 0 or (read is None and self._given_up):
                raise ChannelClosed("end of output")
        return line

    async def _arrival(self) -> None:
        """Wait until there is something to read, or the other end is known to be gone."""
        if self._given_up:
            await trio.lowlevel.checkpoint()
            return
        with suppress(trio.ClosedResourceError):  # `give_up` ends the wait
            await trio.lowlevel.wait_readable(self._read_fd)

    def poll_line(self) -> bytes | None:
        """See `Channel.poll_line`."""
        if self._read_fd >= 0:
            self._read_some()
        try:
            return self._lines.next_line()
        except LineTooLong:
            return None

    def has_ended(self) -> bool:
        """See `Channel.has_ended`."""
        return self._given_up or self._read_fd < 0 or self._read_some() == 0

    @property
    def unfinished(self) -> int:
        """See `Channel.unfinished`."""
        return self._lines.pending

    def _read_some(self) -> int | None:
        """Bytes read; 0 at the end, None when there is nothing now."""
        try:
            data = os.read(self._read_fd, READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return 0
        return self._take_in(data)

    def _take_in(self, data: bytes) -> int:
        """What arrived goes to the lines; how many bytes of it counted, as `_read_some` says it."""
        self._lines.feed(data)
        return len(data)

    def _write_some(self) -> None:
        try:
            sent = os.write(self._write_fd, self._outbox)
        except BlockingIOError:
            return
        except OSError:
            self._give_up_writing()
            return
        del self._outbox[:sent]

    def _give_up_writing(self) -> None:
        self._write_broken = True
        self._outbox.clear()

    def stop_reading(self) -> None:
        """Nothing more is wanted: whoever waits for a line is told that the channel is closed."""
        self._stopped = True
        if self._read_fd >= 0:
            trio.lowlevel.notify_closing(self._read_fd)

    def give_up(self) -> None:
        """Whoever was at the other end is gone, whatever the descriptors say: read what has arrived, then no more."""
        self._given_up = True
        self._give_up_writing()
        for fd in (self._read_fd, self._write_fd):
            if fd >= 0:
                trio.lowlevel.notify_closing(fd)

    async def _last_lines(self, grace: float) -> None:
        """Let a slow reader have what still waits for it."""
        with trio.move_on_after(grace), suppress(ChannelClosed):
            await self.flush()

    def close_writing(self) -> None:
        """The bot sees the end of its input."""
        if self._write_fd >= 0 and self._write_fd != self._read_fd:
            _close_fd(self._write_fd)
        self._write_fd = -1
        self._give_up_writing()

    def close_fds(self) -> None:
        """Close both directions."""
        self.close_writing()
        if self._read_fd >= 0:
            _close_fd(self._read_fd)
        self._read_fd = -1


def _close_fd(fd: int) -> None:
    """Close, and wake whoever waits on it."""
    trio.lowlevel.notify_closing(fd)
    os.close(fd)
