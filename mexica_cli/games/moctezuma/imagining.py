"""Imagining a whole state from what a seat sees of it, for who has an observation and no more.

What is seen is put where it lies; the cards that aren't seen fill the gaps in any way, and `sample_hidden` draws them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import JsonDict, RuleError
from mexica_cli.games.moctezuma.observation import Card, FieldUnit, MoctezumaState, Pile, Resolving, Soldier
from mexica_cli.games.moctezuma.rules import LEFT_OUT, SEATS
from mexica_cli.games.moctezuma.sampling import sample_hidden
from mexica_cli.games.moctezuma.setup import empty_table
from mexica_cli.games.moctezuma.table import (
    DAMAGE_SHIFT,
    FRESH_SHIFT,
    KIND_SHIFT,
    KNOWN,
    OPEN,
    OUTCOMES,
    PHASES,
    UNDER_WAY,
    WARDS,
    AnyTable,
    Frame,
    Table,
)
from mexica_cli.games.moctezuma.variant import GODS, Variant


def imagine(table: AnyTable, variant: Variant, state: JsonDict, seat: int | None, chance: Chance) -> AnyTable:
    """A state that looks like the observation `state` to `seat`, made in a new table. Raises RuleError."""
    try:
        seen = msgspec.convert(state, MoctezumaState)
        _fill(table, variant, seen)
    except msgspec.ValidationError as error:
        raise RuleError(f"state: {error}") from None
    except KeyError as unknown:
        raise RuleError(f"state: there is no card {unknown} in this card set") from None
    if seen.seat != seat:
        raise RuleError(f"state: it is what seat {seen.seat} sees, not seat {seat}")
    return sample_hidden(table, seat, chance)


def _fill(table: Table, variant: Variant, seen: MoctezumaState) -> None:
    if not SEATS[0] <= len(seen.hands) <= SEATS[1]:
        raise RuleError(f"state: hands: there are {len(seen.hands)}")
    empty_table(table, variant, len(seen.hands))
    _fill_moment(table, seen)
    _fill_gods(table, seen)
    _fill_mexica(table, seen)
    _fill_conquistadors(table, seen)


def _fill_moment(table: Table, seen: MoctezumaState) -> None:
    table.phase, table.round, table.turn = PHASES.index(seen.phase), seen.round, seen.turn
    table.first, table.seat, table.progress = seen.first, seen.seat_in_turn, seen.progress
    table.asked = seen.seat_in_turn if seen.to_act is None else seen.to_act
    table.outcome = UNDER_WAY if seen.result is None else OUTCOMES.index(seen.result.reason)
    table.stack = tuple(_frame(table.variant, effect) for effect in seen.resolving)
    table.recovered, table.extra = seen.recovered, seen.extra


def _frame(variant: Variant, effect: Resolving) -> Frame:
    if not 0 <= effect.effect < len(variant.scripts) or not 0 <= effect.at < len(variant.scripts[effect.effect]):
        raise RuleError(f"state: resolving: there is no step {effect.at} of effect {effect.effect} in this card set")
    return Frame(effect.effect, effect.at, effect.seat, variant.numbers[effect.card], effect.done)


def _fill_gods(table: Table, seen: MoctezumaState) -> None:
    gods, fortress = list(table.gods), list(table.fortress)
    for god in seen.gods:
        place = GODS.index(god.place)
        gods[place], fortress[place] = table.variant.numbers[god.card], god.fortress
    table.gods, table.fortress = tuple(gods), tuple(fortress)
    parts = seen.invocation
    table.parts = _kinds(table.variant, ([] if parts.open is None else [parts.open]) + parts.covered)
    table.markers = parts.markers
    table.wards = tuple(seen.wards[target] for target in WARDS)


# ---- Mexica cards ------------------------------------------------------------------------------------


def _fill_mexica(table: Table, seen: MoctezumaState) -> None:
    variant = table.variant
    table.mictlan, table.removed = _kinds(variant, seen.mictlan), _kinds(variant, seen.removed)
    table.eagles = _kinds(variant, seen.eagles)
    table.field = tuple(_unit(variant, unit) for unit in seen.battlefield)
    others = [hand for seat, hand in enumerate(seen.hands) if seat != seen.seat]
    placed = [*seen.mictlan, *seen.removed, *seen.eagles, *(unit.card for unit in seen.battlefield)]
    placed += [*(seen.hand or ()), *(seen.chosen or ()), *seen.deck.known.values()]
    placed += [card for hand in others for card in hand.known]
    unseen = _Unseen(variant, _mexica_in_game(variant, seen), placed)
    table.deck = _laid(variant, seen.deck, unseen)
    held = [_own(variant, seen) if seat == seen.seat else _other(variant, seen, seat, unseen) for seat in _seats(seen)]
    table.hands, table.picks = tuple(hand for hand, _ in held), tuple(picks for _, picks in held)
    unseen.close()


def _seats(seen: MoctezumaState) -> range:
    return range(len(seen.hands))


def _mexica_in_game(variant: Variant, seen: MoctezumaState) -> tuple[int, ...]:
    """The Mexica cards in play. Whether eagle warriors are among them follows from the number of all."""
    held = sum(hand.cards + hand.chosen for hand in seen.hands) + seen.deck.cards
    number = held + len(seen.battlefield) + len(seen.mictlan) + len(seen.removed) + len(seen.eagles)
    without_eagles, eagles = variant.all_of("warrior", "moctezuma", "priest"), variant.all_of("eagle")
    return without_eagles + eagles if number == len(without_eagles) + len(eagles) else without_eagles


def _unit(variant: Variant, unit: FieldUnit) -> int:
    return variant.numbers[unit.card] | unit.damage << DAMAGE_SHIFT | unit.fresh << FRESH_SHIFT


def _own(variant: Variant, seen: MoctezumaState) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The viewer's hand and what it has chosen. Of cards alike, known ones are chosen first (`zones.from_hand`)."""
    assert seen.seat is not None
    known = Counter(seen.hands[seen.seat].known)
    picks = _flagged(variant, seen.chosen or (), known)
    return _flagged(variant, seen.hand or (), known), picks


