"""How fast the rules are: random games of both games, and copies and verdicts of Mexica, on one core.

CPU time is measured, not wall time, so that other programs on the machine disturb little.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any, cast

from mexica_cli.games import load_game
from mexica_cli.games.game import Game, State
from mexica_cli.games.mexica import State as MexicaState

Choose = Callable[[Any, random.Random], int]


def uniform(state: State, chance: random.Random) -> int:
    """Any legal action, all equally likely."""
    actions = state.legal_actions()
    return actions[int(chance.random() * len(actions))]


def kind_first(state: MexicaState, chance: random.Random) -> int:
    """Any kind of action, then any action of that kind: games with fewer teleports and more foundings."""
    groups = list(state.legal_by_kind().values())
    group = groups[int(chance.random() * len(groups))]
    return group[int(chance.random() * len(group))]


def bench_games(name: str, players: int, choose: Choose, runs: int = 5, games: int = 8) -> dict[str, Any]:
    """Steps (list the legal actions, do one) and whole games a second; medians of `runs` runs of `games` games each."""
    game = load_game(name)
    play_out(game, players, seed=0, choose=choose)
    steps, playouts = [], []
    for run in range(runs):
        start = time.process_time()
        done = sum(play_out(game, players, seed=run * games + n, choose=choose) for n in range(games))
        seconds = time.process_time() - start
        steps.append(done / seconds)
        playouts.append(games / seconds)
    return {
        "bench": "engine",
        "what": "random games, CPU time",
        "game": name,
        "players": players,
        "choice": choose.__name__,
        "steps_per_s": round(statistics.median(steps)),
        "playouts_per_s": round(statistics.median(playouts), 1),
        "runs": runs,
        "games": games * runs,
    }


def play_out(game: Game, players: int, seed: int, choose: Choose) -> int:
    """Play a random game to its end; returns the number of actions."""
    state = game.start(players, game.deal(players, seed))
    chance = random.Random(seed)
    steps = 0
    while state.to_act is not None:
        state.apply(choose(state, chance))
        steps += 1
    return steps


def bench_calls(runs: int = 5) -> dict[str, Any]:
    """Microseconds for a copy, a verdict on a legal action, a parse and an observation, in a game of four players."""
    state = middle_of_a_game()
    actions = state.legal_actions()
    texts = [state.text(action) for action in actions]
    return {
        "bench": "engine",
        "what": "us a call, CPU time",
        "copy": _per_call(lambda _: state.copy(), range(2000), runs),
        "is_legal": _per_call(state.is_legal, actions, runs),
        "parse": _per_call(state.parse, texts, runs),
        "observation": _per_call(state.observation, range(200), runs),
        "runs": runs,
    }


def middle_of_a_game() -> MexicaState:
    """The beginning of turn 40 of a random game of Mexica for four."""
    game = load_game("mexica")
    state = cast(MexicaState, game.start(4, game.deal(4, seed=1)))
    chance = random.Random(1)
    while state.turn < 40:
        state.apply(kind_first(state, chance))
    return state


def _per_call(function: Callable[[Any], object], arguments: Any, runs: int) -> float:
    each = []
    for _ in range(runs):
        start = time.process_time()
        for argument in arguments:
            function(argument)
        each.append((time.process_time() - start) / len(arguments) * 1e6)
    return round(statistics.median(each), 2)


def bench_engine() -> list[dict[str, Any]]:
    """All of them."""
    mexica = [bench_games("mexica", players, choose) for choose in (uniform, kind_first) for players in (2, 3, 4)]
    moctezuma = [bench_games("moctezuma", players, uniform, games=200) for players in (1, 3, 5)]
    return [*mexica, *moctezuma, bench_calls()]


if __name__ == "__main__":
    for row in bench_engine():
        print(json.dumps(row))
