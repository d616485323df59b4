"""Turns, rounds and AP of a game of Mexica, told from its action texts.

The cost of all actions but a boat's follows from their text. For a boat the canals and bridges so far are looked up,
which is put off until there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mexica_cli.analysis.course import Moment
from mexica_cli.games.mexica import MexicaGame
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.boats import fare
from mexica_cli.games.mexica.rules import RuleSet
from mexica_cli.games.mexica.table import PHASES, PLACING, TURN, VOTE, Table
from mexica_cli.games.mexica.variant import Variant
from mexica_cli.record.lines import ActionLine, GameLine

CACHED_TEXTS = 1 << 16
"""More than there are actions on a board of usual size."""
FORCED = ("stalled", "round_limit")
"""What follows where a period isn't completed; so such an ending is called."""


class _Read(NamedTuple):
    """What an action text says."""

    verb: str
    size: int | None
    phase: str
    """In which such actions are done."""
    ap: int
    """What it costs; a boat, as if it came by one bridge."""
    gain: int
    """AP that it brings."""
    action: int
    kind: int
    cell: int
    works: bool
    """It changes canals or bridges."""
    moves: bool
    """It moves a pawn."""


_WITH_SIZE = frozenset({act.CANAL, act.TEMPLE, act.FOUND, act.RETIRE})
_WORKS = frozenset({act.CANAL, act.BRIDGE, act.RELOCATE})
_MOVES = frozenset({act.PLACE, act.WALK, act.BOAT, act.TELEPORT})
_PHASES = {act.PLACE: PHASES[PLACING], act.AGREE: PHASES[VOTE], act.REFUSE: PHASES[VOTE]}
"""Of kinds of action that aren't those of a turn."""
_END, _PLACE, _BOAT, _IN_TURN = act.END, act.PLACE, act.BOAT, PHASES[TURN]


class MexicaCourses:
    """Makes the courses of games under one rule set, which share what was read from action texts."""

    def __init__(self, game: MexicaGame) -> None:
        self._variant = game.variant
        self._read = lru_cache(CACHED_TEXTS)(self._read_text)

    def begin(self, line: GameLine) -> MexicaCourse:
        """The course of a game."""
        return MexicaCourse(self._variant, len(line.seats), self._read)

    def _read_text(self, text: str) -> _Read:
        """Raises BadAction."""
        action = self._variant.texts.parse(text)
        kind, extra = act.kind(action), act.extra(action)
        return _Read(
            verb=act.KINDS[kind],
            size=extra if kind in _WITH_SIZE else None,
            phase=_PHASES.get(kind, PHASES[TURN]),
            ap=_cost(self._variant.rules, kind, extra),
            gain=int(kind == act.SPEND),
            action=action,
            kind=kind,
            cell=act.cell(action),
            works=kind in _WORKS,
            moves=kind in _MOVES,
        )


def _cost(rules: RuleSet, kind: int, extra: int) -> int:
    """AP of an action, as in `_Read`."""
    match kind:
        case act.CANAL:
            return extra if rules.canal_cost == "space" else 1
        case act.TEMPLE:
            return extra
        case act.BRIDGE | act.RELOCATE | act.WALK | act.TAKE:
            return 1
        case act.BOAT:
            return rules.boat_cost
        case act.TELEPORT:
            return rules.teleport_cost
        case act.FOUND:
            return rules.found_cost
    return 0


class MexicaCourse:
    """One game; turn, round and period count as in its state."""

    def __init__(self, variant: Variant, players: int, read: Callable[[str], _Read]) -> None:
        self.rounds: int | None = None
        self.turns = [0] * players
        self.unused = [0] * players
        self.ending: str | None = None
        self._variant = variant
        self._read = read
        self._turn, self._round, self._period = 0, 1, 1
        self._seat = self._left = 0
        self._begun = -1
        self._kept = [0] * players
        self._pawns = [0] * players
        self._waters = _Waters(variant)

    def take(self, line: ActionLine) -> Moment:
        """The next action. Raises BadAction."""
        read = self._read(line.action)
        kind, ap, phase = read.kind, read.ap, read.phase
        turn = self._turn
        if turn != self._begun and phase == _IN_TURN:
            self._begin_turn()
        if read.works:
            self._waters.works.append(read.action)
        elif read.moves:
            if kind == _BOAT:
                ap = self._waters.fare(self._pawns[line.seat], read.cell, ap)
            self._pawns[line.seat] = read.cell
        left = self._left = self._left - ap + read.gain
        moment = Moment(
            read.verb, read.size, None, turn, self._round, self._period, phase, ap, None if kind == _PLACE else left
        )
        if kind in {_END, _PLACE} or line.followed:
            self._go_on(line, kind)
        return moment

    def _begin_turn(self) -> None:
        self._begun = self._turn
        self.rounds = self._round
        self.turns[self._seat] += 1

    def _go_on(self, line: ActionLine, kind: int) -> None:
        """Turn, round and period after an action."""
        if kind == _END:
            self._end_turn()
        elif kind == _PLACE:
            self._next_turn((line.seat + 1) % len(self.turns))
        for entry in line.followed:
            match entry.get("what"):
                case "period":
                    self._next_period(ended=kind == _END)
                case "over":
                    self.ending = _ending(line.followed)

    def _end_turn(self) -> None:
        seat = self._seat
        self.unused[seat] += self._left
        self._kept[seat] = min(self._left, self._variant.rules.kept_points)
        last = seat + 1 == len(self.turns)
        self._round += last
        self._next_turn(0 if last else seat + 1)

    def _next_period(self, *, ended: bool) -> None:
        """The next period begins, with a new turn and round if the last turn didn't come to its `end`."""
        self._period += 1
        if not ended:
            self._round += 1
            self._next_turn(0)

    def _next_turn(self, seat: int) -> None:
        self._turn += 1
        self._seat = seat
        self._left = self._variant.rules.action_points + self._kept[seat]
        self._kept[seat] = 0


class _Waters:
    """Canals and bridges, for the price of boats."""

    def __init__(self, variant: Variant) -> None:
        self.works: list[int] = []
        """Canals and bridges that aren't on the table yet."""
        self._rules, self._stride = variant.rules, variant.board.stride
        self._table = Table()
        self._table.variant, self._table.canals = variant, variant.board.canals
        self._table.bridges_h = self._table.bridges_v = 0

    def fare(self, start: int, goal: int, least: int) -> int:
        """AP for a boat between two bridges (cells); `least` is what it costs at the least."""
        if self._rules.boat_toll != "bridge":
            return least
        for action in self.works:
            self._work(action)
        self.works.clear()
        return fare(self._table, start, goal, self._rules.most_ap) or least

    def _work(self, action: int) -> None:
        table, cell = self._table, 1 << act.cell(action)
        match act.kind(action):
            case act.CANAL:
                table.canals |= act.canal_mask(action, self._stride)
                return
            case act.RELOCATE:
                table.bridges_h &= ~(1 << act.extra(action))
                table.bridges_v &= ~(1 << act.extra(action))
        if act.axis(action) == act.H:
            table.bridges_h |= cell
        else:
            table.bridges_v |= cell


def _ending(followed: Sequence[dict[str, Any]]) -> str:
    return next((what for entry in followed if (what := entry.get("what")) in FORCED), "completed")
