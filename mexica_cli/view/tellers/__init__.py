"""Games told in words: actions, what followed, and what lies on the table. A game without a teller is told plainly."""

from __future__ import annotations

from itertools import chain
from typing import Any

from mexica_cli.view.tellers.mexica import MexicaTeller
from mexica_cli.view.tellers.moctezuma import MoctezumaTeller
from mexica_cli.view.tellers.teller import Teller

TELLERS: dict[str, type[Teller]] = {"mexica": MexicaTeller, "moctezuma": MoctezumaTeller}
ACTION = "action"
"""The unit that every game can be gone by; the others are its teller's."""
UNITS = list(dict.fromkeys(chain([ACTION], *(teller.units for teller in TELLERS.values()))))
"""The units of all games together."""


def teller_of(game: str, options: dict[str, Any]) -> Teller:
    """The teller for a game with these `Game.options`."""
    return TELLERS.get(game, Teller)(options)
