"""A position of Mexica as text: the board, and beside it (below, where that is too wide) what lies next to it.

Each space is three characters. Without colours and in ASCII it reads

     .  land           +  starting space      (A) pawn                A3  temple of level 3, N3 a neutral one
     :  founded land   #  palace centre       ~~~ canal, ~=~ and ~|~ its bridges, =A= and |A| with a pawn
    *7  token of a founded district of 7
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import msgspec
from rich.text import Text

from mexica_cli.games.mexica import MexicaState
from mexica_cli.games.mexica.board import make_board
from mexica_cli.view.districts import districts
from mexica_cli.view.panel import panel
from mexica_cli.view.scene import Look, Scene, letter, seat_style

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GAP = 3
"""Columns between board and panel."""

Place = tuple[int, int]
"""Row and column, from 0."""
Space = tuple[str, str]
"""What is printed in a space, three characters, and its style."""


class Glyphs(msgspec.Struct, frozen=True):
    """The characters that differ between a terminal that knows Unicode and one that doesn't."""

    land: str
    water: str
    bridges: dict[str, str]
    """By axis."""


ASCII = Glyphs(land=".", water="~", bridges={"h": "=", "v": "|"})
UNICODE = Glyphs(land="·", water="≈", bridges={"h": "═", "v": "║"})

# Given as true colours, as the sixteen named ones are whatever a terminal's theme makes of them; a terminal that has
# fewer gets the nearest.
LAKE_STYLE = "on #1f5f8b"
CANAL_STYLE = "white on #4a9fd4"
BRIDGE_STYLE = "bold black on #4a9fd4"
LAND_STYLE = "#6f7a50 on #c3cf9b"
FOUNDED_STYLE = "black on #9db35f"
PALACE_STYLE = "bold black on #e6bd73"
NEUTRAL_STYLE = "bold white on #666666"


def draw(scene: Scene, look: Look) -> Text:
    """The position as text, `look.width` columns wide where that is possible."""
    state = scene.observation
    assert isinstance(state, MexicaState)
    glyphs = UNICODE if look.unicode else ASCII
    rows: list[str] = scene.options["board"]["rows"]
    right = panel(state, scene.seats, districts(make_board(rows, "board", "options"), state), _legend(glyphs))
    left = list(_Grid(state, rows, glyphs).lines())
    width = left[0].cell_len + GAP
    if width + max(line.cell_len for line in right) > look.width:
        return Text("\n").join([*left, Text(), *right])
    return Text("\n").join(_beside(left, right, width))


def _beside(left: list[Text], right: list[Text], width: int) -> Iterator[Text]:
    for a, b in zip_longest(left, right):
        line = a.copy() if a else Text()
        if b:
            line.pad_right(width - line.cell_len)
            line.append_text(b)
        yield line


def _legend(glyphs: Glyphs) -> list[str]:
    land, water, bridges = glyphs.land, glyphs.water, glyphs.bridges
    east, north = (f"{water}{bridges[axis]}{water}" for axis in "hv")
    return [
        f"{land} land  : founded  {water * 3} canal  + start  # centre",
        f"(A) pawn  A3 temple  N3 neutral  *7 token  {east} {north} bridge",
    ]


class _Grid:
    """The board of one position, with what lies on it."""

    def __init__(self, state: MexicaState, rows: list[str], glyphs: Glyphs) -> None:
        self._rows = rows
        self._glyphs = glyphs
        self._canals = {_place(cell) for cell in state.canals}
        self._bridges = {_place(cell): axis for cell, axis in state.bridges.items()}
        self._temples = {_place(cell): temple for cell, temple in state.temples.items()}
        self._tokens = {_place(cell): size for cell, size in state.tokens.items()}
        self._pawns = {_place(cell): seat for seat, cell in enumerate(state.pawns) if cell is not None}
        self._founded = self._land_joined_to(self._tokens)

    def lines(self) -> Iterator[Text]:
        """The letters of the columns, then the rows, all of one width."""
        margin = len(str(len(self._rows))) + 1
        yield Text().append(" " * margin + "".join(f" {column} " for column in LETTERS[: len(self._rows[0])]), "bold")
        for number, row in enumerate(self._rows):
            line = Text().append(f"{number + 1:>{margin - 1}} ", "bold")
            for column in range(len(row)):
                line.append(*self._space((number, column)))
            yield line

    def _space(self, place: Place) -> Space:
        if place in self._pawns:
            return self._pawn(place)
        if place in self._temples:
            owner = self._temples[place].seat
            level = self._temples[place].level
            return (f" N{level}", NEUTRAL_STYLE) if owner is None else (f" {letter(owner)}{level}", seat_style(owner))
        if place in self._tokens:
            return f"{f'*{self._tokens[place]}':>3}"[-3:], FOUNDED_STYLE
        return self._ground(place)

    def _pawn(self, place: Place) -> Space:
        seat = self._pawns[place]
        if axis := self._bridges.get(place):
            rail = self._glyphs.bridges[axis]
            return f"{rail}{letter(seat)}{rail}", seat_style(seat)
        return f"({letter(seat)})", seat_style(seat)

    def _ground(self, place: Place) -> Space:
        water = self._glyphs.water
        if axis := self._bridges.get(place):
            return f"{water}{self._glyphs.bridges[axis]}{water}", BRIDGE_STYLE
        if place in self._canals:
            return water * 3, CANAL_STYLE
        match self._rows[place[0]][place[1]]:
            case ".":
                return "   ", LAKE_STYLE
            case "S":
                return " + ", PALACE_STYLE
            case "C":
                return " # ", PALACE_STYLE
            case _ if place in self._founded:
                return " : ", FOUNDED_STYLE
            case _:
                return f" {self._glyphs.land} ", LAND_STYLE

    def _land_joined_to(self, tokens: dict[Place, int]) -> set[Place]:
        """The land of the founded districts."""
        found: set[Place] = set()
        front = set(tokens)
        while front:
            found |= front
            steps = {(row + a, column + b) for row, column in front for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            front = {place for place in steps - found if self._is_land(place)}
        return found

    def _is_land(self, place: Place) -> bool:
        row, column = place
        inside = 0 <= row < len(self._rows) and 0 <= column < len(self._rows[0])
        return inside and self._rows[row][column] != "." and place not in self._canals


def _place(cell: str) -> Place:
    return int(cell[1:]) - 1, LETTERS.index(cell[0])
