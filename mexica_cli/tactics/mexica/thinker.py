"""Whole turns: the best ones of a beam search over plans.

A turn is a chain of plans. From the turn's start, and from each of the best states that plans lead to, the plans that
look best are tried; states that were reached before, by whatever order of actions, are passed over. Every state on the
way is a turn that could end there.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from mexica_cli.games.mexica import State
from mexica_cli.tactics.mexica import carving
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.outlook import Outlook, period_ends, storable
from mexica_cli.tactics.mexica.plans import END, TAKE, Options, Shapes, goes_on, legal_part, tried
from mexica_cli.tactics.mexica.ways import Actions, Reach

QUICK_TRIES = 6
"""Plans that are tried for each step of a turn that is only guessed."""
AHEAD = 10
"""AP that a seat is thought to have for its way to a shape and the canals around it: more than in one turn."""


class Line(NamedTuple):
    """A turn, or the part of one that was planned: what to do, the state then, and what that is worth to the seat."""

    actions: Actions
    state: State
    utility: float


class Thinker:
    """Finds turns."""

    def __init__(self, outlook: Outlook | None = None) -> None:
        self.outlook = outlook or Outlook()

    def shapes(self, state: State, budget: Budget | None = None) -> Shapes:
        """Shapes on display, around all pawns; only around the first ones after the one on turn if the budget ends."""
        found: dict[int, set[int]] = {}
        for later in range(state.players):
            if budget is not None and not budget.lasts:
                break
            seat = (state.seat + later) % state.players
            costs = Reach(state, seat, AHEAD).costs()
            for size, masks in carving.shapes(state, costs).items():
                found.setdefault(size, set()).update(masks)
        return {size: sorted(masks) for size, masks in found.items()}

    def line(self, actions: Actions, state: State, seat: int) -> Line:
        """A line judged as it stands."""
        return Line(actions, state, self.outlook.view(state, seat))

    def turns(self, state: State, shapes: Shapes, budget: Budget, width: int, tries: int, depth: int = 8) -> list[Line]:
        """Turns, best first: of each step the `width` best states go on, by `tries` plans each."""
        seat = state.seat
        start = self.line((), state, seat)
        found, beam, seen = [start], [start], {_key(state)}
        for _ in range(depth):
            grown: list[Line] = []
            for line in beam:
                self._grow(line, shapes, budget, tries, seen, grown)
            beam = heapq.nlargest(width, grown, key=lambda line: line.utility)
            beam = [line for line in beam if goes_on(line.state, state.turn)]
            found += grown
            if not beam:
                break
        found.sort(key=lambda line: -line.utility)
        return found

    def quick(self, state: State, shapes: Shapes, budget: Budget, tries: int) -> Line:
        """A turn found by taking the best plan again and again, while it improves on the state."""
        line = self.line((), state, state.seat)
        while goes_on(line.state, state.turn):
            grown: list[Line] = []
            self._grow(line, shapes, budget, tries, set(), grown)
            best = max(grown, key=lambda line: line.utility, default=line)
            if best.utility <= line.utility + 0.01:
                break
            line = best
        return line

    def _grow(
        self, line: Line, shapes: Shapes, budget: Budget, tries: int, seen: set[object], grown: list[Line]
    ) -> None:
        """Add what plans lead to from a line."""
        seat = line.state.seat
        options = Options(line.state, self.outlook, shapes)
        for option in options.best(tries):
            if not budget.take():
                return
            plan = options.plan(option)
            if plan is None:
                continue
            key = _key(plan.state)
            if key not in seen:
                seen.add(key)
                grown.append(self.line(line.actions + plan.actions, plan.state, seat))

    def ahead(self, state: State, seat: int, shapes: Shapes, budget: Budget) -> State | None:
        """The state after everybody's next turn up to that seat's own, found by `quick`; None if the budget ends first.

        Positions are only compared fairly where the same seat has just had its turn.
        """
        while state.to_act is not None:
            turn, mover = state.turn, state.seat
            state = ended(self.quick(state, shapes, budget, QUICK_TRIES).state, turn)
            if not budget.lasts:
                return None
            if mover == seat:
                break
        return state

    def complete(self, line: Line, shapes: Shapes, number: int = 1) -> list[Line]:
        """The line with the rest of its turn: action tokens, first steps of a plan for the next turn, and the end.

        Up to `number` ways to do so, each towards something else.
        """
        turn, state = line.state.turn, line.state
        if not goes_on(state, turn):
            return [line]
        stored = tried(state, [TAKE] * storable(state))
        assert stored is not None
        done = line.actions + stored.actions
        whole: dict[object, Line] = {}
        for steps in self._first_steps(stored.state, shapes, number):
            after = tried(stored.state, (*steps, END))
            assert after is not None
            whole.setdefault(_key(after.state), self.line(done + after.actions, after.state, state.seat))
        return list(whole.values())

    def _first_steps(self, state: State, shapes: Shapes, number: int) -> list[Actions]:
        """What to do for plans that need the next turn's AP, as far as those left now go; the best plan first."""
        if not state.ap or period_ends(state) or not shapes:
            return [()]
        options = Options(state, self.outlook, shapes, state.ap + state.variant.rules.action_points)
        best = {option.into: option for option in reversed(options.best(3 * number)) if option.into}
        wanted = sorted(best.values(), key=lambda option: -option.estimate)[:number]
        return [legal_part(state, options.approach(option) or ()) for option in wanted] or [()]


def ended(state: State, turn: int) -> State:
    """The state after that turn, which ends here with its AP stored as far as they can be."""
    if not goes_on(state, turn):
        return state
    state = state.copy()
    for _ in range(storable(state)):
        state.apply(TAKE)
    state.apply(END)
    return state


def _key(state: State) -> object:
    """The same for states that are the same for the rest of the turn."""
    return (
        state.land,
        state.pawns,
        state.built,
        state.bridges_h,
        state.bridges_v,
        state.calpulli,
        state.ap,
        state.action_tokens,
        state.display,
        state.turn,
    )
