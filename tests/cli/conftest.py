"""The toy game, a log of it, and `mexica log` at work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from toylog import encode

from mexica_cli.cli.main import run
from mexica_cli.record.lines import Line


@pytest.fixture
def path(log: list[Line], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same as the file `games.jsonl` in the current directory."""
    monkeypatch.chdir(tmp_path)
    path = Path("games.jsonl")
    path.write_bytes(encode(log))
    return path


@pytest.fixture
def log_command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs `mexica log ...`: exit code, standard output, standard error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(["log", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call
