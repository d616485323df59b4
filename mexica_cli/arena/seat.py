"""A bot in a seat of one match: asking it, and telling it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import trio

from mexica_cli.arena.channel import Channel
from mexica_cli.arena.clock import SeatClock
from mexica_cli.arena.faults import ChannelClosed, FaultKind, SeatFault
from mexica_cli.arena.heartbeat import Patience
from mexica_cli.arena.latency import LatencyMeter
from mexica_cli.arena.log import log
from mexica_cli.arena.player import Player
from mexica_cli.wire.framing import BadMessage, LineTooLong, decode_bot_message, encode, excerpt
from mexica_cli.wire.messages import (
    Error,
    Join,
    Play,
    Pong,
    Quit,
    Ready,
    Reject,
    Say,
    Start,
    Turn,
)

M = TypeVar("M", Ready, Play)
Hear = Callable[["Seat", Say], Error | None]


class Broken(SeatFault):
    """The connection is broken. The seat forfeits, unless its bot comes back."""

    def __init__(self, fault: SeatFault, channel: Channel) -> None:
        super().__init__(fault.kind, fault.reason)
        self.channel = channel


class Seat:
    """One seat. Every way in which its bot fails to answer comes out as a SeatFault."""

    def __init__(self, number: int, bot: Player, clock: SeatClock, hear: Hear, latency: LatencyMeter) -> None:
        """`hear` takes what the bot says to its team, and returns why it can't be said. `latency`: the match's."""
        self._hear = hear
        self._latency = latency
        self.number = number
        self.bot = bot
        self.clock = clock
        self.fault: SeatFault | None = None
        """Why it forfeited."""
        self.strikes = 0
        """Illegal actions so far."""
        self.stale = 0
        """Answers to requests that were not the latest."""
        self.unknown = 0
        """Messages of a type that there isn't."""
        self.stderr: str | None = None
        """The tail of the bot's standard error, once it has failed."""
        self.answered = 0.0
        """When the last answer arrived, in trio's time."""
        self.took = 0.0
        """Seconds that were charged for it."""
        self.posted = 0.0
        """When the last request was handed over, in trio's time."""
        self._limits = bot.limits
        self._messages = 0
        self._deaf = False
        self._pending = bytearray()

    @property
    def wants_state(self) -> bool:
        """Whether `turn` carries the state."""
        return "state" in self.bot.want

    @property
    def wants_legal(self) -> bool:
        """Whether `turn` carries the legal actions."""
        return "legal" in self.bot.want

    @property
    def wants_events(self) -> bool:
        """Whether the bot is told what happens."""
        return "events" in self.bot.want

    @property
    def present(self) -> bool:
        """Whether somebody is there to be told things: one who was sent away no longer is."""
        sent_away = self.fault is not None and self.fault.kind is not FaultKind.ILLEGAL
        return self.bot.channel is not None and not sent_away

    def patience(self, limit: float | None) -> Patience:
        """So many seconds for the bot, in which the arena's hold-ups don't count."""
        channel = self.bot.channel
        return Patience(limit, self._latency.hold_up, forgiving=channel is None or not channel.computes_here)

    # ---- telling ---------------------------------------------------------------------------------

    def keep(self, line: bytes) -> None:
        """An event for this seat, which goes out with `deliver` or with the next request, whichever is first."""
        self._pending += line

    def deliver(self) -> None:
        """Send what was kept, without waiting."""
        if self._pending and self.bot.channel is not None:
            self.bot.channel.post(bytes(self._pending))
        self._pending.clear()

    def tell(self, message: Error | Reject) -> None:
        """Send a message at once, without waiting."""
        self.keep(encode(message))
        self.deliver()

    def welcome_back(self, start: Start) -> None:
        """The bot has come back in mid-match, over another connection: tell it how things stand."""
        self._pending.clear()
        self._deaf = False
        self.keep(encode(start))
        self.deliver()

    # ---- asking ----------------------------------------------------------------------------------

    async def prepare(self, start: Start) -> None:
        """Announce the match and wait for `ready`. Raises SeatFault."""
        await self._send(encode(start), self._limits.ready)
        self._messages = 0
        with self.patience(self._limits.ready) as patience:
            ready = await self._wait(partial(self._as_ready, start.match), patience)
        if ready is None:
            raise SeatFault(FaultKind.TIMEOUT, f"no `ready` within {self._limits.ready:g} s{self._hint()}")

    async def ask(self, request: Turn | Reject) -> Play:
        """Send a request and wait for the `play` that answers it, on the seat's clock. Raises SeatFault."""
        left = self.clock.left()
        if isinstance(request, Turn):
            self._messages = 0
        await self._send(encode(request), left)
        with self.patience(left) as patience:
            try:
                play = await self._wait(partial(self._as_answer, request.id), patience)
            finally:
                self.answered, self.took = trio.current_time(), patience.used()
                self.clock.charge(self.took)
        if play is None:
            raise SeatFault(FaultKind.TIMEOUT, f"{self.clock.exhausted()}{self._hint()}")
        return play

    async def _wait(self, wanted: Callable[[object], M | None], patience: Patience) -> M | None:
        """The first message that is `wanted`; None when the time is over.

        One that lies there although the time is over came in time, if it was the arena that was late: it counts.
        """

        async def hear() -> M:
            while (message := wanted(await self._message())) is None:
                pass
            return message

        if (message := await patience.wait(hear)) is not None:
            return message
        channel = self.bot.channel
        while channel is not None and (line := channel.poll_line()) is not None:
            if message := wanted(self._understand(line)):
                return message
        return None

    def _as_ready(self, match: str, message: object) -> Ready | None:
        if isinstance(message, Play):
            self._drop_stale(match)
        return message if isinstance(message, Ready) and message.match == match else None

    def _as_answer(self, request: int, message: object) -> Play | None:
        if isinstance(message, Play):
            if message.id == request:
                return message
            self._drop_stale(f"turn {request}")
        return None

    def _drop_stale(self, latest: str) -> None:
        self.stale += 1
        log.info("stale answer dropped", bot=self.bot.name, seat=self.number, latest=latest)
        self.tell(Error(code="stale", reason=f"that `play` answers another `turn` and is dropped; now it is {latest}"))

    async def _send(self, line: bytes, limit: float | None) -> None:
        """Send what was kept and a line, and wait until the bot's end has taken it. Raises SeatFault."""
        channel = self.bot.channel
        if channel is None:
            raise SeatFault(FaultKind.DISCONNECT, "it has left")
        channel.post(bytes(self._pending) + line)
        self.posted = trio.current_time()
        self._pending.clear()
        if channel.flushed:
            return
        try:
            with self.patience(limit) as patience:
                taken = await patience.wait(partial(_flush, channel))
        except ChannelClosed:
            self._deaf = True  # what it said before it closed, and why it did, shows when it is read
            return
        if not taken:
            raise SeatFault(FaultKind.TIMEOUT, f"it did not read what it was sent within {limit:g} s")

    async def _message(self) -> object:
        """The next message, or None for one that was dealt with here. Raises SeatFault."""
        channel = self.bot.channel
        assert channel is not None
        try:
            line = await channel.receive_line()
        except ChannelClosed:
            with trio.CancelScope(shield=True):
                fault = await channel.why_closed()
            raise (Broken(fault, channel) if fault.kind is FaultKind.DISCONNECT else fault) from None
        except LineTooLong as error:
            raise SeatFault(FaultKind.OVERSIZE, str(error)) from None
        return self._understand(line)

    def _understand(self, line: bytes) -> object:
        self._messages += 1
        if self._messages > self._limits.messages:
            raise SeatFault(FaultKind.PROTOCOL, f"more than {self._limits.messages} messages for one request")
        try:
            message = decode_bot_message(line)
        except BadMessage as bad:
            if bad.code != "unknown_type":
                raise SeatFault(FaultKind.PROTOCOL, bad.reason) from None
            self.unknown += 1
            log.info("message of unknown type", bot=self.bot.name, seat=self.number, line=excerpt(line))
            self.tell(Error(code=bad.code, reason=bad.reason))
            return None
        return self._housekeep(message)

    def _housekeep(self, message: object) -> object:
        match message:
            case Quit():
                raise SeatFault(FaultKind.DISCONNECT, "it quit in mid-match")
            case Join():
                self.tell(Error(code="already_joined", reason="this connection has joined before"))
            case Say():
                if (error := self._hear(self, message)) is not None:
                    self.tell(error)
            case Pong():
                pass
            case _:
                return message
        return None

    def _hint(self) -> str:
        """What may be why no answer came."""
        channel = self.bot.channel
        if channel is not None and channel.unfinished:
            return f"; {channel.unfinished} bytes came without a line feed after them"
        return "; it no longer reads its input" if self._deaf else ""


async def _flush(channel: Channel) -> bool:
    """True once the bot's end has taken everything."""
    await channel.flush()
    return True
