"""The toy game is one of the games, for bots that are told which one is played."""

from __future__ import annotations

import pytest
from toygame import add_toy_game


@pytest.fixture(autouse=True)
def _toy_game(monkeypatch: pytest.MonkeyPatch) -> None:
    add_toy_game(monkeypatch)
