"""What the pieces of Mexica stand on, in SVG: lake, canals, land, palace and founded districts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mexica_cli.games.mexica import bits
from mexica_cli.games.mexica.board import Board
from mexica_cli.view.svg_elements import CELL, Point, border, group, line, middle, path, polygon, square

Corners = Callable[[int], list[Point]]
"""The upper left corners of the spaces of a set."""


def ground(board: Board, canals: int, tokens: int, corners: Corners) -> str:
    """The lowest layer; `canals` and `tokens` are sets of cells."""
    land, grid = board.land & ~canals, sum(1 << cell for cell in board.names)
    founded = [mask for mask in bits.regions(land, board.stride) if mask & tokens]
    return group("ground", _parts(board, canals, grid & ~land & ~canals, founded, corners))


def _parts(board: Board, canals: int, lake: int, founded: list[int], corners: Corners) -> Iterator[str]:
    yield path("lake", map(square, corners(lake)))
    yield path("canal", map(square, corners(canals)))
    yield path("waves", map(_waves, corners(canals)))
    yield path("land", map(square, corners(board.land & ~canals & ~board.palace & ~sum(founded))))
    yield path("founded", map(square, corners(sum(founded) & ~board.palace)))
    yield path("hatch", map(_hatch, corners(sum(founded) & ~board.palace)))
    yield path("palace", map(square, corners(board.palace)))
    yield path("starts", map(_start, corners(board.starts)))
    yield path("centre", map(_centre, corners(board.palace & ~board.starts)))
    yield path("banks", border(corners(board.land & ~canals), 0))
    for district in founded:
        yield path("founded-edge", border(corners(district), 3))


def _waves(at: Point) -> str:
    x, y = at
    return "".join(f"M{x + 7:g} {y + down}q4.5 -6 9 0t9 0t9 0" for down in (15, 27))


def _hatch(at: Point) -> str:
    x, y = at
    return line((x, y + CELL / 2), (x + CELL / 2, y)) + line((x + CELL / 2, y + CELL), (x + CELL, y + CELL / 2))


def _start(at: Point) -> str:
    """A ring."""
    x, y = middle(at)
    return f"M{x - 10:g} {y:g}a10 10 0 1 0 20 0a10 10 0 1 0 -20 0Z"


def _centre(at: Point) -> str:
    """A star of four points."""
    x, y = middle(at)
    tips = [(x, y - 14), (x + 14, y), (x, y + 14), (x - 14, y)]
    dents = [(x + 4, y - 4), (x + 4, y + 4), (x - 4, y + 4), (x - 4, y - 4)]
    return polygon(*(point for pair in zip(tips, dents, strict=True) for point in pair))


DETAILS: dict[str, Callable[[Point], str]] = {"waves": _waves, "hatch": _hatch, "starts": _start, "centre": _centre}
"""What is drawn on single spaces, by class: commands of a path for the space at a corner."""
