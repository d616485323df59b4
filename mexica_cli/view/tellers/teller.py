"""What is to be told of a game besides its states, plainly: for any game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from mexica_cli.games.game import JsonDict, State
from mexica_cli.view.scene import letter


class Teller:
    """Base of all tellers."""

    units: ClassVar[Mapping[str, Sequence[str]]] = {"turn": ["turn"]}
    """The stretches that one can go by, besides actions: a new one begins whenever one of these fields of the
    observations changes."""

    def __init__(self, options: dict[str, Any]) -> None:
        """`options` is `Game.options`."""

    @property
    def setting(self) -> JsonDict:
        """What stays the same throughout a game, `units` among it."""
        return {"units": self.units}

    def marks(self, state: State) -> dict[str, tuple[object, ...]]:
        """By unit, what changes when a new one of it begins."""
        seen = state.observation(None)
        return {unit: tuple(getattr(seen, field) for field in fields) for unit, fields in self.units.items()}

    def state(self, observation: msgspec.Struct) -> JsonDict:
        """An observation as a page shows it."""
        shown: JsonDict = msgspec.to_builtins(observation)
        return shown

    def action(self, text: str) -> str:
        """An action in words, to go after the seat's name."""
        return text

    def explain(self, name: str) -> str | None:
        """What a thing of the game that has a name is, in a line; None where nothing is called so."""
        return None

    def followed(self, entry: JsonDict) -> list[str]:
        """What followed from it, in sentences; a forfeit, which is the same in every game, too."""
        if entry["what"] == "forfeit":
            return [f"{letter(entry['seat'])} forfeits, {entry['kind']}: {entry['reason']}"]
        details = ", ".join(f"{name} {json.dumps(value)}" for name, value in entry.items() if name != "what")
        return [f"{entry['what']}: {details}" if details else str(entry["what"])]
