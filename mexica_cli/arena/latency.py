"""What the arena itself takes, so that nobody has to guess whether a loss on time was the bot's."""

from __future__ import annotations

import math
from collections import Counter

from mexica_cli.record.lines import Latency


def held_up_text(times: int, milliseconds: int) -> str:
    """`held up 2x while bots were asked, 5.2 s in all, which isn't charged to them`."""
    return f"held up {times}x while bots were asked, {milliseconds / 1000:.1f} s in all, which isn't charged to them"


class LatencyMeter:
    """Counts latencies by whole microseconds: its size doesn't grow with the number of decisions."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()
        self._held_up = 0
        self._held_up_seconds = 0.0

    def add(self, seconds: float) -> None:
        """One more decision."""
        self._counts[int(seconds * 1e6)] += 1

    def hold_up(self, seconds: float) -> None:
        """The arena itself was held up for so long while a bot's time ran."""
        self._held_up += 1
        self._held_up_seconds += seconds

    def merge(self, other: LatencyMeter) -> None:
        """All decisions of another meter."""
        self._counts += other._counts
        self._held_up += other._held_up
        self._held_up_seconds += other._held_up_seconds

    def summary(self) -> Latency | None:
        """The numbers for the record; None without any decision."""
        if not self._counts:
            return None
        return Latency(
            decisions=self._counts.total(),
            median_us=self._quantile(0.5),
            p99_us=self._quantile(0.99),
            max_us=max(self._counts),
            held_up=self._held_up,
            held_up_ms=round(self._held_up_seconds * 1000),
        )

    def _quantile(self, share: float) -> int:
        """The least value that at least `share` of the decisions don't exceed."""
        wanted = math.ceil(share * self._counts.total())
        for value in sorted(self._counts):
            wanted -= self._counts[value]
            if wanted <= 0:
                return value
        raise ValueError("no decisions")
