"""Which game is drawn how."""

from __future__ import annotations

import json

import msgspec
import pytest

from mexica_cli.games import GAMES
from mexica_cli.view.pictures import PICTURES, as_json, picture_of
from mexica_cli.view.scene import Look, Scene


class Anything(msgspec.Struct):
    """An observation of a game that has no picture."""

    name: str
    cards: list[int]


@pytest.mark.parametrize("unicode", [False, True])
def test_a_game_without_a_picture_is_shown_as_json(unicode: bool) -> None:
    scene = Scene(observation=Anything("Tláloc", [1, 2]), options={}, seats=["ann"])
    text = picture_of("nim")(scene, Look(unicode=unicode, width=80)).plain
    assert json.loads(text) == {"name": "Tláloc", "cards": [1, 2]}
    assert text.isascii() is not unicode


def test_the_games_of_the_arena_have_pictures() -> None:
    assert PICTURES.keys() == GAMES.keys()
    assert as_json not in PICTURES.values()
