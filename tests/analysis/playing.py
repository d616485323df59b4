"""Random games for tests of the analysis: of the rules alone, and logs of whole games from the real arena."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from mexica_cli.cli.main import run
from mexica_cli.games.game import Game, State
from mexica_cli.record.lines import ActionLine, GameLine


def random_game(game: Game, players: int, seed: int, most: int) -> Iterator[tuple[State, ActionLine, State]]:
    """The actions of a game, `most` at most, each with the states before and after it.

    A kind of action is drawn first, then one of that kind: of all actions nearly all would build.
    """
    chance = Random(seed)
    state = game.start(players, game.deal(players, seed))
    for n in range(1, most + 1):
        before = state.copy()
        if (seat := state.to_act) is None:
            return
        kinds = defaultdict(list)
        for action in state.legal_actions():
            kinds[state.text(action).partition(" ")[0]].append(action)
        action = chance.choice(kinds[chance.choice(sorted(kinds))])
        text = state.text(action)
        followed = state.apply(action)
        yield before, ActionLine(match="1-1", n=n, seat=seat, action=text, followed=followed), state


def game_line(game: Game, players: int, seed: int) -> GameLine:
    """The line that begins such a game."""
    names = [f"bot{seat}" for seat in range(players)]
    return GameLine(match="1-1", seats=names, setup=game.deal(players, seed))


def arena_log(*arguments: str, games: int = 1, seed: int = 1, bots: Sequence[str] = ("random", "random")) -> bytes:
    """The log of games that reference bots play inside the arena; `arguments` are those of `mexica match`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        words = ["--inside", "--games", str(games), "--seed", str(seed), "--log", str(path), "--format", "jsonl"]
        assert run(["match", *bots, *words, *arguments]) == 0
        return path.read_bytes()


def options(fields: Mapping[str, Any]) -> list[str]:
    """Rule fields as words of a command line."""
    return [word for name, value in fields.items() for word in ("--option", f"{name}={value}")]
