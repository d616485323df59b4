"""Write the games in protocol/vectors/ against which other implementations of the rules can be checked.

Run it after a change to the rules or to the cards of Moctezuma:

    .venv/bin/python scripts/generate_vectors.py

What is in a line, and what it is good for, is told in protocol/vectors/README.md. `mexica-independent.jsonl` isn't made
here: another program made it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from mexica_cli.games import load_game
from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.games.game import State
from mexica_cli.games.mexica import State as MexicaState
from mexica_cli.games.mexica.table import TURN
from mexica_cli.games.perft import MoveCounter, OverBudget

VECTORS = Path(__file__).resolve().parent.parent / "protocol" / "vectors"

# ---- which games -----------------------------------------------------------------------------------------------------


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One game: how it is begun, by the names of the engine's `new`."""

    game: str
    rules: str
    board: str | None = None
    options: dict[str, str] = {}
    players: int

    @property
    def label(self) -> str:
        """What tells it from all others."""
        return " ".join([self.game, self.rules, self.board or "-", *self.options.values(), str(self.players)])


def mexica() -> Iterator[Plan]:
    """Every rule set with every number of players, and other boards and options."""
    for rules, players in itertools.product(("official", "help", "summary"), (2, 3, 4)):
        yield Plan(game="mexica", rules=rules, players=players)
    for rules, players in (("official", 2), ("help", 3), ("summary", 4)):
        yield Plan(game="mexica", rules=rules, board="small", players=players)
    yield Plan(game="mexica", rules="official", board="large", players=4)
    yield Plan(game="mexica", rules="official", options={"stall_rounds": "0", "round_limit": "5"}, players=3)


def moctezuma() -> Iterator[Plan]:
    """Every difficulty with every deck and number of players."""
    decks, difficulties = ("beginner", "advanced"), ("easy", "normal", "hard", "critical")
    for deck, difficulty, players in itertools.product(decks, difficulties, (1, 2, 3, 4, 5)):
        options = {"difficulty": difficulty, "deck": deck}
        yield Plan(game="moctezuma", rules="official", options=options, players=players)


FILES: dict[str, Callable[[], Iterator[Plan]]] = {"mexica.jsonl": mexica, "moctezuma.jsonl": moctezuma}

# ---- how they are played ---------------------------------------------------------------------------------------------

FIRST = re.compile(r"found|sacrifice|(hit|play) (?!moctezuma)")
"""What is done in three of four cases where it can be, as it makes games of chance more like real ones."""

WEIGHTS = {"canal": 4, "walk": 3, "bridge": 2, "temple": 2, "retire": 2}
"""How often a kind of action is chosen, where it isn't 1."""

TRIED = 20
"""Actions that are looked at for one that brings a district of Mexica closer to being founded."""


def choose(state: State, texts: list[str], chance: Chance) -> str:
    """One of the legal actions: a kind of action is drawn first, then one of that kind."""
    if chance.below(4):
        first = [text for text in texts if FIRST.match(text)] or improving(state, texts, chance)
        if first:
            return one_of(first, chance)
    kinds = defaultdict(list)
    for text in texts:
        kinds[text.partition(" ")[0]].append(text)
    return one_of(kinds[one_of([kind for kind in sorted(kinds) for _ in range(WEIGHTS.get(kind, 1))], chance)], chance)


def one_of(texts: list[str], chance: Chance) -> str:
    """Any of them, all equally likely."""
    return texts[chance.below(len(texts))]


def improving(state: State, texts: list[str], chance: Chance) -> list[str]:
    """Of some of these actions those that bring Mexica's districts closest to being founded, if any does."""
    if not isinstance(state, MexicaState) or state.phase != TURN:
        return []
    tried = defaultdict(list)
    for text in (one_of(texts, chance) for _ in range(TRIED)):
        after = state.copy()
        after.apply(after.parse(text))
        tried[hope(after, state.seat)].append(text)
    best = max(tried)
    return tried[best] if best > hope(state, state.seat) else []


