"""The toy game, and a directory for a tournament of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from toygame import add_toy_game

from mexica_cli.games.game import Game
from mexica_cli.tournament.directory import Directory


@pytest.fixture(scope="module")
def nim() -> Iterator[Game]:
    """The toy game, one of the arena's games, and a disk that is never waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda fd: None)
        yield add_toy_game(patch)


@pytest.fixture
def directory(tmp_path: Path) -> Directory:
    return Directory(tmp_path / "cup")
