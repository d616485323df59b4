"""scripts/balance.py: teams, seeds, intervals, a table that can go into the page, and the tables that are there."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path

import balance
import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "MOCTEZUMA.md").read_text(encoding="utf-8").split("## How hard it is")[1].split("\n## ")[0]


@pytest.mark.parametrize("bot", ["random", "steward", "council"])
def test_the_same_games_are_played_the_same_way_in_any_batches(bot: str) -> None:
    def won(numbers: range) -> int:
        count: int = balance.victories(bot, {"difficulty": "easy"}, 1, 1, numbers)
        return count

    assert won(range(4)) == won(range(1)) + won(range(1, 4))


def test_a_better_team_wins_more() -> None:
    steward, chance = (balance.victories(bot, {"difficulty": "easy"}, 2, 0, range(12)) for bot in ("steward", "random"))
    assert steward >= 6 > chance


def test_random_teams_win_less_than_one_in_twenty_on_normal() -> None:
    for players in range(1, 6):
        assert balance.victories("random", {"difficulty": "normal"}, players, 0, range(60)) < 3


def test_intervals() -> None:
    """Against values of the formula as it is printed in textbooks."""
    assert balance.interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert balance.interval(0, 1000) == pytest.approx((0.0, 0.0038), abs=1e-4)
    assert balance.cell(703, 1000) == "70.3 (67.4 to 73.1)"


def test_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "argv", ["balance", "--games", "3", "--players", "1", "--bot", "random"])
    monkeypatch.setattr(balance, "ProcessPoolExecutor", Here)
    balance.main()
    assert capsys.readouterr().out.splitlines() == [
        "| players | easy | normal | hard | critical |",
        "|---|---|---|---|---|",
        "| 1 | 0.0 (0.0 to 56.2) | 0.0 (0.0 to 56.2) | 0.0 (0.0 to 56.2) | 0.0 (0.0 to 56.2) |",
    ]


def test_a_table_of_some_difficulties(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["balance", "--games", "2", "--players", "2", "--bot", "random", "--difficulty", "easy", "critical"]
    monkeypatch.setattr(sys, "argv", argv)
    monkeypatch.setattr(balance, "ProcessPoolExecutor", Here)
    balance.main()
    assert capsys.readouterr().out.splitlines()[::2] == [
        "| players | easy | critical |",
        "| 2 | 0.0 (0.0 to 65.8) | 0.0 (0.0 to 65.8) |",
    ]


class Here:
    """A pool without processes."""

    def __init__(self, workers: int) -> None:
        self.map = map

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *error: object) -> None:
        pass


# ---- the page --------------------------------------------------------------------------------------------------------


def test_the_best_team_wins_as_often_as_the_page_says() -> None:
    for easy, *_, critical in page_tables()[0]:
        assert 60 <= easy[0] <= 90
        assert 5 <= critical[0] <= 30


def test_every_step_in_difficulty_shows_on_the_page() -> None:
    for row in (row for table in page_tables() for row in table):
        assert len(row) == 4
        assert all(after[2] < before[1] for before, after in pairwise(row))


def test_the_page_has_what_comes_of_as_many_games_as_it_says() -> None:
    numbers = [int(number.replace(",", "")) for number in re.findall(r"([0-9,]+)\s+games\s+for\s+each\s+number", PAGE)]
    for games, table in zip(numbers, page_tables(), strict=True):
        for rate, low, high in (cell for row in table for cell in row):
            won = round(rate * games / 100)
            assert balance.cell(won, games) == f"{rate:.1f} ({low:.1f} to {high:.1f})"


def page_tables() -> list[list[list[list[float]]]]:
    """By table, row of a number of players, and difficulty: the rate, and the ends of its interval."""
    tables = [text.splitlines()[2:] for text in PAGE.split("\n\n") if text.startswith("| players |")]
    assert [[line.split(" | ")[0] for line in table] for table in tables] == [[f"| {n}" for n in range(1, 6)]] * 2
    return [[[cell_of(cell) for cell in line.split("|")[2:-1]] for line in table] for table in tables]


def cell_of(text: str) -> list[float]:
    """Rate, and the ends of its interval, of `70.3 (67.4 to 73.1)`."""
    return [float(number) for number in re.findall(r"[0-9.]+", text)]
