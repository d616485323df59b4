"""How the server does: matches a minute, its own part of a decision, memory."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path

import trio

from mexica_cli.arena.latency import LatencyMeter

WINDOW = 60.0
"""Seconds that numbers are about."""


class Meters:
    """Counters of a server that runs for weeks: their size doesn't grow with it."""

    def __init__(self) -> None:
        self.began = trio.current_time()
        self.finished = 0
        self._ends: deque[float] = deque()
        self._latency = (LatencyMeter(), LatencyMeter())
        self._turned = self.began

    def match_over(self, latency: LatencyMeter) -> None:
        """A match has come to its end."""
        self._turn()
        self.finished += 1
        self._ends.append(trio.current_time())
        self._forget()
        self._latency[1].merge(latency)

    def per_minute(self) -> float:
        """Matches that ended within the last minute."""
        self._forget()
        return len(self._ends) * 60 / WINDOW

    def _forget(self) -> None:
        since = trio.current_time() - WINDOW
        while self._ends and self._ends[0] < since:
            self._ends.popleft()

    def latency(self) -> tuple[int, int, int]:
        """Decisions of the last minute or two; median and 99th percentile of the server's own part, in microseconds."""
        self._turn()
        both = LatencyMeter()
        for meter in self._latency:
            both.merge(meter)
        summary = both.summary()
        return (summary.decisions, summary.median_us, summary.p99_us) if summary else (0, 0, 0)

    def _turn(self) -> None:
        """Let go of what is older than two windows."""
        now = trio.current_time()
        if now - self._turned >= WINDOW:
            fresh = now - self._turned < 2 * WINDOW
            self._latency = (self._latency[1] if fresh else LatencyMeter(), LatencyMeter())
            self._turned = now


def resident_bytes() -> int:
    """Resident memory of this process; 0 where the system doesn't say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
