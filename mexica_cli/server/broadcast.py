"""What spectators are shown of a match, and the tables' stages on which matches come and go.

A match never waits for those who watch. Every subscriber has a buffer; whoever lets it run over is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Self

import msgspec
import trio

from mexica_cli.arena.audience import Match
from mexica_cli.games.game import Game
from mexica_cli.wire.framing import encode
from mexica_cli.wire.lobby import Scene
from mexica_cli.wire.messages import Event, Result, Said

Message = Scene | Event | Said | Result


class Shown:
    """Something that spectators are shown."""

    def __init__(self, message: Message, observation: msgspec.Struct | None) -> None:
        self.message = message
        self.observation = observation
        """The state after it, as a spectator may see it; for subscribers that asked for it."""

    @cached_property
    def line(self) -> bytes:
        """The message as a line: made once, however many watch."""
        return encode(self.message)


class Subscription:
    """One who watches a match: iterate over it. It ends after the `result`, or when it is dropped."""

    def __init__(self, buffer: int, *, positions: bool, on_drop: Callable[[], object]) -> None:
        self.positions = positions
        self.dropped = False
        """Whether it was too slow, and has missed something."""
        self._on_drop = on_drop
        self._send, self._receive = trio.open_memory_channel[Shown](buffer)

    def show(self, shown: Shown) -> None:
        """Hand over, without waiting."""
        try:
            self._send.send_nowait(shown)
        except trio.WouldBlock:
            self.dropped = True
            self.close()
            self._on_drop()

    def close(self) -> None:
        """Nothing more comes."""
        self._send.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Shown:
        shown = await self._receive.__anext__()
        if self.dropped:
            raise StopAsyncIteration
        return shown


class Broadcast:
    """One match as spectators see it: the audience of its referee (`arena/audience.py`)."""

    def __init__(self, table: str, match: str, game: Game, seats: Sequence[str], *, reveal: bool) -> None:
        """`reveal`: they see everything, hidden things included."""
        self.table = table
        self.match = match
        self.seats = list(seats)
        self.reveal = reveal
        self._game = game
        self._under_way: Match | None = None
        self._subscribers: list[Subscription] = []

    @property
    def watched(self) -> bool:
        """Whether anybody is there to be shown something."""
        return bool(self._subscribers)

    def begin(self, match: Match) -> None:
        """See `Audience.begin`."""
        self._under_way = match
        for subscriber in self._subscribers:
            subscriber.show(self._scene(subscriber.positions))

    def show(self, message: Event | Said | Result) -> None:
        """See `Audience.show`."""
        positions = any(subscriber.positions for subscriber in self._subscribers)
        shown = Shown(message, self._observation() if positions else None)
        for subscriber in self._subscribers:
            subscriber.show(shown)
        self._subscribers = [subscriber for subscriber in self._subscribers if not subscriber.dropped]

    def subscribe(
        self, buffer: int, *, positions: bool = False, on_drop: Callable[[], object] = lambda: None
    ) -> Subscription:
        """Watch from now on: the match as it stands comes first.

        `buffer`: messages that may wait; `positions`: with the observation after everything.
        """
        subscription = Subscription(buffer, positions=positions, on_drop=on_drop)
        self._subscribers.append(subscription)
        if self._under_way is not None:
            subscription.show(self._scene(positions))
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Watch no more."""
        if subscription in self._subscribers:
            self._subscribers.remove(subscription)
        subscription.close()

    def end(self) -> None:
        """The match is over."""
        for subscriber in self._subscribers:
            subscriber.close()
        self._subscribers.clear()

    def _observation(self) -> Any:
        assert self._under_way is not None
        return self._under_way.state.observation(None)

    def _scene(self, positions: bool) -> Shown:
        assert self._under_way is not None
        observation = self._observation()
        scene = Scene(
            table=self.table,
            match=self.match,
            game=self._game.name,
            rules=self._game.rules,
            options=self._game.options(),
            seats=self.seats,
            n=self._under_way.actions,
            state=observation,
            position=self._under_way.state.position() if self.reveal else None,
        )
        return Shown(scene, observation if positions else None)


class Stage:
    """The matches of a table that are under way."""

    def __init__(self) -> None:
        self.running: dict[str, Broadcast] = {}
        self._begun = trio.lowlevel.ParkingLot()

    def open(self, broadcast: Broadcast) -> None:
        """A match begins."""
        self.running[broadcast.match] = broadcast
        self._begun.unpark_all()

    def close(self, broadcast: Broadcast) -> None:
        """A match is over."""
        del self.running[broadcast.match]
        broadcast.end()

    async def choose(self, match: str | None, seen: str | None = None) -> Broadcast:
        """That match, or any (the latest, if it isn't the one `seen`), as soon as it is under way."""
        while True:
            wanted = [one for one in self.running.values() if (one.match == match if match else one.match != seen)]
            if wanted:
                return wanted[-1]
            await self._begun.park()
