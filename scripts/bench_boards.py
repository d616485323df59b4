"""What a larger board costs: time a step and a cell on 24 rows of 24, against the standard board in the same run.

Random games are played on both in turn. A ratio of 1 or less means that a step costs no more than in proportion to the
cells of the board. CPU time is measured, not wall time.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

from bench_engine import Choose, kind_first, play_out, uniform

from mexica_cli.games.mexica import MexicaGame, load
from mexica_cli.games.mexica.islands import Wish, make_island
from mexica_cli.games.mexica.variant import Variant

WISH = Wish(rows=24, columns=24, size=376)
"""As much of its cells is land as on the standard board."""
PLAYERS = 3


def bench_boards(choose: Choose, runs: int = 7, games: int = 4) -> dict[str, Any]:
    """Microseconds a step and nanoseconds a step and cell, medians of the runs, and the median of their ratios."""
    standard = load("official", None, {})
    large = MexicaGame(Variant("official", standard.variant.rules, make_island(WISH, 1, "large")))
    play_out(standard, PLAYERS, 0, choose)
    play_out(large, PLAYERS, 0, choose)
    times = [
        (step_time(standard, run * games, games, choose), step_time(large, run * games, games, choose))
        for run in range(runs)
    ]
    cells = cells_of(standard), cells_of(large)
    return {
        "bench": "boards",
        "what": "random games, CPU time",
        "players": PLAYERS,
        "choice": choose.__name__,
        "cells": cells,
        "us_per_step": [round(statistics.median(column), 1) for column in zip(*times, strict=True)],
        "ns_per_step_and_cell": [
            round(statistics.median(column) / number * 1000, 1)
            for column, number in zip(zip(*times, strict=True), cells, strict=True)
        ],
        "ratio": round(statistics.median(b / cells[1] / (a / cells[0]) for a, b in times), 3),
        "runs": runs,
        "games": games * runs,
    }


def cells_of(game: MexicaGame) -> int:
    """Rows times columns."""
    rows = game.variant.board.rows
    return len(rows) * len(rows[0])


def step_time(game: MexicaGame, seed: int, games: int, choose: Choose) -> float:
    """Microseconds to list the legal actions and do one."""
    start = time.process_time()
    steps = sum(play_out(game, PLAYERS, seed + n, choose) for n in range(games))
    return (time.process_time() - start) / steps * 1e6


if __name__ == "__main__":
    for choice in (uniform, kind_first):
        print(json.dumps(bench_boards(choice)))
