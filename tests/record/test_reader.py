"""Reading: order of lines, errors with their place, torn ends, compressed files, standard input."""

from __future__ import annotations

import errno
import gzip
import io
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from toylog import ToyMatch, encode, header

from mexica_cli.games.game import Game
from mexica_cli.record import reader as reader_module
from mexica_cli.record.lines import GameLine, Line
from mexica_cli.record.reader import LogError, LogReader, games, open_log


def reader_of(data: bytes) -> LogReader:
    return LogReader(io.BufferedReader(io.BytesIO(data)), "toy.jsonl")


def error_of(data: bytes) -> LogError:
    with pytest.raises(LogError) as caught:
        list(reader_of(data))
    return caught.value


def with_line(log: list[Line], number: int, raw: bytes) -> bytes:
    """The log with one line, numbered from 1, put in place of another."""
    lines = encode(log).splitlines(keepends=True)
    lines[number - 1] = raw
    return b"".join(lines)


def test_all_lines_with_their_numbers(log: list[Line]) -> None:
    reader = reader_of(encode(log))
    assert list(reader) == list(enumerate(log, 1))
    assert reader.header == log[0]
    assert (reader.torn, reader.open_match, reader.whole_bytes) == (False, None, len(encode(log)))


def test_the_bytes_of_each_line_are_at_hand(log: list[Line]) -> None:
    reader = reader_of(encode(log))
    assert b"".join(reader.raw for _ in reader) == encode(log)


def test_unknown_fields_are_ignored(log: list[Line]) -> None:
    raw = encode(log[1:2]).replace(b'{"type":"game"', b'{"type":"game","weather":{"wind":[1,2]}')
    assert [line for _, line in reader_of(with_line(log, 2, raw))] == log


def test_crlf_is_tolerated(log: list[Line]) -> None:
    assert [line for _, line in reader_of(encode(log).replace(b"\n", b"\r\n"))] == log


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"\n", "not a JSON object"),
        (b"hello\n", "the line begins: hello"),
        (b'{"type":"say","match":"0-0"\n', "not a JSON object"),
        (b'{"type":"say","match":"0-0","n":0,"seat":0,"text":"\xff"}\n', "not a JSON object"),
        (b'{"type":"game","x":' + b"[" * 100_000 + b"\n", "not a JSON object"),
        (b"[]\n", "a line of a log is a JSON object, this is none"),
        (b"{}\n", "has a `type`, one of log, game, action, reject, fault, say, result"),
        (b'{"type":"move"}\n', "has a `type`, one of log, game, action, reject, fault, say, result"),
        (b'{"type":"fault","match":"0-0"}\n', "the field `n` is missing"),
        (b'{"type":"fault","match":"0-0","n":"1"}\n', "the field `n` is wrong: expected `int`, got `str`"),
        (b'{"type":"result","match":"0-0","outcome":"x","ranking":[1,"2"]}\n', "the field `ranking[1]` is wrong"),
        (b'{"type":"game","match":"9-0","seats":[],"setup":{}}\n', "'9-0' begins before match '0-0' has its `result`"),
        (b'{"type":"fault","match":"9-0","n":1,"seat":0,"kind":"","reason":""}\n', "the line is of match '9-0', but"),
    ],
)
def test_a_bad_line(log: list[Line], raw: bytes, words: str) -> None:
    error = error_of(with_line(log, 3, raw))
    assert str(error).startswith("toy.jsonl, line 3: ")
    assert words.lower() in error.reason.lower()


def test_a_line_outside_any_match(log: list[Line]) -> None:
    assert error_of(with_line(log, 2, encode(log[2:3]))).reason == "match '0-0' has no `game` line before this line"


def test_the_header_comes_first_and_once(log: list[Line]) -> None:
    assert error_of(encode(log[1:])).line == 1
    error = error_of(encode([*log, log[0]]))
    assert (error.line, error.reason) == (len(log) + 1, "a second header; a log has one, read several logs one by one")


def test_a_later_version_is_refused(log: list[Line]) -> None:
    error = error_of(encode([msgspec.structs.replace(log[0], version=2)]))
    assert str(error) == "toy.jsonl, line 1: this is version 2 of the log format, this program reads 1"


def test_an_empty_file_has_no_header() -> None:
    assert (
        str(error_of(b""))
        == "toy.jsonl, line 1: the file is empty; the first line of a log is its header, a `log` line"
    )


