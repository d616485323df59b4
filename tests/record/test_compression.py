"""gzip and zstd: read whatever the file is called, written by its ending, and cut off or damaged anywhere."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from toylog import encode

from mexica_cli.record.compression import zstd
from mexica_cli.record.lines import Line
from mexica_cli.record.reader import LogError, LogReader, open_log
from mexica_cli.record.writer import open_copy

Pack = Callable[[bytes], bytes]
PACKS: dict[str, Pack] = {".gz": gzip.compress, ".zst": zstd().compress}
UNPACKS: dict[str, Pack] = {".gz": gzip.decompress, ".zst": zstd().decompress, ".jsonl": bytes}


@pytest.fixture(params=PACKS)
def pack(request: pytest.FixtureRequest) -> Pack:
    """Compresses."""
    return PACKS[request.param]


def read(path: Path) -> tuple[list[Line], LogReader]:
    with open_log(str(path)) as reader:
        return [line for _, line in reader], reader


def test_the_name_does_not_matter(log: list[Line], tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(pack(encode(log)))
    lines, reader = read(path)
    assert lines == log
    assert not reader.torn
    assert reader.read_bytes == len(encode(log))


def test_several_pieces_one_after_the_other(log: list[Line], tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "games"
    path.write_bytes(pack(encode(log[:5])) + pack(encode(log[5:])))
    assert read(path)[0] == log


def test_standard_input(log: list[Line], monkeypatch: pytest.MonkeyPatch, pack: Pack) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pack(encode(log)))))
    assert read(Path("-"))[0] == log


@pytest.mark.parametrize("part", [0.3, 0.7, 0.99])
def test_cut_off(log: list[Line], tmp_path: Path, pack: Pack, part: float) -> None:
    path = tmp_path / "games"
    packed = pack(encode(log))
    path.write_bytes(packed[: int(part * len(packed))])
    lines, reader = read(path)
    assert reader.torn
    assert lines == log[: len(lines)]
    assert len(lines) < len(log)


def test_damaged(log: list[Line], tmp_path: Path, pack: Pack) -> None:
    packed = bytearray(pack(encode(log)))
    packed[12:40] = b"\xff" * 28
    path = tmp_path / "games"
    path.write_bytes(packed)
    with pytest.raises(LogError, match="the file can't be read on: its compressed data is damaged"):
        read(path)


def test_damaged_after_a_line_that_is_none(tmp_path: Path, pack: Pack) -> None:
    """Whether such a line is the last one shows only by reading on, which fails here."""
    path = tmp_path / "games"
    path.write_bytes(pack(b"{\n")[:-1])
    lines, reader = read(path)
    assert (lines, reader.torn) == ([], True)


def test_without_zstd(log: list[Line], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "compression", None)
    monkeypatch.setitem(sys.modules, "backports", None)
    path = tmp_path / "games.zst"
    path.write_bytes(PACKS[".zst"](encode(log)))
    with pytest.raises(LogError, match=r"games.zst: .*pip install 'mexica\[analysis\]'"):
        read(path)
    with pytest.raises(LogError, match="mexica"), open_copy(str(tmp_path / "other.zst")):
        pass
    path.write_bytes(PACKS[".gz"](encode(log)))
    assert read(path)[0] == log


@pytest.mark.parametrize("ending", UNPACKS)
def test_a_copy_is_compressed_by_its_ending(log: list[Line], tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"copy{ending}"
    with open_copy(str(path)) as stream:
        for line in log:
            stream.write(encode([line]))
    assert UNPACKS[ending](path.read_bytes()) == encode(log)


def test_the_same_log_gives_the_same_bytes(log: list[Line], tmp_path: Path) -> None:
    """A gzip file holds a time and a name by itself."""
    for name in ("one.gz", "two.gz"):
        with open_copy(str(tmp_path / name)) as stream:
            stream.write(encode(log))
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    assert (tmp_path / "one.gz").read_bytes()[4:8] == bytes(4)


def test_a_copy_to_standard_output(log: list[Line], monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", stdout)
    with open_copy("-") as stream:
        stream.write(encode(log))
    assert isinstance(stdout.buffer, io.BytesIO)
    assert stdout.buffer.getvalue() == encode(log)


def test_a_copy_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "copy.gz"
    path.write_bytes(b"mine")
    with pytest.raises(LogError, match="the file exists and isn't empty"), open_copy(str(path)):
        pass
    assert path.read_bytes() == b"mine"
