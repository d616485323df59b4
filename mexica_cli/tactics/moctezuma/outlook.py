"""What is to be expected of a position, and what cards and effects are worth in it: a judgement for bots, not a rule.

It looks at nothing that the seat to act can't see. All worth is in fortress points: what saves the gods a point of
damage that they can't spare is worth 1.
"""

from __future__ import annotations

import math

from mexica_cli.games.moctezuma.language import (
    AnyStep,
    Attack,
    Draw,
    Either,
    Extra,
    Fortress,
    If,
    Marker,
    Move,
    Reveal,
    Together,
    Ward,
)
from mexica_cli.games.moctezuma.rules import LINE, plays
from mexica_cli.games.moctezuma.table import ATTACKS, KIND_MASK, KIND_SHIFT, KNOWN, OPEN, SIEGE, Table, waiting
from mexica_cli.games.moctezuma.variant import NONE, QUETZALCOATL, AfterUse
from mexica_cli.games.moctezuma.zones import holds
from mexica_cli.tactics.moctezuma.reckoning import GODS_IN_PLAY, Blow, Reckoning

LOST = 50.0
"""Worth of what loses the game where it isn't done."""
MARKER, URGENCY, LEISURE = 3.0, 2.5, 0.45
"""Worth of an invocation marker, which grows by so much where more than this share of the cards still to be played
must become markers."""
THRIFT, CHEAP, DEAR = 1.2, 0.25, 2.0
"""Worth of a fortress point where the attacks to come take all of them, and its bounds."""
PACE = 0.75
"""Share of the cards played that become markers."""
ABSORBED = 1.1
"""Damage that units take off the gods, a point that they can take and stay."""
SHIELD, BODY, FALLING = 0.8, 0.9, 0.4
"""Worth of a point that a unit can take every round, of the last one it takes, and more if it leaves hurt."""
DRAWN, RECOVERED, SEEN, PLAYED, PRIEST = 0.6, 0.5, 0.1, 1.0, 0.3
"""Worth of a card drawn, one taken from Mictlan, one turned up, one played besides, and a priest as a shield."""
WARDED, UNSURE = 0.85, 0.8
"""What comes of a ward, and of driving away a conquistador that nobody knows."""
EVEN, LEFT, TO_COME, LATER, URGENT, MATES = 0.1, 0.31, -0.27, -0.18, -5.0, 0.65
"""Logistic regression over thousands of games played by these rules of thumb, at all difficulties and by all numbers of
players: for fortress left, damage to come, damage later, urgency and players."""


