"""The points that every seat may expect from a position, and what else it holds that is worth some.

Expected are: what is scored already; for each district what it gives now, as often as it will still be scored, less
where a rival has room and temples enough to change it; the palace's 5 points once the period nears its end; and some
of a point for action tokens, AP and temples in hand. A district that isn't founded counts for as much as it is likely
to be there at the end, or to be founded as it stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mexica_cli.games.mexica import State, scoring
from mexica_cli.games.mexica.table import OVER

Hand = tuple[int, ...]
Levels = tuple[int, ...]
"""Levels of temples in a district by owner: seats, then the neutral colour."""

CACHED = 5000
"""Sets of temples whose districts are remembered."""


class Stage(NamedTuple):
    """What is guessed for a part of the game, in points or as a chance; a fit to the results of many games."""

    hand: tuple[float, ...]
    """A temple in hand, by level; higher levels count as the highest here."""
    token: float
    """Each of the first three action tokens."""
    held: float
    """The part of a district's points that counts although it is still to be scored."""
    large: float
    """The same for a district that nobody founded and that is larger than any token."""
    other: float
    """The same for smaller ones, of which no token is on display."""


class Weights(NamedTuple):
    """All guesses."""

    stages: tuple[Stage, ...] = (
        Stage((6.0, 6.5, 7.0, 8.0), 0.9, 1.0, 0.0, 0.2),
        Stage((6.5, 7.5, 8.5, 9.5), 1.0, 1.1, 0.0, 0.2),
        Stage((1.0, 0.7, 0.3, 0.0), 0.7, 1.1, 0.0, 0.2),
        Stage((4.0, 4.6, 5.3, 6.0), 1.2, 0.8, 0.2, 0.6),
        Stage((4.0, 4.5, 3.5, 2.5), 0.9, 0.75, 0.1, 0.55),
        Stage((2.0, 4.0, 3.5, 1.0), 0.9, 0.85, 0.15, 0.55),
        Stage((-0.3, -0.5, -0.7, -0.9), 0.1, 0.85, 0.45, 0.75),
    )
    """The first period while more than half of its tokens are on display, while any are, and then; the second while
    more than two thirds are, more than one third, any, and none. With no token on display AP are good for nothing but
    temples, and an empty hand ends the period."""
    more_tokens: float = 0.3
    """Each action token beyond three."""
    loose_ap: float = 0.3
    """An AP that can't become a token."""
    idle: float = 0.3
    """What is left of the worth of tokens and AP with no temple to build, or no token to found with."""
    sure: float = 0.67
    """The part of a place in a district that counts whatever rivals can do; the rest by how safe the place is."""
    safe: float = 0.6
    """How safe a place is that a rival could take by one level more; `margin` more for every further level."""
    margin: float = 0.1
    fits: float = 0.6
    """Chance that a district of a size on display gets its points."""
    bonus: float = 0.6
    """Chance that a pawn on a starting space is still there at the end of a period that may end soon."""
    founding: float = 3.0
    """What each founded district counts to whoever looks on, whoever founded it: waiting makes long games."""
    kept: float = 5.0
    """The same for each token that has not left the game unfounded: land runs short."""
    onward: float = 14.0
    """The same for having the first period behind: nobody wants to end it, and action tokens pile up."""


DUEL = Weights()
"""For two seats."""

CROWD = Weights(
    stages=(
        Stage((1.8, 1.5, 1.3, 1.2), 0.5, 0.85, 0.0, 0.1),
        Stage((1.7, 2.0, 1.9, 1.7), 0.8, 0.85, 0.0, 0.1),
        Stage((0.5, 0.4, 0.3, 0.0), 0.5, 0.9, 0.0, 0.1),
        Stage((1.6, 1.2, 1.0, 0.9), 0.6, 0.75, 0.03, 0.2),
        Stage((1.4, 1.5, 1.8, 2.0), 0.7, 0.92, 0.07, 0.3),
        Stage((1.2, 1.3, 1.5, 1.7), 0.9, 0.98, 0.05, 0.55),
        Stage((-0.3, -0.5, -0.7, -0.9), 0.1, 0.96, 0.65, 0.85),
    ),
    sure=0.4,
    safe=0.25,
    margin=0.05,
)
"""For more: there are fewer turns for as many temples, and more rivals who may want what one has."""


def weights_for(players: int) -> Weights:
    """The weights for that many seats."""
    return DUEL if players == 2 else CROWD


