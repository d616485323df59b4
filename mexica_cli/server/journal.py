"""The lines of a match under way, on disk as they come to be: what a restarted server goes on from.

A journal is a file of its own, `running/<match>.jsonl`, in the folder of the table. It holds lines of the game log
without the header. When the match is over its lines go into the table's log, in one piece, and the journal is removed.
Lines are handed to the system at once, so that they outlive a killed process; only the log outlives a power cut.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from mexica_cli.record.lines import FaultLine, GameLine, Header, Line, ResultLine
from mexica_cli.record.reader import LogError, LogReader

_encoder = msgspec.json.Encoder()


class Journal:
    """One match's file, open for writing."""

    def __init__(self, path: Path, keep: int = 0) -> None:
        """`keep`: how many bytes of an older file stand; the rest is cut off. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._whole = keep
        self._error: OSError | None = None
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
        os.ftruncate(self._fd, keep)
        os.lseek(self._fd, keep, os.SEEK_SET)

    def write(self, line: Line) -> None:
        """Add a line, or nothing; after one that is missing no other is added. Raises OSError."""
        if self._error is not None:
            raise self._error
        left = data = memoryview(_encoder.encode(line) + b"\n")
        try:
            while left:
                left = left[os.write(self._fd, left) :]
        except OSError as error:
            self._error = error
            os.ftruncate(self._fd, self._whole)
            raise
        self._whole += len(data)

    def close(self) -> None:
        """Close the file, which stays."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1


class Unfinished(msgspec.Struct, frozen=True, kw_only=True):
    """What a journal holds."""

    path: Path
    lines: list[Line]
    """The `game` line, and what came after it."""
    whole_bytes: int
    """Of the file, without a torn line at its end."""

    @property
    def game(self) -> GameLine:
        """How the match began."""
        first = self.lines[0]
        assert isinstance(first, GameLine)
        return first

    @property
    def forfeited(self) -> set[int]:
        """Seats that are out."""
        return {line.seat for line in self.lines if isinstance(line, FaultLine)}

    @property
    def is_over(self) -> bool:
        """Whether the result is there, and only the log doesn't have it yet."""
        return isinstance(self.lines[-1], ResultLine)


def read_journal(path: Path, header: Header) -> Unfinished | None:
    """What the journal holds; None where it stopped before it began. Raises LogError, OSError."""
    head = _encoder.encode(header) + b"\n"
    reader = LogReader(io.BufferedReader(io.BytesIO(head + path.read_bytes())), str(path))
    lines: list[Line] = []
    length = -len(head)
    for _, line in reader:
        length += len(reader.raw)
        if not isinstance(line, Header):
            lines.append(line)
    return Unfinished(path=path, lines=lines, whole_bytes=length) if lines else None


def journals(folder: Path, header: Header) -> Iterator[Unfinished]:
    """All journals of a table's folder, by age; those that hold nothing are removed. Raises LogError, OSError."""
    for path in sorted(folder.glob("*.jsonl"), key=lambda path: (path.stat().st_mtime_ns, path.name)):
        found = read_journal(path, header)
        if found is None:
            path.unlink()
        elif found.game.match != path.stem:
            raise LogError(str(path), 1, f"this is match {found.game.match!r}; a journal is called like its match")
        else:
            yield found
