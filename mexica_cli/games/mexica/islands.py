"""New boards: random islands that are fair to all starting spaces.

An island grows from its middle, space by space, where it already surrounds most; spurs and puddles that this leaves are
taken away and filled. Then the palace is put where its starting spaces have the land at the most equal distance. What
comes out is looked at, and made anew until it is fair and has room for the neutral temples of a game of two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica import bits
from mexica_cli.games.mexica.board import Board, make_board
from mexica_cli.games.mexica.rule_files import shipped_rules
from mexica_cli.games.mexica.setup import neutral_room
from mexica_cli.games.mexica.variant import Variant

STARTS = {"cross": (1, 7, 3, 5), "square": (1, 7, 3, 5, 0, 8, 2, 6)}
"""Around the palace's centre, of nine spaces in reading order: those that may become starting spaces, first ones first.
With the centre they are the palace."""

UNFAIRNESS = 0.05
"""How much the mean distances of the land from two starting spaces may differ, as a share of them."""
ROOM = 0.05
"""In what share of random draws the neutral temples must fit."""

_ISLANDS = 80
"""Tries before the wish is called impossible."""
_DRAWS = 60
_LOOKS = (2, 3, 4)
"""Spaces of the coast that are looked at for each that becomes land, by island: the more, the rounder it gets."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What an island should be like."""

    rows: int = 14
    columns: int = 21
    size: int = 192
    """Spaces of land, palace included."""
    starts: int = 4
    palace: Literal["cross", "square"] = "cross"
    """A centre with four arms, or a square of nine."""
    neutral: bool = True
    """Room for the neutral temples of a game of two under the official rules."""


def make_island(wish: Wish, seed: int, name: str) -> Board:
    """The island of that seed: always the same one. Raises RuleError for a wish that can't be granted."""
    _check(wish)
    grid = _Grid(wish)
    for attempt in range(_ISLANDS):
        chance = Chance(derive_seed("island", seed, attempt))
        land = grid.grow(chance)
        rows = grid.with_palace(land) if land else None
        if rows is not None:
            board = make_board(rows, name, name)
            if not wish.neutral or _has_room(board, chance):
                return board
    raise RuleError(f"no island came out in {_ISLANDS} tries that {_what_was_wished(wish)}")


def _what_was_wished(wish: Wish) -> str:
    wanted = f"has {wish.size} spaces of land within {wish.rows} rows and {wish.columns} columns and is fair"
    if wish.neutral:
        wanted += ", with room for neutral temples (some 150 spaces have it; do without it for games of three and four)"
    return f"{wanted}; give another size, or more rows and columns"


def _check(wish: Wish) -> None:
    most, cells = len(STARTS[wish.palace]), wish.rows * wish.columns
    if not 1 <= wish.starts <= most:
        raise RuleError(f"starts: a palace of the form {wish.palace} has 1 to {most} starting spaces")
    if wish.size > cells:
        raise RuleError(
            f"size: {wish.rows} rows of {wish.columns} have only {cells} spaces; give a smaller size or more of them"
        )


def _has_room(board: Board, chance: Chance) -> bool:
    variant = Variant("official", shipped_rules("official"), board)
    return neutral_room(variant, chance, _DRAWS) >= ROOM * _DRAWS


