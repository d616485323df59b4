"""Pairing everyone at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.tournament.matching import can_pair


def by_trying(left: tuple[int, ...], edges: set[tuple[int, int]]) -> bool:
    """The same, by trying every pairing."""
    if not left:
        return True
    first, *others = left
    return any(
        (first, other) in edges and by_trying(tuple(one for one in others if one != other), edges) for other in others
    )


def neighbours(players: int, edges: set[tuple[int, int]]) -> list[list[int]]:
    return [
        [other for other in range(players) if (min(one, other), max(one, other)) in edges] for one in range(players)
    ]


@given(st.data())
def test_it_finds_what_trying_everything_finds(data: st.DataObject) -> None:
    players = data.draw(st.integers(0, 9))
    pairs = [(one, other) for one in range(players) for other in range(one + 1, players)]
    edges = set(data.draw(st.lists(st.sampled_from(pairs), max_size=14))) if pairs else set()
    assert can_pair(neighbours(players, edges)) == by_trying(tuple(range(players)), edges)


@pytest.mark.parametrize("arms", [3, 5])
def test_odd_cycles_shrink(arms: int) -> None:
    """Odd cycles in a row, each hanging on the next: blossoms within blossoms."""
    edges: set[tuple[int, int]] = set()
    size = 0
    for _ in range(arms):
        ring = range(size, size + 5)
        edges |= {(one, one + 1) for one in ring[:-1]} | {(ring[0], ring[-1])}
        edges.add((ring[2], ring[-1] + 1))
        size += 5
    size += 1
    assert can_pair(neighbours(size, edges)) == by_trying(tuple(range(size)), edges) is True
