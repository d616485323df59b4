"""A bot at the other end, as a check sees it: every line is written down, and what breaks the protocol is a Flaw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeVar

import trio

from mexica_cli.arena.channel import Channel, FdChannel
from mexica_cli.arena.faults import ChannelClosed, FaultKind, SeatFault
from mexica_cli.arena.limits import Limits
from mexica_cli.check.dialogue import Dialogue
from mexica_cli.check.finding import Flaw
from mexica_cli.check.manners import Manner, plain
from mexica_cli.check.sources import ECHO, FAULTS, FLUSH, JOIN, KEEP_READING, LINES
from mexica_cli.wire.framing import BadMessage, LineTooLong, decode_bot_message, encode, excerpt
from mexica_cli.wire.handshake import Refused, read_join, wanted
from mexica_cli.wire.messages import BotMessage, Bye, Hello, Join, Message, Ping, Play, Pong, Quit, Say, Want, Welcome

M = TypeVar("M")

PAUSE = 0.01
"""Seconds between two pieces of what is written."""


class Connection:
    """One connection with a bot, from `hello` to the end."""

    def __init__(self, channel: Channel, name: str, limits: Limits, manner: Manner = plain) -> None:
        self.channel = channel
        self.name = name
        self.limits = limits
        self.dialogue = Dialogue()
        self.ids: Iterator[int] = count(1)
        """Numbers for questions and pings; a check may put others here, as long as they grow."""
        self.want: frozenset[Want] = frozenset()
        self.surplus: list[str] = []
        """Lines, or their beginnings, that answered nothing."""
        self.stale: list[int] = []
        """The ids of every `play` that answered nothing."""
        self.may_talk = False
        """Whether a `say` is in order now."""
        self._manner = manner
        self._pings: set[int] = set()
        self._heard = 0
        self._deaf = False

    # ---- saying ----------------------------------------------------------------------------------

    async def say(self, *messages: Message) -> None:
        """Send these together. Raises Flaw when the bot doesn't read."""
        self._heard = 0
        pieces = self._manner([encode(message) for message in messages])
        for line in b"".join(pieces).splitlines():
            self.dialogue.add("arena", line)
        for number, piece in enumerate(pieces):
            if number:
                await trio.sleep(PAUSE)
            await self._write(piece)

    async def _write(self, data: bytes) -> None:
        self.channel.post(data)
        if self.channel.flushed:
            return
        with trio.move_on_after(self.limits.ready) as scope:
            try:
                await self.channel.flush()
            except ChannelClosed:
                self._deaf = True  # why, and what it said before, shows when it is read
                return
        if scope.cancelled_caught:
            raise Flaw(f"it didn't read what it was sent within {self.limits.ready:g} s", KEEP_READING)

    def new_ping(self) -> Ping:
        """A `ping` to be sent, and its `pong` to be waited for by `pongs`."""
        ping = Ping(id=next(self.ids))
        self._pings.add(ping.id)
        return ping

    # ---- hearing ---------------------------------------------------------------------------------

    async def join(self, hello: Hello) -> Join:
        """The handshake. Raises Flaw."""
        await self.say(hello)
        line = await self._line("no `join`", self.limits.startup)
        try:
            join = read_join(line)
        except Refused as refused:
            raise Flaw(refused.reason, JOIN) from None
        self.want = wanted(join)
        await self.say(Welcome(bot=self.name, session=""))
        return join

    async def expect(self, take: Callable[[BotMessage], M | None], due: str, limit: float) -> M:
        """The first message that `take` accepts; all others are surplus.

        `due` names what is missing where it doesn't come. Raises Flaw.
        """
        deadline = trio.current_time() + limit
        while True:
            line = await self._line(due, limit, deadline)
            message = self._understand(line)
            if message is not None and (taken := take(message)) is not None:
                return taken
            self._sort_out(message, line)

    async def pongs(self) -> None:
        """Wait until every `ping` is answered."""
        while self._pings:
            await self.expect(self._as_pong, "no `pong`", self.limits.ready)

    def _as_pong(self, message: BotMessage) -> Pong | None:
        if isinstance(message, Pong) and message.id in self._pings:
            self._pings.remove(message.id)
            return message
        return None

    def _understand(self, line: bytes) -> BotMessage | None:
        """A message of the bot; None for one of an unknown type. Raises Flaw."""
        self._heard += 1
        if self._heard > self.limits.messages:
            raise Flaw(f"more than {self.limits.messages} messages for one request", FAULTS)
        try:
            message = decode_bot_message(line)
        except BadMessage as bad:
            if bad.code == "unknown_type":
                return None
            raise Flaw(bad.reason, FAULTS) from None
        if isinstance(message, Quit):
            raise Flaw("it quit", FAULTS)
        return message

    def _sort_out(self, message: BotMessage | None, line: bytes) -> None:
        """What to make of a message that nobody waits for just now."""
        if message is not None and self._as_pong(message) is not None:
            return
        if self.may_talk and isinstance(message, Say):
            return
        if isinstance(message, Play):
            self.stale.append(message.id)
        self.surplus.append(excerpt(line))

    async def _line(self, due: str, limit: float, deadline: float | None = None) -> bytes:
        """The next line; one that lies there when the time is over counts. Raises Flaw."""
        line: bytes | None = None
        try:
            with trio.move_on_at(trio.current_time() + limit if deadline is None else deadline):
                line = await self.channel.receive_line()
            line = self.channel.poll_line() if line is None else line
        except ChannelClosed:
            raise Flaw(f"{due}: {_unmatched(await self.channel.why_closed())}", FAULTS) from None
        except LineTooLong as error:
            raise Flaw(str(error), LINES) from None
        if line is None:
            raise self._late(f"{due} within {limit:.3g} s")
        return self._written_down(line)

    def _late(self, late: str) -> Flaw:
        """Why nothing came, as far as it can be seen."""
        if self.channel.unfinished:
            return Flaw(f"{late}; {self.channel.unfinished} bytes came without a line feed after them", FLUSH)
        if self._heard and self.stale:
            return Flaw(f"{late}; the last that came has the id {self.stale[-1]}", ECHO)
        if self._deaf:
            return Flaw(f"{late}; it no longer reads its input", KEEP_READING)
        return Flaw(late)

    def _written_down(self, line: bytes) -> bytes:
        self.dialogue.add("bot", line)
        return line

    # ---- the end ---------------------------------------------------------------------------------

    async def hang_up(self, *farewell: Message) -> str | None:
        """Send these, end the bot's input, and read what it still says; how it exited, or None while it is there.

        For a bot in a process of its own.
        """
        assert isinstance(self.channel, FdChannel)
        await self.say(*farewell)
        self.channel.close_writing()
        try:
            with trio.move_on_after(self.limits.quit):
                for _ in range(self.limits.messages):
                    self._read_on(self._written_down(await self.channel.receive_line()))
        except LineTooLong as error:
            self.surplus.append(error.start)
        except ChannelClosed:
            fault = await self.channel.why_closed()
            return None if fault.kind is FaultKind.DISCONNECT else _unmatched(fault)
        return None

    def _read_on(self, line: bytes) -> None:
        """Take what comes, whatever it is."""
        try:
            message = decode_bot_message(line)
        except BadMessage:
            message = None
        self._sort_out(message, line)

    async def close(self) -> None:
        """Say goodbye, and end the bot."""
        self.channel.post(encode(Bye(reason="this check is over")))
        await self.channel.close(self.limits.quit)

    def stderr(self) -> str:
        """The end of what it wrote to standard error."""
        return self.channel.stderr_tail() or ""


def _unmatched(fault: SeatFault) -> str:
    """The sentence for a fault, wherever it happened."""
    return fault.reason.removesuffix(" in mid-match")
