"""scripts/balance.py: teams, seeds, intervals, and a table that can go into the page."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "balance.py"


@pytest.fixture(scope="module")
def balance() -> ModuleType:
    found = spec_from_file_location("balance", SCRIPT)
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("bot", ["random", "steward", "council"])
def test_the_same_games_are_played_the_same_way_in_any_batches(balance: ModuleType, bot: str) -> None:
    def won(numbers: range) -> int:
        count: int = balance.victories(bot, {"difficulty": "easy"}, 1, 1, numbers)
        return count

    assert won(range(4)) == won(range(1)) + won(range(1, 4))


def test_a_better_team_wins_more(balance: ModuleType) -> None:
    steward, chance = (balance.victories(bot, {"difficulty": "easy"}, 2, 0, range(12)) for bot in ("steward", "random"))
    assert steward >= 6 > chance


def test_random_teams_win_less_than_one_in_twenty_on_normal(balance: ModuleType) -> None:
    for players in range(1, 6):
        assert balance.victories("random", {"difficulty": "normal"}, players, 0, range(60)) < 3


def test_intervals(balance: ModuleType) -> None:
    """Against values of the formula as it is printed in textbooks."""
    assert balance.interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert balance.interval(0, 1000) == pytest.approx((0.0, 0.0038), abs=1e-4)
    assert balance.cell(703, 1000) == "70.3 (67.4 to 73.1)"


def test_the_table(
    balance: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["balance", "--games", "3", "--players", "1", "--bot", "random"])
    monkeypatch.setattr(balance, "ProcessPoolExecutor", Here)
    balance.main()
    assert capsys.readouterr().out.splitlines() == [
        "| players | easy | normal | hard | critical |",
        "|---|---|---|---|---|",
        "| 1 | 0.0 (0.0 to 56.2) | 0.0 (0.0 to 56.2) | 0.0 (0.0 to 56.2) | 0.0 (0.0 to 56.2) |",
    ]


class Here:
    """A pool without processes."""

    def __init__(self, workers: int) -> None:
        self.map = map

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *error: object) -> None:
        pass
