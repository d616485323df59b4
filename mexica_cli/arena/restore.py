"""A match that was cut short, set up again from the lines of its log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mexica_cli.arena.faults import FaultKind, SeatFault
from mexica_cli.arena.seat import Seat
from mexica_cli.games.game import State
from mexica_cli.record.lines import TURN_OVER, ActionLine, FaultLine, Line, RejectLine


class Past(NamedTuple):
    """What the referee has to know besides state and seats."""

    actions: int
    """How many have been done."""
    forfeits: list[list[int]]
    """Seats that are out, as in `Referee`."""
    owner: int | None
    """Who began the turn under way."""


def restore(state: State, seats: Sequence[Seat], lines: Iterable[Line]) -> Past:
    """Bring the first state and fresh seats to where the lines leave them: actions, strikes, forfeits, clocks.

    A clock stands where it stood after the seat's last answer that was done; an illegal answer after it, and the time
    that the break took, are nobody's.
    """
    actions = 0
    forfeits: list[list[int]] = []
    owner = state.to_act
    for line in lines:
        match line:
            case ActionLine():
                owner = _act(state, seats, line, owner)
                actions = line.n
            case RejectLine() if line.code != TURN_OVER:
                seats[line.seat].strikes += 1
            case FaultLine():
                seats[line.seat].fault = SeatFault(FaultKind(line.kind), line.reason)
                if line.unready and forfeits:
                    forfeits[0].append(line.seat)
                else:
                    forfeits.append([line.seat])
    return Past(actions, forfeits, owner)


def _act(state: State, seats: Sequence[Seat], line: ActionLine, owner: int | None) -> int | None:
    """Do a logged action; who began the turn that is now under way."""
    turn = state.turn
    clock = seats[line.seat].clock
    clock.begin(turn)
    if line.ms is not None:
        clock.charge(line.ms / 1000)
    state.apply(state.parse(line.action))
    if state.turn == turn:
        return owner
    if owner is not None:
        seats[owner].clock.end_turn()
    return state.to_act