def _flagged(variant: Variant, cards: Iterable[Card], known: Counter[Card]) -> tuple[int, ...]:
    """Entries of cards, as many of each with KNOWN as `known` counts; those are taken off it."""
    entries = []
    for card in cards:
        flag = KNOWN if known[card] > 0 else 0
        known[card] -= 1
        entries.append(variant.numbers[card] << KIND_SHIFT | flag)
    return tuple(sorted(entries))


def _other(
    variant: Variant, seen: MoctezumaState, seat: int, unseen: _Unseen
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The hand of another seat and what it has chosen, in any way that fits."""
    hand = seen.hands[seat]
    held = [variant.numbers[card] << KIND_SHIFT | KNOWN for card in hand.known]
    held += [unseen.next() for _ in range(hand.cards + hand.chosen - len(held))]
    return tuple(sorted(held[hand.chosen :])), tuple(sorted(held[: hand.chosen]))


# ---- conquistadors -----------------------------------------------------------------------------------


def _fill_conquistadors(table: Table, seen: MoctezumaState) -> None:
    variant = table.variant
    every = variant.all_of("conquistador", "cortes")
    table.reserve = _kinds(variant, seen.reserve)
    table.box = tuple(sorted(kind for kind in every if kind in variant.special))
    placed = [*seen.reserve, *seen.siege_deck.known.values(), *(each.card for each in seen.line if each.card)]
    if seen.conquistadors == "beginner":
        placed += [variant.ids[kind] for kind in table.box]
    unseen = _Unseen(variant, every, placed)
    if seen.conquistadors == "advanced":
        table.box = unseen.set_aside(LEFT_OUT, variant.cortes)
    table.siege_deck = _laid(variant, seen.siege_deck, unseen)
    table.line = tuple(_soldier(variant, each, unseen) for each in seen.line)
    unseen.close()


def _soldier(variant: Variant, soldier: Soldier, unseen: _Unseen) -> int:
    if soldier.card is None:
        return unseen.next()
    return variant.numbers[soldier.card] << KIND_SHIFT | (OPEN if soldier.face_up else KNOWN)


# ---- cards that aren't seen ----------------------------------------------------------------------------


class _Unseen:
    """The cards of a deck that an observation places nowhere, to be put into its gaps."""

    def __init__(self, variant: Variant, every: tuple[int, ...], placed: Iterable[Card]) -> None:
        left = Counter(every)
        left.subtract(variant.numbers[card] for card in placed)
        if missing := [variant.ids[kind] for kind, number in left.items() if number < 0]:
            raise RuleError(f"state: {missing[0]!r} is there more often than the game has it")
        self._kinds = sorted(left.elements())

    def next(self) -> int:
        """The entry of a card, face down."""
        if not self._kinds:
            raise RuleError("state: there are more face-down cards than the game has")
        return self._kinds.pop() << KIND_SHIFT

    def set_aside(self, number: int, never: int) -> tuple[int, ...]:
        """Take kinds out, but for one."""
        taken = [kind for kind in self._kinds if kind != never][:number]
        left = Counter(self._kinds) - Counter(taken)
        self._kinds = sorted(left.elements())
        return tuple(taken)

    def close(self) -> None:
        """Refuse that a card is left over."""
        if self._kinds:
            raise RuleError(f"state: {len(self._kinds)} cards lie nowhere")


def _kinds(variant: Variant, cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple(variant.numbers[card] for card in cards)


def _laid(variant: Variant, pile: Pile, unseen: _Unseen) -> tuple[int, ...]:
    """The entries of a deck, its top at the end."""
    return tuple(
        variant.numbers[pile.known[str(place)]] << KIND_SHIFT | KNOWN if str(place) in pile.known else unseen.next()
        for place in reversed(range(pile.cards))
    )
