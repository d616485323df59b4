"""The time of a seat: a time for each turn, a bank with increment, both, or neither.

A seat is charged from a request's flush to its answer's arrival; what the arena does in between is nobody's time. All
the answers of one game turn together share `move`; the increment is credited when a turn of one's own ends.
"""

from __future__ import annotations

import re

import msgspec

from mexica_cli.record.lines import ClockSetting
from mexica_cli.wire.messages import Clock

_UNITS = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ms|s|m|h|)")


def parse_duration(text: str) -> float:
    """Seconds from `2`, `2s`, `500ms`, `1.5m`. Raises ValueError."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no time; write seconds (2, 0.5) or a unit: 500ms, 2s, 1m")
    return float(match[1]) * _UNITS[match[2]]


def parse_bank(text: str) -> tuple[float, float]:
    """Bank and increment in seconds from `60+0.5`, `5m+2s`, `300`. Raises ValueError."""
    bank, plus, increment = text.partition("+")
    return parse_duration(bank), parse_duration(increment) if plus else 0.0


class TimeControl(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds; None for no limit."""

    move: float | None = None
    bank: float | None = None
    increment: float = 0.0

    def setting(self) -> ClockSetting:
        """The same for the log."""
        return ClockSetting(
            move_ms=_ms(self.move),
            bank_ms=_ms(self.bank),
            increment_ms=_ms(self.increment) if self.bank is not None else None,
        )


class SeatClock:
    """The clock of one seat in one match. All times in seconds."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._bank = control.bank
        self._turn: int | None = None
        self._turn_used = 0.0
        self._last: float | None = None
        self.used = 0.0
        """Time charged in all."""

    def begin(self, turn: int) -> None:
        """The seat is asked within game turn number `turn`: a new turn gives a new move time."""
        if turn != self._turn:
            self._turn = turn
            self._turn_used = 0.0

    def left(self) -> float | None:
        """Time for the next answer; None for no limit."""
        limits = []
        if self._control.move is not None:
            limits.append(self._control.move - self._turn_used)
        if self._bank is not None:
            limits.append(self._bank)
        return max(0.0, min(limits)) if limits else None

    def charge(self, seconds: float) -> None:
        """An answer took this long."""
        self._last = seconds
        self.used += seconds
        self._turn_used += seconds
        if self._bank is not None:
            self._bank = max(0.0, self._bank - seconds)

    def end_turn(self) -> None:
        """A turn of the seat's own is over: the increment is credited."""
        if self._bank is not None:
            self._bank += self._control.increment

    def view(self) -> Clock:
        """The clock as the bot is told it."""
        return Clock(
            left_ms=_ms(self.left()),
            move_ms=_ms(self._control.move),
            bank_ms=_ms(self._bank),
            increment_ms=_ms(self._control.increment) if self._bank is not None else None,
            last_ms=None if self._last is None else round(self._last * 1000, 3),
        )

    def exhausted(self) -> str:
        """The sentence for a seat whose time ran out."""
        if self._bank is not None and (
            self._control.move is None or self._bank <= self._control.move - self._turn_used
        ):
            return f"the bank of {_text(self._control.bank)} ran out"
        return f"no answer within the {_text(self._control.move)} of a turn"


def _ms(seconds: float | None) -> int | None:
    """Whole milliseconds, rounded down: nobody is promised more than there is. 1.001 s are 1001 all the same."""
    return None if seconds is None else int(round(seconds * 1000, 6))


def _text(seconds: float | None) -> str:
    return f"{seconds:g} s"
