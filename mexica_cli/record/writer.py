"""Writes a game log so that pulling the plug loses at most the game that was running."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Literal, Self

import msgspec

from mexica_cli.record.compression import NoZstd, compressing, is_compressed
from mexica_cli.record.differences import differences
from mexica_cli.record.lines import TIME_FIELDS, GameLine, Header, Line, ResultLine
from mexica_cli.record.reader import LogError, games, open_log

_HEADER_START = b'{"type":"log"'

_encoder = msgspec.json.Encoder()

TAKEN_AWAY = (
    "the log was moved, removed or cut short while games were written to it, and doesn't hold what was played since; "
    "leave it alone while it is written, and go on with what there is"
)
COPIED_BYTES = 1 << 20
"""What is copied of a log at a time."""


class NotWritable(LogError):
    """A file that isn't written to, as it is another run's or holds something else. Nothing in it need be wrong."""


@contextmanager
def naming(file: str | None) -> Iterator[None]:
    """Have an OSError name the file: a disk that is full doesn't say what it is that it has no room for."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or file) from None


class LogWriter:
    """A log that is open for writing. Use it as a context manager, or `close` it."""

    def __init__(self, stream: BinaryIO, *, path: str | None = None, keep_open: bool = False) -> None:
        """`path`: where nobody else may touch the log meanwhile; `keep_open`: leave the stream open when it is closed.

        The stream must be open for appending where there is a path.
        """
        self._stream = stream
        self._path = path
        self._name = path or getattr(stream, "name", None)
        """For errors. Where there is a path it is that: the file may have been opened under another name."""
        self._keep_open = keep_open
        self._durable = _is_regular(stream)
        self._size = stream.tell() if self._durable else 0
        """Bytes that the file has if nobody else touches it."""
        self._failed = False

    def write(self, line: Line) -> None:
        """Add a line. The header and whole games are on disk when this returns; lines within a game may wait.

        Raises OSError, which names the file; also where somebody else has moved, removed or cut it.
        """
        try:
            with naming(self._name):
                self._write(line)
        except OSError:
            self._failed = True
            raise

    def _write(self, line: Line) -> None:
        if isinstance(line, GameLine):  # a log that was emptied since the last game stays empty, and can be begun anew
            self._check_place()
        self._size += self._stream.write(_encoder.encode(line) + b"\n")
        if isinstance(line, Header | ResultLine):
            self._stream.flush()
            if self._durable:
                os.fsync(self._stream.fileno())
            self._check_place()

    def _check_place(self) -> None:
        """Raises OSError where the path no longer leads to all that was written. To be called when nothing waits."""
        if self._path is None or not self._durable:
            return
        ours = os.fstat(self._stream.fileno())
        there = Path(self._path)
        if ours.st_size != self._size or not there.exists() or not os.path.samestat(ours, there.stat()):
            raise OSError(errno.ESTALE, TAKEN_AWAY, self._path)

    def close(self) -> None:
        """Write what is waiting, and close the file. Raises OSError, which names the file, unless `write` has."""
        with suppress(OSError) if self._failed else naming(self._name):
            if self._keep_open:
                self._stream.flush()
            else:
                self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_new(path: str, ways_out: str = "remove it") -> LogWriter:
    """A log to be written from its header on; `-` is standard output.

    `ways_out`: what the person at the shell can do about a file that holds something, but for choosing another name.
    Raises NotWritable for a file that holds something already, OSError for one that can't be written.
    """
    if path == "-":
        return LogWriter(sys.stdout.buffer, keep_open=True)
    return LogWriter(_claim_empty(path, ways_out), path=path)


@contextmanager
def open_copy(path: str) -> Iterator[BinaryIO]:
    """A stream for the lines of a log that is copied: into a new file, compressed where `path` ends in `.gz` or `.zst`,
    or for `-` to standard output.

    Raises NotWritable for a file that holds something already, LogError for zstd where there is none, OSError.
    """
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    try:
        with naming(path), _claim_empty(path, "remove it") as file, compressing(file, path) as stream:
            yield stream
    except NoZstd as error:
        raise LogError(path, None, str(error)) from None


