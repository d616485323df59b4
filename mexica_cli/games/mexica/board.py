"""The board: a text drawing, read into numbered cells and bit masks.

A drawing has one line a row, one character a space:

    #  land               .  lake              =  canal dug before the game
    S  starting space     C  palace centre

A line of column letters above and row numbers to the left are allowed, and checked. Up to 26 columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica import bits

SYMBOLS = "#.=SC"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_ROWS = 2000
"""Cell numbers must stay below 2 ** 16 (`actions.CELL_BITS`)."""

_LABELLED = re.compile(r"\s*(\d+)\s+")


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


def read_board(path: Path, name: str) -> Board:
    """The board drawn in a file. Raises RuleError with the file and line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"{path}: the board can't be read: {error}") from None
    return parse_board(text, name, str(path))


def parse_board(text: str, name: str, source: str) -> Board:
    """The board of a drawing; `source` names it in errors. Raises RuleError."""
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and _is_header(lines[0][1]):
        lines = lines[1:]
    rows: list[str] = []
    for number, line in lines:
        rows.append(_row(line, len(rows), f"{source}:{number}"))
        if len(rows[-1]) != len(rows[0]):
            raise RuleError(f"{source}:{number}: this row has {len(rows[-1])} spaces, the first one has {len(rows[0])}")
    return make_board(rows, name, source)


def _is_header(line: str) -> bool:
    letters = line.strip().lower()
    return len(letters) > 1 and LETTERS.startswith(letters)


def _row(line: str, above: int, where: str) -> str:
    label = _LABELLED.match(line)
    if label and int(label[1]) != above + 1:
        raise RuleError(f"{where}: this row is number {above + 1} but is labelled {label[1]}")
    start = label.end() if label else len(line) - len(line.lstrip())
    for column, symbol in enumerate(line[start:], start + 1):
        if symbol not in SYMBOLS:
            raise RuleError(f"{where}:{column}: unknown character {symbol!r}; a space is one of {' '.join(SYMBOLS)}")
    return line[start:]


def make_board(rows: Sequence[str], name: str, source: str) -> Board:
    """The board of rows that were read already; each is a string of symbols, all of one length. Raises RuleError."""
    _check(rows, source)
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
    return sum(
        1 << (row + 1) * stride + column
        for row, line in enumerate(rows)
        for column, found in enumerate(line)
        if found == symbol
    )


def _check(rows: Sequence[str], source: str) -> None:
    if not rows or not rows[0]:
        raise RuleError(f"{source}: the board has no rows; draw one line a row with the characters {' '.join(SYMBOLS)}")
    if len(rows[0]) > len(LETTERS):
        raise RuleError(f"{source}: the board has {len(rows[0])} columns; at most {len(LETTERS)} can be named")
    if len(rows) > MOST_ROWS:
        raise RuleError(f"{source}: the board has {len(rows)} rows; at most {MOST_ROWS} can be numbered")
    drawing = "".join(rows)
    if "#" not in drawing:
        raise RuleError(f"{source}: the board has no land to build on; draw it with #")
    if drawing.count("C") != 1:
        raise RuleError(f"{source}: the board has {drawing.count('C')} palace centres; draw exactly one C")
    if drawing.count("S") < 2:
        raise RuleError(f"{source}: the board has fewer than two starting spaces; draw an S for each")


def near_lake(board: Board) -> int:
    """The cells that touch the lake orthogonally, outside of the grid included."""
    lake = 0
    for body in board.lakes:
        lake |= body
    return bits.beside(lake, board.stride)
