"""What the arena itself takes, so that nobody has to guess whether a loss on time was the bot's."""

from __future__ import annotations

import math
from collections import Counter

from mexica_cli.record.lines import Latency


class LatencyMeter:
    """Counts latencies by whole microseconds: its size doesn't grow with the number of decisions."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def add(self, seconds: float) -> None:
        """One more decision."""
        self._counts[int(seconds * 1e6)] += 1

    def merge(self, other: LatencyMeter) -> None:
        """All decisions of another meter."""
        self._counts += other._counts

    def summary(self) -> Latency | None:
        """The numbers for the record; None without any decision."""
        if not self._counts:
            return None
        return Latency(
            decisions=self._counts.total(),
            median_us=self._quantile(0.5),
            p99_us=self._quantile(0.99),
            max_us=max(self._counts),
        )

    def _quantile(self, share: float) -> int:
        """The least value that at least `share` of the decisions don't exceed."""
        wanted = math.ceil(share * self._counts.total())
        for value in sorted(self._counts):
            wanted -= self._counts[value]
            if wanted <= 0:
                return value
        raise ValueError("no decisions")
