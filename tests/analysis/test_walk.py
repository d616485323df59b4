"""Through logs: what counts, where they end, and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from analysis.playing import arena_log
from msgspec.structs import replace
from toylog import encode

from mexica_cli.analysis.counts import Counts
from mexica_cli.analysis.rows import Rows
from mexica_cli.analysis.walk import walk_logs
from mexica_cli.record.lines import ActionLine, Line, ResultLine
from mexica_cli.record.reader import LogError, open_log


def test_what_was_read(toy: Path, log: list[Line], tmp_path: Path) -> None:
    packed = tmp_path / "games.gz"
    packed.write_bytes(gzip.compress(encode(log)))
    reading = walk_logs([str(toy), str(packed)], counts := Counts())
    assert (reading.read_bytes, reading.cut) == (2 * len(encode(log)), [])
    assert (counts.games, counts.voided) == (12, 2)


@pytest.mark.parametrize(("cut", "more", "games"), [(-1, b"", 5), (-300, b"", 5), (None, b'{"type":"ga', 6)])
def test_a_log_that_was_cut_off(toy: Path, log: list[Line], cut: int | None, more: bytes, games: int) -> None:
    toy.write_bytes(encode(log)[:cut] + more)
    reading = walk_logs([str(toy)], counts := Counts())
    assert (reading.cut, counts.games) == ([str(toy)], games)


def test_a_log_cut_off_in_its_header(toy: Path, log: list[Line]) -> None:
    toy.write_bytes(encode(log)[:30])
    with pytest.raises(LogError, match="the log ends within its first line"):
        walk_logs([str(toy)], Counts())


def test_a_void_game_leaves_nothing(toy: Path, log: list[Line]) -> None:
    """It is the fourth; its actions must not be counted for the next one."""
    walk_logs([str(toy)], counts := Counts())
    done = sum(done.number for done in counts.deeds.values())
    assert done == sum(line.actions for line in log if isinstance(line, ResultLine))


def read(path: Path) -> list[Line]:
    with open_log(str(path)) as reader:
        return [line for _, line in reader]


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "jump a1"},
        {"action": "walk zz9"},
        {"seat": 7},
        {"followed": [{"what": "points"}]},
        {"followed": [{"what": "points", "seat": 0, "points": 1, "for": "scoring", "period": 1}, {"what": "scored"}]},
    ],
)
def test_a_line_that_fits_no_game(tmp_path: Path, fields: dict[str, Any]) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(arena_log("--board", "small"))
    lines = read(path)
    number, action = next((n, line) for n, line in enumerate(lines) if isinstance(line, ActionLine))
    path.write_bytes(encode([*lines[:number], replace(action, **fields), *lines[number + 1 :]]))
    with pytest.raises(LogError) as caught:
        walk_logs([str(path)], Rows(["actions", "scorings"], lambda table, rows: None))
    assert caught.value.line == number + 1


def test_a_header_whose_game_cannot_be_made(toy: Path, log: list[Line]) -> None:
    toy.write_bytes(encode([replace(log[0], game="chess"), *log[1:]]))
    with pytest.raises(LogError, match="line 1: this game can't be made again"):
        walk_logs([str(toy)], Counts())


def test_a_variant_that_the_header_has_not(toy: Path, log: list[Line]) -> None:
    toy.write_bytes(encode([log[0], replace(log[1], variant="x"), *log[2:]]))
    with pytest.raises(LogError, match="line 2: the header has no variant 'x'"):
        walk_logs([str(toy)], Counts())
