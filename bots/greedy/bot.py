"""Plays the plan that looks best at the end of the turn, and thinks no further.

A plan is a short list of actions with one purpose: build a temple, go somewhere and build it there, found a district
that is there, or carve one out and found it. Every plan is tried on a copy of the state and judged by the points that
every seat may then expect. The best one that improves on doing nothing joins the answer, and so on until none does;
what is left of the turn goes into action tokens and into walking to where the next district could be carved.

From top to bottom: the bot, its plans, what a position is worth, the ways of the pawn, and the districts that it could
carve. Positions are the arena's own (`mexica_cli.games.mexica`), where a set of spaces is the bits of an int; how plans
are tried and shapes found is shared with other bots (`mexica_cli.tactics`).
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator
from typing import NamedTuple, cast

from mexica_cli.client import MirrorBot, Turn, run
from mexica_cli.games.mexica import State, places, scoring
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.bits import beside, cells, flood
from mexica_cli.games.mexica.table import PLACING, VOTE
from mexica_cli.tactics.mexica import carving
from mexica_cli.tactics.mexica.outlook import later_hands, most, period_ends, room, storable
from mexica_cli.tactics.mexica.plans import (
    AGREE,
    END,
    REFUSE,
    TAKE,
    Plan,
    corner,
    goes_on,
    legal_part,
    token_site,
    tried,
)
from mexica_cli.tactics.mexica.ways import Actions, Way

Hands = tuple[tuple[int, ...], ...]


# ---- the bot ---------------------------------------------------------------------------------------------------------


class GreedyBot(MirrorBot):
    """Plays Mexica by a one-turn heuristic: founds, carves and builds where it pays most now."""

    name = "greedy"
    games = ("mexica",)

    def play(self, turn: Turn) -> list[str]:
        """The whole turn in one answer, or up to a proposal, whose outcome isn't known yet."""
        state = cast(State, self.state)
        if state.phase == PLACING:
            chosen = [self.random.choice(sorted(state.legal_actions()))]
        elif state.phase == VOTE:
            chosen = [AGREE if agrees(state, self.seat) else REFUSE]
        else:
            chosen = whole_turn(state, self.seat, deadline(turn))
            self.note = "expects " + " ".join(f"{points:.0f}" for points in outlook(state))
        return [state.text(action) for action in chosen]


def deadline(turn: Turn) -> float:
    """When to stop thinking: after half of the time there is. A turn comes near that only where it is very little."""
    left = turn.clock.left_ms
    return math.inf if left is None else time.monotonic() + left / 2000


def whole_turn(state: State, seat: int, until: float) -> list[int]:
    """All actions of a turn."""
    chosen: list[int] = []
    while time.monotonic() < until and (plan := best_plan(state, seat, until)) is not None:
        chosen += plan.actions
        if not goes_on(plan.state, state.turn):
            return chosen
        state = plan.state
    return chosen + (last_actions(state) if time.monotonic() < until else [END])


def agrees(state: State, seat: int) -> bool:
    """Whether to let a token go: where its district can't be carved any more, or where the end of the period suits."""
    ahead = not any(state.hands[seat]) and worth(state, seat) > 0
    return ahead or state.proposal not in carvable(state)


# ---- plans -----------------------------------------------------------------------------------------------------------


def best_plan(state: State, seat: int, until: float) -> Plan | None:
    """The plan that improves most on doing nothing; None where none does."""
    best, best_worth = None, worth(state, seat) + 0.01
    for actions in candidates(state, seat):
        for plan in variants(state, actions):
            if (found := worth(plan.state, seat)) > best_worth:
                best, best_worth = plan, found
        if time.monotonic() > until:
            break
    return best


def candidates(state: State, seat: int) -> Iterator[Actions]:
    """What could be worth doing: something here, in any other district, at home, or in a district yet to be carved."""
    here, budget = state.pawns[seat], state.ap + state.action_tokens[seat]
    reach = ways(state, budget)
    yield founding(state, places.district_to_found(state), here)
    for district in (*state.unfounded, *state.founded):
        if not district >> here & 1 and (way := first_into(reach, district)):
            yield way.actions + founding(state, district, way.cell)
    if home := first_into(reach, state.variant.board.starts):
        yield home.actions
    for shape in sorted(shapes(state, reach, budget), key=promise)[:8]:
        yield shape.way.actions + shape.canals + founding(state, shape.mask, shape.way.cell)


