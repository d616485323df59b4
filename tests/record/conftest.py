"""The toy game and a log of it."""

from __future__ import annotations

import pytest
from toygame import add_toy_game
from toylog import team_log, toy_log

from mexica_cli.games.game import Game
from mexica_cli.record.lines import Line


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The toy game, one of the arena's games for the length of the test."""
    return add_toy_game(monkeypatch)


@pytest.fixture
def log(nim: Game) -> list[Line]:
    """A right log of the toy game with everything in it."""
    return toy_log(nim)


@pytest.fixture(params=["single", "team"])
def any_log(nim: Game, request: pytest.FixtureRequest) -> list[Line]:
    """That log, and one of games for a team."""
    return toy_log(nim) if request.param == "single" else team_log()
