"""The steward: legal with any number of seats, from observations alone, and far better than chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mexica_cli.client import Bot

Make = Callable[[Sequence[str]], Bot]


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("deck", ["beginner", "advanced"])
def test_it_plays_whole_games(play_match: Any, make_steward: Make, players: int, deck: str) -> None:
    match = play_match([make_steward([]) for _ in range(players)], 3, game="moctezuma", options={"deck": deck})
    assert match.state.won is not None


def test_it_wins_what_chance_loses(play_match: Any, make_steward: Make, make_random: Make) -> None:
    def won(make: Make) -> int:
        matches = (
            play_match([make([]), make([])], seed, game="moctezuma", options={"difficulty": "easy"})
            for seed in range(8)
        )
        return sum(match.state.won for match in matches)

    assert won(make_random) == 0
    assert won(make_steward) >= 4


def test_it_plays_beside_another(play_match: Any, make_steward: Make, make_random: Make) -> None:
    match = play_match([make_steward([]), make_random([]), make_steward([])], seed=2, game="moctezuma")
    assert match.state.won is not None


def test_its_play_follows_from_the_deal_alone(play_match: Any, make_steward: Make) -> None:
    """What it imagines of hidden cards, which differs with its seed, makes no difference."""

    def actions(*argv: str) -> list[str]:
        match = play_match([make_steward(argv) for _ in range(3)], seed=4, game="moctezuma")
        return [text for _, text, _ in match.done]

    assert actions() == actions("--seed", "9")
