"""Plays bots against each other in process: sessions on one side, the rules on the other, and nothing between."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import msgspec
import pytest

from mexica_cli.client import Bot, Event, Result, Session, Start, Turn
from mexica_cli.games import load_game
from mexica_cli.games.game import Game, JsonDict, State
from mexica_cli.wire.framing import encode
from mexica_cli.wire.messages import Clock, Message

BOTS = Path(__file__).parents[2] / "bots"


def load_bot(name: str) -> ModuleType:
    """The file of a reference bot."""
    path = BOTS / name / "bot.py"
    spec = importlib.util.spec_from_file_location(f"bot_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass
class Match:
    """One match; an illegal action fails it at once."""

    bots: Sequence[Bot]
    game: Game
    state: State
    setup: JsonDict
    seed: int
    done: list[tuple[int, str, list[JsonDict]]] = field(default_factory=list)
    """Seat, action and what followed."""
    asked: int = 0

    def __post_init__(self) -> None:
        self.sessions = [Session(bot) for bot in self.bots]

    def play(self) -> Match:
        """From start to result."""
        for seat in range(len(self.bots)):
            assert self.tell(seat, self.start(seat)) == [{"type": "ready", "match": "m"}]
        while (seat := self.state.to_act) is not None:  # type: ignore[assignment]
            self.asked += 1
            *_, play = self.tell(seat, self.turn(seat))
            assert play["id"] == self.asked
            for action in play["actions"]:
                self.act(seat, action)
        self.tell_all(
            Result(match="m", outcome="finished", ranking=self.ranking, scores=self.state.scores(), reasons=[])
        )
        return self

    def act(self, seat: int, text: str) -> None:
        action = self.state.parse(text)
        why = self.state.why_illegal(action) if self.state.to_act == seat else "not its turn"
        assert why is None, f"seat {seat} {self.bots[seat].name}: {text}: {why} in {self.state.position()}"
        followed = self.state.apply(action)
        self.done.append((seat, text, followed))
        for other, bot in enumerate(self.bots):
            if "events" in bot.want:
                seen = [self.state.shown(entry, other) for entry in followed]
                shown = self.state.shown_text(action, seat, other)
                event = Event(match="m", n=len(self.done), seat=seat, action=shown, followed=seen)
                assert self.tell(other, event) == []

    def tell(self, seat: int, message: Message) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.sessions[seat].receive(encode(message)[:-1])]

    def tell_all(self, message: Message) -> None:
        for seat in range(len(self.bots)):
            self.tell(seat, message)

    def start(self, seat: int) -> Start:
        return Start(
            match="m",
            game=self.game.name,
            rules=self.game.rules,
            options=self.game.options(),
            seat=seat,
            seats=[bot.name for bot in self.bots],
            seed=self.seed * 4 + seat,
            state=msgspec.to_builtins(self.state.observation(seat)),
            clock=Clock(),
        )

    def turn(self, seat: int) -> Turn:
        want, state = self.bots[seat].want, self.state
        return Turn(
            match="m",
            id=self.asked,
            seat=seat,
            clock=Clock(),
            state=msgspec.to_builtins(state.observation(seat)) if "state" in want else None,
            legal=list(map(state.text, state.legal_actions())) if "legal" in want else None,
        )

    @property
    def ranking(self) -> list[int]:
        ranking = self.state.ranking()
        assert ranking is not None
        return ranking


PlayMatch = Callable[..., Match]
Make = Callable[[Sequence[str]], Bot]


def play_match(
    bots: Sequence[Bot],
    seed: int,
    rules: str = "official",
    game: str = "mexica",
    options: Mapping[str, str] | None = None,
) -> Match:
    """A whole match between these bots, seat by seat."""
    loaded = load_game(game, rules, options=options)
    setup = loaded.deal(len(bots), seed)
    return Match(bots, loaded, loaded.start(len(bots), setup), setup, seed).play()


@pytest.fixture(scope="session", name="play_match")
def play_match_fixture() -> PlayMatch:
    return play_match


@pytest.fixture(scope="session")
def greedy() -> ModuleType:
    """The file of the greedy bot."""
    return load_bot("greedy")


@pytest.fixture(scope="session")
def make_random() -> Make:
    return cast(Make, load_bot("random").make)


@pytest.fixture(scope="session")
def make_greedy(greedy: ModuleType) -> Make:
    return cast(Make, greedy.make)


@pytest.fixture(scope="session")
def make_steward() -> Make:
    return cast(Make, load_bot("steward").make)


@pytest.fixture(scope="session")
def council() -> ModuleType:
    """The file of the council bot."""
    return load_bot("council")


@pytest.fixture(scope="session")
def planner() -> ModuleType:
    """The file of the planner."""
    return load_bot("planner")


@pytest.fixture(scope="session")
def mcts() -> ModuleType:
    """The file of the bot that searches by MCTS."""
    return load_bot("mcts")


@pytest.fixture(scope="session")
def make_planner(planner: ModuleType) -> Make:
    return cast(Make, planner.make)


@pytest.fixture(scope="session")
def make_mcts(mcts: ModuleType) -> Make:
    return cast(Make, mcts.make)
