"""Reads a game log line by line, in constant memory, and makes sure that its lines come in the order of a log.

What was cut off at the end by a crash, in mid-line or in mid-game, is no error: the reader stops there and says so.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

import msgspec

from mexica_cli.games.tomlfile import plain
from mexica_cli.record.compression import NoZstd, Source, decompressed
from mexica_cli.record.lines import (
    LOG_VERSION,
    ActionLine,
    FaultLine,
    GameLine,
    Header,
    Line,
    RejectLine,
    ResultLine,
    SayLine,
)
from mexica_cli.wire.framing import excerpt

LINE_BYTES = 16 << 20
"""The longest line of a log, line feed included: keeps memory bounded whatever file is read."""
BUFFER_BYTES = 1 << 17
KINDS = tuple(str(kind.__struct_config__.tag) for kind in get_args(Line))

_WITHIN_GAME = (ActionLine, RejectLine, FaultLine, SayLine)

NumberedLine = tuple[int, Line]

_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class LogError(Exception):
    """A log that is wrong; the text names file and line (None: the file as a whole) and says what would be right."""

    def __init__(self, name: str, line: int | None, reason: str) -> None:
        super().__init__(f"{name}: {reason}" if line is None else f"{name}, line {line}: {reason}")
        self.name = name
        self.line = line
        self.reason = reason


class LoggedGame(NamedTuple):
    """A whole game with its line numbers: its `game` line first, its `result` line last."""

    header: Header
    lines: list[NumberedLine]

    @property
    def game(self) -> GameLine:
        """The line that began it."""
        return cast(GameLine, self.lines[0][1])

    @property
    def result(self) -> ResultLine:
        """The line that ended it."""
        return cast(ResultLine, self.lines[-1][1])


class LogReader:
    """Iterates over the lines of one log as (number from 1, line). Iterating raises LogError at the first wrong line.

    The lines come in a log's order, or it is an error: the header, then whole games one after the other.
    """

    def __init__(self, stream: Source, name: str) -> None:
        """`name` is what errors call the file."""
        self._stream = stream
        self.name = name
        self.number = 0
        """Number of the line last read."""
        self.raw = b""
        """Its bytes, line feed included."""
        self.header: Header | None = None
        """The header, once read."""
        self.torn = False
        """Whether the file stopped within a line; that line was not yielded."""
        self.open_match: str | None = None
        """The game that has begun and not ended; after the last line: the one that was cut off."""
        self.whole_bytes = 0
        """Length of the log up to the end of the header or of the last whole game: what comes after may be cut off."""
        self.read_bytes = 0
        """Length of the lines yielded so far, uncompressed."""

    def __iter__(self) -> Iterator[NumberedLine]:
        while self._next_raw():
            line = self._decode()
            if line is None:
                return
            self.read_bytes += len(self.raw)
            self._follow(line)
            yield self.number, line
        if self.header is None and not self.torn:
            raise LogError(self.name, 1, "the file is empty; the first line of a log is its header, a `log` line")

    def error(self, reason: str) -> LogError:
        """The error that says that of the line last read."""
        return LogError(self.name, self.number, reason)

    def _next_raw(self) -> bool:
        """Go to the next line that ends with a line feed; False at the end of the file or where it is torn."""
        try:
            raw = self._stream.readline(LINE_BYTES)
        except EOFError:
            self.torn = True
            return False
        except (OSError, zlib.error) as error:
            raise LogError(self.name, self.number + 1, f"the file can't be read on: {_why_not(error)}") from None
        if not raw:
            return False
        self.number += 1
        self.raw = raw
        if not raw.endswith(b"\n"):
            if len(raw) == LINE_BYTES:
                raise self.error(f"a line of a log has at most {LINE_BYTES >> 20} MiB, this one has more")
            self.torn = True
        return not self.torn

    def _decode(self) -> Line | None:
        """The line; None if it is the last one and torn."""
        try:
            return _decoder.decode(self.raw)
        except msgspec.ValidationError as error:
            raise self.error(_explain(str(error))) from None
        except (msgspec.DecodeError, RecursionError) as error:
            if self._at_end():
                self.torn = True
                return None
            raise self.error(f"not a JSON object ({error}); the line begins: {excerpt(self.raw.rstrip())}") from None

    def _at_end(self) -> bool:
        try:
            return not self._stream.peek(1)
        except (EOFError, OSError, zlib.error):
            return True

    def _follow(self, line: Line) -> None:
        """Check that this line may come here, and remember where in the log we are."""
        if isinstance(line, _WITHIN_GAME) and line.match == self.open_match:
            return
        if isinstance(line, Header):
            self._begin_log(line)
        elif self.header is None:
            raise self.error("the first line of a log is its header, a `log` line")
        elif isinstance(line, GameLine):
            self._begin_game(line)
        elif line.match != self.open_match:
            raise self.error(self._stray(line.match))
        elif isinstance(line, ResultLine):
            self.open_match = None
            self.whole_bytes = self.read_bytes

    def _begin_log(self, line: Header) -> None:
        if self.header is not None:
            raise self.error("a second header; a log has one, read several logs one by one")
        if line.version != LOG_VERSION:
            raise self.error(f"this is version {line.version} of the log format, this program reads {LOG_VERSION}")
        self.header = line
        self.whole_bytes = self.read_bytes

    def _begin_game(self, line: GameLine) -> None:
        if self.open_match is not None:
            raise self.error(f"match {line.match!r} begins before match {self.open_match!r} has its `result` line")
        self.open_match = line.match

    def _stray(self, match: str) -> str:
        if self.open_match is None:
            return f"match {match!r} has no `game` line before this line"
        return f"the line is of match {match!r}, but match {self.open_match!r} has no `result` line yet"


@contextmanager
def open_log(path: str) -> Iterator[LogReader]:
    """A reader of the file at `path`, or of standard input for `-`; either may be compressed with gzip or zstd.

    Raises OSError, and LogError for zstd where there is none.
    """
    if path == "-":
        stdin = BufferedReader(cast(RawIOBase, sys.stdin.buffer), BUFFER_BYTES)
        try:
            yield _reader(stdin, "standard input")
        finally:
            stdin.detach()
    else:
        with Path(path).open("rb", buffering=BUFFER_BYTES) as file:
            yield _reader(cast("BufferedReader[Any]", file), path)


def _reader(stream: BufferedReader[Any], name: str) -> LogReader:
    try:
        return LogReader(decompressed(stream), name)
    except NoZstd as error:
        raise LogError(name, None, str(error)) from None


def games(reader: LogReader) -> Iterator[LoggedGame]:
    """The whole games of a log, void ones included, one at a time. Raises LogError like the reader."""
    lines: list[NumberedLine] = []
    for number, line in reader:
        if reader.header is None or isinstance(line, Header):
            continue
        lines.append((number, line))
        if isinstance(line, ResultLine):
            yield LoggedGame(reader.header, lines)
            lines = []


def _why_not(error: OSError | zlib.error) -> str:
    """Why a file can't be read on: what has no number of the system's is about what it holds."""
    if isinstance(error, OSError) and error.errno is not None:
        return plain(error)
    return f"its compressed data is damaged ({error})"


def _explain(fault: str) -> str:
    """Why a JSON value is no line of a log, from the words of msgspec."""
    if "at `$.type`" in fault or "field `type`" in fault:
        return f"a line of a log has a `type`, one of {', '.join(KINDS)}"
    if missing := re.match(r"Object missing required field `(\w+)`", fault):
        return f"the field `{missing[1]}` is missing"
    what, at, path = fault.partition(" - at `$.")
    if not at:
        return "a line of a log is a JSON object, this is none"
    return f"the field `{path.rstrip('`')}` is wrong: {what[:1].lower()}{what[1:]}"
