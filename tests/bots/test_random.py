"""The random bot: always legal, evenly spread over kinds of action, and the same again for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mexica_cli.client import Bot, Session, Turn
from mexica_cli.wire.framing import encode
from mexica_cli.wire.messages import Clock

Make = Callable[[Sequence[str]], Bot]


@pytest.mark.parametrize(("players", "rules"), [(2, "official"), (3, "summary"), (4, "help")])
def test_it_plays_whole_games(play_match: Any, make_random: Make, players: int, rules: str) -> None:
    match = play_match([make_random([]) for _ in range(players)], seed=1, rules=rules)
    kinds = {action.split()[0] for _, action, _ in match.done}
    assert kinds >= {"place", "canal", "bridge", "temple", "walk", "end"}


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_it_plays_whole_games_of_moctezuma(play_match: Any, make_random: Make, players: int) -> None:
    match = play_match([make_random([]) for _ in range(players)], seed=1, game="moctezuma")
    kinds = {action.split()[0] for _, action, _ in match.done}
    assert match.state.won is not None
    assert kinds >= {"play", "pass"}


def test_chance_comes_from_the_match_and_the_command_line(play_match: Any, make_random: Make) -> None:
    def actions(seed: int, *argv: str) -> list[str]:
        match = play_match([make_random(argv), make_random(argv)], seed)
        return [action for _, action, _ in match.done]

    first = actions(1)
    assert actions(1) == first
    assert actions(1, "--seed", "5") != first


def test_kinds_are_equally_likely_however_many_actions_they_have(make_random: Make) -> None:
    session = Session(make_random([]))
    legal = ["end", "take", *(f"canal a{row}" for row in range(1, 99))]
    request = encode(Turn(match="m", id=1, seat=0, clock=Clock(), legal=legal))[:-1]
    answers = [json.loads(session.receive(request)[0])["actions"] for _ in range(3000)]
    assert all(len(actions) == 1 for actions in answers)
    kinds = Counter(actions[0].split()[0] for actions in answers)
    assert set(kinds) == {"end", "take", "canal"}
    assert all(900 < count < 1100 for count in kinds.values())
    assert len({actions[0] for actions in answers}) == len(legal)
