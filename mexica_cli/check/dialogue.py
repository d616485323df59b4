"""The lines that a check and a bot exchanged, as they can be shown."""

from __future__ import annotations

from typing import Literal

import msgspec

KEPT_CHARACTERS = 1000
"""How much of a line is kept; a list of legal actions has tens of thousands of characters."""

Side = Literal["arena", "bot"]


class Spoken(msgspec.Struct, frozen=True, rename={"by": "from"}):
    """One line."""

    by: Side
    line: str
    """Without control characters; a long one is cut, and ends with `…`."""


class Dialogue:
    """The lines of one connection, in the order in which they were sent and read."""

    def __init__(self) -> None:
        self.lines: list[Spoken] = []

    def add(self, by: Side, line: bytes) -> None:
        """One more line, with its end or without."""
        self.lines.append(Spoken(by, _printable(line.rstrip(b"\r\n"))))

    def tail(self, count: int, end: int | None = None) -> list[Spoken]:
        """The last lines; of the first `end` ones, if given."""
        return self.lines[:end][-count:]


def _printable(line: bytes) -> str:
    """The line as text that can be shown anywhere."""
    text = line.decode("utf-8", "replace")
    clean = "".join(c if c.isprintable() else "�" for c in text[: KEPT_CHARACTERS + 1])
    return clean if len(clean) <= KEPT_CHARACTERS else clean[: KEPT_CHARACTERS - 1] + "…"
