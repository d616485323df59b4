"""How long to think about a turn, by the clock that the arena tells."""

from __future__ import annotations

from typing import Protocol

RESERVE_MS = 40
"""Kept, whatever the share, for the way to the arena."""
TURNS_TO_COME = 18
"""Turns that a bank must still last for."""
INCREMENT_USED = 0.8
"""Part of the increment that a turn may count on."""
FORGOTTEN = 0.9
"""What is left, after each answer, of the worst delay seen."""


class Clock(Protocol):
    """The clock of a request, as the protocol's: milliseconds, None for no limit."""

    @property
    def left_ms(self) -> int | None:
        """Time for this answer."""

    @property
    def bank_ms(self) -> int | None:
        """What is left for the match."""

    @property
    def increment_ms(self) -> int | None:
        """Added after each turn."""

    @property
    def last_ms(self) -> float | None:
        """What the arena measured for the last answer."""


class Pace:
    """Shares out the time of a match.

    On a busy machine an answer takes longer than it was thought about, for others have the processor. How much longer
    shows in what the arena measured: twice the worst delay is kept for the next.
    """

    def __init__(self, share: float) -> None:
        """`share`: the part of the time for an answer that is thought, at the most."""
        self._share = share
        self._planned_ms = self._delay_ms = 0.0

    def asked(self, clock: Clock) -> None:
        """Every request is told before it is answered, also those that need no thought."""
        delay = (clock.last_ms or 0.0) - self._planned_ms
        self._delay_ms = max(delay, FORGOTTEN * self._delay_ms)
        self._planned_ms = 0.0

    def seconds(self, clock: Clock) -> float | None:
        """Seconds to think; None for no limit.

        A bank can't be used up, for a turn never takes more than a fixed part of what is left of it.
        """
        if clock.left_ms is None:
            return None
        fair = float(clock.left_ms)
        if clock.bank_ms is not None:
            fair = min(fair, clock.bank_ms / TURNS_TO_COME + INCREMENT_USED * (clock.increment_ms or 0))
        safe = clock.left_ms - RESERVE_MS - 2 * self._delay_ms
        self._planned_ms = max(0.0, min(self._share * fair, safe))
        return self._planned_ms / 1000
