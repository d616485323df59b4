"""What can go wrong at a seat, and who pays for it.

ArenaError
├── SeatFault       a seat's fault: it forfeits the match
├── NeverStarted    a bot could not be brought to the table: the match is void
├── ArenaFailed     the arena can't do its part: the match is void, and no bot is to blame
└── ChannelClosed   the other end is gone; the channel knows why (`Channel.why_closed`)
"""

from __future__ import annotations

from enum import StrEnum


class FaultKind(StrEnum):
    """Every reason why a match does not simply run to its end.

    The first seven are a seat's fault and forfeit; the last three are nobody's and make the match void.
    """

    ILLEGAL = "illegal"
    """Too many illegal actions."""
    TIMEOUT = "timeout"
    """No answer within the limit."""
    CRASH = "crash"
    """The process ended."""
    DISCONNECT = "disconnect"
    """It quit, or closed its output or its connection."""
    PROTOCOL = "protocol"
    """A line that is no message of the protocol, or too many of them."""
    OVERSIZE = "oversize"
    """A line longer than `line_bytes`."""
    MEMORY = "memory"
    """More memory than `memory`."""
    STARTUP = "startup"
    """A bot never got as far as `join`."""
    ARENA = "arena"
    """The arena itself failed."""
    STOPPED = "stopped"
    """The run was stopped in mid-game."""


SEAT_FAULTS = frozenset(FaultKind) - {FaultKind.STARTUP, FaultKind.ARENA, FaultKind.STOPPED}


class ArenaError(Exception):
    """Base of the arena's errors."""


class SeatFault(ArenaError):
    """A seat forfeits; `reason` is a sentence for the log and the bot's author."""

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason


class NeverStarted(ArenaError):
    """A bot did not complete the handshake; `stderr` is the tail of what it wrote there."""

    def __init__(self, name: str, reason: str, stderr: str | None = None) -> None:
        super().__init__(f"bot {name!r} never started: {reason}")
        self.name = name
        self.reason = reason
        self.stderr = stderr


class ArenaFailed(ArenaError):
    """What the arena needs isn't there, or isn't as it was; the message is a sentence for the person at the shell."""


class ChannelClosed(ArenaError):
    """Nothing more can be sent to, or will come from, the other end."""


def first_of(error: BaseException) -> BaseException:
    """The first exception of a group, whatever lies within; the exception itself where it is none."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
