"""Which game is drawn how."""

from __future__ import annotations

import json

import msgspec
from rich.text import Text

from mexica_cli.view import board, table
from mexica_cli.view.scene import Look, Picture, Scene


def as_json(scene: Scene, look: Look) -> Text:
    """Any position of any game, field by field."""
    return Text(json.dumps(msgspec.to_builtins(scene.observation), indent=2, ensure_ascii=not look.unicode))


PICTURES: dict[str, Picture] = {"mexica": board.draw, "moctezuma": table.draw}


def picture_of(game: str) -> Picture:
    """How to draw positions of the game; one without a picture of its own is shown as JSON."""
    return PICTURES.get(game, as_json)