class _Grid:
    """The cells that an island may take, numbered as in `board.Board`."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._stride = wish.columns + 1
        row = (1 << wish.columns) - 1
        self._cells = sum(row << self._stride * number for number in range(1, wish.rows + 1))

    # ---- land ----------------------------------------------------------------------------------------------------

    def grow(self, chance: Chance) -> int | None:
        """The land of an island without spurs and puddles; None if it didn't come to that."""
        middle = (self._wish.rows // 2 + 1) * self._stride + self._wish.columns // 2
        land = 1 << middle
        looks = _LOOKS[chance.below(len(_LOOKS))]
        for _ in range(20):
            land = self._tidy(self._spread(land, chance, looks))
            if land.bit_count() == self._wish.size and self._tidy(land) == land:
                return land
            land = self._shrink(land, chance, looks)
        return None

    def _spread(self, land: int, chance: Chance, looks: int) -> int:
        """Add spaces up to the size."""
        while land.bit_count() < self._wish.size:
            coast = list(bits.cells(bits.beside(land, self._stride) & self._cells & ~land))
            looked_at = [coast[chance.below(len(coast))] for _ in range(looks)]
            land |= 1 << max(looked_at, key=lambda cell: self._around(land, cell))
        return land

    def _shrink(self, land: int, chance: Chance, looks: int) -> int:
        """Take spaces away down to the size."""
        while land.bit_count() > self._wish.size:
            coast = [cell for cell in bits.cells(land) if self._around(land, cell) < 8]
            cell = min(
                (coast[chance.below(len(coast))] for _ in range(looks)), key=lambda cell: self._around(land, cell)
            )
            land ^= 1 << cell
        return land

    def _around(self, land: int, cell: int) -> int:
        """How many of the eight neighbours of a cell are land."""
        row = 1 << cell | 1 << cell + 1 | 1 << cell - 1
        return ((row | row << self._stride | row >> self._stride) & ~(1 << cell) & land).bit_count()

    def _tidy(self, land: int) -> int:
        """The largest piece, without puddles, and without spaces that have but one neighbour."""
        stride = self._stride
        land = max(bits.regions(land, stride), key=int.bit_count)
        sea = (1 << stride * (self._wish.rows + 2)) - 1 & ~land
        land |= sea & ~bits.flood(1, sea, stride)
        while spurs := sum(1 << cell for cell in bits.cells(land) if self._beside(land, cell) < 2):
            land &= ~spurs
        return land

    def _beside(self, land: int, cell: int) -> int:
        return (bits.beside(1 << cell, self._stride) & land).bit_count()

    # ---- palace --------------------------------------------------------------------------------------------------

    def with_palace(self, land: int) -> list[str] | None:
        """The rows of the board with the palace in its fairest place; None if no place is fair."""
        places = [(self._unfairness(land, centre), centre) for centre in self._centres(land)]
        unfairness, centre = min(places, default=(1.0, 0))
        return self._rows(land, centre) if unfairness <= UNFAIRNESS else None

    def _centres(self, land: int) -> Iterator[int]:
        """Where a palace has land on all sides: one space around the square that holds it."""
        stride, room = self._stride, land
        for _ in range(2):
            room &= room << 1 & room >> 1
            room &= room << stride & room >> stride
        return bits.cells(room)

    def _starts(self, centre: int) -> list[int]:
        return [self._ninth(centre, n) for n in STARTS[self._wish.palace][: self._wish.starts]]

    def _ninth(self, centre: int, n: int) -> int:
        """One of the nine cells around a centre, in reading order."""
        return centre + (n // 3 - 1) * self._stride + n % 3 - 1

    def _unfairness(self, land: int, centre: int) -> float:
        """The difference between the farthest and the nearest starting space, by mean distance, as a share of it."""
        distances = [self._distance(land, start) for start in self._starts(centre)]
        return (max(distances) - min(distances)) / min(distances)

    def _distance(self, land: int, start: int) -> int:
        """The steps to every space of the land, added up."""
        reached, total = 1 << start, 0
        while left := land & ~reached:
            total += left.bit_count()
            reached |= bits.beside(reached, self._stride) & land
        return total

    def _rows(self, land: int, centre: int) -> list[str]:
        palace = (centre, *(self._ninth(centre, n) for n in STARTS[self._wish.palace]))
        symbols = dict.fromkeys(palace, "C") | dict.fromkeys(self._starts(centre), "S")
        return [
            "".join(
                symbols.get(cell, "#" if land >> cell & 1 else ".")
                for cell in range(row * self._stride, row * self._stride + self._wish.columns)
            )
            for row in range(1, self._wish.rows + 1)
        ]
