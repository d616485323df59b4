"""Sets of cells as Python ints: bit i stands for cell i (see `board.Board` for how cells are numbered).

Every function takes the stride: the distance between a cell and the one below it. Bits that are shifted outside the
grid fall on the frame of lake around it, so a result must be masked with an area before it means anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


def cells(mask: int) -> Iterator[int]:
    """The cells of a mask in ascending order, which is reading order."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


def first_cell(mask: int) -> int:
    """The first cell of a mask that isn't empty, in reading order."""
    return (mask & -mask).bit_length() - 1


def beside(mask: int, stride: int) -> int:
    """The cells that touch the mask orthogonally; some may lie in it."""
    return mask << 1 | mask >> 1 | mask << stride | mask >> stride


def flood(seed: int, area: int, stride: int) -> int:
    """All of `area` that is joined orthogonally to `seed`, a part of it."""
    while True:
        grown = (seed | seed << 1 | seed >> 1 | seed << stride | seed >> stride) & area
        if grown == seed:
            return seed
        seed = grown


def regions(area: int, stride: int) -> Iterator[int]:
    """The orthogonally joined parts of an area, in the reading order of their first cells."""
    while area:
        part = flood(area & -area, area, stride)
        yield part
        area ^= part


def joined(wanted: int, area: int, stride: int) -> bool:
    """Whether all cells of `wanted` (a part of `area`, not empty) are joined within `area`. Stops once it is sure."""
    seed = wanted & -wanted
    while wanted & ~seed:
        grown = (seed | seed << 1 | seed >> 1 | seed << stride | seed >> stride) & area
        if grown == seed:
            return False
        seed = grown
    return True


class Picker(Generic[T]):
    """Collects what belongs to the cells of a mask: an action on each, a name of each.

    Going through a mask bit by bit costs more than all rules together. So the collection for every byte of a mask, of
    256 possible ones, is made once and kept; picking a hundred cells then takes two microseconds.
    """

    def __init__(self, size: int, make: Callable[[int], T]) -> None:
        """`size` is the number of cells; `make` gives what belongs to one."""
        self._bytes = tuple(_Byte(first, make) for first in range(0, size, 8))

    def add(self, collected: list[T], mask: int) -> None:
        """Append what belongs to each cell of the mask, in reading order."""
        if mask:
            for byte, value in zip(self._bytes, mask.to_bytes(len(self._bytes), "little"), strict=True):
                if value:
                    collected += byte[value]

    def __call__(self, mask: int) -> list[T]:
        """What belongs to the cells of the mask, in reading order."""
        collected: list[T] = []
        self.add(collected, mask)
        return collected


class _Byte(dict[int, tuple[T, ...]]):
    """The collections for one byte, by its value; each is made when it is first asked for."""

    def __init__(self, first: int, make: Callable[[int], T]) -> None:
        super().__init__()
        self._first = first
        self._make = make

    def __missing__(self, value: int) -> tuple[T, ...]:
        made = tuple(self._make(self._first + bit) for bit in range(8) if value >> bit & 1)
        self[value] = made
        return made
