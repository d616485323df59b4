"""Plans: a few actions with one purpose, tried on a copy of the state.

What could be worth doing is listed by a quick estimate first (`options`): go to a district and build there, found one,
cut one out of the land and found it, go home for the palace's points, cut what a rival is about to found. Only what
looks best is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from mexica_cli.games.mexica import State, places, scoring
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.bits import beside, cells
from mexica_cli.tactics.mexica import carving
from mexica_cli.tactics.mexica.outlook import District, Outlook, nears_end
from mexica_cli.tactics.mexica.ways import Actions, Reach

TAKE, SPEND, END, AGREE, REFUSE = map(act.encode, (act.TAKE, act.SPEND, act.END, act.AGREE, act.REFUSE))

AP_PRICE = 0.45
"""Points that an AP of a plan costs, in an estimate."""

Shapes = dict[int, list[int]]
"""By size, as `carving.shapes` finds them."""


class Plan(NamedTuple):
    """Actions that were tried, and the state after them."""

    actions: Actions
    state: State


class Option(NamedTuple):
    """Something to do, not tried yet."""

    estimate: float
    """Points, roughly, that it brings the seat against its rivals, less what its AP could bring elsewhere."""
    cost: int
    """AP that it takes at the least."""
    actions: Actions
    level: int
    """Of the temple to build where they lead; 0 for none."""
    into: int
    """Mask of the district, or shape, to go into; 0 for staying."""
    rim: int
    """Mask of the land to dig around it."""
    found: int
    """Size to found; 0 for none."""


def tried(state: State, actions: Iterable[int]) -> Plan | None:
    """Do actions on a copy, spending action tokens where AP run short; None where one is illegal."""
    turn, state = state.turn, state.copy()
    done: list[int] = []
    for action in actions:
        while (why := state.why_illegal(action)) is not None:
            if why.code != "no_ap" or not state.action_tokens[state.seat]:
                return None
            state.apply(SPEND)
            done.append(SPEND)
        state.apply(action)
        done.append(action)
        if not goes_on(state, turn):
            break
    return Plan(tuple(done), state)


def goes_on(state: State, turn: int) -> bool:
    """Whether that turn is still under way: some rule sets end a period in the middle of one."""
    return state.turn == turn and state.to_act is not None


def legal_part(state: State, actions: Actions) -> Actions:
    """The first of these actions, as far as they are legal."""
    state, done = state.copy(), 0
    for action in actions:
        if not state.is_legal(action):
            break
        state.apply(action)
        done += 1
    return actions[:done]


def corner(state: State, sites: int) -> int:
    """The site with the fewest free spaces around it: what stands there is least in the way."""
    free, stride, ramps = places.free_land(state), state.variant.board.stride, state.ramps
    return min(cells(sites), key=lambda cell: ((beside(1 << cell, stride) & free).bit_count(), ramps >> cell & 1))


def token_site(state: State, district: int, stand: int) -> int | None:
    """Where to put the token of a district while the pawn stands on the cell `stand` of it."""
    rivals = state.pawn_cells & ~(1 << state.pawns[state.seat])
    sites = district & ~(state.temples | rivals | 1 << stand | state.variant.board.palace)
    return corner(state, sites) if sites else None


class Options:
    """What could be worth doing for the seat whose turn it is."""

    def __init__(self, state: State, outlook: Outlook, shapes: Shapes, budget: int | None = None) -> None:
        """`budget`: AP; without it, those that the seat has, action tokens included."""
        self.state, self.outlook, self.shapes = state, outlook, shapes
        self.seat = state.seat
        self.budget = state.ap + state.action_tokens[self.seat] if budget is None else budget
        self.reach = Reach(state, self.seat, self.budget)
        self.hand = state.hands[self.seat]
        self.ground = carving.Ground(state)
        self._utilities: dict[District, float] = {}
        self._founding_gains: dict[tuple[District, int], list[tuple[float, int]]] = {}
        self._dug: dict[int, Actions | None] = {}
        self._pawn = 1 << state.pawns[self.seat]
        self._held = outlook.stage(state).held
        self._prices = [outlook.price(state, level) for level in range(1, len(self.hand) + 1)]

    def best(self, number: int) -> list[Option]:
        """The ones with the highest estimates, without those for whose canals tiles or AP run short."""
        options = [*self._districts(), *self._shapes(), *self._home(), *self._cuts()]
        options.sort(key=lambda option: -option.estimate)
        return list(islice(filter(self._can_be_dug, options), number))

    def _can_be_dug(self, option: Option) -> bool:
        if not option.rim:
            return True
        canals = self._canals(option)
        if canals is None:
            return False
        more = self.ground.cost(canals) - self.ground.least(option.rim)
        return option.cost + more <= self.budget

    def _canals(self, option: Option) -> Actions | None:
        """The canals around a shape; None where tiles run short."""
        if option.into not in self._dug:
            self._dug[option.into] = carving.canals(self.state, option.rim, self.ground.diggable & ~option.into)
        return self._dug[option.into]

    def plan(self, option: Option) -> Plan | None:
        """The option tried; None where it isn't possible after all."""
        actions = self.approach(option)
        if actions is None:
            return None
        if option.found:
            site = token_site(self.state, option.into, self._stand(option))
            if site is None:
                return None
            actions += (act.encode(act.FOUND, site, option.found),)
        plan = tried(self.state, actions)
        return self._built(plan, option.level) if plan and option.level else plan

    def approach(self, option: Option) -> Actions | None:
        """What an option does before founding and building: the way, and the canals."""
        actions = option.actions
        if option.into and not option.into & self._pawn:
            way = self.reach.way(option.into)
            if way is None:
                return None
            actions += way.actions
        if option.rim:
            canals = self._canals(option)
            if canals is None:
                return None
            actions += canals
        return actions

    def _stand(self, option: Option) -> int:
        """Where the pawn stands in the district that it founds."""
        way = None if option.into & self._pawn else self.reach.way(option.into)
        return way.cell if way else self.state.pawns[self.seat]

    def _built(self, plan: Plan, level: int) -> Plan | None:
        """The plan with a temple at its end."""
        if not goes_on(plan.state, self.state.turn):
            return plan
        sites = places.temple_sites(plan.state)
        if not sites:
            return None
        more = tried(plan.state, (act.encode(act.TEMPLE, corner(plan.state, sites), level),))
        return Plan(plan.actions + more.actions, more.state) if more else None

    # ---- what there is ----

    def _districts(self) -> Iterator[Option]:
        """Temples in districts, and the founding of districts that are there."""
        state = self.state
        here = 1 << state.pawns[self.seat]
        for founded, masks in ((True, state.founded), (False, state.unfounded)):
            for mask in masks:
                cost = 0 if mask & here else self.reach.cost(mask)
                if cost is None:
                    continue
                size = mask.bit_count()
                if not founded and size in state.display:
                    yield from self._foundings(mask, cost, 0)
                chance = self._held if founded else self.outlook.chance(state, size)
                if chance:
                    yield from self._temples(mask, cost, chance)

    def _temples(self, mask: int, cost: int, chance: float) -> Iterator[Option]:
        district = self.outlook.district(self.state, mask)
        if district.room > 0:
            before = self._utility(district)
            for level, left in enumerate(self.hand[: self.budget - cost], 1):
                if left:
                    gain = chance * (self._utility(_with(district, self.seat, level, 1)) - before)
                    spent = AP_PRICE * (cost + level) + self._prices[level - 1]
                    yield Option(gain - spent, cost + level, (), level, mask, 0, 0)

    def _foundings(self, mask: int, cost: int, rim: int) -> Iterator[Option]:
        """Found a district, or a shape once its rim is dug, with and without a temple; `cost` is that of the way."""
        state, rules = self.state, self.state.variant.rules
        cost += rules.found_cost
        district = self.outlook.district(state, mask)
        if cost > self.budget or district.room <= 0:
            return
        others = (mask & state.pawn_cells & ~self._pawn).bit_count()
        gains = self._founding_gains.get((district, others))
        if gains is None:
            gains = self._founding_gains[district, others] = self._gains(district, others)
        possible = [(gain, level) for gain, level in gains if cost + level <= self.budget]
        for gain, level in possible[:2]:
            yield Option(gain - AP_PRICE * cost, cost + level, (), level, mask, rim, district.size)

    def _gains(self, district: District, others: int) -> list[tuple[float, int]]:
        """What founding a district brings with a temple of a level, or none, less the AP for that; best first."""
        _, founder, bystander = scoring.values(district.size)
        gain = founder - others * bystander / (self.state.players - 1)
        gains = [(gain + self._held * self._utility(district), 0)]
        if district.room > 1:
            for level, left in enumerate(self.hand, 1):
                if left:
                    worth = self._held * self._utility(_with(district, self.seat, level, 2))
                    gains.append((gain + worth - AP_PRICE * level - self._prices[level - 1], level))
        return sorted(gains, reverse=True)

    def _utility(self, district: District) -> float:
        """What a district brings the seat against its rivals."""
        known = self._utilities.get(district)
        if known is None:
            known = self.outlook.utility(self.outlook.expect(self.state, district), self.seat)
            self._utilities[district] = known
        return known

    def _shapes(self) -> Iterator[Option]:
        """Shapes that can be cut out and founded."""
        state, digging, budget = self.state, self.ground.digging, self.budget
        for size in set(state.display) & self.shapes.keys():
            for shape in self.shapes[size]:
                dug = digging(shape)
                if dug is None or not dug.rim or dug.least > budget:
                    continue
                cost = self.reach.cost(shape)
                if cost is None or cost + dug.least > budget or carving.is_dry(state, dug.rim):
                    continue
                yield from self._foundings(shape, cost + dug.least, dug.rim)

    def _home(self) -> Iterator[Option]:
        """To a starting space, once that may count."""
        starts = self.state.variant.board.starts
        if nears_end(self.state) and not starts >> self.state.pawns[self.seat] & 1:
            cost = self.reach.cost(starts)
            if cost is not None:
                yield Option(2 - AP_PRICE * cost, cost, (), 0, starts, 0, 0)

    def _cuts(self) -> Iterator[Option]:
        """A canal that spoils a district which somebody else could found."""
        state, ground = self.state, self.ground
        here = 1 << state.pawns[self.seat]
        for mask in state.unfounded:
            size = mask.bit_count()
            if size in state.display and not mask & here:
                single = mask & ground.diggable
                for canal in _spoils(state, single):
                    yield Option(1.0, self.ground.cost((canal,)), (canal,), 0, 0, 0, 0)


def _spoils(state: State, ground: int) -> Iterator[int]:
    """One canal of each length that fits on a ground."""
    for length, left in enumerate(state.tiles[:2], 1):
        if left:
            for axis in (act.H, act.V) if length > 1 else (act.H,):
                starts = places.tile_starts(state, ground, length, axis)
                if starts:
                    yield act.encode(act.CANAL, (starts & -starts).bit_length() - 1, length, axis)


def _with(district: District, seat: int, level: int, taken: int) -> District:
    """The district with one more temple; `taken` spaces less."""
    levels = district.levels
    return District(district.size, (*levels[:seat], levels[seat] + level, *levels[seat + 1 :]), district.room - taken)
