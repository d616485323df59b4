"""Places at the end of a match, seats that forfeited included."""

from __future__ import annotations

from collections.abc import Sequence

Forfeits = Sequence[Sequence[int]]
"""The seats that forfeited, in that order; those of one inner list did so at the same time."""


def is_decided(players: int, forfeits: Forfeits, *, cooperative: bool) -> bool:
    """Whether forfeits alone have ended the match.

    They have when at most one seat is left of those that began it; a team goes on until nobody is left.
    """
    left = players - sum(map(len, forfeits))
    return bool(forfeits) and left <= (0 if cooperative else 1)


def final_ranking(players: int, forfeits: Forfeits, ranking: Sequence[int] | None, *, cooperative: bool) -> list[int]:
    """Place by seat: 1 is best, ties share a place and the next places are skipped.

    Who forfeited comes after all others, the first to go last; who went at the same time shares a place. In a
    cooperative game a team that has lost stands behind the game itself, which is first: its places begin at 2.
    `ranking` is `State.ranking` of the last state, None where the game is not over; then the forfeits must have decided
    the match. Raises ValueError otherwise.
    """
    gone = {seat for group in forfeits for seat in group}
    left = [seat for seat in range(players) if seat not in gone]
    if ranking is None and not is_decided(players, forfeits, cooperative=cooperative):
        raise ValueError(f"the game is not over and {len(left)} of {players} seats are left")
    order = [0] * players if ranking is None else ranking
    ahead = int(cooperative and (ranking is None or min(ranking) > 1))
    places = [1 + ahead + sum(order[other] < order[seat] for other in left) for seat in range(players)]
    better = ahead + len(left)
    for group in reversed(forfeits):
        for seat in group:
            places[seat] = better + 1
        better += len(group)
    return places


def team_won(won: bool | None, *, cooperative: bool) -> bool | None:
    """Whether the team has won, `won` being `State.won` of the last state: a team that nobody is left of has lost."""
    return bool(won) if cooperative else None
