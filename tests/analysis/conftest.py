"""The toy game and a log of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from toygame import add_toy_game
from toylog import encode, toy_log

from mexica_cli.games.game import Game
from mexica_cli.record.lines import Line


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The toy game."""
    return add_toy_game(monkeypatch)


@pytest.fixture
def log(nim: Game) -> list[Line]:
    """Its log: faults, rejected actions, a void game."""
    return toy_log(nim)


@pytest.fixture
def toy(log: list[Line], tmp_path: Path) -> Path:
    """The same as a file."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(encode(log))
    return path
