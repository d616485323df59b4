"""Who is at the server, where they sit, and what they may ask. One `Lobby` is the whole server but for its sockets.

`tables`, `standings` and `stage` are what a page for spectators needs.
"""

from __future__ import annotations

import hmac
import math
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial

import trio

from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import log
from mexica_cli.server.broadcast import Stage
from mexica_cli.server.door import AGAIN, clean_name, identify, turn_away, welcome
from mexica_cli.server.gate import Gate, TooMany
from mexica_cli.server.guest import Guest
from mexica_cli.server.listening import Gone, hear
from mexica_cli.server.meters import Meters, resident_bytes
from mexica_cli.server.settings import Settings
from mexica_cli.server.spectator import Spectator
from mexica_cli.server.streams import ClientChannel, StreamChannel
from mexica_cli.server.table import LISTED, Table
from mexica_cli.server.tokens import Tokens
from mexica_cli.wire.framing import encode
from mexica_cli.wire.handshake import SERVER, Refused
from mexica_cli.wire.lobby import (
    ClientMessage,
    LookAt,
    Open,
    Sit,
    Standing,
    Standings,
    Status,
    TableInfo,
    Tables,
)
from mexica_cli.wire.messages import Error, Join, Message, Quit, Welcome

Connect = Callable[[], Awaitable[ClientChannel]]
"""Makes the channel of a connection."""
OpenTable = Callable[[Open, str], Table]
"""Makes the table that a client, given by name, asks for. Raises Refused."""
RECENT = 1.0
"""Seconds that an answer to `look` may be old."""
SHORT = 0.5
"""Seconds that somebody gets to read why there is no room."""
PATIENCE = 2.0
"""Seconds that a spectator gets to read why it is sent away."""


