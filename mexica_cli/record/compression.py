"""Logs compressed with gzip or zstd: read as if they weren't, and written by the ending of the file's name.

zstd is in the standard library from Python 3.14 on; before, it comes with the extra `analysis`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import GzipFile
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from mexica_cli.extras import how_to_install

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
GZIP_LEVEL = 6
"""Python's own default is 9: twice the time for hardly less."""


class Source(Protocol):
    """What a log is read from."""

    def readline(self, size: int, /) -> bytes: ...
    def peek(self, size: int, /) -> bytes: ...


class NoZstd(Exception):
    """This Python has no zstd."""

    def __init__(self) -> None:
        super().__init__(
            "this Python can't read or write zstd; let the program zstd do it, in a pipe, or install it with: "
            + how_to_install("analysis")
        )


def zstd() -> Any:
    """The module that the standard library has from Python 3.14 on. Raises NoZstd."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd as module  # noqa: PLC0415
        else:
            from backports import zstd as module  # noqa: PLC0415 (an extra)
    except ImportError:
        raise NoZstd from None
    return module


def decompressed(stream: BufferedReader[Any]) -> Source:
    """The stream itself, or what it holds if that is compressed.

    A compressed stream that was cut off raises EOFError when read, a damaged one OSError or zlib.error. Raises NoZstd.
    """
    start = stream.peek(4)
    if start.startswith(GZIP_MAGIC):
        return GzipFile(fileobj=stream)
    return _ZstdSource(stream) if start.startswith(ZSTD_MAGIC) else stream


def is_compressed(start: bytes) -> bool:
    """Whether a file that begins like this is compressed."""
    return start.startswith((GZIP_MAGIC, ZSTD_MAGIC))


@contextmanager
def compressing(stream: BinaryIO, path: str) -> Iterator[BinaryIO]:
    """What is written goes into the stream: compressed as the ending `.gz` or `.zst` of `path` says. Raises NoZstd."""
    match Path(path).suffix:
        case ".gz":
            with GzipFile(filename="", mode="wb", compresslevel=GZIP_LEVEL, fileobj=stream, mtime=0) as file:
                yield cast(BinaryIO, file)
        case ".zst":
            with zstd().ZstdFile(stream, "wb") as file:
                yield file
        case _:
            yield stream


class _ZstdSource:
    """A zstd stream whose faults are those of any file."""

    def __init__(self, stream: BufferedReader[Any]) -> None:
        module = zstd()
        self._file: Source = module.ZstdFile(stream)
        self._fault: type[Exception] = module.ZstdError

    def readline(self, size: int, /) -> bytes:
        """The next line, or so many bytes of it."""
        try:
            return self._file.readline(size)
        except self._fault as error:
            raise OSError(str(error)) from None

    def peek(self, size: int, /) -> bytes:
        """What comes next; nothing at the end."""
        try:
            return self._file.peek(size)
        except self._fault as error:
            raise OSError(str(error)) from None
