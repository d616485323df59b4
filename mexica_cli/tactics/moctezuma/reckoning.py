"""What follows from the cards of a game alone, reckoned once: a judgement for bots, not a rule."""

from __future__ import annotations

from typing import NamedTuple

from mexica_cli.games.moctezuma import walking
from mexica_cli.games.moctezuma.cards import Conquistador, Unit
from mexica_cli.games.moctezuma.language import AnyStep, Attack, Fortress, Leave, Move
from mexica_cli.games.moctezuma.variant import QUETZALCOATL, Variant

GODS_IN_PLAY = 3


class Blow(NamedTuple):
    """Points of damage to be expected, by whom they are aimed at."""

    warriors: float = 0
    priests: float = 0
    gods: float = 0

    @property
    def points(self) -> float:
        """All of them."""
        return self.warriors + self.priests + self.gods

    def plus(self, other: Blow, times: float = 1) -> Blow:
        """Both, the other one so many times."""
        warriors, priests, gods = other
        return Blow(self.warriors + times * warriors, self.priests + times * priests, self.gods + times * gods)


RISEN = Blow(0.8, 0.25, 0.25)
"""Of a card that joins the siege line from a pile, whichever it is."""


class Reckoning:
    """Look-up by kind of card. It is made for one variant, and all its states share it."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        kinds = range(len(variant.kinds))
        self.blows = [_blow_of(card.resolve) if isinstance(card, Conquistador) else Blow() for card in variant.kinds]
        """What a conquistador does."""
        self.mean = self._mean()
        """Of a conquistador of which nothing is known."""
        self.leaves_hurt = [self._leaves_hurt(kind) for kind in kinds]
        """Whether a unit that is hurt leaves when the attacks are over."""
        self.spare = [0 if self.leaves_hurt[kind] else max(0, variant.resistance[kind] - 1) for kind in kinds]
        """Points of damage that a unit can take in every round and stay."""
        self.markers = [self._markers(kind) for kind in kinds]
        """Markers that a sacrifice of the unit to Quetzalcoatl gives."""
        self.is_shield = [kind in variant.targets["warrior"] for kind in kinds]
        """Whether attacks on warriors can hit it."""
        self.breadth = [sum(kind in variant.targets[name] for name in ("warrior", "priest")) for kind in kinds]
        """Of how many sorts the attacks are that can hit it."""

    def _mean(self) -> Blow:
        variant = self.variant
        every = variant.all_of("conquistador", "cortes")
        deck = [kind for kind in every if variant.options.deck == "advanced" or kind not in variant.special]
        mean = Blow()
        for kind in deck:
            mean = mean.plus(self.blows[kind], 1 / len(deck))
        return mean

    def _leaves_hurt(self, kind: int) -> bool:
        scripts = self.variant.scripts
        return any(
            when == "attacks_end" and test is not None and test.hurt and isinstance(scripts[script][0], Leave)
            for when, test, script in self.variant.triggers[kind]
        )

    def _markers(self, kind: int) -> int:
        card = self.variant.kinds[kind]
        if not isinstance(card, Unit) or QUETZALCOATL not in self.variant.offered_to[kind]:
            return 0
        return 1 + card.extra_markers


def _blow_of(steps: list[AnyStep]) -> Blow:
    blow = Blow()
    for _, step in walking.walk((), steps):
        blow = blow.plus(_blow(step))
    return blow


def _blow(step: AnyStep) -> Blow:
    match step:
        case Attack(on="warrior"):
            return Blow(warriors=step.damage)
        case Attack(on="priest"):
            return Blow(priests=step.damage)
        case Attack(on="unit"):
            return Blow(warriors=step.damage / 2, priests=step.damage / 2)
        case Attack():
            return Blow(gods=step.damage)
        case Fortress() if step.points < 0:
            return Blow(gods=-step.points * (GODS_IN_PLAY if step.god == "each" else 1))
        case Move(to="line_end"):
            return Blow().plus(RISEN, step.count)
    return Blow()