class Lobby:
    """The server's inside."""

    def __init__(self, settings: Settings, tokens: Tokens | None, open_table: OpenTable, nursery: trio.Nursery) -> None:
        self.settings = settings
        self.tokens = tokens
        self.tables: dict[str, Table] = {}
        self.guests: dict[str, Guest] = {}
        """All bots, by name; those that may still come back, too."""
        self.spectators: set[Spectator] = set()
        self.gate = Gate(settings.rules.connections, settings.rules.per_address)
        self.meters = Meters()
        self._answers: dict[LookAt, tuple[float, Message]] = {}
        self.closing: str | None = None
        """Why nobody is let in any more."""
        self._open_table = open_table
        self._nursery = nursery

    # ---- for those who look on -------------------------------------------------------------------

    def list_tables(self) -> list[TableInfo]:
        """All tables."""
        return [table.info() for table in self.tables.values()]

    def standings(self, table: str) -> list[Standing]:
        """How everybody does at a table, best first. Raises Refused."""
        return self._table(table).standings()

    def stage(self, table: str) -> Stage:
        """The matches under way at a table that may be watched. Raises Refused."""
        found = self._table(table)
        if not found.setting.entry.spectators:
            raise Refused("no_spectators", f"the table {table!r} isn't to be watched")
        return found.stage

    def status(self) -> Status:
        """How the server does."""
        decisions, median, p99 = self.meters.latency()
        return Status(
            server=SERVER,
            uptime_s=round(trio.current_time() - self.meters.began, 1),
            connections=self.gate.inside,
            players=sum(guest.here for guest in self.guests.values()),
            spectators=len(self.spectators),
            tables=len(self.tables),
            running=sum(table.running for table in self.tables.values()),
            finished=self.meters.finished,
            per_minute=self.meters.per_minute(),
            decisions=decisions,
            latency_us=(median, p99) if decisions else None,
            memory_bytes=resident_bytes(),
        )

    def _table(self, name: str) -> Table:
        if name not in self.tables:
            there = ", ".join(list(self.tables)[:20]) or "none"
            raise Refused("no_table", f"there is no table {name[:64]!r}; there is {there}")
        return self.tables[name]

    # ---- one connection --------------------------------------------------------------------------

    async def receive(self, address: str, connect: Connect) -> None:
        """One connection, from its first byte to its last."""
        try:
            with self.gate.let_in(address):
                channel = await connect()
                await _carried(channel, self._serve(channel, address))
        except TooMany as full:
            error = Error(code="full", reason=str(full), fatal=True, retry_after=AGAIN)
            with trio.move_on_after(SHORT):
                channel = await connect()
                await _carried(channel, turn_away(channel, error, SHORT))

    async def _serve(self, channel: ClientChannel, address: str) -> None:
        limits = Limits(startup=self.settings.rules.handshake, line_bytes=self.settings.rules.line_bytes, memory=None)
        try:
            if self.closing is not None:
                raise Refused("closing", self.closing)
            join = await welcome(channel, limits)
            await self._let_in(channel, join)
        except Refused as refused:
            log.info("turned away", address=address, code=refused.code, reason=refused.reason)
            wait = self._retry_after(refused.code)
            error = Error(code=refused.code, reason=refused.reason, fatal=True, retry_after=wait)
            await turn_away(channel, error, limits.quit)

    def _retry_after(self, code: str) -> float | None:
        """Seconds after which trying again may help."""
        return AGAIN if code in ("closing", "name_taken") else None

    async def _let_in(self, channel: ClientChannel, join: Join) -> None:
        """Have whoever joins at the server, until the connection is over. Raises Refused."""
        if join.role == "spectator":
            await self._attend_spectator(Spectator(clean_name(join.name) or "spectator", channel), join)
            return
        name = await identify(join, self.tokens)
        guest = self._guest(name, join)
        table = guest.table or self._table_for(guest, join)
        self.guests[name] = guest
        channel.post(encode(Welcome(bot=name, session=guest.session)))
        guest.attach(channel, join)
        log.debug("joined", bot=name, table=table.name if table else None)
        if table is None:
            guest.tell(Tables(tables=self.list_tables()))
        elif guest.table is None:
            table.admit(guest)
        else:
            table.welcome_back(guest)
        await self._attend(guest, channel)

    # ---- bots ------------------------------------------------------------------------------------

    def _guest(self, name: str, join: Join) -> Guest:
        """The bot of that name, new or back again. Raises Refused where somebody else has the name."""
        guest = self.guests.get(name)
        if guest is None:
            return self._new_guest(name)
        if join.session and hmac.compare_digest(join.session.encode(), guest.session.encode()):
            return guest
        if guest.here:
            raise Refused("name_taken", f"a bot called {name!r} is here already; bots are told apart by their names")
        if self.tokens is None:
            reason = f"a bot called {name!r} was here and may come back with its session for {guest.left():.0f} s yet"
            raise Refused("name_taken", reason)
        return guest

    def _new_guest(self, name: str) -> Guest:
        rules = self.settings.rules
        limits = Limits(line_bytes=rules.line_bytes, memory=None)
        return Guest(name, secrets.token_urlsafe(16), limits, rules.come_back, self._nursery)

    def _table_for(self, guest: Guest, join: Join) -> Table | None:
        """Where a bot sits down: the table it names, else the only one that is open to it. Raises Refused."""
        guest.joined = join
        if join.table is not None:
            table = self._table(join.table)
            table.check(guest)
            return table
        fitting = [table for table in self.tables.values() if _would_admit(table, guest)]
        if not fitting:
            self._check_games(join)
        return fitting[0] if len(fitting) == 1 else None

    def _check_games(self, join: Join) -> None:
        """Whether something that the bot plays is played here, or may yet be. Raises Refused."""
        played = {table.name: table.setting.game.name for table in self.tables.values()}
        if join.games is None or not played or self.settings.may_open or set(join.games) & set(played.values()):
            return
        there = ", ".join(f"{game} at the table {table!r}" for table, game in list(played.items())[:LISTED])
        raise Refused("wrong_game", f"none of the bot's games is played here; what is played is {there}")

    async def _attend(self, guest: Guest, channel: ClientChannel) -> None:
        """Listen to a bot between its matches, until this is no longer its connection."""
        while await guest.until_free(channel):
            try:
                with guest.listening():
                    while True:
                        self._answer(guest, await hear(channel, self.settings.rules.idle))
            except Gone as gone:
                self._end(guest, channel, gone.error)
        self._nursery.start_soon(self._await_return, guest)
        await channel.ended.wait()

    def _end(self, guest: Guest, channel: ClientChannel, error: Error | None) -> None:
        if guest.channel is not channel:
            return
        if error is None:
            log.debug("lost", bot=guest.name)
            guest.lose()
        else:
            guest.drop(error, error.reason)

    async def _await_return(self, guest: Guest) -> None:
        """Forget a bot that doesn't come back."""
        while not guest.here:
            if not guest.left() and not guest.playing:
                self._forget(guest)
                return
            await guest.change_within(guest.left() or None)

    def _forget(self, guest: Guest) -> None:
        if self.guests.get(guest.name) is guest:
            del self.guests[guest.name]
            if guest.table is not None:
                guest.table.leave(guest)
            log.debug("left", bot=guest.name)

    def _answer(self, guest: Guest, message: ClientMessage) -> None:
        """Do what a bot asks for. Raises Gone."""
        try:
            match message:
                case Quit():
                    guest.quit()
                    raise Gone(None)
                case LookAt():
                    guest.tell(self._look(message))
                case Sit():
                    self._move(guest, self._table(message.table))
                case Open():
                    self._move(guest, self._open(message, guest))
        except Refused as refused:
            guest.tell(Error(code=refused.code, reason=refused.reason))

    def _move(self, guest: Guest, table: Table) -> None:
        """Change tables. Raises Refused, and then it stays where it is."""
        old = guest.table
        if old is table:
            return
        table.admit(guest)
        if old is not None:
            old.leave(guest)
            guest.table = table

    def _open(self, message: Open, guest: Guest) -> Table:
        if not self.settings.lets_open(guest.name):
            raise Refused("may_not", f"{guest.name!r} may not open tables here")
        return self._open_table(message, guest.name)

    def _look(self, message: LookAt) -> Message:
        """The answer to `look`. Raises Refused."""
        match message.at:
            case "tables":
                return Tables(tables=self.list_tables())
            case "status":
                return self._recent(message, self.status)
            case _:
                return self._recent(message, partial(self._standings, message.table))

    def _standings(self, table: str | None) -> Standings:
        if table is None:
            raise Refused("no_table", "say in `table` whose standings you want")
        return Standings(table=table, rows=self.standings(table))

    def _recent(self, question: LookAt, answer: Callable[[], Message]) -> Message:
        """An answer that takes some work is made once a second, whoever asks."""
        made, message = self._answers.get(question, (-math.inf, None))
        if message is None or trio.current_time() - made >= RECENT:
            message = answer()
            self._answers = {q: a for q, a in self._answers.items() if trio.current_time() - a[0] < RECENT}
            self._answers[question] = trio.current_time(), message
        return message

    # ---- spectators ------------------------------------------------------------------------------

    async def _attend_spectator(self, spectator: Spectator, join: Join) -> None:
        """Have a spectator at the server, until the connection is over. Raises Refused."""
        channel = spectator.channel
        if join.table is not None:
            self.stage(join.table)
            spectator.sit(self._table(join.table), None)
        channel.post(encode(Welcome(bot=spectator.name, session="")))
        log.debug("watches", spectator=spectator.name, table=join.table)
        try:
            with self._among_spectators(spectator):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(spectator.watch)
                    nursery.start_soon(self._listen_to, spectator)
        except* Gone as group:
            await _send_away(channel, group)

    @contextmanager
    def _among_spectators(self, spectator: Spectator) -> Iterator[None]:
        self.spectators.add(spectator)
        try:
            yield
        finally:
            self.spectators.remove(spectator)

    async def _listen_to(self, spectator: Spectator) -> None:
        while True:
            message = await hear(spectator.channel, self.settings.rules.idle)
            try:
                match message:
                    case Quit():
                        raise Gone(None)
                    case LookAt():
                        spectator.channel.post(encode(self._look(message)))
                    case Sit():
                        self.stage(message.table)
                        spectator.sit(self._table(message.table), message.match)
                    case Open():
                        raise Refused("may_not", "spectators open no tables")
            except Refused as refused:
                spectator.tell(Error(code=refused.code, reason=refused.reason))


async def _carried(channel: ClientChannel, work: Coroutine[object, object, None]) -> None:
    """Do the work of a connection, with whatever moves its bytes running beside it."""
    async with trio.open_nursery() as nursery:
        if isinstance(channel, StreamChannel):
            nursery.start_soon(channel.carry)
        await work
        nursery.cancel_scope.cancel()


def _would_admit(table: Table, guest: Guest) -> bool:
    try:
        table.check(guest)
    except Refused:
        return False
    return True


async def _send_away(channel: ClientChannel, group: BaseExceptionGroup[Gone]) -> None:
    error = next((gone.error for gone in _leaves(group) if gone.error is not None), None)
    if error is None:
        await channel.close(SHORT)
    else:
        await turn_away(channel, error, PATIENCE)


def _leaves(group: BaseExceptionGroup[Gone]) -> list[Gone]:
    parts = (_leaves(part) if isinstance(part, BaseExceptionGroup) else [part] for part in group.exceptions)
    return [leaf for leaves in parts for leaf in leaves]
