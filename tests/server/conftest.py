"""A toy game, and disks that take no time."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
import trio
from toygame import NimGame, add_toy_game
from trio.testing import MockClock

from mexica_cli.games.game import Game


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The toy game is one of the games."""
    add_toy_game(monkeypatch)
    return NimGame(most=1)


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done beside the event loop is done in it: virtual time knows nothing of threads."""

    async def run_sync(function: Callable[..., Any], *args: object, **_: object) -> Any:
        await trio.lowlevel.checkpoint()
        return function(*args)

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)
    monkeypatch.setattr(os, "fsync", lambda fd: None)


@pytest.fixture
def clock() -> MockClock:
    """Virtual time, which goes on when nobody has anything to do."""
    return MockClock(autojump_threshold=0)
