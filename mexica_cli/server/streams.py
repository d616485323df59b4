"""Channels to clients that anybody may be: what they send is metered, and what isn't the protocol is told at once.

`SocketChannel` is for plain TCP, `StreamChannel` for every other stream of trio's: TLS, or the memory of a test.
"""

from __future__ import annotations

import socket
from contextlib import suppress

import trio

from mexica_cli.arena.channel import OUTBOX_BYTES, READ_BYTES, Channel
from mexica_cli.arena.faults import ChannelClosed, FaultKind, SeatFault
from mexica_cli.arena.tcp import TcpChannel
from mexica_cli.server.gate import Meter
from mexica_cli.wire.framing import LineBuffer, excerpt

TLS_HELLO = 0x16


class Intake:
    """Judges what a client sends. Once it found fault nothing more is taken, and `fault` says why."""

    def __init__(self, lines_per_second: float, bytes_per_second: float) -> None:
        self.fault: SeatFault | None = None
        self.alien: str | None = None
        """What it is instead of the protocol, as a sentence."""
        self.heard = trio.current_time()
        """When the last bytes came."""
        self._lines = Meter(lines_per_second)
        self._bytes = Meter(bytes_per_second)
        self._begun = False

    def welcomes(self, data: bytes) -> bool:
        """Whether these bytes are welcome."""
        self.heard = trio.current_time()
        if not self._begun and (start := data.lstrip()):
            self._begun = True
            if (alien := _what_is_it(start)) is not None:
                self.refuse(alien)
        if self.fault is None and not self._bytes.take(len(data), self.heard):
            self.fault = SeatFault(FaultKind.PROTOCOL, f"more than {self._bytes.per_second:g} bytes a second")
        return self.fault is None

    def refuse(self, alien: str) -> None:
        """Take nothing from whoever this is."""
        self.alien = alien
        self.fault = SeatFault(FaultKind.PROTOCOL, alien)

    def line(self) -> None:
        """One more line. Raises ChannelClosed if that is one too many."""
        if not self._lines.take(1, trio.current_time()):
            self.fault = SeatFault(FaultKind.PROTOCOL, f"more than {self._lines.per_second:g} lines a second")
            raise ChannelClosed(self.fault.reason)


def _what_is_it(start: bytes) -> str | None:
    """None for what may be the protocol; else what a client does wrong, from its first bytes."""
    if start.startswith(b"{"):
        return None
    if start[0] == TLS_HELLO:
        return "this port speaks the bot protocol in the clear, and that looks like TLS"
    if start.split(b" ")[0].isupper() and b"HTTP/" in start:
        return "this port speaks the bot protocol, and that looks like HTTP"
    return f"this port speaks the bot protocol, JSON objects one a line; that begins: {excerpt(start)}"


class SocketChannel(TcpChannel):
    """A metered channel over a connected socket, which it owns."""

    def __init__(self, connection: socket.socket, line_bytes: int, intake: Intake) -> None:
        super().__init__(connection, line_bytes)
        self.intake = intake
        self.ended = trio.Event()
        """Set once it is closed."""

    def _take_in(self, data: bytes) -> int:
        """See `FdChannel._take_in`: unwelcome bytes are the end."""
        if self.intake.fault is not None or (data and not self.intake.welcomes(data)):
            return 0
        return super()._take_in(data)

    async def receive_line(self) -> bytes:
        """See `Channel.receive_line`."""
        line = await super().receive_line()
        self.intake.line()
        return line

    async def why_closed(self) -> SeatFault:
        """See `Channel.why_closed`."""
        return self.intake.fault or await super().why_closed()

    async def close(self, grace: float) -> None:
        """See `Channel.close`."""
        await super().close(grace)
        self.ended.set()


