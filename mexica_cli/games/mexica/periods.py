"""Turns, rounds, periods and the end: what follows when something is over."""

from __future__ import annotations

from mexica_cli.games.game import JsonDict
from mexica_cli.games.mexica import scoring
from mexica_cli.games.mexica.table import OVER, TURN, Table, with_entry

Entries = list[JsonDict]


def start_turn(table: Table, seat: int) -> None:
    """Give the turn to a seat."""
    table.phase = TURN
    table.seat = table.voter = seat
    table.turn += 1
    table.ap = table.variant.rules.action_points + table.kept[seat]
    table.kept = with_entry(table.kept, seat, 0)
    table.taken = 0
    table.proposed = ()


def end_turn(table: Table) -> Entries:
    """The turn is over; so may be the round and the period."""
    kept = min(table.ap, table.variant.rules.kept_points)
    table.kept = with_entry(table.kept, table.seat, kept)
    if table.seat + 1 < table.players:
        start_turn(table, table.seat + 1)
        return []
    return _end_round(table)


def _end_round(table: Table) -> Entries:
    rules = table.variant.rules
    if rules.stall_rounds:
        table.quiet = 0 if table.busy else table.quiet + 1
    if rules.period_end == "round" and _period_is_over(table):
        return _end_period(table)
    if rules.stall_rounds and table.quiet >= rules.stall_rounds:
        return [{"what": "stalled", "rounds": table.quiet}, *_end_period(table)]
    if rules.round_limit and table.round >= rules.round_limit * table.period:
        return [{"what": "round_limit", "round": table.round}, *_end_period(table)]
    table.busy = False
    table.round += 1
    start_turn(table, 0)
    return []


def check_at_once(table: Table) -> Entries:
    """End the period in mid-turn where the rules say so."""
    if table.variant.rules.period_end == "at_once" and _period_is_over(table):
        return _end_period(table)
    return []


def _period_is_over(table: Table) -> bool:
    empty_display = not table.display
    empty_hand = any(not any(hand) for hand in table.hands)
    if table.variant.rules.period_end_needs == "both":
        return empty_display and empty_hand
    return empty_display or empty_hand


def _end_period(table: Table) -> Entries:
    """Score, and begin the next period or end the game. Tokens still on display leave the game."""
    entries = [_retired(size, "end") for size in table.display] + scoring.score_period(table)
    table.display, table.later = table.later, ()
    if table.period == 2:
        table.phase = OVER
        return [*entries, {"what": "over", "ranking": scoring.ranking(table)}]
    table.period = 2
    table.round += 1
    new = table.variant.rules.temples[1]
    table.hands = tuple(tuple(map(sum, zip(hand, new, strict=True))) for hand in table.hands)
    return [*entries, {"what": "period", "period": 2}, *begin_period(table)]


def begin_period(table: Table) -> Entries:
    """The first turn of a period, after the tokens that fit nowhere have left."""
    table.quiet, table.busy = 0, False
    start_turn(table, 0)
    return retire_automatically(table) + check_at_once(table)


def retire_automatically(table: Table) -> Entries:
    """Take the tokens off the display that no district can fit any more (reading 13)."""
    if not table.display or not table.variant.rules.automatic_retirement:
        return []
    remaining = _fitting(table)
    if remaining == table.display:
        return []
    gone = list(table.display)
    for size in remaining:
        gone.remove(size)
    table.display = remaining
    table.busy = True
    return [_retired(size, "automatic") for size in gone]


def _fitting(table: Table) -> tuple[int, ...]:
    """The sizes on display that stay."""
    if any(table.tiles):
        largest = max(map(int.bit_count, table.unfounded), default=0)
        return tuple(size for size in table.display if size <= largest)
    usable = [mask.bit_count() for mask in table.unfounded if _has_room(table, mask)]
    stay: list[int] = []
    for size in table.display:
        if stay.count(size) < usable.count(size):
            stay.append(size)
    return tuple(stay)


def _has_room(table: Table, district: int) -> bool:
    """Room for a token and, on another space, for a pawn."""
    free = district & ~table.temples
    return free.bit_count() >= 2 and bool(free & ~table.variant.board.palace)


def retire_by_vote(table: Table, size: int) -> Entries:
    """All agreed: one token of that size leaves the display (reading 12)."""
    at = table.display.index(size)
    table.display = table.display[:at] + table.display[at + 1 :]
    table.busy = True
    return [_retired(size, "vote"), *check_at_once(table)]


def _retired(size: int, by: str) -> JsonDict:
    return {"what": "retired", "size": size, "by": by}
