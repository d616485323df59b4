"""scripts/biglog.py makes logs that are right, of the size that was asked for."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from analysis.playing import arena_log
from toylog import encode

from mexica_cli.record.lines import GameLine, Line
from mexica_cli.record.reader import LogReader
from mexica_cli.record.verify import verify


def biglog(root: Path, log: bytes, megabytes: float) -> subprocess.CompletedProcess[bytes]:
    words = [sys.executable, str(root / "scripts" / "biglog.py"), "-", "--megabytes", str(megabytes)]
    return subprocess.run(words, input=log, capture_output=True, check=False)


def reader(data: bytes) -> LogReader:
    return LogReader(io.BufferedReader(io.BytesIO(data)), "big.jsonl")


@pytest.mark.parametrize("game", [["--board", "small", "--option", "stall_rounds=1"], ["--game", "moctezuma"]])
def test_a_log_of_any_size_can_be_verified(root: Path, game: list[str]) -> None:
    few = arena_log(*game, games=2)
    size = 5 * len(few)
    run = biglog(root, few, size / 1e6)
    assert run.returncode == 0
    assert size <= len(run.stdout) < size + len(few)
    report = verify(reader(run.stdout))
    assert report.whole
    assert report.games >= 8


def test_games_keep_their_deal_and_get_an_id_of_their_own(root: Path) -> None:
    few = arena_log("--board", "small", "--option", "stall_rounds=1", games=3)
    games = [line for _, line in reader(biglog(root, few, 3 * len(few) / 1e6).stdout) if isinstance(line, GameLine)]
    assert [line.match for line in games[:4]] == ["1.1@1-1", "1.1@1-2", "1.2@2-1", "2.1@1-1"]
    assert len({line.match for line in games}) == len(games)
    assert games[0].setup == games[1].setup == games[3].setup != games[2].setup


def test_a_log_without_games(root: Path, log: list[Line]) -> None:
    run = biglog(root, encode(log[:1]), 1)
    assert (run.returncode, run.stdout) == (1, b"")
    assert run.stderr == b"-: there is no whole game in it\n"
