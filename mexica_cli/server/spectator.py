"""Somebody who only watches."""

from __future__ import annotations

from contextlib import suppress

import trio

from mexica_cli.arena.faults import ChannelClosed
from mexica_cli.server.broadcast import Broadcast
from mexica_cli.server.listening import Gone, gone
from mexica_cli.server.streams import ClientChannel
from mexica_cli.server.table import Table
from mexica_cli.wire.framing import encode
from mexica_cli.wire.messages import Error

BUFFER = 256
"""Messages that may wait for a spectator."""


class Spectator:
    """One connection that watches one table after the other, or none."""

    def __init__(self, name: str, channel: ClientChannel) -> None:
        self.name = name
        self.channel = channel
        self._place: tuple[Table, str | None] | None = None
        self._end: Error | None = None
        self._watching = trio.CancelScope()
        self._moved = trio.Event()

    def sit(self, table: Table, match: str | None) -> None:
        """Watch that table from now on: that match, or all that come, one after the other."""
        self._place = table, match
        self._moved.set()
        self._watching.cancel()

    def stop(self, error: Error) -> None:
        """Send it away."""
        self._end = error
        self._moved.set()
        self._watching.cancel()

    def tell(self, error: Error) -> None:
        """Send an error that isn't the end."""
        self.channel.post(encode(error))

    async def watch(self) -> None:
        """Show it what there is to see. Raises Gone when it is too slow, or gone."""
        while True:
            self._moved = trio.Event()
            if self._end is not None:
                raise Gone(self._end)
            if self._place is None:
                await self._moved.wait()
                continue
            with trio.CancelScope() as self._watching:
                await self._watch(*self._place)
                await self._moved.wait()

    async def _watch(self, table: Table, match: str | None) -> None:
        seen = None
        while True:
            broadcast = await table.stage.choose(match, seen)
            await self._follow(broadcast)
            seen = broadcast.match
            if match is not None:
                return

    async def _follow(self, broadcast: Broadcast) -> None:
        """Show it one match."""
        stalled = trio.CancelScope()
        subscription = broadcast.subscribe(BUFFER, on_drop=stalled.cancel)
        try:
            with stalled, suppress(ChannelClosed):  # that it is gone shows where it is listened to
                async for shown in subscription:
                    self.channel.post(shown.line)
                    await self.channel.flush()
        finally:
            broadcast.unsubscribe(subscription)
        if subscription.dropped:
            raise gone("too_slow", f"you read too slowly to watch match {broadcast.match}; come back for the state now")
