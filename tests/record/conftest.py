"""The toy game and a log of it."""

from __future__ import annotations

import pytest
from toylog import team_log, toy_log

from mexica_cli.games.game import Game
from mexica_cli.record.lines import Line


@pytest.fixture(params=["single", "team"])
def any_log(nim: Game, request: pytest.FixtureRequest) -> list[Line]:
    """That log, and one of games for a team."""
    return toy_log(nim) if request.param == "single" else team_log()