def test_an_endless_line_is_refused(log: list[Line], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "LINE_BYTES", 1 << 20)
    error = error_of(with_line(log, 3, b'{"type":"' + b"x" * (1 << 21)))
    assert (error.line, error.reason) == (3, "a line of a log has at most 1 MiB, this one has more")


# ---- torn ends -------------------------------------------------------------------------------------------------------


def test_any_cut_within_a_line_is_torn_and_no_error(log: list[Line]) -> None:
    data = encode(log[: log.index(next(line for line in log[2:] if isinstance(line, GameLine)))])
    for end in range(1, len(data) + 1):
        reader = reader_of(data[:end])
        whole = data[:end].count(b"\n")
        assert len(list(reader)) == whole
        assert reader.torn is (data[end - 1 : end] != b"\n")
        assert reader.open_match == (None if whole < 2 or end == len(data) else "0-0")


@pytest.mark.parametrize("tail", [b'{"type":"act', b'{"type":"act\n', b"\0\0\0\0", b"\0\0\n"])
def test_a_tail_that_is_no_json_is_torn(log: list[Line], tail: bytes) -> None:
    reader = reader_of(encode(log) + tail)
    assert len(list(reader)) == len(log)
    assert (reader.torn, reader.whole_bytes) == (True, len(encode(log)))


def test_a_whole_last_line_that_is_wrong_is_an_error(log: list[Line]) -> None:
    assert error_of(encode(log) + b'{"type":"move"}\n').line == len(log) + 1


# ---- games -----------------------------------------------------------------------------------------------------------


def test_games_are_whole(log: list[Line]) -> None:
    found = list(games(reader_of(encode(log))))
    assert [game.game.match for game in found] == ["0-0", "0-1", "1-0", "1-1", "1-1", "2-0", "3-0"]
    assert [game.result.outcome for game in found][2:6] == ["forfeit", "void", "finished", "forfeit"]
    assert [pair for game in found for pair in game.lines] == list(enumerate(log, 1))[1:]
    assert all(game.header == log[0] for game in found)


def test_an_unfinished_game_is_not_given(log: list[Line]) -> None:
    reader = reader_of(encode(log[:-1]))
    assert len(list(games(reader))) == 6
    assert reader.open_match == "3-0"


def test_memory_is_one_game(nim: Game) -> None:
    """The reader asks for no more than it gives: a stream without end can be read from."""
    match = encode(ToyMatch(nim, "0-0", ("ann", "bob")).play().result())

    class Endless(io.RawIOBase):
        pending = encode([header(nim)])

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            self.pending = self.pending or match
            piece, self.pending = self.pending[: len(buffer)], self.pending[len(buffer) :]
            buffer[: len(piece)] = piece
            return len(piece)

    stream = games(LogReader(io.BufferedReader(Endless()), "endless"))
    assert [next(stream).game.match for _ in range(50)] == ["0-0"] * 50


# ---- files -----------------------------------------------------------------------------------------------------------


def lines_in(path: str) -> list[Line]:
    with open_log(path) as reader:
        return [line for _, line in reader]


def test_a_file_plain_or_compressed(log: list[Line], tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(encode(log))
    (tmp_path / "packed").write_bytes(gzip.compress(encode(log)))
    assert lines_in(str(tmp_path / "plain")) == lines_in(str(tmp_path / "packed")) == log


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_plain_or_compressed(log: list[Line], pack: type, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(pack(encode(log))))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert lines_in("-") == log
    assert not stdin.buffer.closed


def test_an_error_on_standard_input_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}\n{}\n")))
    with pytest.raises(LogError, match=r"^standard input, line 1: "):
        lines_in("-")


def test_a_cut_compressed_file_is_torn(log: list[Line], tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(encode(log))[:-20])
    with open_log(str(path)) as reader:
        list(reader)
        assert reader.torn


def test_a_damaged_compressed_file_is_an_error(log: list[Line], tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    packed = bytearray(gzip.compress(encode(log)))
    packed[-6] ^= 1
    path.write_bytes(packed)
    with pytest.raises(LogError, match="the file can't be read on: its compressed data is damaged"):
        lines_in(str(path))


def test_a_disk_that_fails_is_said_without_its_number() -> None:
    class Broken(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

        def peek(self, size: int, /) -> bytes:
            return b""

    with pytest.raises(LogError, match=r"^disk, line 1: the file can't be read on: Input/output error$"):
        list(LogReader(Broken(), "disk"))
