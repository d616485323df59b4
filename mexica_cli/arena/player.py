"""What the referee knows of whoever plays: a name, limits, and a channel that may be there or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import count

from mexica_cli.arena.channel import Channel
from mexica_cli.arena.limits import Limits
from mexica_cli.wire.messages import Join, Message, Want


class Player(ABC):
    """Somebody who plays match after match: a bot, a guest of a server, a person at the terminal."""

    untimed = False
    """Whether no clock runs for it: a person may take all the time there is."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self.want: frozenset[Want] = frozenset()
        self.joined: Join | None = None
        self.on_return: Callable[[], None] | None = None
        """Called when, in mid-match, another connection takes the place of a broken one."""
        self._channel: Channel | None = None
        self._ids = count(1)

    @property
    def channel(self) -> Channel | None:
        """The open channel, or None."""
        return self._channel

    def next_id(self) -> int:
        """A number for a request, never used before for this bot: an answer to an older one can be told by it."""
        return next(self._ids)

    @property
    @abstractmethod
    def has_played(self) -> bool:
        """Whether one that isn't there at the start of a match may be brought back for it."""

    @abstractmethod
    async def start(self) -> None:
        """Be at the table for one more match. Raises NeverStarted."""

    @abstractmethod
    async def restart(self) -> None:
        """Come to the table once more, for the same match. Raises NeverStarted."""

    async def comes_back(self, broken: Channel) -> bool:
        """Wait, in mid-match, for one whose connection is `broken`; whether it is there again, over another one."""
        return False

    @abstractmethod
    async def stop(self, reason: str, grace: float | None = None) -> None:
        """Say goodbye, and end it; the next `start` begins anew."""

    @abstractmethod
    def drop(self, farewell: Message, reason: str) -> None:
        """Send away one that can't be used any more, without making anybody wait for it."""
