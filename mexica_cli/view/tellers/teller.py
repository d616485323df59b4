"""What is to be told of a game besides its states, plainly: for any game."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from mexica_cli.games.game import JsonDict


class Teller:
    """Base of all tellers."""

    def __init__(self, options: dict[str, Any]) -> None:
        """`options` is `Game.options`."""

    @property
    def setting(self) -> JsonDict:
        """What stays the same throughout a game. `units` names the stretches that a page can step by: a new one begins
        whenever one of these fields of the state changes."""
        return {"units": {"turn": ["turn"]}}

    def state(self, observation: msgspec.Struct) -> JsonDict:
        """An observation as a page shows it."""
        shown: JsonDict = msgspec.to_builtins(observation)
        return shown

    def action(self, text: str) -> str:
        """An action in words, to go after the seat's name."""
        return text

    def followed(self, entry: JsonDict) -> list[str]:
        """What followed from it, in sentences."""
        details = ", ".join(f"{name} {json.dumps(value)}" for name, value in entry.items() if name != "what")
        return [f"{entry['what']}: {details}" if details else str(entry["what"])]
