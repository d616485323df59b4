"""Plays well and doesn't leave: neither at `bye`, nor at the end of its input, nor at SIGTERM.

With a file's name on its command line it writes down there what it was told.
"""

import signal
import sys
from pathlib import Path
from types import FrameType

from _speak import answer, live_on, messages, write


def note(what: str) -> None:
    """Write it down."""
    for name in sys.argv[1:]:
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(what + "\n")


def terminate(number: int, frame: FrameType | None) -> None:
    """Don't."""
    note("SIGTERM")


signal.signal(signal.SIGTERM, terminate)
for message in messages():
    write(answer(message))
    if message["type"] == "bye":
        note("bye")
note("end of input")
live_on()
