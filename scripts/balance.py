"""How hard the game of Moctezuma is with its cards: win rates of teams at every difficulty and number of players.

    .venv/bin/python scripts/balance.py --games 1000 --bot steward

The teams play in this process straight on the rules, a game with the same number on the same deal whatever the bot and
the difficulty. Prints a table in Markdown; an interval holds the true rate in 95 of 100 cases (Wilson). A team of
`council` bots tries its choices `--playouts` times for each decision.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import random
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from mexica_cli.games import moctezuma
from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.games.moctezuma import MoctezumaGame, State
from mexica_cli.games.moctezuma.actions import kind
from mexica_cli.tactics.moctezuma.reckoning import Reckoning
from mexica_cli.tactics.moctezuma.thumbs import choose

DIFFICULTIES = ("easy", "normal", "hard", "critical")
BOTS = Path(__file__).parent.parent / "bots"
BATCH = 50
"""Games that a worker plays at a time."""

Player = Callable[[State], int]
"""Chooses for the seat to act, from what that seat sees."""


# ---- players ---------------------------------------------------------------------------------------------


def make_player(bot: str, game: MoctezumaGame, seed: int, playouts: int) -> Player:
    """A player for all seats of one game."""
    reckoning = Reckoning(game.variant)
    match bot:
        case "random":
            return partial(_at_random, random.Random(seed))
        case "steward":
            return lambda state: choose(reckoning, state)
    return partial(_by_council, _council(), reckoning, Chance(seed), playouts)


def _at_random(chance: random.Random, state: State) -> int:
    """Any kind of action, then any action of that kind."""
    kinds = defaultdict(list)
    for action in state.options:
        kinds[kind(action)].append(action)
    return chance.choice(kinds[chance.choice(sorted(kinds))])


def _by_council(council: Any, reckoning: Reckoning, chance: Chance, playouts: int, state: State) -> int:
    held = council.Debate(reckoning, state, state.to_act, chance, council.choices_for(playouts))
    held.hold(lambda tried: tried < playouts)
    chosen: int = held.chosen()
    return chosen


def _council() -> Any:
    """The council bot's file as a module."""
    found = importlib.util.spec_from_file_location("bot_council", BOTS / "council" / "bot.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


# ---- games ---------------------------------------------------------------------------------------------


def victories(bot: str, options: dict[str, str], players: int, playouts: int, numbers: range) -> int:
    """How many of the games with these numbers the team wins."""
    game = moctezuma.load("official", None, options)
    return sum(_is_won(game, bot, players, playouts, number) for number in numbers)


def _is_won(game: MoctezumaGame, bot: str, players: int, playouts: int, number: int) -> bool:
    seed = derive_seed("balance", players, number)
    state = game.start(players, game.deal(players, seed))
    player = make_player(bot, game, seed, playouts)
    while state.to_act is not None:
        state.apply(player(state))
    return bool(state.won)


def interval(won: int, games: int) -> tuple[float, float]:
    """The Wilson interval of a share, at 95 %."""
    z, share = 1.96, won / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


# ---- the table ---------------------------------------------------------------------------------------------


def cell(won: int, games: int) -> str:
    """A win rate and its interval, in per cent."""
    low, high = interval(won, games)
    return f"{100 * won / games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    given = _arguments()
    print("| players | " + " | ".join(given.difficulty) + " |\n" + "|---" * (1 + len(given.difficulty)) + "|")
    with ProcessPoolExecutor(given.workers) as pool:
        for players in given.players:
            row = []
            for difficulty in given.difficulty:
                options = {"difficulty": difficulty, "deck": given.deck}
                if given.cards:
                    options["cards"] = given.cards
                play = partial(victories, given.bot, options, players, given.playouts)
                batches = [range(n, min(n + BATCH, given.games)) for n in range(0, given.games, BATCH)]
                row.append(cell(sum(pool.map(play, batches)), given.games))
            print(f"| {players} | {' | '.join(row)} |", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", choices=("random", "steward", "council"), default="steward")
    parser.add_argument("--games", type=int, default=1000, help="for each cell of the table (default 1000)")
    parser.add_argument("--players", type=int, nargs="+", default=[1, 2, 3, 4, 5], help="by default 1 to 5")
    parser.add_argument("--difficulty", choices=DIFFICULTIES, nargs="+", default=DIFFICULTIES, help="by default all")
    parser.add_argument("--deck", choices=("beginner", "advanced"), default="beginner")
    parser.add_argument("--cards", metavar="FILE", help="other cards than the shipped ones")
    parser.add_argument("--playouts", type=int, default=12, help="of council, for a decision (default 12)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