def variants(state: State, actions: Actions) -> Iterator[Plan]:
    """The actions as a plan, and again with one temple after them, of each level; nothing where they can't be done."""
    plan = tried(state, actions)
    if plan is None:
        return
    yield plan
    if goes_on(plan.state, state.turn) and (sites := places.temple_sites(plan.state)):
        site = corner(plan.state, sites)
        for level, left in enumerate(plan.state.hands[state.seat], 1):
            if left and (more := tried(plan.state, (act.encode(act.TEMPLE, site, level),))):
                yield Plan(plan.actions + more.actions, more.state)


def founding(state: State, district: int, stand: int) -> Actions:
    """Found a district while the pawn stands on the cell `stand` of it; nothing where that can't be."""
    if district & state.founded_land or district.bit_count() not in state.display:
        return ()
    site = token_site(state, district, stand)
    return () if site is None else (act.encode(act.FOUND, site, district.bit_count()),)


def last_actions(state: State) -> list[int]:
    """What to do with AP that no plan wants, and the end of the turn or a proposal."""
    stored = tried(state, [TAKE] * storable(state))
    assert stored is not None
    steps = legal_part(stored.state, approach(stored.state))
    plan = tried(stored.state, steps)
    assert plan is not None
    return [*stored.actions, *steps, proposal(plan.state) or END]


def approach(state: State) -> Actions:
    """The way to where a district could be carved next turn, and its canals; nothing where no AP is left for that."""
    if not state.ap or period_ends(state):
        return ()
    budget = state.ap + state.variant.rules.action_points
    best = min(shapes(state, ways(state, budget), budget), key=promise, default=None)
    return best.way.actions + best.canals if best else ()


def proposal(state: State) -> int | None:
    """To retire a token that nobody can use any more."""
    if state.period == 2 and (sizes := set(state.display) - set(state.proposed) - carvable(state)):
        return act.encode(act.RETIRE, extra=min(sizes))
    return None


# ---- what a position is worth ----------------------------------------------------------------------------------------

TOKEN, MANY_TOKENS, MORE_TOKENS = 0.7, 3, 0.3
"""Points that each of the first so many action tokens is worth, and each further one."""
LOOSE_AP, UNBUILT = 0.3, 0.4
"""Points that an AP is worth that can't become a token, and a level of the temples in hand."""
IDLE = 0.3
"""What is left of the worth of tokens and AP with no temple to build."""


def worth(state: State, seat: int) -> float:
    """Points that a seat may expect, less the average of its rivals', and what it holds to make more of them."""
    points = outlook(state)
    rivals = (sum(points) - points[seat]) / (state.players - 1)
    return points[seat] - rivals + resources(state, seat)


def resources(state: State, seat: int) -> float:
    """Action tokens, AP left in this turn and temples in hand, in points."""
    unbuilt = sum(level * left for level, left in enumerate(state.hands[seat], 1))
    if state.period == 2 and period_ends(state):
        return -0.05 * unbuilt
    ap = state.ap if state.voter == seat else 0
    stored = storable(state) if ap else 0
    tokens = state.action_tokens[seat] + stored
    points = TOKEN * min(tokens, MANY_TOKENS) + MORE_TOKENS * max(0, tokens - MANY_TOKENS) + LOOSE_AP * (ap - stored)
    if not unbuilt:
        points *= IDLE
    # With no token on display, an empty hand is all that is wanting for the period to end.
    return points + UNBUILT * unbuilt if state.display else points - unbuilt


def outlook(state: State) -> list[float]:
    """Points by seat: those scored, and those expected for districts and the palace."""
    points = [float(scored) for scored in state.scored]
    for district in state.founded:
        _expect(points, state, district, 1.0)
    for district in state.unfounded:
        _expect(points, state, district, _chance(state, district.bit_count()))
    if not state.display:
        bonus = state.variant.rules.start_bonus * (1.0 if period_ends(state) else 0.4)
        for seat, pawn in enumerate(state.pawns):
            points[seat] += bonus * (state.variant.board.starts >> pawn & 1)
    return points