class Outlook:
    """A position judged; made anew for every decision."""

    def __init__(self, reckoning: Reckoning, table: Table) -> None:
        self.reckoning, self.table, self.variant = reckoning, table, table.variant
        self.line = LINE[table.players][0]
        units = [unit & KIND_MASK for unit in table.field]
        self.free = sum(reckoning.spare[kind] for kind in units if reckoning.is_shield[kind])
        """Points that units can take of an attack on warriors and stay."""
        self.need = sum(self.variant.values[part] for part in table.parts) - table.markers
        """Markers that are missing."""
        self.lacking = self.need - sum(reckoning.markers[kind] for kind in units)
        """Those that the units on the battlefield won't give."""
        self.left = sum(table.fortress)
        self.to_come = self._to_come()
        self.rounds = self._rounds()
        self.net = max(0.0, self.to_come.points - ABSORBED * self.free)
        """Of that, what will reach the gods."""
        self.later = self._later()
        """Damage that will reach the gods in later rounds."""
        self.price = min(DEAR, max(CHEAP, THRIFT * (self.net + self.later) / max(1, self.left)))
        """Worth of a fortress point: little where there are more than the attacks to come will take."""
        self.urgency = self._urgency()
        self.marker = MARKER * (1 + URGENCY * max(0.0, self.urgency - LEISURE))
        self._worth: dict[int, float] = {}
        self._effects: dict[int, float] = {NONE: 0.0}

    def _to_come(self) -> Blow:
        """Damage of the siege line, as far as it isn't resolved, and of an unknown one where none lies."""
        table, mean, blows = self.table, self.reckoning.mean, self.reckoning.blows
        blow = Blow()
        line = table.line[waiting(table) :]
        for entry in line:
            blow = blow.plus(blows[entry >> KIND_SHIFT] if entry & KNOWN else mean)
        return blow if line or table.phase == ATTACKS else blow.plus(mean, self.line)

    def _rounds(self) -> float:
        """Rounds of attacks to come after this one, where the team plays for markers and little else."""
        table = self.table
        longest = len(table.siege_deck) // self.line + 1
        return min(longest, max(0.5, self.lacking / (PACE * table.players * plays(table.players))))

    def _later(self) -> float:
        mean = self.reckoning.mean
        return self.rounds * (self.line * mean.points - min(self.free, self.line * mean.warriors) * ABSORBED)

    def _urgency(self) -> float:
        """Share of the cards that can still be played in time that must become markers."""
        table = self.table
        rounds = len(table.siege_deck) // self.line + (table.phase >= SIEGE)
        return self.lacking / max(1, rounds * table.players * plays(table.players))

    def chance(self) -> float:
        """Chance of a team that plays by these rules of thumb to win, at the beginning of a round's Planning."""
        odds = EVEN + LEFT * self.left + TO_COME * self.net + LATER * self.later + URGENT * self.urgency
        return 1 / (1 + math.exp(-odds - MATES * self.table.players))

    # ---- cards ----

    def unit(self, kind: int) -> float:
        """What a unit on the battlefield is worth."""
        if kind not in self._worth:
            self._worth[kind] = max(self.kept(kind), self.ability(kind))
        return self._worth[kind]

    def kept(self, kind: int) -> float:
        """What it is worth there, unused."""
        return max(self.offering(kind), self.shield(kind))

    def offering(self, kind: int) -> float:
        """For a sacrifice to Quetzalcoatl."""
        return self.marker * min(self.reckoning.markers[kind], self.need)

    def shield(self, kind: int) -> float:
        """For the damage that it takes."""
        reckoning = self.reckoning
        if not reckoning.is_shield[kind]:
            return PRIEST
        uncovered = max(0.0, self.line * reckoning.mean.warriors - self.free)
        every_round = SHIELD * min(reckoning.spare[kind], uncovered)
        return self.price * (every_round * self.rounds + BODY + FALLING * reckoning.leaves_hurt[kind])

    def ability(self, kind: int) -> float:
        """For what it does when used."""
        return self.effect(self.variant.use[kind])

    def in_hand(self, kind: int) -> float:
        """What it is worth to play a card. Moctezuma is safest in a hand."""
        return -LOST / 10 if kind == self.variant.moctezuma else self.unit(kind)

    def threat(self, kind: int) -> float:
        """What it is worth to be rid of a conquistador of the siege line."""
        blow = self.reckoning.blows[kind]
        absorbed = min(1.0, self.free / max(0.1, self.to_come.warriors)) * blow.warriors
        return self.price * (blow.points - absorbed * 0.7)

    # ---- effects ----

    def effect(self, script: int) -> float:
        """What an effect is worth to the team."""
        if script not in self._effects:
            steps = enumerate(self.variant.scripts[script])
            self._effects[script] = sum(self._step(script, place, step) for place, step in steps)
        return self._effects[script]

    def _step(self, script: int, place: int, step: AnyStep | AfterUse) -> float:
        branches = self.variant.branches
        match step:
            case Either():
                return max(map(self.effect, branches[script, place]))
            case If():
                then, otherwise = branches[script, place]
                return self.effect(then if holds(self.table, step.test) else otherwise)
            case Together():
                return self.effect(branches[script, place][0])
            case Move():
                return self._move(step)
            case Fortress():
                return self._gained(step) if step.points > 0 else self._lost(step)
        return self._plain(step)

    def _plain(self, step: AnyStep | AfterUse) -> float:
        match step:
            case Draw():
                number = step.cards * (self.table.players if step.who == "each" else 1)
                return DRAWN * min(number, len(self.table.deck))
            case Marker():
                return self.marker * min(step.count, self.need) + LOST * (step.count >= self.need)
            case Ward():
                return WARDED * self.price * max(0.0, min(step.points, self._aimed(step)))
            case Reveal():
                return SEEN * step.cards
            case Attack():
                return -self.price * step.damage
            case Extra():
                return -self.price * step.cards * self.reckoning.mean.points
        return 0.0

    def _aimed(self, ward: Ward) -> float:
        """Damage that a ward could stop."""
        match ward.against:
            case "warrior":
                return self.to_come.warriors - self.free
            case "priest":
                return self.to_come.priests
        return self.to_come.points - self.free

    def _gained(self, step: Fortress) -> float:
        gods = zip(self.variant.first_fortress, self.table.fortress, self.table.gods, strict=True)
        return self.price * min(step.points, max(first - now for first, now, god in gods if god != NONE))

    def _lost(self, step: Fortress) -> float:
        fatal = step.god == "quetzalcoatl" and self.table.fortress[QUETZALCOATL] <= -step.points
        return self.price * step.points * (GODS_IN_PLAY if step.god == "each" else 1) - LOST * fatal

    def _move(self, step: Move) -> float:
        table, matching = self.table, self.variant.matching(step.cards)
        match step.source, step.to:
            case "line_open", _:
                threats = sorted((self.threat(kind) for kind in self._in_the_open() if kind in matching), reverse=True)
                return sum(threats[: step.count])
            case "line_hidden", _:
                hidden = any(entry & OPEN != OPEN for entry in table.line[waiting(table) :])
                return UNSURE * self.price * self.reckoning.mean.points * hidden
            case "mictlan", "hand" if matching & set(table.mictlan):
                return LOST if self.variant.moctezuma in matching & set(table.mictlan) else RECOVERED * step.count
            case "eagles", "battlefield":
                return max(map(self.unit, table.eagles), default=0.0)
            case _, "battlefield":
                return PLAYED
            case _, "line_end":
                return -self.price * self.reckoning.mean.points * step.count
        return 0.0

    def _in_the_open(self) -> list[int]:
        line = self.table.line[waiting(self.table) :]
        return [entry >> KIND_SHIFT for entry in line if entry & OPEN == OPEN]
