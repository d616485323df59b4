"""Rules of thumb: a sound answer to whatever is asked, from what the seat to act sees and nothing else.

They are for bots, and to measure the balance of a card set:

    reckoning = Reckoning(game.variant)
    while state.options:
        state.apply(choose(reckoning, state))
"""

from __future__ import annotations

from mexica_cli.games.moctezuma import actions as act
from mexica_cli.games.moctezuma.language import AnyStep, Fortress
from mexica_cli.games.moctezuma.table import REFLECTION, Table
from mexica_cli.games.moctezuma.variant import QUETZALCOATL, AfterUse
from mexica_cli.tactics.moctezuma.outlook import LOST, Outlook
from mexica_cli.tactics.moctezuma.reckoning import Reckoning

BETTER = 3.5
"""Worth of the card that may come for one exchanged."""
SPARED = 0.05
"""Cost of a point that a unit can take and stay, by the sorts of attacks that it would then be less ready for."""


def choose(reckoning: Reckoning, table: Table) -> int:
    """The action of the seat to act that looks best; of several, the first."""
    if len(table.options) == 1:
        return table.options[0]
    return max(table.options, key=Judge(reckoning, table).worth)


def best(reckoning: Reckoning, table: Table, number: int) -> list[int]:
    """The actions that look best, at most so many, the best one first."""
    return sorted(table.options, key=Judge(reckoning, table).worth, reverse=True)[:number]


class Judge:
    """What each action of a position is worth, in fortress points; what isn't better than nothing has 0 or less."""

    def __init__(self, reckoning: Reckoning, table: Table) -> None:
        self.reckoning, self.table, self.variant = reckoning, table, table.variant
        self.outlook = Outlook(reckoning, table)

    def worth(self, action: int) -> float:
        """Of one legal action."""
        card, extra = act.card(action), act.extra(action)
        match act.kind(action):
            case act.EXCHANGE:
                return sum(self._exchanged(kind) for kind in act.exchanged(action))
            case act.PLAY:
                return self.outlook.in_hand(card)
            case act.USE:
                return self._used(card)
            case act.SACRIFICE:
                return self._sacrificed(card, extra)
            case act.TAKE:
                return self._taken(act.place(action), card)
        return self._answer(act.kind(action), card, extra)

    def _answer(self, kind: int, card: int, extra: int) -> float:
        match kind:
            case act.HIT:
                return -self._hit(card, extra)
            case act.REDIRECT:
                return -(self.outlook.price if self.outlook.left > 1 else 2 * LOST)
            case act.GOD:
                return self._god(extra)
            case act.SEAT:
                return -len(self.table.hands[extra])
            case act.OPTION:
                frame = self.table.stack[-1]
                return self.outlook.effect(self.variant.branches[frame.script, frame.step][extra - 1])
        return 0.0

    def _exchanged(self, kind: int) -> float:
        """Exchanged cards lie in Mictlan, where Moctezuma must never be."""
        return -LOST if kind == self.variant.moctezuma else BETTER - self.outlook.in_hand(kind)

    def _used(self, kind: int) -> float:
        """What isn't urgent waits for Defence, when it can be a sacrifice instead."""
        gain = self.outlook.ability(kind) - LOST * (kind == self.variant.moctezuma)
        if self.table.phase == REFLECTION and gain < LOST / 2:
            return -1.0
        return gain - self.outlook.kept(kind)

    def _sacrificed(self, kind: int, place: int) -> float:
        outlook = self.outlook
        gain = outlook.effect(self.variant.sacrifice[self.table.gods[place]])
        if place == QUETZALCOATL:
            gain += outlook.effect(self.variant.extra_markers[kind])
        return gain if self.reckoning.markers[kind] else gain - outlook.shield(kind)

    def _hit(self, kind: int, damage: int) -> float:
        """What a point of damage to a unit costs."""
        falls = self.variant.resistance[kind] - damage <= 1
        if kind == self.variant.moctezuma:
            return LOST if falls else 2 * SPARED
        if self.reckoning.leaves_hurt[kind]:
            return 0.0 if damage else self.outlook.unit(kind)
        return self.outlook.unit(kind) if falls else SPARED * self.reckoning.breadth[kind]

    def _taken(self, place: str, kind: int) -> float:
        """What it is worth to take that card rather than another, or none."""
        outlook, goal = self.outlook, getattr(self._step(), "to", None)
        match place:
            case "line_open":
                return outlook.threat(kind)
            case "line_hidden":
                return outlook.reckoning.mean.points
            case "mictlan" if goal != "removed":
                return LOST if kind == self.variant.moctezuma else outlook.unit(kind)
        if kind == self.variant.moctezuma:
            return -LOST
        lose = goal != "battlefield" and place in {"hand", "battlefield", "mictlan"}
        return 1.0 - outlook.unit(kind) if lose else outlook.unit(kind)

    def _god(self, place: int) -> float:
        """Fortress goes where most of it counts; it is lost where most of it is, but never Quetzalcoatl's last."""
        step, now = self._step(), self.table.fortress[place]
        if isinstance(step, Fortress) and step.points > 0:
            return min(step.points, self.variant.first_fortress[place] - now) - SPARED * place
        return now - LOST * (place == QUETZALCOATL)

    def _step(self) -> AnyStep | AfterUse:
        """The step that asks."""
        frame = self.table.stack[-1]
        return self.variant.scripts[frame.script][frame.step]