def _chance(state: State, size: int) -> float:
    """How much of its points, about, an unfounded district gives in the end: it may be cut or founded before."""
    rules = state.variant.rules
    large = size > max(rules.calpulli)
    if state.period == 2:
        to_come = len(state.display) / (len(rules.calpulli) - rules.first_calpulli)
        return 1 - (1.0 if large else 0.2) * to_come
    if size in state.display:
        return 0.6
    return 0.0 if large else 0.2


def _expect(points: list[float], state: State, district: int, chance: float) -> None:
    """Add what a district may bring to each seat: in all scorings to come, and less where it can be overtaken."""
    if not district & state.temples:
        return
    levels = scoring.grandeur(state, district)
    free = room(state, district)
    hands = [state.hands] if state.period == 2 else [state.hands, later_hands(state)]
    for seat, prize in enumerate(scoring.district_points(district.bit_count(), levels, state.players)):
        if prize:
            points[seat] += chance * prize * sum(2 + _hold(levels, hand, free, seat) for hand in hands) / 3


def _hold(levels: list[int], hands: Hands, free: int, seat: int) -> float:
    """The chance, guessed, that a seat keeps its place in a district: sure where nobody has room or temples to pass."""
    own = levels[seat]
    below = [other for other in range(len(hands)) if other != seat and levels[other] <= own]
    if all(levels[other] + most(hands[other], free) <= own for other in below):
        return 1.0
    return min(0.9, 0.6 + 0.1 * (own - max(levels[other] for other in below)))


# ---- ways of the pawn ------------------------------------------------------------------------------------------------


Step = tuple[int, int, Actions, int | None]
"""Cost, cell, actions, and the axis of the bridge on that cell; None on land."""


def first_into(reach: list[Way], area: int) -> Way | None:
    """The cheapest of these ways that ends in an area."""
    return next((way for way in reach if area >> way.cell & 1), None)


def ways(state: State, budget: int) -> list[Way]:
    """The cheapest way to every land space that costs no more than `budget` AP, cheapest first, staying included."""
    guide = Guide(state)
    start = state.pawns[state.seat]
    done: dict[int, Way] = {}
    heap: list[tuple[int, int, int, Actions, int | None]] = [(0, 0, start, (), guide.axis_of(start))]
    number = 0
    while heap:
        cost, _, cell, actions, axis = heapq.heappop(heap)
        if cell in done:
            continue
        done[cell] = Way(cost, cell, actions)
        for more, to, how, onto in guide.steps(cell, axis, actions):
            if cost + more <= budget and to not in done:
                number += 1
                heapq.heappush(heap, (cost + more, number, to, actions + how, onto))
    return [way for way in done.values() if state.land >> way.cell & 1] + _jumps(state, budget, done)


def _jumps(state: State, budget: int, done: dict[int, Way]) -> list[Way]:
    """Where nothing but a teleport leads."""
    cost = state.variant.rules.teleport_cost
    if cost > budget:
        return []
    goals = cells(places.teleports(state) & state.land)
    return [Way(cost, cell, (act.encode(act.TELEPORT, cell),)) for cell in goals if cell not in done]


