"""How many may come in, and how much each may say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

BURST = 5.0
"""Seconds over which a rate is meant: who was silent may say as much at once."""


class TooMany(Exception):
    """No more connections are taken; the message says why."""


class Gate:
    """Counts connections, in all and by address."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self.most = most
        self.most_per_address = most_per_address
        self.inside = 0
        self._by_address: Counter[str] = Counter()

    @contextmanager
    def let_in(self, address: str) -> Iterator[None]:
        """One connection, as long as the block lasts. Raises TooMany."""
        if self.inside >= self.most:
            raise TooMany(f"all {self.most} connections of this server are taken")
        if self._by_address[address] >= self.most_per_address:
            raise TooMany(f"all {self.most_per_address} connections that one address may have are taken")
        self.inside += 1
        self._by_address[address] += 1
        try:
            yield
        finally:
            self.inside -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]


class Meter:
    """A rate that may not be exceeded over some seconds: a bucket that fills steadily and is drawn from."""

    def __init__(self, per_second: float) -> None:
        self.per_second = per_second
        self._most = per_second * BURST
        self._left = self._most
        self._at = 0.0

    def take(self, amount: int, now: float) -> bool:
        """Whether so much more may come."""
        self._left = min(self._most, self._left + (now - self._at) * self.per_second) - amount
        self._at = now
        return self._left >= 0
