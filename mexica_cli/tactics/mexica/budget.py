"""How much a search may try: so many states, so much time, or both."""

from __future__ import annotations

import math
from collections.abc import Callable


class Budget:
    """What may still be spent. A search asks before every state, so that it ends within a fraction of a millisecond."""

    def __init__(
        self,
        nodes: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] | None = None,
        whole: Budget | None = None,
    ) -> None:
        """`clock` tells the time in seconds, and must be there where `seconds` is; `whole` pays as well."""
        self.nodes, self.spent = nodes, 0
        self._clock, self._whole = clock, whole
        self._until = None if seconds is None or clock is None else clock() + seconds
        self._looked = None if self._until is None or clock is None else self._until - (seconds or 0.0)
        self._gap = 0.0

    @property
    def lasts(self) -> bool:
        """Whether anything is left."""
        if self.nodes is not None and self.spent >= self.nodes:
            return False
        return not self._late() and (self._whole is None or self._whole.lasts)

    def _late(self) -> bool:
        """Whether time is up, or would be after another pause as long as the longest that there was.

        Between two looks at the clock lies little work. Where much time lies between them, others have the processor.
        """
        if self._until is None or self._clock is None or self._looked is None:
            return False
        now = self._clock()
        self._gap = max(self._gap, now - self._looked)
        self._looked = now
        return now + self._gap >= self._until

    def take(self) -> bool:
        """Spend a state; False once there is none."""
        if not self.lasts or (self._whole is not None and not self._whole.take()):
            return False
        self.spent += 1
        return True

    def part(self, share: float) -> Budget:
        """A part of what is left, as a budget of its own; what it spends is spent here too."""
        nodes = None if self.nodes is None else math.ceil(share * (self.nodes - self.spent))
        seconds = None
        if self._until is not None and self._clock is not None:
            seconds = share * max(0.0, self._until - self._clock())
        return Budget(nodes, seconds, self._clock, self)
