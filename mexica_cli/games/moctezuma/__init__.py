"""Moctezuma: the cooperative card game, its card language and its cards.

    from mexica_cli.games import moctezuma
    game = moctezuma.load("official", None, {"difficulty": "easy"})
    state = game.start(3, game.deal(3, seed=7))
    while state.to_act is not None:
        state.apply(state.legal_actions()[0])

Module by module, each using only those before it: `language` (what a card can say), `cards`, `walking`, `rules`
(options and the tables of the rulebook), `card_checks` and `card_files` (card sets as data), `variant` (cards and
options made ready), `actions` and `action_text`, `table` (a position), `zones` (cards from place to place), `fates`
(gods, damage, influences), `effect`, `effects_battle`, `effects_cards`, `effects_flow` and `steps` (the card language
done), `phases`, `play` (what an action does), `setup`, `sampling` (what a seat can't see), `scoring`, `notation`,
`position_reader`, `observation`, `imagining` (a state from an observation), and `state`, `game` and `loading`, which
put it all behind the interface of `games.game`. docs/MOCTEZUMA.md says what is played.
"""

from __future__ import annotations

from mexica_cli.games.moctezuma.game import MoctezumaGame
from mexica_cli.games.moctezuma.loading import load, of_position, restore
from mexica_cli.games.moctezuma.observation import MoctezumaState
from mexica_cli.games.moctezuma.state import State

__all__ = ["MoctezumaGame", "MoctezumaState", "State", "load", "of_position", "restore"]
