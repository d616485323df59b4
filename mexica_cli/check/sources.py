"""Where the protocol says so: a section of PROTOCOL.md, and in a long one the words that begin the paragraph."""

from __future__ import annotations

import msgspec

DOCUMENT = "protocol/PROTOCOL.md"


class Source(msgspec.Struct, frozen=True):
    """A place in PROTOCOL.md."""

    anchor: str
    """Of the section's heading, as in a link."""
    words: str = ""
    """How the paragraph there begins."""

    def __str__(self) -> str:
        where = f"{DOCUMENT}#{self.anchor}"
        return f'{where}, "{self.words}"' if self.words else where


LINES = Source("the-connection", "Lines.")
OBJECTS = Source("the-connection", "Objects.")
FAULTS = Source("faults")
JOIN = Source("join")
START = Source("start")
READY = Source("ready")
TURN = Source("turn")
PING = Source("ping")
ERROR = Source("error")
BYE = Source("bye")
SAID = Source("said")
VERSIONS = Source("versions")
CLOCK = Source("the-clock")
SEATS = Source("the-connection", "Words used here.")
ECHO = Source("answering", "Echo the id.")
VOTES = Source("answering", "Votes.")
REJECTIONS = Source("answering", "Rejections.")
STRIKES = Source("answering", "Strikes.")
TURN_OVER = Source("answering", "When the turn passes on in mid-answer.")
FLUSH = Source("duties", "Flush after every line.")
KEEP_READING = Source("duties", "Keep reading, and exit at the end of input.")
ASKED_ONCE = Source("duties", "Never block on output.")
PASS_OVER = Source("duties", "Pass over what you don't know")
STAY = Source("duties", "Stay until `bye`.")
AGAIN = Source("odd-situations", "You get `start` for a match you have already played, or half played.")
OTHERS_GONE = Source("odd-situations", "Everybody else forfeits.")
OWN_PROCESSES = Source("odd-situations", "You start processes of your own.")