class District(NamedTuple):
    """What the worth of a district depends on, besides the temples in hand."""

    size: int
    levels: Levels
    room: int
    """Temples that still fit in."""


@lru_cache(1 << 16)
def most(hand: Hand, room: int) -> int:
    """The most levels that a hand can put on that many spaces."""
    total = 0
    for level in range(len(hand), 0, -1):
        number = min(room, hand[level - 1])
        total += number * level
        room -= number
    return total


@lru_cache(1 << 16)
def prizes(size: int, levels: Levels, players: int) -> tuple[int, ...]:
    """Points by seat of a district in one scoring."""
    return tuple(scoring.district_points(size, list(levels), players))


def room(state: State, mask: int) -> int:
    """Temples that still fit in a district: whoever builds there stands there, on a space of its own."""
    standing = mask & ~(state.temples | state.calpulli)
    return min((standing & ~state.variant.board.palace).bit_count(), standing.bit_count() - 1)


def _levels(state: State, mask: int) -> Levels:
    """`scoring.grandeur`, and faster where little is built."""
    levels: list[int] = []
    for by_level in state.built:
        total = 0
        for level, temples in enumerate(by_level, 1):
            if temples & mask:
                total += level * (temples & mask).bit_count()
        levels.append(total)
    return tuple(levels)


def _price(stage: Stage, level: int) -> float:
    return stage.hand[min(level, len(stage.hand)) - 1]


def period_ends(state: State) -> bool:
    """Whether the period is over with this round."""
    return not state.display and not all(map(any, state.hands))


def nears_end(state: State) -> bool:
    """Whether the period may end soon, so that it is time to go home.

    No token is left; or in the second period no temple, and then tokens often lie there that nobody can use.
    """
    return not state.display or (state.period == 2 and not any(map(any, state.hands)))


def storable(state: State) -> int:
    """Action tokens that can still be taken in this turn."""
    return min(state.ap, state.variant.rules.tokens_per_turn - state.taken, state.token_supply)


def later_hands(state: State) -> tuple[Hand, ...]:
    """Temples by seat and level that there will be in the second period."""
    new = state.variant.rules.temples[1]
    return tuple(tuple(map(sum, zip(hand, new, strict=True))) for hand in state.hands)


class Known(NamedTuple):
    """What has been worked out for a set of temples on the board and in hand."""

    hands: list[tuple[Hand, ...]]
    """The hands that matter, by scoring to come."""
    districts: dict[int, District]
    expected: dict[int, tuple[float, ...]]
    """Points by seat that a district will bring, by its mask."""