class StreamChannel(Channel):
    """A metered channel over a stream, which it owns. Its `carry` must run as long as it is used."""

    def __init__(self, stream: trio.abc.Stream, line_bytes: int, intake: Intake) -> None:
        self.intake = intake
        self._stream = stream
        self._lines = LineBuffer(line_bytes)
        self._outbox = bytearray()
        self._sending = False
        self._posted = trio.lowlevel.ParkingLot()
        self._sent = trio.lowlevel.ParkingLot()
        self._deaf = False
        self._ended = False
        self.ended = trio.Event()
        """Set once it is closed."""
        self._reading: trio.CancelScope | None = None
        self._read_ended = trio.lowlevel.ParkingLot()

    async def carry(self) -> None:
        """Send what is posted, until nothing can be sent any more."""
        while not self._deaf:
            if not self._outbox:
                self._sending = False
                self._sent.unpark_all()
                await self._posted.park()
                continue
            self._sending = True
            data, self._outbox = bytes(self._outbox), bytearray()
            try:
                await self._stream.send_all(data)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                self._stop_sending()

    def post(self, data: bytes) -> None:
        """See `Channel.post`."""
        if self._deaf:
            return
        self._outbox += data
        if len(self._outbox) > OUTBOX_BYTES:
            self._stop_sending()
        self._posted.unpark_all()

    @property
    def flushed(self) -> bool:
        """See `Channel.flushed`."""
        return not self._outbox and not self._sending and not self._deaf

    async def flush(self) -> None:
        """See `Channel.flush`."""
        while not self.flushed:
            if self._deaf:
                raise ChannelClosed("it no longer reads")
            await self._sent.park()

    async def receive_line(self) -> bytes:
        """See `Channel.receive_line`."""
        while (line := self._lines.next_line()) is None:
            if self._ended:
                raise ChannelClosed("end of output")
            await self._read()
        self.intake.line()
        return line

    async def _read(self) -> None:
        data = b""
        try:
            with trio.CancelScope() as self._reading, suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                data = bytes(await self._stream.receive_some(READ_BYTES))
        finally:
            self._reading = None
            self._read_ended.unpark_all()
        if data and self.intake.welcomes(data):
            self._lines.feed(data)
        else:
            self._ended = True

    def poll_line(self) -> bytes | None:
        """See `Channel.poll_line`. What the stream itself still holds isn't looked at."""
        with suppress(ValueError):
            return self._lines.next_line()
        return None

    def has_ended(self) -> bool:
        """See `Channel.has_ended`."""
        return self._ended

    @property
    def unfinished(self) -> int:
        """See `Channel.unfinished`."""
        return self._lines.pending

    async def why_closed(self) -> SeatFault:
        """See `Channel.why_closed`."""
        await trio.lowlevel.checkpoint()
        return self.intake.fault or SeatFault(FaultKind.DISCONNECT, "the connection was closed in mid-match")

    def stop_reading(self) -> None:
        """Nothing more is wanted: whoever waits for a line is told that the channel is closed."""
        self._ended = True
        if self._reading is not None:
            self._reading.cancel()

    async def close(self, grace: float) -> None:
        """See `Channel.close`. What was posted goes out first, and the other side may close before we do."""
        with trio.CancelScope(shield=True):
            with trio.move_on_after(grace), suppress(ChannelClosed, trio.BrokenResourceError, trio.ClosedResourceError):
                await self.flush()
                await self._hang_up()
            self.stop_reading()
            self._stop_sending()
            with suppress(trio.BrokenResourceError):
                await trio.aclose_forcefully(self._stream)
        self.ended.set()

    async def _hang_up(self) -> None:
        """Say that nothing more comes, and let the other side close first: what it was sent would be lost otherwise."""
        if isinstance(self._stream, trio.abc.HalfCloseableStream):
            await self._stream.send_eof()
        while self._reading is not None:
            await self._read_ended.park()
        while await self._stream.receive_some(READ_BYTES):
            pass

    def _stop_sending(self) -> None:
        self._deaf = True
        self._outbox.clear()
        self._posted.unpark_all()
        self._sent.unpark_all()


ClientChannel = SocketChannel | StreamChannel
