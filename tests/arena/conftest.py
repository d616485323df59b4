"""The toy game, of some length."""

from __future__ import annotations

import pytest
from toygame import NimGame, add_toy_game

from mexica_cli.games.game import Game


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The toy game with one stone a turn: every bot is asked some eight times or more."""
    add_toy_game(monkeypatch)
    return NimGame(most=1)
