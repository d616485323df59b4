"""A bot at the server. It is the same guest over all its connections, until it has stayed away for too long.

Between matches somebody listens to it (`lobby.py`); in a match its seat does. `engage` and `release` hand it over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import trio

from mexica_cli.arena.channel import Channel
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import log
from mexica_cli.arena.player import Player
from mexica_cli.server.door import AGAIN
from mexica_cli.server.streams import ClientChannel
from mexica_cli.wire.framing import encode
from mexica_cli.wire.handshake import wanted
from mexica_cli.wire.messages import Bye, Error, Join, Message

if TYPE_CHECKING:
    from mexica_cli.server.table import Table


class Guest(Player):
    """One bot."""

    def __init__(self, name: str, session: str, limits: Limits, come_back: float, nursery: trio.Nursery | None) -> None:
        """`come_back`: how long it may stay away; `nursery`: where its connections are closed; None: it has none."""
        super().__init__(name, limits)
        self._channel: ClientChannel | None = None
        self.session = session
        self.table: Table | None = None
        """Where it sits."""
        self.playing = False
        """In a match, or on its way into one: its seat listens to it, and nobody else."""
        self.gone_at = math.inf
        """When its connection was lost; infinite while it is there."""
        self._come_back = come_back
        self._nursery = nursery
        self._listener: trio.CancelScope | None = None
        self._changed = trio.lowlevel.ParkingLot()

    @classmethod
    def absent(cls, name: str, limits: Limits) -> Guest:
        """One that isn't at the server: it holds a seat, and will forfeit it."""
        guest = cls(name, "", limits, 0.0, None)
        guest.gone_at = -math.inf
        return guest

    @property
    def has_played(self) -> bool:
        """See `Player.has_played`."""
        return True

    @property
    def here(self) -> bool:
        """Whether it is connected."""
        return self._channel is not None

    # ---- connections -----------------------------------------------------------------------------

    def attach(self, channel: ClientChannel, join: Join) -> None:
        """It is here, over a new connection; an older one is given up."""
        self._close(Error(code="replaced", reason="the bot has come over another connection", fatal=True))
        self._channel = channel
        self.joined = join
        self.want = wanted(join)
        self.gone_at = math.inf
        self._changed.unpark_all()
        if self.on_return is not None:
            self.on_return()

    def lose(self) -> None:
        """Its connection is broken."""
        self._close()

    def quit(self) -> None:
        """It leaves, and doesn't mean to come back."""
        self._close(Bye(reason="you quit"))
        self.gone_at = -math.inf

    def tell(self, message: Message) -> None:
        """Send a message, without waiting."""
        if self._channel is not None:
            self._channel.post(encode(message))

    def left(self) -> float:
        """Seconds that it may still stay away."""
        return max(0.0, self.gone_at + self._come_back - trio.current_time())

    def _close(self, *last: Message) -> None:
        channel, self._channel = self._channel, None
        if channel is None:
            return
        self.gone_at = trio.current_time()
        if last:
            channel.post(b"".join(map(encode, last)))
        assert self._nursery is not None
        channel.stop_reading()
        self._nursery.start_soon(channel.close, self.limits.quit)
        self._changed.unpark_all()

    # ---- who listens -----------------------------------------------------------------------------

    async def engage(self) -> None:
        """From now on its seat listens to it."""
        self.playing = True
        if self._listener is not None:
            self._listener.cancel()
        while self._listener is not None:
            await self._changed.park()

    def release(self) -> None:
        """The match is over."""
        self.playing = False
        self.on_return = None
        self._changed.unpark_all()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """A block in which it is listened to; `engage` ends it."""
        with trio.CancelScope() as scope:
            self._listener = scope
            try:
                yield
            finally:
                if self._listener is scope:  # else another connection has taken the place of this one
                    self._listener = None
                self._changed.unpark_all()

    async def change_within(self, seconds: float | None) -> None:
        """Wait until something about it changes, for so long at most."""
        with trio.move_on_after(math.inf if seconds is None else seconds):
            await self._changed.park()

    async def until_free(self, channel: ClientChannel) -> bool:
        """Wait until it may be listened to again; False when that is no longer its connection."""
        while self._channel is channel and self.playing:
            await self._changed.park()
        return self._channel is channel

    # ---- in a match ------------------------------------------------------------------------------

    async def start(self) -> None:
        """See `Player.start`. One that is away gets its time to come back; then the match takes its course."""
        await trio.lowlevel.checkpoint()
        await self._returns()

    async def restart(self) -> None:
        """See `Player.restart`."""
        if self._channel is not None and self._channel.has_ended():
            self.lose()
        await self._returns()

    async def comes_back(self, broken: Channel) -> bool:
        """See `Player.comes_back`."""
        if self._channel is broken:
            self.lose()
        return await self._returns()

    async def _returns(self) -> bool:
        with trio.move_on_after(self.left() if not self.here else 0):
            while not self.here:
                await self._changed.park()
        return self.here

    async def stop(self, reason: str, grace: float | None = None) -> None:
        """See `Player.stop`. One that is stopped in a match may come back: it has done nothing wrong."""
        await trio.lowlevel.checkpoint()
        again = [Error(code="closing", reason=reason, retry_after=AGAIN)] if self.playing else []
        self._close(*again, Bye(reason=reason))

    def drop(self, farewell: Message, reason: str) -> None:
        """See `Player.drop`."""
        log.info("sent away", bot=self.name, reason=reason)
        self._close(farewell, Bye(reason=reason))
