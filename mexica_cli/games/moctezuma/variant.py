"""Cards and options made ready for play: what all states of a game share and none changes.

A kind is the number of a card among all that differ; cards that are alike are of one kind. Effects become scripts,
numbered tuples of steps; the effects inside a step are scripts of their own (`branches`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property

import msgspec

from mexica_cli.games.game import JsonDict
from mexica_cli.games.moctezuma import walking
from mexica_cli.games.moctezuma.cards import (
    UNITS,
    AnyCard,
    CardSet,
    Conquistador,
    FortressCard,
    GodCard,
    Part,
    Unit,
    cards_of,
    copies,
)
from mexica_cli.games.moctezuma.language import AnyStep, Cards, Influence, Marker, Sacrifice, Step, Together
from mexica_cli.games.moctezuma.rules import Options

ADDITIONAL, QUETZALCOATL = 2, 3
GODS = ("main", "secondary", "additional", "quetzalcoatl")
"""Places of gods, in the order in which damage takes them (reading 2)."""
NONE = -1

_ON_TABLE = (*UNITS, "conquistador", "cortes", "quetzalcoatl", "god", "part")


class AfterUse(Step, frozen=True):
    """Not of the language: an ability has been resolved."""


AnyScripted = AnyStep | AfterUse


class Variant:
    """Cards, options, and what is made ready from them."""

    def __init__(self, cards_name: str, cards: CardSet, options: Options) -> None:
        self.cards_name, self.cards, self.options = cards_name, cards, options
        self.kinds: list[AnyCard] = []
        self.groups: list[str] = []
        for group in _ON_TABLE:
            for card in cards_of(cards, group):
                self.kinds.append(card)
                self.groups.append(group)
        self.ids = [card.id for card in self.kinds]
        self.numbers = {name: kind for kind, name in enumerate(self.ids)}
        self.copies = [copies(card) for card in self.kinds]
        self.first_fortress = _first_fortress(cards.fortress, options)
        self._matching: dict[str | tuple[str, ...], frozenset[int]] = {}
        self._all: dict[tuple[str, ...], tuple[int, ...]] = {}
        self._compile()
        self._look_up()

    # ---- scripts ----

    def _compile(self) -> None:
        self.scripts: list[tuple[AnyScripted, ...]] = []
        self.branches: dict[tuple[int, int], tuple[int, ...]] = {}
        self.together: set[int] = set()
        """Scripts within which nobody looks whether the game has ended (reading 12)."""
        self.after_use = self._script([AfterUse()])
        self.use, self.cost, self.resolve, self.sacrifice, self.extra_markers = (
            [self._effect(card, field) for card in self.kinds]
            for field in ("use", "cost", "resolve", "sacrifice", "extra_markers")
        )
        self.triggers = [
            tuple((t.when, t.test, self._script(t.steps)) for t in walking.triggers(card)) for card in self.kinds
        ]

    def _effect(self, card: AnyCard, field: str) -> int:
        steps = getattr(card, field, None)
        if isinstance(steps, int):
            return self._script([Marker(count=steps)]) if steps else NONE
        return self._script(steps) if steps else NONE

    def _script(self, steps: Iterable[AnyScripted]) -> int:
        number = len(self.scripts)
        self.scripts.append(tuple(steps))
        for place, step in enumerate(self.scripts[number]):
            if isinstance(step, AfterUse):
                continue
            inner = tuple(self._script(nested) if nested else NONE for _, nested in walking.branches(step))
            self.branches[number, place] = inner
            if isinstance(step, Together):
                self.together.update(inner)
        return number

    # ---- look-up by kind ----

    def _look_up(self) -> None:
        kinds = range(len(self.kinds))
        self.units = frozenset(kind for kind in kinds if isinstance(self.kinds[kind], Unit))
        self.conquistadors = frozenset(kind for kind in kinds if isinstance(self.kinds[kind], Conquistador))
        self.special = frozenset(kind for kind in self.conquistadors if self._conquistador(kind).special)
        self.eagles = self.matching("eagle")
        self.cortes = self.groups.index("cortes")
        self.moctezuma = self.groups.index("moctezuma")
        self.resistance = [card.resistance if isinstance(card, Unit) else 0 for card in self.kinds]
        self.values = [card.value if isinstance(card, Part) else 0 for card in self.kinds]
        self.targets = {
            "warrior": frozenset(kind for kind in self.units if "warrior" in self._hit_as(kind)),
            "priest": frozenset(kind for kind in self.units if "priest" in self._hit_as(kind)),
            "unit": self.units,
            "god": frozenset[int](),
        }
        self.offered_to = [self._offered_to(card, group) for card, group in zip(self.kinds, self.groups, strict=True)]
        self.reflective = [self._in_reflection(kind) for kind in kinds]
        self.defensive = [isinstance(card, Unit) and card.use_in != "reflection" for card in self.kinds]
        self.influences = {what: self._influences(what) for what in ("no_redirect", "resistance", "damage")}
        self.unit_influence = any(kind in by_kind for by_kind in self.influences.values() for kind in self.units)
        self.unit_events = {when for kind in self.units for when, _, _ in self.triggers[kind]}

    def _influences(self, what: str) -> dict[int, tuple[Influence, ...]]:
        """By kind, the influences of one kind; cards without any are left out."""
        found = {}
        for kind, card in enumerate(self.kinds):
            if mine := tuple(influence for influence in walking.influences(card) if influence.what == what):
                found[kind] = mine
        return found

    def _conquistador(self, kind: int) -> Conquistador:
        card = self.kinds[kind]
        assert isinstance(card, Conquistador)
        return card

    def _hit_as(self, kind: int) -> list[str]:
        card = self.kinds[kind]
        given = card.hit_as if isinstance(card, Unit) else None
        return list(given) if given is not None else ["priest" if self.groups[kind] == "priest" else "warrior"]

    def _offered_to(self, card: AnyCard, group: str) -> tuple[int, ...]:
        """Places of the gods that a unit can be sacrificed to."""
        if not isinstance(card, Unit):
            return ()
        names = card.sacrifice_to if card.sacrifice_to is not None else (GODS if group == "priest" else ())
        return tuple(place for place, name in enumerate(GODS) if name in names)

    def _in_reflection(self, kind: int) -> bool:
        """Whether a card can be used in Reflection: not one whose ability sacrifices (Reflection)."""
        card = self.kinds[kind]
        if not isinstance(card, Unit) or card.use_in == "defence":
            return False
        return not any(isinstance(step, Sacrifice) for _, step in walking.walk((), card.use))

    def matching(self, cards: Cards) -> frozenset[int]:
        """The kinds that a card word, id, or list of such names."""
        key = cards if isinstance(cards, str) else tuple(cards)
        if key not in self._matching:
            words = (key,) if isinstance(key, str) else key
            self._matching[key] = frozenset(kind for word in words for kind in self._named(word))
        return self._matching[key]

    def _named(self, word: str) -> Iterable[int]:
        groups = {
            "any": _ON_TABLE,
            "unit": UNITS,
            "warrior": ("warrior", "eagle", "moctezuma"),
            "conquistador": ("conquistador", "cortes"),
        }.get(word, (word,))
        return [kind for kind, group in enumerate(self.groups) if group in groups or self.ids[kind] == word]

    def all_of(self, *groups: str) -> tuple[int, ...]:
        """Every card of some groups, as kinds, alike ones as often as they are there."""
        if groups not in self._all:
            every = enumerate(self.groups)
            self._all[groups] = tuple(
                kind for kind, group in every if group in groups for _ in range(self.copies[kind])
            )
        return self._all[groups]

    def god(self, kind: int) -> GodCard:
        """The card of a god."""
        card = self.kinds[kind]
        assert isinstance(card, GodCard)
        return card

    # ---- the whole as JSON ----

    def options_json(self) -> JsonDict:
        """All that makes this game again: `{"options": {...}, "cards": {"name", groups...}}`."""
        cards: JsonDict = msgspec.to_builtins(self.cards)
        return {"options": msgspec.to_builtins(self.options), "cards": {"name": self.cards_name, **cards}}

    @cached_property
    def fingerprint(self) -> bytes:
        """A hash over `options_json`."""
        return hashlib.blake2b(msgspec.json.encode(self.options_json()), digest_size=8).digest()


def _first_fortress(cards: list[FortressCard], options: Options) -> tuple[int, ...]:
    by_god = {card.god: card for card in cards}
    values = [getattr(by_god[god], options.difficulty) for god in GODS]  # type: ignore[index]
    return tuple(values)
