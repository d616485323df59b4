"""Mexica told: its board, its districts and who holds them, its actions in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from mexica_cli.games.game import JsonDict
from mexica_cli.games.mexica import MexicaState
from mexica_cli.games.mexica.board import make_board
from mexica_cli.view.districts import districts
from mexica_cli.view.scene import letter
from mexica_cli.view.tellers.teller import Teller

AXES = {"h": "east-west", "v": "north-south"}
RETIRED_BY = {
    "vote": "it was voted out",
    "automatic": "no district can fit it any more",
    "end": "the period is over",
}


class MexicaTeller(Teller):
    """For `pieces` and `data/board.js` too: what is drawn where follows from the state and the board's rows."""

    units: ClassVar = {"turn": ["turn"], "round": ["round"], "period": ["period"]}

    def __init__(self, options: dict[str, Any]) -> None:
        self._rows: list[str] = options["board"]["rows"]
        self._name: str = options["board"]["name"]
        self._levels = len(options["rules"]["temples"][0])
        self._board = make_board(self._rows, "board", "options")

    @property
    def setting(self) -> JsonDict:
        """Rows of the board, and its name."""
        return {**super().setting, "board": self._name, "rows": self._rows, "levels": self._levels}

    def state(self, observation: msgspec.Struct) -> JsonDict:
        """The observation without its position line, with `districts` by the cell of the token or the first one."""
        assert isinstance(observation, MexicaState)
        shown: JsonDict = msgspec.to_builtins(observation)
        del shown["position"]
        return {**shown, "districts": msgspec.to_builtins(districts(self._board, observation))}

    def action(self, text: str) -> str:
        """An action in words."""
        word, *rest = text.split()
        pattern = _ACTIONS.get((word, len(rest)), text)
        return pattern.format(*(AXES.get(part, part) for part in rest))

    def followed(self, entry: JsonDict) -> list[str]:
        """What followed, in sentences."""
        match entry["what"]:
            case "points":
                return [f"{letter(entry['seat'])} scores {entry['points']}{_reason(entry)}"]
            case "scored":
                return list(_scored(entry))
            case "retired":
                return [f"The token of {entry['size']} leaves: {RETIRED_BY[entry['by']]}"]
            case "stalled":
                return [f"The period ends, as {entry['rounds']} rounds were quiet"]
            case "round_limit":
                return [f"The period ends, as round {entry['round']} was the last allowed"]
            case "period":
                return [f"Period {entry['period']} begins"]
            case "over":
                return ["The game is over"]
        return super().followed(entry)


_ACTIONS = {
    ("place", 1): "sets the pawn on {}",
    ("canal", 1): "digs a canal on {}",
    ("canal", 2): "digs a canal from {} to {}",
    ("bridge", 2): "builds a bridge on {}, crossed {}",
    ("relocate", 3): "moves the bridge on {} to {}, crossed {}",
    ("temple", 2): "builds a temple of level {} on {}",
    ("walk", 1): "walks to {}",
    ("boat", 1): "goes by boat to {}",
    ("teleport", 1): "teleports to {}",
    ("found", 2): "founds a district of {}, its token on {}",
    ("take", 0): "takes an action token",
    ("spend", 0): "spends an action token for an action point",
    ("retire", 1): "proposes to retire the token of {}",
    ("agree", 0): "agrees",
    ("refuse", 0): "refuses",
    ("end", 0): "ends the turn",
}
"""By the first word and the number of others."""


def _reason(entry: JsonDict) -> str:
    match entry["for"]:
        case "founding":
            return f" for founding the district of {entry['size']}"
        case "bystander":
            return f" for standing in the new district of {entry['size']}"
    return f" in all at the end of period {entry['period']}"


def _scored(entry: JsonDict) -> Iterator[str]:
    yield f"Period {entry['period']} is scored"
    for district in entry["districts"]:
        what = "District" if district["founded"] else "Unfounded district"
        yield f"{what} of {district['size']} at {district['cell']}: {_points(district['points'])}"
    if any(entry["palace"]):
        yield f"Palace: {_points(entry['palace'])}"


def _points(by_seat: list[int]) -> str:
    return ", ".join(f"{letter(seat)} {points}" for seat, points in enumerate(by_seat) if points)
