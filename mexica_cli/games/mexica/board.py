"""The board: a text drawing, read into numbered cells and bit masks.

A drawing has one line a row, one character a space:

    #  land               .  lake              =  canal dug before the game
    S  starting space     C  palace centre

A line of column letters above and row numbers to the left are allowed, and checked; so are blank lines, and spaces
before and after a row. Up to 26 columns, and as many rows as four digits can number. The palace is one piece of any
shape with at least one starting space; land and water may lie in any number of pieces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica import bits
from mexica_cli.games.tomlfile import plain

SYMBOLS = "#.=SC"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_ROWS = 9999
"""What a row number in an action's text has digits for. All cell numbers are below 2 ** 20 (`actions.CELL_BITS`)."""

_LABELLED = re.compile(r"\s*([0-9]{1,6})\s+")


@dataclass(frozen=True, eq=False)
class Board:
    """A board.

    Cell (row r, column c), both from 0, has the number `(r + 1) * stride + c`, where the stride is the number of
    columns plus one. So there is a row of frame above and below the grid and one column of frame to its right, which
    the left edge shares; the frame is lake. Numbers ascend in reading order.

    The masks are sets of cells as in `bits`.
    """

    name: str
    rows: tuple[str, ...]
    stride: int
    size: int
    """Number of bits: the grid with its frame."""
    land: int
    """Everything that can be stood on before the game: palace included."""
    canals: int
    """Spaces dug before the game."""
    palace: int
    starts: int
    lakes: tuple[int, ...]
    """The bodies of lake; the first is the one that the frame belongs to."""
    names: dict[int, str]
    """Cell number to its text, for every cell of the grid."""
    numbers: dict[str, int]
    texts: bits.Picker[str]
    """The texts of the cells of a mask, in reading order."""

    def text(self, cell: int) -> str:
        """Text of a cell: column letter, row number from 1."""
        return self.names[cell]


class _Row(NamedTuple):
    """A row of a drawing."""

    symbols: str
    line: int
    """In the file, from 1."""
    indent: int
    """Characters before the first symbol."""


def read_board(path: Path, name: str) -> Board:
    """The board drawn in a file. Raises RuleError with the file and line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"{path}: the board can't be read: {plain(error)}") from None
    return parse_board(text, name, str(path))


def parse_board(text: str, name: str, source: str) -> Board:
    """The board of a drawing; `source` names it in errors. Raises RuleError with line and column."""
    drawing = _Drawing(text, source)
    board = _board_of([row.symbols for row in drawing.rows], name)
    drawing.check(board)
    return board


def make_board(rows: Sequence[str], name: str, source: str) -> Board:
    """The board of rows, as in `Board.rows`. Raises RuleError."""
    return parse_board("\n".join(rows), name, source)


class _Drawing:
    """The rows of a drawing, and where they stand in its text."""

    def __init__(self, text: str, source: str) -> None:
        self._source = source
        lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        letters = lines.pop(0)[1].strip() if lines and _is_header(lines[0][1]) else None
        self.rows: list[_Row] = []
        for number, line in lines:
            self.rows.append(self._row(line, number))
        self._check_form(letters)

    def _row(self, line: str, number: int) -> _Row:
        label = _LABELLED.match(line)
        if label and int(label[1]) != len(self.rows) + 1:
            raise self._error(number, f"this row is number {len(self.rows) + 1} but is labelled {label[1]}")
        indent = label.end() if label else len(line) - len(line.lstrip())
        for column, symbol in enumerate(line[indent:], indent + 1):
            if symbol not in SYMBOLS:
                reason = f"unknown character {symbol!r}; a space is one of {' '.join(SYMBOLS)}"
                raise self._error(f"{number}:{column}", reason)
        return _Row(line[indent:], number, indent)

    def _check_form(self, letters: str | None) -> None:
        """Refuse what is no rectangle, or larger than can be named."""
        if not self.rows:
            reason = f"the board has no rows; draw one line a row with the characters {' '.join(SYMBOLS)}"
            raise RuleError(f"{self._source}: {reason}")
        first = self.rows[0]
        columns = len(first.symbols)
        if columns > len(LETTERS):
            where = f"{first.line}:{first.indent + len(LETTERS) + 1}"
            raise self._error(where, f"the board has {columns} columns; at most {len(LETTERS)} can be named")
        for row in self.rows:
            if len(row.symbols) != columns:
                reason = f"this row has {len(row.symbols)} spaces, the first one has {columns}; draw lake with a ."
                raise self._error(row.line, reason)
        if letters and len(letters) != columns:
            raise self._error(first.line, f"this row has {columns} spaces, the letters above name {len(letters)}")
        if len(self.rows) > MOST_ROWS:
            reason = f"the board has {len(self.rows)} rows; at most {MOST_ROWS} can be numbered"
            raise self._error(self.rows[MOST_ROWS].line, reason)

    def check(self, board: Board) -> None:
        """Refuse a board that nobody could play on."""
        if board.land == board.palace:
            raise RuleError(f"{self._source}: the board has no land to build on; draw it with #")
        if not board.starts:
            raise RuleError(f"{self._source}: the board has no starting space; draw an S for each")
        _, *others = bits.regions(board.palace, board.stride)
        for part in others:
            cell = bits.first_cell(part)
            row = self.rows[cell // board.stride - 1]
            reason = (
                f"the palace is split: {board.text(cell)} isn't joined to the rest of it; draw its S and C in one piece"
            )
            raise self._error(f"{row.line}:{row.indent + cell % board.stride + 1}", reason)

    def _error(self, where: int | str, reason: str) -> RuleError:
        return RuleError(f"{self._source}:{where}: {reason}")


def _is_header(line: str) -> bool:
    return LETTERS.startswith(line.strip().lower())


def _board_of(rows: Sequence[str], name: str) -> Board:
    stride = len(rows[0]) + 1
    size = (len(rows) + 2) * stride
    masks = {symbol: _mask(rows, symbol, stride) for symbol in SYMBOLS}
    land = masks["#"] | masks["S"] | masks["C"]
    names = {
        (row + 1) * stride + column: f"{LETTERS[column]}{row + 1}"
        for row in range(len(rows))
        for column in range(len(rows[0]))
    }
    return Board(
        name=name,
        rows=tuple(rows),
        stride=stride,
        size=size,
        land=land,
        canals=masks["="],
        palace=masks["S"] | masks["C"],
        starts=masks["S"],
        lakes=tuple(bits.regions(((1 << size) - 1) & ~land & ~masks["="], stride)),
        names=names,
        numbers={text: cell for cell, text in names.items()},
        texts=bits.Picker(size, names.__getitem__),
    )


def _mask(rows: Sequence[str], symbol: str, stride: int) -> int:
    """The cells with a symbol: read backwards, the drawing with its frame is a number in binary."""
    grid = " " * stride + "".join(f"{row} " for row in rows)
    return int("".join("1" if found == symbol else "0" for found in reversed(grid)), 2)


def drawn(board: Board) -> str:
    """The board as a drawing with labels, which `parse_board` reads."""
    margin = len(str(len(board.rows)))
    letters = LETTERS[: len(board.rows[0])].upper()
    rows = [f"{number:>{margin}} {row}" for number, row in enumerate(board.rows, 1)]
    return "".join(f"{line}\n" for line in (f"{'':{margin}} {letters}", *rows))


def near_lake(board: Board) -> int:
    """The cells that touch the lake orthogonally, outside of the grid included."""
    lake = 0
    for body in board.lakes:
        lake |= body
    return bits.beside(lake, board.stride)
