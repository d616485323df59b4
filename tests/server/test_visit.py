"""What a visitor is told when a server can't be reached or spoken with. The servers here are strangers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from socket import SO_LINGER, SOL_SOCKET
from struct import pack

import pytest
import trio

from mexica_cli.server.visit import Address, TlsFailed, VisitError, visit
from mexica_cli.wire.messages import Join

HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
SSH = b"SSH-2.0-OpenSSH_9.2p1\r\n"


@asynccontextmanager
async def stranger(handle: Callable[[trio.SocketStream], Awaitable[None]]) -> AsyncIterator[int]:
    """A port where connections are handled like that."""
    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, handle, [listener])
        yield listener.socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def answer(data: bytes, stream: trio.SocketStream) -> None:
    """Read a little, say that, and hang up."""
    async with stream:
        await stream.receive_some(4096)
        await stream.send_all(data)


async def reset(stream: trio.SocketStream) -> None:
    """Break the connection."""
    stream.setsockopt(SOL_SOCKET, SO_LINGER, pack("ii", 1, 0))
    await stream.aclose()


async def failure(address: Address) -> VisitError:
    with pytest.raises(VisitError) as caught:
        async with visit(address, Join(protocol=1, name="ann")):
            pass
    return caught.value


@pytest.mark.parametrize("data", [HTTP, SSH, b'{"type":"hello","protocol":[1]}\n'])
async def test_what_does_not_speak_tls_is_no_use_trying_again(data: bytes) -> None:
    async with stranger(partial(answer, data)) as port:
        error = await failure(Address(host="127.0.0.1", port=port, tls=True))
    assert isinstance(error, TlsFailed)
    assert str(error) == f"127.0.0.1:{port} doesn't speak TLS; try it without --tls and --tls-ca"


async def test_a_connection_that_breaks_before_tls_may_be_tried_again() -> None:
    async with stranger(partial(answer, b"")) as port:
        error = await failure(Address(host="127.0.0.1", port=port, tls=True))
    assert not isinstance(error, TlsFailed)
    assert str(error).startswith("the connection is broken: ")


async def test_a_broken_connection_is_told_without_numbers() -> None:
    async with stranger(reset) as port:
        error = await failure(Address(host="127.0.0.1", port=port))
    assert str(error) == "the connection is broken: Connection reset by peer"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_nobody_listens(host: str) -> None:
    assert str(await failure(Address(host=host, port=1))) == f"{host}:1 can't be reached: Connection refused"


@pytest.mark.parametrize("host", ["300.1.1.1", "a..b"])
async def test_no_such_host(host: str) -> None:
    told = str(await failure(Address(host=host, port=1)))
    assert told.startswith(f"{host}:1 can't be reached: ")
    assert "Errno" not in told
