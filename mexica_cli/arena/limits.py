"""What a bot is allowed. Every limit is separate, has a name, and is published in `hello`."""

from __future__ import annotations

import msgspec

from mexica_cli.wire.messages import LINE_BYTES
from mexica_cli.wire.messages import Limits as WireLimits


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a match but for the clock. Times in seconds, sizes in bytes."""

    startup: float = 10.0
    """From the start of the process, or from waiting for a connection, to `join`."""
    ready: float = 10.0
    """From `start` to `ready`."""
    quit: float = 2.0
    """From `bye` to the end of the process, before it is made to end."""
    line_bytes: int = LINE_BYTES
    """Longest line from a bot, line feed included."""
    stderr_bytes: int = 1 << 20
    """How much of a bot's standard error is kept; the rest is read and dropped."""
    messages: int = 100
    """Messages that a bot may send for one `turn`."""
    illegal: int = 3
    """The illegal action of a match that forfeits: with 3, the third."""
    memory: int | None = 2 << 30
    """Resident memory of a bot and all its children together; None for no limit."""

    def on_the_wire(self) -> WireLimits:
        """The same for `hello` and the log."""
        return WireLimits(
            line_bytes=self.line_bytes,
            messages=self.messages,
            illegal=self.illegal,
            startup_ms=round(self.startup * 1000),
            ready_ms=round(self.ready * 1000),
            quit_ms=round(self.quit * 1000),
            stderr_bytes=self.stderr_bytes,
            memory_bytes=self.memory,
        )