def open_resumed(path: str, header: Header) -> tuple[LogWriter, frozenset[str]]:
    """A log to be written on from where it stopped, and the ids of the matches that it holds and that are not void.

    A torn line or unfinished game at the end is cut off. A missing or empty file begins with `header`; any other must
    have been made under the same header but for its times. Raises NotWritable where it wasn't, LogError where the log
    is wrong, and leaves the file as it was; OSError for a file that can't be written.
    """
    if not Path(path).exists():
        return _begun(open_new(path), header), frozenset()
    stream = _claim(path, "a+b")
    try:
        stream.seek(0)
        whole, finished = _survey(path, stream.read(len(_HEADER_START)), header)
        stream.truncate(whole)
        stream.seek(whole)
    except BaseException:
        stream.close()
        raise
    writer = LogWriter(stream, path=path)
    return writer if whole else _begun(writer, header), finished


def begins_like_a_log(content: bytes) -> bool:
    """Whether a file with this content, the end of which may be cut off, may be a log; not a compressed one."""
    return _HEADER_START.startswith(content[: len(_HEADER_START)])


def _begun(writer: LogWriter, header: Header) -> LogWriter:
    writer.write(header)
    return writer


def _survey(path: str, start: bytes, header: Header) -> tuple[int, frozenset[str]]:
    """How much of the log to keep, and the matches it holds; `start` is how the file begins. Raises LogError."""
    if is_compressed(start):
        raise NotWritable(path, None, "the log is compressed and can't be written on; decompress it first")
    if not begins_like_a_log(start):
        raise NotWritable(path, 1, "no log begins like this, so nothing is written to this file; choose another name")
    if not start:
        return 0, frozenset()
    with open_log(path) as reader:
        finished = frozenset(game.game.match for game in games(reader) if game.result.outcome != "void")
    if reader.header is not None:
        _refuse_other(path, reader.header, header)
    return reader.whole_bytes, finished


def _refuse_other(path: str, old: Header, new: Header) -> None:
    """Raise NotWritable where the headers differ in more than times, with every difference."""
    found = differences(_timeless(old), _timeless(new))
    if found:
        intro = "the log was made under other settings; go on under those, or write to another file"
        raise NotWritable(
            path, 1, "\n".join([intro, *(f"  {d.path}: {d.left} in the log, {d.right} now" for d in found)])
        )


def _timeless(header: Header) -> dict[str, Any]:
    fields = msgspec.to_builtins(header)
    return {name: fields[name] for name in fields if name not in TIME_FIELDS}


def _claim_empty(path: str, ways_out: str) -> BinaryIO:
    """Open a file as yet empty. Raises NotWritable, OSError."""
    stream = _claim(path, "ab")
    if stream.tell():
        stream.close()
        raise NotWritable(path, None, f"the file exists and isn't empty; {ways_out} or choose another name")
    return stream


def _claim(path: str, mode: Literal["ab", "a+b"]) -> BinaryIO:
    """Open a file that no other process may write a log to until it is closed. Raises NotWritable, OSError."""
    stream = Path(path).open(mode)  # noqa: SIM115
    try:
        if _is_regular(stream):
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise NotWritable(
            path, None, "another run is writing this log; wait for its end or choose another name"
        ) from None
    return stream


def _is_regular(stream: BinaryIO) -> bool:
    """Whether the stream is a file on disk, and no pipe, terminal or buffer."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except io.UnsupportedOperation:
        return False


def copy_with_header(log: Path, fresh: Path, header: Header) -> None:
    """Write a log again to another file, with another first line, and have it on disk. Raises OSError."""
    with log.open("rb") as old, fresh.open("wb") as new:
        old.readline()
        new.write(msgspec.json.encode(header) + b"\n")
        shutil.copyfileobj(old, new, COPIED_BYTES)
        new.flush()
        os.fsync(new.fileno())


def sync_folder(folder: Path) -> None:
    """Have the folder's entries on disk, so that a file that was put in another's place stays there."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
