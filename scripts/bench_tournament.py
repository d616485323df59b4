"""What many games cost: games a second with one worker and with two, between bots that take next to no time."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import trio
from msgspec.structs import replace

from mexica_cli.arena.log import set_up_logging
from mexica_cli.tournament.config import Tournament, read_tournament
from mexica_cli.tournament.directory import Directory
from mexica_cli.tournament.executors import Executor, local_executor
from mexica_cli.tournament.runner import Runner
from mexica_cli.tournament.writing import TomlValue, tournament_text

GAMES = 48
WARM_UP = 8
BOT = Path(__file__).parent / "bench_bot.py"
FIELDS: dict[str, TomlValue | None] = {"seed": 1, "games": GAMES, "move_time": "10s"}
OPTIONS = "\n[options]\nstall_rounds = 4\nneutral_temples = []\n"
"""A game is some 110 decisions, one action each."""


def bench_tournament(runs: int) -> dict[str, Any]:
    """Games a second at one job and at two, workers and bots started before: medians of `runs`, and their ratio."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(runs):
        for jobs, figures in rates.items():
            figures.append(trio.run(partial(_games_a_second, jobs)))
    medians = {jobs: statistics.median(figures) for jobs, figures in rates.items()}
    return {
        "bench": "tournament",
        "what": "games a second of two trivial bots at --jobs 1 and 2",
        "jobs_1": round(medians[1], 2),
        "jobs_2": round(medians[2], 2),
        "ratio": round(medians[2] / medians[1], 2),
        "runs": runs,
        "games": GAMES,
    }


async def _games_a_second(jobs: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.toml"
        text = tournament_text(FIELDS, [("one", str(BOT)), ("two", str(BOT))])
        file.write_text(text.replace("\n\n[[bots]]", f"\n{OPTIONS}\n[[bots]]", 1), encoding="utf-8")
        tournament, directory = read_tournament(file), Directory(Path(folder) / "bench")
        with directory.claimed():
            async with local_executor(jobs) as executor:
                await _play(tournament, directory, executor, WARM_UP)  # workers and bots start here
                began = time.perf_counter()
                await _play(tournament, directory, executor, GAMES)
                return (GAMES - WARM_UP) / (time.perf_counter() - began)


async def _play(tournament: Tournament, directory: Directory, executor: Executor, games: int) -> None:
    """Play on until there are so many games."""
    part = replace(tournament, file=replace(tournament.file, games=games))
    with directory.resume(part.header()) as writer:
        runner = Runner(part, directory, executor, directory.played(), lambda *_: None)
        await runner.run(writer, lambda: False)


if __name__ == "__main__":
    set_up_logging(verbose=False)
    print(json.dumps(bench_tournament(runs=5)))
