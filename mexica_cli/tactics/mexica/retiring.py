"""Whether a token should leave the display: play is guessed with it and without it.

A token that nobody can use any more keeps a period going as long as it lies there. Whether that is good or bad depends
on who has temples left: to let the last token go is to end the game.
"""

from __future__ import annotations

from mexica_cli.games.mexica import State
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.table import VOTE
from mexica_cli.tactics.mexica import carving
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.plans import AGREE, END, REFUSE
from mexica_cli.tactics.mexica.thinker import Thinker

LOOKS = 3
"""Rounds that are played on."""
EVEN = 0.5
"""Points that are no reason to keep a token that nobody can use: the guess isn't that good."""


def unusable(state: State) -> int | None:
    """The smallest token that the seat on turn may propose to retire and that nobody can use any more."""
    if state.period == 1 or not state.display:
        return None
    return min(set(state.display) - set(state.proposed) - carving.possible_sizes(state), default=None)


def retirement(thinker: Thinker, state: State, size: int, budget: Budget) -> int | None:
    """The proposal to retire a token, at the end of a turn; None where it isn't legal or wouldn't help the seat."""
    proposal = act.encode(act.RETIRE, extra=size)
    if not state.is_legal(proposal):
        return None
    without, turn = all_agree(_after(state, proposal)), state.turn
    if without.to_act is not None and without.turn == turn:
        without = _after(without, END)
    gain = _gain(thinker, without, _after(state, END), state.seat, budget)
    return proposal if gain is not None and gain > -EVEN else None


def agrees(thinker: Thinker, state: State, budget: Budget) -> bool:
    """Whether the seat that is asked lets the token go; without any time to think, if nobody can use it any more."""
    gain = _gain(thinker, all_agree(state), _after(state, REFUSE), state.voter, budget)
    useless = state.proposal not in carving.possible_sizes(state)
    return useless if gain is None else gain > (-EVEN if useless else 0)


def all_agree(state: State) -> State:
    """The state after a vote that nobody refuses."""
    while state.phase == VOTE:
        state = _after(state, AGREE)
    return state


def _after(state: State, action: int) -> State:
    state = state.copy()
    state.apply(action)
    return state


def _gain(thinker: Thinker, one: State, other: State, seat: int, budget: Budget) -> float | None:
    """By how much a seat does better from one state than from another, both played on by the same number of rounds.

    `one` has a token less. If it was the last, the game is near its end, and what there is then counts, as it stands.
    None where the budget ends before the first round is over.
    """
    outlook, shapes, gain = thinker.outlook, thinker.shapes(one, budget), None
    values = outlook.values if one.display else outlook.final
    for _ in range(LOOKS):
        ahead = [thinker.ahead(state, seat, shapes, budget) for state in (one, other)]
        if ahead[0] is None or ahead[1] is None:
            break
        one, other = ahead[0], ahead[1]
        gain = outlook.utility(values(one), seat) - outlook.utility(values(other), seat)
    return gain
