"""Whether everyone can be paired at once: Edmonds' matching in general graphs (Canadian J. Math. 17, 1965)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

NOBODY = -1


def can_pair(near: Sequence[Sequence[int]]) -> bool:
    """Whether players 0 to n - 1 can all be paired; `near[i]` are those whom i may be paired with, both ways round."""
    return len(near) % 2 == 0 and _Matching(near).complete()


class _Matching:
    """Pairs, as many as found so far. Each comes of an alternating tree, in which odd cycles shrink to their base."""

    def __init__(self, near: Sequence[Sequence[int]]) -> None:
        self._near = near
        self._all = range(len(near))
        self._mate = [NOBODY] * len(near)
        self._parent: list[int]
        self._base: list[int]
        self._queue: deque[int]
        self._queued: list[bool]

    def complete(self) -> bool:
        """Pair one after the other; who can't be paired when it is his turn never can."""
        return all(self._mate[player] != NOBODY or self._augment(player) for player in self._all)

    def _augment(self, root: int) -> bool:
        """Grow a tree from `root` until it reaches somebody without a mate."""
        self._parent = [NOBODY] * len(self._near)
        self._base = list(self._all)
        self._queued = [player == root for player in self._all]
        self._queue = deque([root])
        while self._queue:
            player = self._queue.popleft()
            for other in self._near[player]:
                if self._visit(root, player, other):
                    return True
        return False

    def _visit(self, root: int, player: int, other: int) -> bool:
        """Look along one edge of the tree's outer node `player`; True if that completed a pair."""
        mate = self._mate[other]
        if self._base[player] == self._base[other] or mate == player:
            return False
        if other == root or (mate != NOBODY and self._parent[mate] != NOBODY):
            self._shrink(player, other)
        elif self._parent[other] == NOBODY:
            self._parent[other] = player
            if mate == NOBODY:
                self._flip(other)
                return True
            self._enqueue(mate)
        return False

    def _enqueue(self, player: int) -> None:
        self._queued[player] = True
        self._queue.append(player)

    def _flip(self, end: int) -> None:
        """Swap paired and unpaired along the path from `end` to the root."""
        while end != NOBODY:
            before = self._parent[end]
            following = self._mate[before]
            self._mate[end], self._mate[before] = before, end
            end = following

    def _shrink(self, one: int, other: int) -> None:
        """Make one node of the odd cycle that the edge between two outer nodes closes."""
        base = self._common_base(one, other)
        inside: set[int] = set()
        self._turn(one, base, other, inside)
        self._turn(other, base, one, inside)
        for player in self._all:
            if self._base[player] in inside:
                self._base[player] = base
                if not self._queued[player]:
                    self._enqueue(player)

    def _turn(self, player: int, base: int, child: int, inside: set[int]) -> None:
        """From `player` down to the base, let the tree's edges be passable the other way too."""
        while self._base[player] != base:
            mate = self._mate[player]
            inside |= {self._base[player], self._base[mate]}
            self._parent[player] = child
            child, player = mate, self._parent[mate]

    def _common_base(self, one: int, other: int) -> int:
        path = set(self._way_down(one))
        return next(base for base in self._way_down(other) if base in path)

    def _way_down(self, player: int) -> list[int]:
        """The bases from a node to the root."""
        way = [self._base[player]]
        while (mate := self._mate[way[-1]]) != NOBODY:
            way.append(self._base[self._parent[mate]])
        return way
