"""A server without sockets, in virtual time: clients come over streams in memory, and disks are no slower than time.

`indoors` runs one. A `Client` is one connection, line by line; `bot` plays over it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import trio
from trio.testing import lockstep_stream_pair, memory_stream_pair

from mexica_cli.games.tomlfile import struct_from
from mexica_cli.record.lines import Line
from mexica_cli.record.reader import open_log
from mexica_cli.record.verify import Report, verify
from mexica_cli.server.matches import MatchesTable
from mexica_cli.server.server import Server
from mexica_cli.server.settings import ServerFile, Settings, make_settings
from mexica_cli.server.streams import Intake, StreamChannel
from mexica_cli.wire.framing import LineBuffer, encode
from mexica_cli.wire.lobby import ServerMessage, decode_server_message
from mexica_cli.wire.messages import (
    Bye,
    Error,
    Event,
    Hello,
    Join,
    Message,
    Ping,
    Play,
    Pong,
    Ready,
    Reject,
    Result,
    Start,
    Turn,
    Welcome,
)

M = TypeVar("M", bound=Message)
L = TypeVar("L", bound=Line)
Choose = Callable[[Turn], str]


class Indoors(Server):
    """A server that nobody reaches but over `connect`."""

    def __init__(self, settings: Settings) -> None:
        self.reports: list[MatchesTable] = []
        self.new_settings = settings
        super().__init__(settings, self.reports.append, lambda host, port: None, lambda: self.new_settings)
        self.ready = trio.Event()
        self.nursery: trio.Nursery

    async def _listen(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
        self.ready.set()

    def connect(self, address: str = "127.0.0.1", *, lockstep: bool = False) -> Client:
        """A new connection; `lockstep`: nothing that is sent counts as sent before the other side has read it."""
        ours, theirs = lockstep_stream_pair() if lockstep else memory_stream_pair()
        rules = self.settings.rules

        async def channel() -> StreamChannel:
            return StreamChannel(theirs, rules.line_bytes, Intake(rules.messages, rules.bytes))

        self.nursery.start_soon(self.lobby.receive, address, channel)
        return Client(ours)

    async def join(self, name: str, **fields: Any) -> Client:
        """A new connection that has joined."""
        client = self.connect()
        await client.join(name, **fields)
        return client

    def stop(self) -> None:
        """As SIGTERM does."""
        self._stop.set()


class Client:
    """One connection, from outside."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.heard: list[ServerMessage] = []
        self.session = ""
        self._lines = LineBuffer(1 << 24)

    async def send(self, message: Message | bytes) -> None:
        """A message, or any bytes."""
        await self.stream.send_all(message if isinstance(message, bytes) else encode(message))

    async def line(self) -> bytes | None:
        """The next line; None when the connection is over."""
        while (line := self._lines.next_line()) is None:
            try:
                data = await self.stream.receive_some(65536)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return None
            if not data:
                return None
            self._lines.feed(bytes(data))
        return line

    async def hear(self) -> ServerMessage | None:
        """The next message."""
        line = await self.line()
        if line is None:
            return None
        message = decode_server_message(line)
        self.heard.append(message)
        return message

    async def until(self, kind: type[M]) -> M:
        """The next message of a kind; those before it are passed over."""
        while (message := await self.hear()) is not None:
            if isinstance(message, kind):
                return message
        raise AssertionError(f"no {kind.__name__} came, but {self.told(Error)}")

    async def ask(self, message: Message | bytes, kind: type[M]) -> M:
        """Send something, and wait for a message of a kind."""
        await self.send(message)
        return await self.until(kind)

    async def join(self, name: str, **fields: Any) -> Welcome:
        """Do the handshake."""
        await self.until(Hello)
        welcome = await self.ask(Join(protocol=1, name=name, **fields), Welcome)
        self.session = welcome.session
        return welcome

    async def end(self) -> Error | None:
        """Wait for the end of the connection; the last error, if there was one."""
        while await self.hear() is not None:
            pass
        errors = self.told(Error)
        return errors[-1] if errors else None

    def told(self, kind: type[M]) -> list[M]:
        """Everything of a kind that came so far."""
        return [message for message in self.heard if isinstance(message, kind)]

    async def close(self) -> None:
        """Break the connection."""
        await trio.aclose_forcefully(self.stream)


def take_one(turn: Turn) -> str:
    """Nim: `take 1` if it may, else `end`; by turns, as the ids go."""
    return "take 1" if turn.legal and "take 1" in turn.legal else "end"


async def bot(client: Client, choose: Choose = take_one, think: float = 0.0, games: int | None = None) -> None:
    """Play over a connection that has joined, until it is over, or so many results have come."""
    turn: Turn | None = None
    while games is None or len(client.told(Result)) < games:
        message = await client.hear()
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            match message:
                case None | Bye():
                    return
                case Start():
                    await client.send(Ready(match=message.match))
                case Turn():
                    turn = message
                    await trio.sleep(think)
                    await client.send(Play(id=turn.id, actions=[choose(turn)]))
                case Ping():
                    await client.send(Pong(id=message.id))
                case Reject():
                    raise AssertionError(message.reason)
                case Event() | Error():
                    pass


NIM = {"game": "nim", "rules": "plain", "options": {"most": 1}}
"""Nim with one stone a turn."""


def settings(folder: Path, *tables: dict[str, Any], **fields: Any) -> Settings:
    """A configuration. The tables are of nim, unless they say otherwise; the toy game must be one of the games."""
    file = struct_from(ServerFile, {"data": "data", "tables": [{**NIM, **table} for table in tables], **fields})
    return make_settings(file, folder)


@asynccontextmanager
async def indoors(settings: Settings) -> AsyncIterator[Indoors]:
    """A server that runs as long as the block, and is then killed, as far as that is possible."""
    server = Indoors(settings)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.run)
        await server.ready.wait()
        yield server
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[Indoors]:
    """A server that is told to stop at the end of the block, and does so in its own time."""
    server = Indoors(settings)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.run)
        await server.ready.wait()
        yield server
        server.stop()


def log_of(settings: Settings, table: str) -> Path:
    """The log of a table."""
    return settings.data / table / "log.jsonl"


def lines_of(settings: Settings, table: str) -> list[Line]:
    """All lines of a table's log."""
    with open_log(str(log_of(settings, table))) as reader:
        return [line for _, line in reader]


def verified(settings: Settings, table: str) -> Report:
    """What `mexica log verify` finds in a table's log; it must be whole."""
    with open_log(str(log_of(settings, table))) as reader:
        report = verify(reader)
    assert report.whole
    return report


def of(kind: type[L], messages: Sequence[object]) -> list[L]:
    """Those of a kind."""
    return [message for message in messages if isinstance(message, kind)]