def hope(state: MexicaState, seat: int) -> int:
    """Districts that fit a token on display, and more for one with that seat's pawn in it."""
    fitting = [district for district in state.unfounded if district.bit_count() in state.display]
    return len(fitting) + 9 * any(district >> state.pawns[seat] & 1 for district in fitting)


# ---- what is told of them --------------------------------------------------------------------------------------------

FINAL = ("scores", "ranking", "round", "action_tokens", "tokens", "result")
"""The fields of the last state that are told, where the game has them."""

BUDGET = 200
"""Positions that a move count may look at, so that all of them together can be checked in seconds."""

DEEPEST = 5


class Teller:
    """Plays one game and tells it."""

    def __init__(self, plan: Plan) -> None:
        game = load_game(plan.game, plan.rules, plan.board, plan.options)
        self._plan = plan
        self._chance = Chance(derive_seed("vectors", plan.label))
        self._setup = game.deal(plan.players, derive_seed("vectors", plan.label, "setup"))
        self._states = [game.start(plan.players, self._setup)]
        self._steps: list[Any] = []

    def tell(self) -> dict[str, Any]:
        """The whole line."""
        while self._states[-1].to_act is not None:
            self._step(self._states[-1])
        counted = sorted(self._counted())
        shuffled = (n for n in range(1, len(self._states)) if self._luck(n) != self._luck(n - 1))
        return {
            **msgspec.to_builtins(self._plan),
            "setup": self._setup,
            "steps": self._steps,
            "positions": [[n, self._states[n].position()] for n in sorted({*counted, *shuffled, len(self._steps)})],
            "perft": [[n, *deepest_count(self._states[n])] for n in counted],
            "final": self._final(),
        }

    def _step(self, state: State) -> None:
        texts = sorted(map(state.text, state.legal_actions()))
        text = choose(state, texts, self._chance)
        self._steps.append([text, len(texts), fingerprint(texts), state.scores()])
        after = state.copy()
        after.apply(after.parse(text))
        self._states.append(after)

    def _counted(self) -> set[int]:
        """Where sequences of actions are counted: at the start, where there is most to count in each third, and close
        to the end, where some sequences end the game."""
        length = len(self._steps)
        thirds = [range(k * length // 3, (k + 1) * length // 3) for k in range(3)]
        return {0, *(max(third, key=self._richness) for third in thirds), max(0, length - 3)}

    def _richness(self, n: int) -> int:
        """The number of legal actions, where the budget allows to look beyond them."""
        count: int = self._steps[n][1]
        return count if count < BUDGET else -count

    def _luck(self, n: int) -> str:
        """What later shuffles follow from, after n actions: a shuffle changes it."""
        found = re.search(r" chance=\d+", self._states[n].position())
        return found[0] if found else ""

    def _final(self) -> dict[str, Any]:
        state = msgspec.to_builtins(self._states[-1].observation(None))
        return {field: state[field] for field in FINAL if field in state}


def fingerprint(texts: list[str]) -> str:
    """Of a sorted list of action texts."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def deepest_count(state: State) -> tuple[int, int]:
    """The deepest move count that the budget allows: depth and number of sequences."""
    depth, count = 1, MoveCounter(1).count(state, 1)
    while depth < DEEPEST:
        try:
            count = MoveCounter(BUDGET).count(state, depth + 1)
        except OverBudget:
            break
        depth += 1
    return depth, count


# ---- files -----------------------------------------------------------------------------------------------------------


def line(plan: Plan) -> bytes:
    """The line of a game."""
    return json.dumps(Teller(plan).tell(), separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def main() -> None:
    VECTORS.mkdir(exist_ok=True)
    for name, plans in FILES.items():
        content = b"".join(map(line, plans()))
        (VECTORS / name).write_bytes(content)
        print(f"protocol/vectors/{name}: {content.count(10)} games, {len(content):,} bytes")


if __name__ == "__main__":
    main()
