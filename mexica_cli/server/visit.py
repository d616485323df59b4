"""The other end: a connection to a server, for whoever brings a bot, watches, or asks how it does."""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import trio

from mexica_cli.arena.tcp import DEFAULT_PORT
from mexica_cli.games.tomlfile import plain
from mexica_cli.wire.framing import BadMessage, LineBuffer, encode
from mexica_cli.wire.lobby import ServerMessage, decode_server_message
from mexica_cli.wire.messages import PROTOCOL_VERSION, Error, Hello, Join, Message, Ping, Pong, Welcome

LINE_BYTES = 1 << 24
"""The longest line taken from a server."""
READ_BYTES = 65536
NOT_TLS = frozenset({"WRONG_VERSION_NUMBER", "UNKNOWN_PROTOCOL", "RECORD_LAYER_FAILURE"})
"""What OpenSSL calls it when the other side answers with something else than TLS."""
PATIENCE = 30.0
"""Seconds to connect and to be welcomed."""


class VisitError(Exception):
    """A server that can't be reached or spoken with; the message says what is wrong."""


class TurnedAway(VisitError):
    """The server doesn't let us in."""

    def __init__(self, error: Error) -> None:
        super().__init__(f"{error.code}: {error.reason}")
        self.error = error


class TlsFailed(VisitError):
    """TLS can't be spoken with the server, however often it is tried."""


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """Where a server is."""

    host: str
    port: int = DEFAULT_PORT
    tls: bool = False
    authority: Path | None = None
    """Certificates to trust instead of the system's."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def context(self) -> ssl.SSLContext:
        """Raises TlsFailed."""
        try:
            return ssl.create_default_context(cafile=self.authority)
        except OSError as error:
            reason = "there is none in PEM" if isinstance(error, ssl.SSLError) else plain(error)
            raise TlsFailed(f"{self.authority}: the certificates can't be read: {reason}") from None


class Visit:
    """A connection whose handshake is done."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.welcome: Welcome
        self._stream = stream
        self._lines = LineBuffer(LINE_BYTES)
        self._sending = trio.Lock()

    async def send(self, line: bytes) -> None:
        """Send lines. Raises VisitError."""
        try:
            async with self._sending:
                await self._stream.send_all(line)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise VisitError("the connection is broken") from None

    async def line(self) -> bytes:
        """The next line, without its end. Raises VisitError."""
        while (line := self._lines.next_line()) is None:
            try:
                data = await self._stream.receive_some(READ_BYTES)
            except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                raise _broken(error) from None
            if not data:
                raise VisitError("the server closed the connection")
            self._lines.feed(bytes(data))
        return line

    async def message(self) -> ServerMessage:
        """The next message but for `ping`, which is answered, and those that aren't known. Raises VisitError."""
        while True:
            try:
                message = decode_server_message(await self.line())
            except BadMessage as bad:
                if bad.code == "unknown_type":
                    continue
                raise VisitError(f"that server doesn't speak our protocol: {bad.reason}") from None
            if not isinstance(message, Ping):
                return message
            await self.send(encode(Pong(id=message.id)))

    async def ask(self, question: Message) -> ServerMessage:
        """Send a question and wait for the next message. Raises VisitError."""
        await self.send(encode(question))
        return await self.message()

    async def greet(self, join: Join) -> None:
        """Do the handshake. Raises VisitError."""
        hello = await self.message()
        if isinstance(hello, Error):
            raise TurnedAway(hello)
        if not isinstance(hello, Hello) or PROTOCOL_VERSION not in hello.protocol:
            raise VisitError(f"that server doesn't speak protocol {PROTOCOL_VERSION}")
        answer = await self.ask(join)
        if isinstance(answer, Error):
            raise TurnedAway(answer)
        if not isinstance(answer, Welcome):
            raise VisitError("that server doesn't answer `join` with `welcome`")
        self.welcome = answer


def _broken(error: Exception) -> VisitError:
    """With what the system, or TLS, has to say."""
    cause = error.__cause__
    return VisitError(f"the connection is broken: {plain(cause if isinstance(cause, Exception) else error)}")


@asynccontextmanager
async def visit(address: Address, join: Join) -> AsyncIterator[Visit]:
    """A connection to a server, joined, as long as the block lasts. Raises VisitError."""
    try:
        with trio.fail_after(PATIENCE):
            stream = await _connect(address)
            here = Visit(stream)
            try:
                await here.greet(join)
            except BaseException:
                await trio.aclose_forcefully(stream)
                raise
    except trio.TooSlowError:
        raise VisitError(f"{address} doesn't answer within {PATIENCE:g} s") from None
    try:
        yield here
    finally:
        await trio.aclose_forcefully(stream)


async def _connect(address: Address) -> trio.abc.Stream:
    context = address.context() if address.tls else None
    try:
        stream = await trio.open_tcp_stream(address.host, address.port)
    except OSError as error:
        raise VisitError(f"{address} can't be reached: {_why_unreachable(error)}") from None
    except UnicodeError:
        raise VisitError(f"{address} can't be reached: that is no name of a host") from None
    return stream if context is None else await _secure(stream, context, address)


def _why_unreachable(error: OSError) -> str:
    """What the system says; there may be several addresses behind a name, each with its own reason."""
    attempts = error.__cause__
    if not isinstance(attempts, ExceptionGroup):
        return plain(error)
    reasons = (
        os.strerror(one.errno) if isinstance(one, OSError) and one.errno else str(one) for one in attempts.exceptions
    )
    return ", ".join(dict.fromkeys(reasons))


async def _secure(stream: trio.SocketStream, context: ssl.SSLContext, address: Address) -> trio.abc.Stream:
    """The same with TLS around it. Raises VisitError."""
    secure = trio.SSLStream(stream, context, server_hostname=address.host, https_compatible=True)
    try:
        await secure.do_handshake()
    except BaseException as error:
        await trio.aclose_forcefully(stream)
        if isinstance(error, trio.BrokenResourceError):
            raise _handshake_error(address, error) from None
        raise
    return secure


def _handshake_error(address: Address, error: trio.BrokenResourceError) -> VisitError:
    match error.__cause__:
        case ssl.SSLCertVerificationError() as cause:
            advice = "; --tls-ca FILE names certificates to trust"
            return TlsFailed(f"the certificate of {address} can't be trusted: {cause.verify_message}{advice}")
        case ssl.SSLError(reason=str(reason)) if reason in NOT_TLS:
            return TlsFailed(f"{address} doesn't speak TLS; try it without --tls and --tls-ca")
    return _broken(error)
