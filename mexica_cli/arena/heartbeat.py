"""The arena's heartbeat: how long its event loop was held up, so that no bot pays for it.

An arena that is stopped (Ctrl-Z, a laptop that sleeps) or gets no CPU looks at answers long after they came. While a
bot's time runs, a task of the loop wakes every `BEAT` seconds. A loop in which nothing ran for `HELD_UP` seconds was
held up since it was last seen to run. Shorter gaps don't count: they are the jitter of a busy machine, and all that a
bot can bring about by what it sends.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from mexica_cli.arena.log import log

T = TypeVar("T")

BEAT = 0.05
"""Seconds between two beats."""
HELD_UP = 0.15
"""Seconds without a beat after which the loop was held up."""


class Heartbeat:
    """That of one event loop. It beats only while somebody's time runs."""

    def __init__(self) -> None:
        self._running = 0
        self._last = math.inf
        self._total = 0.0
        self._rest = trio.lowlevel.ParkingLot()

    async def beat(self) -> None:
        """Runs as long as the loop does."""
        while True:
            self.held_up()
            if self._running:
                await trio.sleep(BEAT)
            else:
                self._last = math.inf
                await self._rest.park()

    def held_up(self) -> float:
        """Seconds that the loop was held up so far, in all. To be called while a time runs."""
        now = trio.current_time()
        gap, self._last = now - self._last, now
        if gap >= HELD_UP:
            self._total += gap
            log.info("the arena was held up", seconds=round(gap, 3))
        return self._total

    def begin(self) -> float:
        """Somebody's time runs from now on; `held_up` as it stands."""
        self._running += 1
        self._rest.unpark_all()
        return self.held_up()

    def end(self) -> None:
        """It no longer does."""
        self._running -= 1


_of_this_loop: trio.lowlevel.RunVar[Heartbeat] = trio.lowlevel.RunVar("heartbeat")


def heartbeat() -> Heartbeat:
    """The one of this event loop."""
    try:
        return _of_this_loop.get()
    except LookupError:
        heart = Heartbeat()
        _of_this_loop.set(heart)
        trio.lowlevel.spawn_system_task(heart.beat)
        return heart


class Patience:
    """The time that a bot has for something, from `with` on; what the arena was held up meanwhile isn't in it.

    Without a limit nothing is measured: nobody loses anything then.
    """

    def __init__(self, limit: float | None, note: Callable[[float], None], *, forgiving: bool = True) -> None:
        """`limit` in seconds, None for none. `note` is told at the end how long the arena was held up, if it was.

        With `forgiving` off hold-ups count: they are those of a bot that computes in the arena's own loop.
        """
        self._limit = limit
        self._note = note
        self._heart = heartbeat() if limit is not None and forgiving else None

    def __enter__(self) -> Patience:
        self._before = self._heart.begin() if self._heart else 0.0
        self.began = trio.current_time()
        return self

    def __exit__(self, *_: object) -> None:
        if held_up := self.held_up():
            self._note(held_up)
        if self._heart:
            self._heart.end()

    def held_up(self) -> float:
        """Seconds that the arena was held up since it began."""
        return self._heart.held_up() - self._before if self._heart else 0.0

    def used(self) -> float:
        """Seconds used so far."""
        return trio.current_time() - self.began - self.held_up()

    async def wait(self, attempt: Callable[[], Awaitable[T]]) -> T | None:
        """What `attempt` comes to; None when the time is over. It is cancelled and made anew after a hold-up."""
        if self._limit is None:
            return await attempt()
        while True:
            held_up = self.held_up()
            with trio.move_on_at(self.began + self._limit + held_up):
                return await attempt()
            if self.held_up() == held_up:
                return None
