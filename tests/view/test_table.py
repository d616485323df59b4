"""Positions of Moctezuma as text."""

from __future__ import annotations

import random

import pytest
from games.moctezuma.kit import game, position, walk

from mexica_cli.games.moctezuma import State
from mexica_cli.view.scene import Look, Scene
from mexica_cli.view.table import draw

NAMES = ["ann", "bob", "cyd", "dan", "eve"]


def drawn(state: State, *, seat: int | None = None, width: int = 90, unicode: bool = False) -> list[str]:
    """The lines, from a seat's view or, with None, of everything."""
    views = [state.observation(each) for each in range(state.players)] if seat is None else []
    names = NAMES[: state.players]
    scene = Scene(observation=state.observation(seat), options={}, seats=names, views=[*views])
    return draw(scene, Look(unicode=unicode, width=width)).plain.splitlines()


def line_of(lines: list[str], label: str) -> str:
    """What stands behind a label."""
    return next(line.removeprefix(label).strip() for line in lines if line.startswith(label))


PLANNING = {
    "phase": "planning",
    "hands": "macehual,devoto/tequihua",
    "line": "cura!",
    "deck": "cuachic?",
    "field": "papalotl:1",
}


def test_what_lies_on_the_table() -> None:
    lines = drawn(position(game(), **PLANNING))
    assert lines[0].startswith("round ")
    assert "planning; normal, beginner deck" in lines[0]
    assert lines[1] == "A ann to choose"
    assert line_of(lines, "siege line") == "cura"
    assert line_of(lines, "battlefield") == "papalotl 1/3"
    assert line_of(lines, "deck") == "48 cards  cuachic is number 1"
    assert "invoked" in line_of(lines, "invocation")


def test_hands_are_shown_to_whom_they_belong() -> None:
    state = position(game(), **PLANNING)
    state.apply(state.parse("play devoto"))
    everything, bobs = drawn(state), drawn(state, seat=1)
    assert line_of(everything, "  A").split() == ["ann", "macehual", "devoto", "chosen"]
    assert line_of(everything, "> B").split() == ["bob", "tequihua"]
    assert line_of(bobs, "  A").split() == ["ann", "2", "hidden", "1", "chosen"]
    assert line_of(bobs, "> B").split() == ["bob", "tequihua"]
    assert not [line for line in bobs if "devoto" in line]


@pytest.mark.parametrize("players", range(1, 6))
def test_any_position_of_a_game(players: int) -> None:
    rng = random.Random(players)
    for state in walk(game("advanced"), players, players):
        width = rng.choice([60, 80, 120])
        for seat in (None, *range(players)):
            lines = drawn(state, seat=seat, width=width)
            assert max(map(len, lines)) <= max(width, 66)
            assert "\n".join(lines).isascii()
    assert any("the team has" in line for line in lines)


def test_a_god_that_loses_its_fortress() -> None:
    state = position(game(), **PLANNING)
    assert "■" in "".join(drawn(state, unicode=True))
    assert "#" in "".join(drawn(state))
