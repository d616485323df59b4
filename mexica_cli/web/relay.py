"""One match on its way to browsers: what is shown of it becomes messages once, however many watch.

A relay begins with its first viewer and keeps its messages until the match is over, so that every viewer can step
back. Viewers read it at their own pace; the match never waits for any of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

import msgspec
import trio

from mexica_cli.games import restore_game
from mexica_cli.server.broadcast import Broadcast, Shown, Stage
from mexica_cli.view.console import clean
from mexica_cli.view.page.feed import Feed, Told
from mexica_cli.view.page.messages import AnyMessage, Aside, End
from mexica_cli.wire.lobby import Scene
from mexica_cli.wire.messages import Event, Result, Said

BUFFER = 1000
"""What may wait for a relay: all that happens until it has its turn in the event loop."""

Send = Callable[[bytes], Awaitable[None]]
"""Sends a message to a viewer."""


class Relay:
    """The messages of one match, from when somebody began to watch it."""

    def __init__(self, broadcast: Broadcast) -> None:
        self.over = False
        self._broadcast = broadcast
        self._feed: Feed
        self._lines: list[bytes] = []
        self._n = 0
        self._come = trio.lowlevel.ParkingLot()

    async def run(self) -> None:
        """Take in the match until it is over."""
        try:
            while await self._take_in():
                pass
        finally:
            self.over = True
            self._come.unpark_all()

    async def _take_in(self) -> bool:
        """Take in the match as it goes on from now; whether something of it was missed, so that it must begin anew."""
        subscription = self._broadcast.subscribe(BUFFER, positions=True)
        try:
            async for shown in subscription:
                self._lines += (msgspec.json.encode(message) for message in self._messages(shown))
                self._come.unpark_all()
        finally:
            self._broadcast.unsubscribe(subscription)
        return subscription.dropped

    async def tell(self, send: Send) -> None:
        """Send all messages from the first on, as they come, until the match is over."""
        told = 0
        while True:
            while told < len(self._lines):
                told += 1
                await send(self._lines[told - 1])
            if self.over:
                return
            await self._come.park()

    def _messages(self, shown: Shown) -> Iterator[AnyMessage]:
        match shown.message:
            case Scene() as scene:
                assert shown.observation is not None
                self._n = scene.n
                self._feed = Feed(restore_game(scene.game, scene.options))
                yield self._feed.start(scene.match, scene.seats, [shown.observation], n=scene.n)
            case Event() as event:
                yield from self._event(event, shown.observation)
            case Said() as said:
                yield Aside(n=self._n, kind="say", seat=said.seat, words=f"says: {clean(said.text)}")
            case Result() as result:
                yield End(outcome=result.outcome, ranking=result.ranking, scores=result.scores, won=result.won)

    def _event(self, event: Event, observation: msgspec.Struct | None) -> Iterator[AnyMessage]:
        if event.action is None:
            why = [f"{clean(entry['kind'])}: {clean(entry['reason'])}" for entry in event.followed]
            yield Aside(n=event.n, kind="fault", seat=event.seat, words=f"forfeits, {'; '.join(why)}")
            return
        assert observation is not None
        self._n = event.n
        told = Told(text=event.action, followed=event.followed)
        yield self._feed.step(event.n, event.seat, told, [observation], auto=event.auto)


class Relays:
    """Those of all matches that are watched."""

    def __init__(self, nursery: trio.Nursery) -> None:
        """`nursery` is where matches are taken in."""
        self._nursery = nursery
        self._running: dict[Broadcast, Relay] = {}

    async def watch(self, stage: Stage, match: str | None, send: Send) -> None:
        """Send the matches of a stage, one after the other, or one match alone if it is named."""
        seen: str | None = None
        while True:
            broadcast = await stage.choose(match, seen)
            await self._relay(broadcast).tell(send)
            seen = broadcast.match
            if match is not None:
                return

    def _relay(self, broadcast: Broadcast) -> Relay:
        if broadcast not in self._running:
            relay = self._running[broadcast] = Relay(broadcast)
            self._nursery.start_soon(self._run, broadcast, relay)
        return self._running[broadcast]

    async def _run(self, broadcast: Broadcast, relay: Relay) -> None:
        try:
            await relay.run()
        finally:
            del self._running[broadcast]
