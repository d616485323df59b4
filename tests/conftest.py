"""What tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings
from toygame import add_toy_game
from toylog import toy_log

from mexica_cli.games.game import Game
from mexica_cli.record.lines import Line

# The same examples on every run and every machine, and no verdict that depends on how busy the machine is.
settings.register_profile("project", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("project")

# Where the tests run in the background of a script, SIGINT is ignored, and so would the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The toy game, one of the arena's games for the length of the test."""
    return add_toy_game(monkeypatch)


@pytest.fixture
def log(nim: Game) -> list[Line]:
    """A right log of the toy game with everything in it: faults, rejected actions, a void game."""
    return toy_log(nim)
