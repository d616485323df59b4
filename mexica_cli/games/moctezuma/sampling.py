"""Imagining what a seat can't see: a state as like as any other that looks the same to it.

What is mixed is sorted first, so that the outcome follows from what the seat sees and from chance alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from mexica_cli.games.chance import Chance
from mexica_cli.games.moctezuma.play import go_on
from mexica_cli.games.moctezuma.table import KIND_SHIFT, KNOWN, AnyTable, Table, with_one, without


def sample_hidden(table: AnyTable, seat: int | None, chance: Chance) -> AnyTable:
    """A copy in which all that `seat` (None: a spectator) can't see is drawn anew, every possibility as likely.

    Of two states that look the same to the seat, the same chance makes the same copy.
    """
    new = table.copy()
    _mix_picks(new, seat, chance)
    _mix_mexica(new, seat, chance)
    _mix_conquistadors(new, chance)
    new.parts = (*new.parts[:1], *chance.shuffled(sorted(new.parts[1:])))
    new.chance = chance.below(1 << 53)
    go_on(new, [])
    return new


def _mix_picks(table: Table, seat: int | None, chance: Chance) -> None:
    """Which cards of a hand another seat has chosen in Planning."""
    for other in range(table.players):
        if other != seat and (number := len(table.picks[other])):
            held = sorted((*table.hands[other], *table.picks[other]), key=lambda entry: (entry & KNOWN, entry))
            mixed = chance.shuffled(held)
            _set_hand(table, other, mixed[number:])
            _set_picks(table, other, mixed[:number])


def _mix_mexica(table: Table, seat: int | None, chance: Chance) -> None:
    """The cards of the Mexica deck and of other hands, but for those that everybody knows."""
    others = [other for other in range(table.players) if other != seat]
    zones = [table.deck, *(zone for other in others for zone in (table.hands[other], table.picks[other]))]
    unseen = iter(chance.shuffled(sorted(entry for zone in zones for entry in zone if not entry & KNOWN)))
    table.deck = _replaced(table.deck, unseen)
    for other in others:
        _set_hand(table, other, _replaced(table.hands[other], unseen))
        _set_picks(table, other, _replaced(table.picks[other], unseen))
        _choose_known(table, other)


def _choose_known(table: Table, seat: int) -> None:
    """Of cards alike, known ones are chosen first (`zones.from_hand`): so it must be in what is imagined."""
    hand, picks = table.hands[seat], table.picks[seat]
    for entry in picks:
        known = entry | KNOWN
        if entry != known and known in hand:
            hand, picks = with_one(without(hand, known), entry), with_one(without(picks, entry), known)
    _set_hand(table, seat, hand)
    _set_picks(table, seat, picks)


def _replaced(zone: tuple[int, ...], unseen: Iterator[int]) -> tuple[int, ...]:
    return tuple(entry if entry & KNOWN else next(unseen) for entry in zone)


def _mix_conquistadors(table: Table, chance: Chance) -> None:
    """The face-down conquistadors. What the advanced deck left out is unknown too, but that it isn't Cortés."""
    cortes = table.variant.cortes << KIND_SHIFT
    unseen = chance.shuffled(sorted(entry for entry in (*table.siege_deck, *table.line) if not entry & KNOWN))
    if table.variant.options.deck == "advanced":
        number = len(table.box)
        pool = chance.shuffled(sorted([kind << KIND_SHIFT for kind in table.box] + [e for e in unseen if e != cortes]))
        table.box = tuple(sorted(entry >> KIND_SHIFT for entry in pool[:number]))
        unseen = chance.shuffled(pool[number:] + [entry for entry in unseen if entry == cortes])
    rest = iter(unseen)
    table.siege_deck = _replaced(table.siege_deck, rest)
    table.line = _replaced(table.line, rest)


def _set_hand(table: Table, seat: int, entries: tuple[int, ...] | list[int]) -> None:
    table.hands = (*table.hands[:seat], tuple(sorted(entries)), *table.hands[seat + 1 :])


def _set_picks(table: Table, seat: int, entries: tuple[int, ...] | list[int]) -> None:
    table.picks = (*table.picks[:seat], tuple(sorted(entries)), *table.picks[seat + 1 :])
