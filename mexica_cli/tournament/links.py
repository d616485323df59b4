"""Who can be compared with whom: the graph behind the ratings. Players are numbers from 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Links = Iterable[tuple[int, int]]
"""From one player to another."""


def groups_of(players: int, met: Links) -> list[int]:
    """The group of each player, of those whom chains of meetings link; the largest is 0, then by their first player."""
    reach = _reach(players, [*met, *((b, a) for a, b in met)])
    groups = sorted(set(reach), key=lambda members: (-len(members), min(members)))
    return [groups.index(members) for members in reach]


def firm_of(players: int, not_lost: Links, groups: Sequence[int]) -> set[int]:
    """The players whose strengths are finite without a prior, against most of their group.

    That is so among players of whom each has a chain of wins or ties to each other (L. R. Ford, American Mathematical
    Monthly 64, 1957): the largest such circle of each group, if one is largest. `not_lost` links a player to those whom
    he once came before or level with.
    """
    reach = _reach(players, not_lost)
    circles = [frozenset(other for other in reach[player] if player in reach[other]) for player in range(players)]
    firm: set[int] = set()
    for group in set(groups):
        inside = {circle for circle, own in zip(circles, groups, strict=True) if own == group}
        largest = max(map(len, inside))
        if [len(circle) for circle in inside].count(largest) == 1:
            firm |= max(inside, key=len)
    return firm


def _reach(players: int, links: Links) -> list[frozenset[int]]:
    """Whom each player can get to, itself included (Warshall's algorithm)."""
    reach = [{player} for player in range(players)]
    for player, other in links:
        reach[player].add(other)
    for middle in range(players):
        for others in reach:
            if middle in others:
                others.update(reach[middle])
    return list(map(frozenset, reach))
