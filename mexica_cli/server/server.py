"""The server: its sockets, its tables' tasks, its signals, from start to stop."""

from __future__ import annotations

import signal
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from ipaddress import ip_address
from typing import NoReturn

import msgspec
import trio

from mexica_cli.arena.log import log
from mexica_cli.arena.tcp import cannot_listen
from mexica_cli.games.tomlfile import FileError, plain, sentence
from mexica_cli.record.reader import LogError
from mexica_cli.server.descriptors import Complaints, room_for
from mexica_cli.server.door import AGAIN
from mexica_cli.server.furniture import Furniture
from mexica_cli.server.lobby import Lobby
from mexica_cli.server.matches import MatchesTable
from mexica_cli.server.settings import Settings, TableSetting
from mexica_cli.server.streams import TLS_HELLO, ClientChannel, Intake, SocketChannel, StreamChannel
from mexica_cli.server.table import Table
from mexica_cli.server.tokens import Tokens, read_tokens
from mexica_cli.wire.lobby import Open
from mexica_cli.wire.messages import Error

GOODBYE = "the server closes"
LAST_WORDS = 3.0
"""Seconds that everybody gets to hear it."""
ACCEPT_AGAIN = 0.1
"""Seconds until a connection is taken again after one couldn't be."""

Reread = Callable[[], Settings]
"""Reads the configuration anew. Raises FileError."""
Beside = Callable[..., Awaitable[None]]
"""A task of the lobby and, as `nursery.start` has it, a `task_status`."""


