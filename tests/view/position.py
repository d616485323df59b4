"""A position that has everything once: bridges, canals, temples of seats and of none, a token, pawns; and real ones."""

from __future__ import annotations

from collections.abc import Iterator

from mexica_cli.games import load_game
from mexica_cli.games.chance import Chance
from mexica_cli.games.mexica import MexicaState
from mexica_cli.games.mexica.observation import Supply, Temple

ROWS = [
    ".#####.",
    "#SCS##=",
    "######.",
]

STATE = MexicaState(
    phase="turn",
    to_act=1,
    seat=1,
    period=1,
    round=4,
    turn=13,
    ap=3,
    taken=0,
    kept=[0, 0, 0],
    vote=None,
    proposed=[],
    scores=[7, 12, 105],
    action_tokens=[0, 2, 1],
    pawns=["b2", "g2", None],
    hands=[[3, 2, 1], [0, 0, 0], [3, 3, 2]],
    display=[3, 11],
    later=[],
    supply=Supply(canals=[6, 30], bridges=9, action_tokens=9),
    canals=["e1", "e2", "e3", "g2"],
    bridges={"e1": "h", "e3": "v", "g2": "h"},
    temples={"b3": Temple(seat=0, level=3), "d3": Temple(seat=None, level=4)},
    tokens={"f1": 3},
    quiet=1,
    busy=False,
    ranking=None,
    position="",
)


def positions(players: int, *, every: int) -> Iterator[MexicaState]:
    """The positions of one turn in `every`, of a game played at random."""
    game = load_game("mexica")
    state = game.start(players, game.deal(players, players))
    chance = Chance(players)
    while legal := state.legal_actions():
        if state.turn % every == 0:
            seen = state.observation(None)
            assert isinstance(seen, MexicaState)
            yield seen
        state.apply(legal[chance.below(len(legal))])
