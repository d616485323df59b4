"""A bot on the other end of a TCP connection."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress

import trio

from mexica_cli.arena.channel import READ_BYTES, FdChannel
from mexica_cli.arena.faults import FaultKind, SeatFault
from mexica_cli.games.tomlfile import plain

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7325


def cannot_listen(host: str, port: int, error: OSError | UnicodeError) -> OSError:
    """The same as a sentence for the person at the shell."""
    match error:
        case UnicodeError():
            reason = "that is no name of a host"
        case OSError(errno=errno.EADDRINUSE):
            reason = "another program has that port; choose another one, or end that program"
        case OSError(errno=errno.EACCES):
            reason = "this port is kept for the administrator; choose one above 1023"
        case _:
            reason = plain(error).partition(" (while attempting")[0]  # what Python adds repeats host and port
    return OSError(f"can't listen on {host}:{port}: {reason}")


class Listener:
    """Waits for bots on a port of this machine; one connection after the other is taken."""

    def __init__(self, host: str, port: int) -> None:
        """Raises OSError when the port can't be had. Port 0: any free one."""
        try:
            self._socket = socket.create_server((host, port))
        except (OSError, UnicodeError) as error:
            raise cannot_listen(host, port, error) from None
        self._socket.setblocking(False)

    @property
    def port(self) -> int:
        """The port listened on."""
        return int(self._socket.getsockname()[1])

    async def accept(self, line_bytes: int) -> TcpChannel:
        """The next connection."""
        while True:
            await trio.lowlevel.wait_readable(self._socket)
            try:
                connection, _ = self._socket.accept()
            except (BlockingIOError, ConnectionError):
                continue
            return TcpChannel(connection, line_bytes)

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()


class TcpChannel(FdChannel):
    """The channel over a connected socket, which it owns."""

    def __init__(self, connection: socket.socket, line_bytes: int) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        fd = connection.detach()
        super().__init__(fd, fd, line_bytes)

    async def why_closed(self) -> SeatFault:
        """See `Channel.why_closed`."""
        await trio.lowlevel.checkpoint()
        return SeatFault(FaultKind.DISCONNECT, "the connection was closed in mid-match")

    async def close(self, grace: float) -> None:
        """See `Channel.close`."""
        with trio.CancelScope(shield=True):
            if self._read_fd >= 0:
                try:
                    await self._last_lines(grace)
                    await self._hang_up(grace)
                finally:
                    self.close_fds()

    async def _hang_up(self, grace: float) -> None:
        """Say that nothing more comes, and let the other side close first: what it was sent would be lost otherwise."""
        connection = socket.socket(fileno=self._read_fd)  # no duplicate: there may be no descriptor left for one
        try:
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            return
        finally:
            connection.detach()
        with trio.move_on_after(grace), suppress(trio.ClosedResourceError):
            while await self._discard():
                pass

    async def _discard(self) -> bool:
        await trio.lowlevel.wait_readable(self._read_fd)
        try:
            return bool(os.read(self._read_fd, READ_BYTES))
        except BlockingIOError:
            return True
        except OSError:
            return False