class Server:
    """One server. `run` it."""

    def __init__(
        self,
        settings: Settings,
        report: Callable[[MatchesTable], None],
        started: Callable[[str, int], None],
        reread: Reread,
        *,
        once: bool = False,
        beside: Beside | None = None,
    ) -> None:
        """`report` is told of every table that is over, `started` of address and port. `once`: stop when all are.

        `beside`: what else runs as long as the server takes connections, such as a page for spectators.
        """
        self.settings = settings
        self.tables: list[Table] = []
        """All tables that there have been."""
        self._report = report
        self._started = started
        self._reread = reread
        self._once = once
        self._beside = beside
        self._tls: ssl.SSLContext | None = None
        self._stop = trio.Event()
        self._stop_now = trio.Event()
        self.lobby: Lobby
        """Once it runs: everything but sockets and signals."""
        self._furniture: Furniture

    async def run(self) -> None:
        """Serve until told to stop, or, if once is enough, until all is played. Raises FileError, LogError, OSError."""
        self._tls = _tls_context(self.settings)
        tokens = _tokens(self.settings)
        _warn(self.settings)
        with ExitStack() as files:
            async with trio.open_nursery() as connections:
                async with trio.open_nursery() as matches:
                    self.lobby = Lobby(self.settings, tokens, partial(self._open, matches), connections)
                    self.lobby.gate.most = room_for(self.settings.rules.connections)
                    self._furniture = files.enter_context(self._furnish(matches))
                    self._set_up(matches)
                    await self._open_doors(connections, matches)
                    await self._until_stopped()
                    matches.cancel_scope.cancel()
                await self._say_goodbye()
                connections.cancel_scope.cancel()

    @contextmanager
    def _furnish(self, matches: trio.Nursery) -> Iterator[Furniture]:
        """What tables are made of; at the end all files are closed."""
        rules, meters = self.settings.rules, self.lobby.meters
        furniture = Furniture(self.settings.data, rules, meters, matches, self._table_over)
        try:
            yield furniture
        finally:
            furniture.close()
            for table in self.tables:
                table.ledger.close()

    async def _open_doors(self, connections: trio.Nursery, matches: trio.Nursery) -> None:
        connections.start_soon(self._watch_signals, matches)
        await self._listen(connections)
        if self._beside is not None:
            await connections.start(self._beside, self.lobby)

    async def _listen(self, nursery: trio.Nursery) -> None:
        """Take connections from now on. Raises OSError."""
        host, port = self.settings.host, self.settings.port
        try:
            listeners = await trio.open_tcp_listeners(port, host=host)
        except (OSError, UnicodeError) as error:
            raise cannot_listen(host, port, error) from None
        for listener in listeners:
            nursery.start_soon(self._take_connections, listener, nursery)
        self._started(host, listeners[0].socket.getsockname()[1])

    # ---- tables ----------------------------------------------------------------------------------

    def _set_up(self, nursery: trio.Nursery) -> None:
        """The tables of the configuration, and those that clients had opened. Raises LogError, OSError."""
        for setting in self.settings.tables.values():
            self._add(self._furniture.table(setting), nursery)
        for table in self._furniture.left_open(set(self.settings.tables)):
            self._add(table, nursery)

    def _add(self, table: Table, nursery: trio.Nursery) -> None:
        self.tables.append(table)
        self.lobby.tables[table.name] = table
        nursery.start_soon(self._keep, table)

    async def _keep(self, table: Table) -> None:
        """Keep one table; what goes wrong there is its own affair."""
        try:
            await table.run()
        except Exception as error:
            table.failure = f"{type(error).__name__}: {error}"
            log.exception("the table failed", table=table.name)
        if table.failure is not None and table.state != "over":
            table.state = "over"
            if isinstance(table, MatchesTable):
                self._report(table)
        if table.broken:
            log.error("the server gives up", table=table.name, why=table.failure)
            self._stop.set()
        if table.state == "over" and self.lobby.tables.get(table.name) is table and not table.closing:
            self._look_whether_all_is_played()

    def _open(self, nursery: trio.Nursery, asked: Open, client: str) -> Table:
        """A table for a client. Raises Refused."""
        opened = sum(name not in self.settings.tables for name in self.lobby.tables)
        table = self._furniture.table_for(asked, client, opened)
        self._add(table, nursery)
        log.info("opens a table", table=table.name, bot=client)
        return table

    def _table_over(self, table: MatchesTable) -> None:
        self._report(table)
        if table.name not in self.settings.tables:
            del self.lobby.tables[table.name]
            table.ledger.close()

    def _look_whether_all_is_played(self) -> None:
        if self._once and all(table.state == "over" for table in self.tables):
            self._stop.set()

    # ---- the end ---------------------------------------------------------------------------------

    async def _until_stopped(self) -> None:
        """Wait for the end, and then, for a while, for the matches under way."""
        self._look_whether_all_is_played()
        await self._stop.wait()
        self.lobby.closing = GOODBYE
        for table in self.tables:
            table.closing = True
            table.change()
        with trio.move_on_after(self.settings.rules.finish):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._until_all_is_still, nursery.cancel_scope)
                await self._stop_now.wait()

    async def _until_all_is_still(self, scope: trio.CancelScope) -> None:
        while any(table.running for table in self.tables):
            await trio.sleep(0.05)
        scope.cancel()

    async def _say_goodbye(self) -> None:
        """Tell everybody that it is over, for now, and let them read it."""
        log.info("says goodbye", bots=len(self.lobby.guests), spectators=len(self.lobby.spectators))
        error = Error(code="closing", reason=f"{GOODBYE}; it may be there again later", retry_after=AGAIN)
        for guest in list(self.lobby.guests.values()):
            guest.drop(error, GOODBYE)
        for spectator in self.lobby.spectators:
            spectator.stop(msgspec.structs.replace(error, fatal=True))
        with trio.move_on_after(LAST_WORDS):
            while self.lobby.gate.inside:
                await trio.sleep(0.02)

    async def _watch_signals(self, nursery: trio.Nursery) -> NoReturn:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
            async for number in signals:
                if number == signal.SIGHUP:
                    self.reload(nursery)
                elif self._stop.is_set():
                    self._stop_now.set()
                else:
                    log.info("finishes the running matches", seconds=self.settings.rules.finish)
                    self._stop.set()
        raise AssertionError

    # ---- a new configuration ---------------------------------------------------------------------

    def reload(self, nursery: trio.Nursery) -> None:
        """Read the configuration anew. What is wrong with it leaves everything as it was."""
        try:
            settings = self._reread()
            tokens, tls = _tokens(settings), _tls_context(settings)
        except (FileError, OSError) as error:
            log.error("the new configuration can't be used; all stays as it was", why=sentence(error))
            return
        for name in ("host", "port", "data"):
            if getattr(settings, name) != getattr(self.settings, name):
                log.warning("this changes with a restart only", field=name)
        old, self.settings, self._tls = self.settings, settings, tls
        self.lobby.settings, self.lobby.tokens, self._furniture.rules = settings, tokens, settings.rules
        self.lobby.gate.most = room_for(settings.rules.connections)
        self.lobby.gate.most_per_address = settings.rules.per_address
        self._rearrange(old, settings, nursery)
        log.info("goes on under the new configuration")

    def _rearrange(self, old: Settings, new: Settings, nursery: trio.Nursery) -> None:
        for name in old.tables.keys() - new.tables.keys():
            self.lobby.tables[name].closing = True
            self.lobby.tables.pop(name).change()
            log.info("the table is closed after its running matches", table=name)
        for name, setting in new.tables.items():
            if name not in old.tables:
                self._add_late(setting, nursery)
            elif setting.entry != old.tables[name].entry:
                log.warning("a table changes with a restart only", table=name)

    def _add_late(self, setting: TableSetting, nursery: trio.Nursery) -> None:
        try:
            self._add(self._furniture.table(setting), nursery)
        except (LogError, OSError) as error:
            log.error("the table can't be opened", table=setting.name, why=sentence(error))

    # ---- connections -----------------------------------------------------------------------------

    async def _take_connections(self, listener: trio.SocketListener, nursery: trio.Nursery) -> NoReturn:
        """Take one after the other; where none can be had for lack of something, after a while."""
        complaints = Complaints()
        async with listener:
            while True:
                try:
                    nursery.start_soon(self._accept, await listener.accept())
                except OSError as error:
                    complaints.say("no connection can be taken now", error)
                    await trio.sleep(ACCEPT_AGAIN)
        raise AssertionError

    async def _accept(self, stream: trio.SocketStream) -> None:
        """One connection; what goes wrong there is its own affair."""
        async with stream:
            await self._attend(stream)

    async def _attend(self, stream: trio.SocketStream) -> None:
        try:
            address = str(stream.socket.getpeername()[0])
            await self.lobby.receive(address, partial(self._connect, stream))
        except OSError as error:
            log.info("a connection failed", why=sentence(error))
        except Exception:
            log.exception("a connection failed")

    async def _connect(self, stream: trio.SocketStream) -> ClientChannel:
        rules = self.settings.rules
        intake = Intake(rules.messages, rules.bytes)
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if self._tls is not None and await _speaks_tls(stream, rules.handshake):
            secure = trio.SSLStream(stream, self._tls, server_side=True, https_compatible=True)
            return StreamChannel(secure, rules.line_bytes, intake)
        if self._tls is not None:
            intake.refuse("this port speaks the bot protocol over TLS only")
        return SocketChannel(socket.socket(fileno=stream.socket.detach()), rules.line_bytes, intake)


async def _speaks_tls(stream: trio.SocketStream, patience: float) -> bool:
    """Whether the first byte, which stays where it is, begins TLS."""
    with trio.move_on_after(patience):
        return await stream.socket.recv(1, socket.MSG_PEEK) == bytes([TLS_HELLO])
    return False


def _tls_context(settings: Settings) -> ssl.SSLContext | None:
    """Raises FileError."""
    if settings.tls is None:
        return None
    certificate, key = settings.tls
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:
        wrong = "these are no certificate and key in PEM that belong together"
        reason = wrong if isinstance(error, ssl.SSLError) else plain(error)
        raise FileError(f"{certificate}, {key}: certificate and key can't be used: {reason}") from None
    return context


def _tokens(settings: Settings) -> Tokens | None:
    """Raises FileError."""
    return None if settings.tokens is None else Tokens(read_tokens(settings.tokens))


def _warn(settings: Settings) -> None:
    """Say what is dangerous."""
    if _is_loopback(settings.host):
        return
    if settings.tokens is None:
        log.warning("anybody who reaches this port can play under any name; give `tokens`", host=settings.host)
    elif settings.tls is None:
        log.warning("tokens go over the network in the clear; give `tls_cert` and `tls_key`", host=settings.host)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