class Outlook:
    """Judges positions by the same weights, and remembers what it has worked out."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights or DUEL
        self._known: dict[object, Known] = {}

    # ---- a position ----

    def values(self, state: State) -> list[float]:
        """Points that each seat may expect, and its means in points."""
        if state.phase == OVER:
            return self.final(state)
        stage, ends = self.stage(state), period_ends(state)
        values = [scored + self._means(state, seat, stage, ends) for seat, scored in enumerate(state.scored)]
        known, temples = self._remembered(state), state.temples
        held = 1.0 if ends else stage.held
        for mask in state.founded:
            if mask & temples:
                for seat, points in enumerate(self._expected(state, mask, known)):
                    values[seat] += held * points
        for mask in state.unfounded:
            if mask & temples:
                chance = self.chance(state, mask.bit_count())
                for seat, points in enumerate(self._expected(state, mask, known)):
                    values[seat] += chance * points
        if nears_end(state):
            self._add_bonus(state, values, 1.0 if period_ends(state) else self.weights.bonus)
        return values

    def final(self, state: State) -> list[float]:
        """Points of each seat if the game ended as it stands; action tokens break ties."""
        values = [scored + 0.01 * held for scored, held in zip(state.scored, state.action_tokens, strict=True)]
        if state.phase == OVER:
            return values
        for mask in (*state.founded, *state.unfounded):
            if mask & state.temples:
                for seat, points in enumerate(prizes(mask.bit_count(), _levels(state, mask), state.players)):
                    values[seat] += points
        self._add_bonus(state, values, 1.0)
        return values

    def stage(self, state: State) -> Stage:
        """The part of the game that this is."""
        rules, left = state.variant.rules, len(state.display)
        if state.period == 1:
            return self.weights.stages[2 - math.ceil(2 * left / rules.first_calpulli)]
        return self.weights.stages[6 - math.ceil(3 * left / (len(rules.calpulli) - rules.first_calpulli))]

    def utility(self, values: Sequence[float], seat: int) -> float:
        """What counts for a seat: its points less the mean of its rivals'."""
        own = values[seat]
        return own - (sum(values) - own) / (len(values) - 1)

    def view(self, state: State, seat: int) -> float:
        """What a position is worth to a seat, which would like to see the game get on."""
        return self.utility(self.values(state), seat) + self._progress(state)

    def _progress(self, state: State) -> float:
        weights, founded = self.weights, len(state.founded)
        kept = founded if state.phase == OVER else founded + len(state.display) + len(state.later)
        return weights.founding * founded + weights.kept * kept + (weights.onward if state.period == 2 else 0)

    def _add_bonus(self, state: State, values: list[float], chance: float) -> None:
        """Add the points for pawns at home, which may count in the end."""
        starts, bonus = state.variant.board.starts, state.variant.rules.start_bonus * chance
        for seat, pawn in enumerate(state.pawns):
            if starts >> pawn & 1:
                values[seat] += bonus

    def _means(self, state: State, seat: int, stage: Stage, ends: bool) -> float:
        """Action tokens, AP left in this turn and temples in hand, in points."""
        weights, hand = self.weights, state.hands[seat]
        ap = state.ap if state.voter == seat else 0
        stored = storable(state) if ap else 0
        tokens = state.action_tokens[seat] + stored
        few = min(tokens, 3)
        points = stage.token * few + weights.more_tokens * (tokens - few) + weights.loose_ap * (ap - stored)
        if not any(hand) or not state.display:
            points *= weights.idle
        if ends and state.period == 2:
            return 0.01 * tokens
        return points + sum(left * _price(stage, level) for level, left in enumerate(hand, 1))

    def price(self, state: State, level: int) -> float:
        """What a temple in hand is worth; nothing any more when the game is about to end."""
        return 0.0 if state.period == 2 and period_ends(state) else _price(self.stage(state), level)

    def chance(self, state: State, size: int) -> float:
        """How much of its points an unfounded district gives in the end: it may be cut or founded before."""
        if period_ends(state):
            return float(state.period == 2)
        if size in state.display:
            return self.weights.fits
        stage = self.stage(state)
        return stage.large if size > max(state.variant.rules.calpulli) else stage.other

    # ---- districts ----

    def district(self, state: State, mask: int) -> District:
        """What there is in a district."""
        return self._district(state, mask, self._remembered(state))

    def expect(self, state: State, district: District) -> tuple[float, ...]:
        """Points by seat that a district will bring in all scorings to come, if it stays."""
        return self._expect(state.players, district, self._remembered(state).hands)

    def _remembered(self, state: State) -> Known:
        key = state.built, state.hands, state.period, state.calpulli
        known = self._known.get(key)
        if known is None:
            if len(self._known) > CACHED:
                self._known.clear()
            hands = [state.hands] if state.period == 2 else [state.hands, later_hands(state)]
            known = self._known[key] = Known(hands, {}, {})
        return known

    def _district(self, state: State, mask: int, known: Known) -> District:
        district = known.districts.get(mask)
        if district is None:
            levels = _levels(state, mask) if mask & state.temples else (0,) * len(state.built)
            district = known.districts[mask] = District(mask.bit_count(), levels, room(state, mask))
        return district

    def _expected(self, state: State, mask: int, known: Known) -> tuple[float, ...]:
        expected = known.expected.get(mask)
        if expected is None:
            district = self._district(state, mask, known)
            expected = known.expected[mask] = self._expect(state.players, district, known.hands)
        return expected

    def _expect(self, players: int, district: District, hands: list[tuple[Hand, ...]]) -> tuple[float, ...]:
        size, levels, free = district
        sure, rest = self.weights.sure, 1 - self.weights.sure
        return tuple(
            prize and prize * sum(sure + rest * self._hold(levels, hand, free, seat) for hand in hands)
            for seat, prize in enumerate(prizes(size, levels, players))
        )

    def _hold(self, levels: Levels, hands: tuple[Hand, ...], free: int, seat: int) -> float:
        """The chance, guessed, that a seat keeps its place: sure where nobody has room or temples to pass."""
        own, danger, best = levels[seat], False, 0
        for other, hand in enumerate(hands):
            level = levels[other]
            if other != seat and level <= own:
                best = max(best, level)
                danger = danger or level + most(hand, free) > own
        return min(0.9, self.weights.safe + self.weights.margin * (own - best)) if danger else 1.0