class Guide:
    """Single steps of the pawn from any cell; bridges that aren't there yet may be built first."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.stride = state.variant.board.stride
        self.free = places.free_land(state)
        self.bridges = state.bridges_h & ~state.pawn_cells, state.bridges_v & ~state.pawn_cells
        self.spots = places.bridge_places(state)
        self.spare = next(cells(places.free_bridges(state)), None)
        self.most_builds = min(2, state.bridge_supply) or int(self.spare is not None)

    def axis_of(self, cell: int) -> int | None:
        """How the bridge on a cell is crossed; None for land."""
        if self.state.land >> cell & 1:
            return None
        return act.H if self.state.bridges_h >> cell & 1 else act.V

    def steps(self, cell: int, axis: int | None, before: Actions) -> Iterator[Step]:
        """All steps from `cell`, by foot and by boat; `before` is what led there."""
        builds = sum(act.kind(action) in (act.BRIDGE, act.RELOCATE) for action in before) < self.most_builds
        for along, step in ((act.H, 1), (act.V, self.stride)):
            for to in (cell - step, cell + step):
                walk = (act.encode(act.WALK, to),)
                if axis in (None, along) and self.free >> to & 1:
                    yield 1, to, walk, None
                elif axis is None and self.bridges[along] >> to & 1:
                    yield 1, to, walk, along
                elif axis is None and builds and self.spots[along] >> to & 1:
                    yield 2, to, self._build(to, along) + walk, along
        if axis is not None:
            yield from self._boats(cell, builds)

    def _boats(self, start: int, builds: bool) -> Iterator[Step]:
        rules = self.state.variant.rules
        for passed, water in enumerate(self._waters(start)):
            fare = rules.boat_cost * (passed + 1 if rules.boat_toll == "bridge" else 1)
            shore = beside(water, self.stride) & ~(1 << start)
            for along in (act.H, act.V):
                for to in cells(self.bridges[along] & shore):
                    yield fare, to, (act.encode(act.BOAT, to),), along
                for to in cells(self.spots[along] & water) if builds else ():
                    yield fare + 1, to, (*self._build(to, along), act.encode(act.BOAT, to)), along

    def _waters(self, start: int) -> Iterator[int]:
        """The water that a boat comes to without passing a bridge, then after one, and so on."""
        state = self.state
        bridges = state.bridges_h | state.bridges_v
        open_water = ((1 << state.variant.board.size) - 1) & ~(state.land | bridges)
        near, reached = 1 << start, 0
        while near:
            water = flood(near, open_water | near, self.stride)
            yield water
            reached |= near
            near = beside(water, self.stride) & bridges & ~reached

    def _build(self, cell: int, axis: int) -> Actions:
        if self.state.bridge_supply:
            return (act.encode(act.BRIDGE, cell, axis=axis),)
        return (act.encode(act.RELOCATE, cell, self.spare or 0, axis),)


# ---- districts to carve ----------------------------------------------------------------------------------------------

WIDTH = 20
"""Shapes of one size that are looked at further: the ones that would cost least."""


class Shape(NamedTuple):
    """A district that the pawn could go to and cut out with these canals, for so many AP."""

    cost: int
    mask: int
    way: Way
    canals: Actions


def promise(shape: Shape) -> float:
    """What a shape costs less what it may bring: the best ones first."""
    best, founder, _ = scoring.values(shape.mask.bit_count())
    return shape.cost - founder - 0.7 * best


def carvable(state: State) -> set[int]:
    """The sizes on display of which there is a district, or one could be carved in two turns or so."""
    free = places.free_land(state)
    anywhere = [Way(0, cell, ()) for district in state.unfounded for cell in cells(district & free)]
    return {shape.mask.bit_count() for shape in shapes(state, anywhere, carving.TWO_TURNS)}


def shapes(state: State, reach: list[Way], budget: int) -> list[Shape]:
    """Districts of sizes on display that could be carved for `budget` AP, the ways of `reach` to them included."""
    ground = carving.Ground(state)
    found = carving.shapes(state, {way.cell: way.cost for way in reach}, WIDTH)
    carved = (_carved(state, ground, mask, reach) for masks in found.values() for mask in masks)
    return [shape for shape in carved if shape is not None and shape.cost <= budget]


def _carved(state: State, ground: carving.Ground, mask: int, reach: list[Way]) -> Shape | None:
    """A shape with its way and canals; None where it can't be carved, or has no room for a temple beside a pawn."""
    dug = ground.digging(mask)
    if dug is None or room(state, mask) <= 0 or carving.is_dry(state, dug.rim):
        return None
    canals = carving.canals(state, dug.rim, ground.diggable & ~mask)
    if canals is None:
        return None
    way = min(way for way in reach if mask >> way.cell & 1)
    digging = dug.rim.bit_count() if ground.by_space else len(canals)
    return Shape(way.cost + digging, mask, way, carving.from_the_water(state, canals))


make = GreedyBot.make

if __name__ == "__main__":
    run(GreedyBot)
