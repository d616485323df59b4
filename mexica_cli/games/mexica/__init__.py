"""Mexica: the board game, its rule sets and its boards.

    from mexica_cli.games import load_game
    game = load_game("mexica")
    state = game.start(2, game.deal(2, seed=7))
    while state.to_act is not None:
        state.apply(state.legal_actions()[0])

Module by module, each using only those before it: `bits` and `board` (sets of cells), `rules`, `consistency`,
`named_files` and `rule_files` (rule sets as data),
`actions` and `action_text`, `variant` (a rule set on a board), `table` (a position), `places`, `boats`, `penning`
(where things can go), `movegen` and `legality` (what is legal), `scoring`, `periods`, `play` (what an action does),
`setup`, `notation`, `position_reader`, `observation`, and `state`, `game` and `loading`, which put it all behind the
interface of `games.game`. `islands` makes new boards.
"""

from __future__ import annotations

from mexica_cli.games.mexica.game import MexicaGame
from mexica_cli.games.mexica.loading import load, of_position, restore
from mexica_cli.games.mexica.observation import MexicaState
from mexica_cli.games.mexica.rule_files import SHIPPED
from mexica_cli.games.mexica.state import State

__all__ = ["SHIPPED", "MexicaGame", "MexicaState", "State", "load", "of_position", "restore"]
