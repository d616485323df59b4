"""A position of Mexica as one SVG that needs nothing else: no script, font, image or network.

The text is a pure function of what is given. Layers are groups with a class each, from `ground` up to `labels`, and
every piece is a group with its cell in `data-cell`, so that a page can restyle, replace or listen to any of them.
Whatever part of the board is shown, a space has the same place in the inner drawing: column and row times `CELL`. No
element has an id, so any number of drawings fit into one page.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mexica_cli.games.mexica import MexicaState
from mexica_cli.games.mexica.board import LETTERS, make_board
from mexica_cli.games.mexica.observation import Cell
from mexica_cli.view import svg_pieces
from mexica_cli.view.scene import Scene, letter
from mexica_cli.view.svg_elements import CELL, Point, element, group, text, words
from mexica_cli.view.svg_ground import ground
from mexica_cli.view.svg_marks import Marks, marked_above, marked_below, marked_between
from mexica_cli.view.svg_style import STYLE

MARGIN = 26
"""The frame around the board, which holds the coordinates."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What of a position is shown, and what is said about it."""

    title: str
    """The name of the picture, for those who can't see it."""
    description: str | None = None
    """What there is to see; None: a list of everything on the board."""
    window: tuple[Cell, Cell] | None = None
    """The upper left and the lower right space that are shown; None: the whole board."""
    caption: str = ""
    """A line below the board."""
    marks: Marks = Marks()


def draw_svg(scene: Scene, view: View) -> str:
    """The position as an SVG document that ends with a line feed."""
    state = scene.observation
    assert isinstance(state, MexicaState)
    rows = scene.options["board"]["rows"]
    window = _Window(view.window or ("a1", f"{LETTERS[len(rows[0]) - 1]}{len(rows)}"))
    width, height = window.width + 2 * MARGIN, window.height + 2 * MARGIN
    parts = [
        words("title", view.title),
        words("desc", describe(state) if view.description is None else view.description),
        element("style", STYLE),
        element("rect", width=width, height=height, rx=8, class_="frame"),
        group("coordinates", window.coordinates()),
        window.clipped(_layers(state, rows, window, view.marks)),
        text((width / 2, height - MARGIN / 2), view.caption, 15, "caption") if view.caption else "",
    ]
    body = "\n".join(["", *filter(None, parts), ""])
    box = f"0 0 {width} {height}"
    svg = "http://www.w3.org/2000/svg"
    return element("svg", body, xmlns=svg, viewBox=box, width=width, height=height, role="img", class_="mexica") + "\n"


class _Window:
    """The part of the board that is shown."""

    def __init__(self, corners: tuple[Cell, Cell]) -> None:
        (self._left, self._top), (self._right, self._bottom) = map(_place, corners)
        self.width = (self._right - self._left + 1) * CELL
        self.height = (self._bottom - self._top + 1) * CELL

    def touches(self, cell: Cell) -> bool:
        """Whether the space is shown, or next to one that is: what lies on it may reach over."""
        column, row = _place(cell)
        return self._left - 1 <= column <= self._right + 1 and self._top - 1 <= row <= self._bottom + 1

    def coordinates(self) -> Iterator[str]:
        """Column letters above, row numbers to the left."""
        for n, column in enumerate(range(self._left, self._right + 1)):
            yield text((MARGIN + (n + 0.5) * CELL, MARGIN / 2), LETTERS[column], 14, "coordinate")
        for n, row in enumerate(range(self._top, self._bottom + 1)):
            yield text((MARGIN / 2, MARGIN + (n + 0.5) * CELL), str(row + 1), 14, "coordinate")

    def clipped(self, layers: list[str]) -> str:
        """The inner drawing, of which the window's part shows."""
        box = f"{self._left * CELL} {self._top * CELL} {self.width} {self.height}"
        inner = "\n".join(["", *filter(None, layers), ""])
        return element("svg", inner, x=MARGIN, y=MARGIN, width=self.width, height=self.height, viewBox=box)


def _layers(state: MexicaState, rows: list[str], window: _Window, marks: Marks) -> list[str]:
    """From the lowest to the highest."""
    board = make_board(rows, "board", "options")

    def corners(mask: int) -> list[Point]:
        return [corner(cell) for cell in board.texts(mask) if window.touches(cell)]

    canals, tokens = (sum(1 << board.numbers[cell] for cell in cells) for cells in (state.canals, state.tokens))
    return [
        ground(board, canals, tokens, corners),
        marked_below(marks, corner),
        group("bridges", (bridge for cell, bridge in _bridges(state) if window.touches(cell))),
        marked_between(marks, corner),
        group("pieces", (piece for cell, piece in _pieces(state) if window.touches(cell))),
        marked_above(marks, corner),
    ]


def corner(cell: Cell) -> Point:
    """The upper left corner of a space in the inner drawing."""
    column, row = _place(cell)
    return column * CELL, row * CELL


def _bridges(state: MexicaState) -> Iterator[tuple[Cell, str]]:
    for cell, axis in state.bridges.items():
        yield cell, svg_pieces.bridge(corner(cell), cell, axis)


def _pieces(state: MexicaState) -> Iterator[tuple[Cell, str]]:
    for cell, size in state.tokens.items():
        yield cell, svg_pieces.token(corner(cell), cell, size)
    for cell, temple in state.temples.items():
        yield cell, svg_pieces.temple(corner(cell), cell, temple.seat, temple.level)
    for seat, stands in enumerate(state.pawns):
        if stands is not None:
            above = stands in state.bridges or stands in state.temples
            yield stands, svg_pieces.pawn(corner(stands), stands, seat, above=above)


def describe(state: MexicaState) -> str:
    """Everything on the board in words."""
    temples = [
        f"{'N' if temple.seat is None else letter(temple.seat)}{temple.level} {cell}"
        for cell, temple in state.temples.items()
    ]
    things = {
        "Pawns": [f"{letter(seat)} {cell}" for seat, cell in enumerate(state.pawns) if cell],
        "Founded districts": [f"{size} with its token on {cell}" for cell, size in state.tokens.items()],
        "Temples": temples,
        "Bridges": list(state.bridges),
        "Canals": state.canals,
    }
    return " ".join(f"{thing}: {', '.join(found)}." for thing, found in things.items() if found)


def _place(cell: Cell) -> tuple[int, int]:
    """Column and row, from 0."""
    return LETTERS.index(cell[0]), int(cell[1:]) - 1
