"""Actions as ints, and how to list whole masks of them.

An action is five fields in one int, lowest first:

    bits 0-3    kind     one of the constants below: `kind(action)` is `action & 15`
    bit  4      axis     H or V, of a bridge or of a canal of two spaces or more; else 0
    bits 5-24   cell     where: the first space of a canal, the space a bridge comes to lie on, a temple's, ...; else 0
    bits 25-    extra    canal: its length; bridge moved: the space it comes from; temple: its level;
                         founding and retiring: the token's size; else 0

An int with a field set that its kind doesn't use is no action. Cells are numbered as in `board.Board`.
"""

from __future__ import annotations

from mexica_cli.games.mexica.bits import Picker
from mexica_cli.games.mexica.board import Board

(
    PLACE,
    CANAL,
    BRIDGE,
    RELOCATE,
    TEMPLE,
    WALK,
    BOAT,
    TELEPORT,
    FOUND,
    TAKE,
    SPEND,
    RETIRE,
    AGREE,
    REFUSE,
    END,
) = range(15)

KINDS = (
    "place",
    "canal",
    "bridge",
    "relocate",
    "temple",
    "walk",
    "boat",
    "teleport",
    "found",
    "take",
    "spend",
    "retire",
    "agree",
    "refuse",
    "end",
)
"""Word of each kind, as in the action's text."""

H, V = 0, 1
"""Axes: east-west and north-south. A bridge's axis is the way it is crossed."""
AXES = ("h", "v")

AXIS_SHIFT, CELL_SHIFT, EXTRA_SHIFT = 4, 5, 25
CELL_BITS = EXTRA_SHIFT - CELL_SHIFT
CELL_MASK = (1 << CELL_BITS) - 1


def encode(kind: int, cell: int = 0, extra: int = 0, axis: int = 0) -> int:
    """The action with these fields."""
    return kind | axis << AXIS_SHIFT | cell << CELL_SHIFT | extra << EXTRA_SHIFT


def kind(action: int) -> int:
    """Its kind, one of the constants of this module."""
    return action & 15


def axis(action: int) -> int:
    """H or V."""
    return action >> AXIS_SHIFT & 1


def cell(action: int) -> int:
    """The cell where it happens."""
    return action >> CELL_SHIFT & CELL_MASK


def extra(action: int) -> int:
    """Length, level, size or origin, by kind."""
    return action >> EXTRA_SHIFT


def canal_mask(action: int, stride: int) -> int:
    """The cells of a canal."""
    step = stride if axis(action) else 1
    return sum(1 << cell(action) + step * n for n in range(extra(action)))


class Lister(dict[int, Picker[int]]):
    """By head, an action without its cell: what turns a mask of cells into the actions there."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self._size = board.size

    def __missing__(self, head: int) -> Picker[int]:
        made = Picker(self._size, lambda cell: head | cell << CELL_SHIFT)
        self[head] = made
        return made
