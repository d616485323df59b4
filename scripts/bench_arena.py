"""What a decision costs in the arena: two bots that cost nothing, as processes, everything on one CPU."""

from __future__ import annotations

import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import trio

from mexica_cli.arena.bot import Bot, open_arena
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import set_up_logging
from mexica_cli.arena.referee import MatchPlan, Referee
from mexica_cli.arena.spec import parse_specs
from mexica_cli.games import load_game

ROUNDS = 60
"""Rounds without progress that end a period: a game is some 1,700 decisions."""
BOT = Path(__file__).parent / "bench_bot.py"


def bench_arena(runs: int) -> dict[str, Any]:
    """Microseconds a decision, the bots' own time taken off: median, least and most of `runs` games."""
    cpus = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cpus)})
    try:
        figures = [trio.run(_one_game) for _ in range(runs)]
    finally:
        os.sched_setaffinity(0, cpus)
    decisions = figures[0][1]
    each = [seconds / decisions * 1e6 for seconds, _ in figures]
    return {
        "bench": "arena",
        "what": "us a decision: subprocess, want [], one CPU, bot's own time excluded",
        "median": round(statistics.median(each), 1),
        "least": round(min(each), 1),
        "most": round(max(each), 1),
        "runs": runs,
        "decisions": decisions,
    }


async def _one_game() -> tuple[float, int]:
    """Seconds that were not the bots', and decisions."""
    game = load_game("mexica", options={"stall_rounds": str(ROUNDS), "neutral_temples": "[]"})
    plan = MatchPlan(id="1-1", setup=game.deal(2, 1), control=TimeControl(move=10.0))
    async with open_arena(Limits(), []) as arena:
        bots = [arena.add(spec) for spec in parse_specs([str(BOT)] * 2)]
        for bot in bots:
            await bot.start()
        referee = Referee(game, plan, bots, lambda _: None)
        began = time.perf_counter()
        result = await referee.run()
        wall = time.perf_counter() - began
        if result.outcome != "finished":
            raise RuntimeError(f"the game was not played to its end: {result.reasons}")
        reports = [await _report(bot) for bot in bots]
    return wall - sum(own for own, _ in reports), sum(decisions for _, decisions in reports)


async def _report(bot: Bot) -> tuple[float, int]:
    """End the bot and read what it says of itself."""
    channel = bot.channel
    assert channel is not None
    await bot.stop("measured")
    own, decisions = (channel.stderr_tail() or "").split()
    return float(own), int(decisions)


if __name__ == "__main__":
    set_up_logging(verbose=False)
    print(json.dumps(bench_arena(runs=7)))
