"""Games told in words: actions, what followed, and what lies on the table. A game without a teller is told plainly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mexica_cli.view.tellers.mexica import MexicaTeller
from mexica_cli.view.tellers.moctezuma import MoctezumaTeller
from mexica_cli.view.tellers.teller import Teller

TELLERS: dict[str, Callable[[dict[str, Any]], Teller]] = {"mexica": MexicaTeller, "moctezuma": MoctezumaTeller}


def teller_of(game: str, options: dict[str, Any]) -> Teller:
    """The teller for a game with these `Game.options`."""
    return TELLERS.get(game, Teller)(options)
