"""Brings a bot that speaks over standard input and output to a server, and brings it back when the connection breaks.

The bot sees one arena for as long as it lives: what a new connection needs is said here in its place. When it is sent
back into a match it gets `start` once more, with the state as it stands.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from enum import Enum

import msgspec
import trio

from mexica_cli.arena.bot import Arena, Bot
from mexica_cli.arena.channel import Channel
from mexica_cli.arena.faults import ArenaFailed, ChannelClosed
from mexica_cli.server.visit import Address, TlsFailed, TurnedAway, Visit, VisitError, visit
from mexica_cli.wire.framing import BadMessage, LineTooLong, decode_arena_message, encode
from mexica_cli.wire.handshake import Refused, games_on_offer, hello, read_join
from mexica_cli.wire.messages import Bye, Error, Join, Welcome

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
FOR_NOW = frozenset({"full", "closing", "name_taken", "idle"})
"""Codes of fatal errors after which trying again helps."""

Notice = Callable[[str], None]


class BotFailed(Exception):
    """The bot can't be brought anywhere; the message says why."""


class _Type(msgspec.Struct):
    """Any message: reads `type` and skips the rest."""

    type: str = ""


_type = msgspec.json.Decoder(_Type)


class Ending(Enum):
    """How a stay at the server ended."""

    DONE = "done"
    """The server has no more use for the bot."""
    BROKEN = "broken"
    """The connection broke, or there is no room: the bot, as it is, tries again."""
    FORFEITED = "forfeited"
    """The bot failed: it is started anew, and tries again."""


class Relay:
    """One bot and one server."""

    def __init__(self, arena: Arena, bot: Bot, address: Address, extra: Join, notice: Notice) -> None:
        """`extra`: what is to be added to the bot's own `join`: its name at the server, table, token."""
        self._arena = arena
        self._bot = bot
        self._address = address
        self._extra = extra
        self._notice = notice
        self._session: str | None = None
        self._pause = FIRST_PAUSE
        self._channel: Channel | None = None
        self._join: Join
        self._last_error: Error | None = None

    async def run(self) -> None:
        """Play until the server has no more use for the bot. Raises BotFailed, TurnedAway, TlsFailed."""
        try:
            while True:
                if self._channel is None:
                    await self._start_bot()
                ending = await self._stay()
                if ending is Ending.DONE:
                    return
                if ending is Ending.FORFEITED:
                    await self._stop_bot()
                await trio.sleep(self._next_pause())
        finally:
            with trio.CancelScope(shield=True):
                await self._stop_bot()

    def _next_pause(self) -> float:
        """Longer every time, and never the same for two bots that were thrown out together."""
        asked = (self._last_error.retry_after if self._last_error else None) or 0.0
        pause, self._pause = max(self._pause, asked), min(2 * self._pause, LONGEST_PAUSE)
        return pause * random.uniform(1.0, 1.25)

    # ---- the bot ---------------------------------------------------------------------------------

    async def _start_bot(self) -> None:
        """Start the bot and have it say who it is. Raises BotFailed."""
        try:
            self._channel = await self._arena.connect(self._bot)
            limits = self._bot.limits
            self._channel.post(encode(hello(games_on_offer(), limits.on_the_wire())))
            with trio.fail_after(limits.startup):
                self._join = read_join(await self._channel.receive_line())
        except ArenaFailed as failure:
            raise BotFailed(str(failure)) from None
        except Refused as refused:
            raise BotFailed(f"{self._bot.name}: {refused.reason}{self._last_words()}") from None
        except (ChannelClosed, LineTooLong, trio.TooSlowError):
            raise BotFailed(f"{self._bot.name} never sent `join`{self._last_words()}") from None
        self._channel.post(encode(Welcome(bot=self._bot.name, session="")))

    def _last_words(self) -> str:
        tail = self._channel.stderr_tail() if self._channel else None
        return f"; on standard error: {tail.strip()[-500:]}" if tail and tail.strip() else ""

    async def _stop_bot(self) -> None:
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.post(encode(Bye(reason="the server is done with you")))
            await channel.close(self._bot.limits.quit)

    def _introduction(self) -> Join:
        """The bot's `join`, as the server is to get it."""
        extra = self._extra
        return msgspec.structs.replace(
            self._join, name=extra.name, table=extra.table, token=extra.token, session=self._session
        )

    # ---- at the server ---------------------------------------------------------------------------

    async def _stay(self) -> Ending:
        """One connection, from its beginning to its end. Raises TurnedAway, TlsFailed: another is of no use."""
        self._last_error = None
        try:
            async with visit(self._address, self._introduction()) as here:
                self._session = here.welcome.session
                self._notice(f"{here.welcome.bot} is at {self._address}")
                return await self._carry(here)
        except TurnedAway as refusal:
            if refusal.error.code not in FOR_NOW:
                raise
            self._last_error = refusal.error
            self._notice(f"{refusal}; trying again")
        except TlsFailed:
            raise
        except VisitError as error:
            self._notice(f"{error}; trying again")
        return Ending.BROKEN

    async def _carry(self, here: Visit) -> Ending:
        """Carry lines both ways until one side has ended."""
        endings: list[Ending] = []
        async with trio.open_nursery() as nursery:

            async def until_it_ends(way: Callable[[Visit], Awaitable[Ending]]) -> None:
                endings.append(await way(here))
                nursery.cancel_scope.cancel()

            nursery.start_soon(until_it_ends, self._from_server)
            nursery.start_soon(until_it_ends, self._from_bot)
        return endings[0]

    async def _from_server(self, here: Visit) -> Ending:
        assert self._channel is not None
        while True:
            try:
                line = await here.line()
            except VisitError as error:
                return self._broken(str(error))
            match _type.decode(line).type:
                case "bye":
                    return self._sent_away()
                case "error":
                    self._last_error = _error(line)
                case "start":
                    self._pause = FIRST_PAUSE
            self._channel.post(line + b"\n")

    async def _from_bot(self, here: Visit) -> Ending:
        assert self._channel is not None
        while True:
            try:
                line = await self._channel.receive_line()
            except (ChannelClosed, LineTooLong):
                self._notice(f"{self._bot.name} has ended{self._last_words()}; it is started anew")
                return Ending.FORFEITED
            try:
                await here.send(line + b"\n")
            except VisitError as error:
                return self._broken(str(error))

    def _broken(self, reason: str) -> Ending:
        if self._last_error is not None and self._last_error.fatal:
            return self._sent_away()
        self._notice(f"{reason}; coming back")
        return Ending.BROKEN

    def _sent_away(self) -> Ending:
        """What `bye`, or a fatal error, means."""
        error = self._last_error
        if error is None or not (error.fatal or error.code in FOR_NOW):
            return Ending.DONE
        self._notice(f"{error.code}: {error.reason}")
        return Ending.BROKEN if error.code in FOR_NOW else Ending.FORFEITED


def _error(line: bytes) -> Error | None:
    try:
        message = decode_arena_message(line)
    except BadMessage:
        return None
    return message if isinstance(message, Error) else None
