"""Actions as text: the words of the protocol, the log and the command line."""

from __future__ import annotations

import re
from collections.abc import Callable

from mexica_cli.games.game import BadAction, quoted
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.board import Board
from mexica_cli.games.mexica.rules import RuleSet

FORMS = {
    "place": "place CELL",
    "canal": "canal CELL or canal CELL CELL",
    "bridge": "bridge CELL h|v",
    "relocate": "relocate CELL CELL h|v",
    "temple": "temple LEVEL CELL",
    "walk": "walk CELL",
    "boat": "boat CELL",
    "teleport": "teleport CELL",
    "found": "found SIZE CELL",
    "take": "take",
    "spend": "spend",
    "retire": "retire SIZE",
    "agree": "agree",
    "refuse": "refuse",
    "end": "end",
}
"""How each kind is written."""

_CELL = re.compile(r"[a-z][1-9][0-9]{0,3}")
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")


class ActionText(dict[int, str]):
    """From action to text by look-up, made on first use; and from text to action by `parse`."""

    def __init__(self, board: Board, rules: RuleSet) -> None:
        super().__init__()
        self._board = board
        self._longest = rules.longest_tile
        one_cell = (act.PLACE, act.WALK, act.BOAT, act.TELEPORT)
        bare = (act.TAKE, act.SPEND, act.AGREE, act.REFUSE, act.END)
        self._readers: dict[str, Callable[[int, list[str]], int]] = {
            **{act.KINDS[kind]: self._one_cell for kind in one_cell},
            **{act.KINDS[kind]: self._bare for kind in bare},
            "canal": self._canal,
            "bridge": self._bridge,
            "relocate": self._relocate,
            "temple": self._number_and_cell,
            "found": self._number_and_cell,
            "retire": self._number,
        }

    def __missing__(self, action: int) -> str:
        made = self._write(action)
        self[action] = made
        return made

    def _write(self, action: int) -> str:
        kind, extra, cell = act.kind(action), act.extra(action), act.cell(action)
        word, text = act.KINDS[kind], self._board.text
        match kind:
            case act.PLACE | act.WALK | act.BOAT | act.TELEPORT:
                return f"{word} {text(cell)}"
            case act.CANAL:
                step = self._board.stride if act.axis(action) else 1
                end = f" {text(cell + step * (extra - 1))}" if extra > 1 else ""
                return f"{word} {text(cell)}{end}"
            case act.BRIDGE:
                return f"{word} {text(cell)} {act.AXES[act.axis(action)]}"
            case act.RELOCATE:
                return f"{word} {text(extra)} {text(cell)} {act.AXES[act.axis(action)]}"
            case act.TEMPLE | act.FOUND:
                return f"{word} {extra} {text(cell)}"
            case act.RETIRE:
                return f"{word} {extra}"
        return word

    def parse(self, text: str) -> int:
        """The action of a text. Raises BadAction, which says how the text should look."""
        word, *rest = text.split(" ")
        reader = self._readers.get(word)
        if reader is None:
            raise BadAction("unknown_action", f"{quoted(text)} begins with none of {', '.join(act.KINDS)}")
        return reader(act.KINDS.index(word), rest)

    # Each reader takes the kind and the words after the first one.

    def _bare(self, kind: int, words: list[str]) -> int:
        _expect(kind, words, 0)
        return act.encode(kind)

    def _one_cell(self, kind: int, words: list[str]) -> int:
        _expect(kind, words, 1)
        return act.encode(kind, self._cell(words[0]))

    def _number(self, kind: int, words: list[str]) -> int:
        _expect(kind, words, 1)
        return act.encode(kind, extra=_number(words[0]))

    def _number_and_cell(self, kind: int, words: list[str]) -> int:
        _expect(kind, words, 2)
        return act.encode(kind, self._cell(words[1]), _number(words[0]))

    def _bridge(self, kind: int, words: list[str]) -> int:
        _expect(kind, words, 2)
        return act.encode(kind, self._cell(words[0]), axis=_axis(words[1]))

    def _relocate(self, kind: int, words: list[str]) -> int:
        _expect(kind, words, 3)
        return act.encode(kind, self._cell(words[1]), self._cell(words[0]), _axis(words[2]))

    def _canal(self, kind: int, words: list[str]) -> int:
        if len(words) == 1:
            return act.encode(kind, self._cell(words[0]), 1)
        _expect(kind, words, 2)
        first, last = self._cell(words[0]), self._cell(words[1])
        axis, length = self._line(first, last)
        if first > last:
            raise BadAction("wrong_order", f"a canal's cells go in reading order: canal {words[1]} {words[0]}")
        return act.encode(kind, first, length, axis)

    def _line(self, first: int, last: int) -> tuple[int, int]:
        """Axis and length of a canal between two cells."""
        stride = self._board.stride
        rows, columns = abs(first // stride - last // stride), abs(first % stride - last % stride)
        if (rows and columns) or first == last:
            raise BadAction("bad_shape", "the two cells of a canal are its ends: different, and in one row or column")
        if rows + columns >= self._longest:
            length = rows + columns + 1
            raise BadAction("bad_shape", f"no canal tile is {length} spaces long, the longest is {self._longest}")
        return (act.V if rows else act.H), rows + columns + 1

    def _cell(self, word: str) -> int:
        cell = self._board.numbers.get(word)
        if cell is not None:
            return cell
        if _CELL.fullmatch(word):
            last = self._board.text(max(self._board.names))
            raise BadAction("off_board", f"{word} is not on the board, whose cells go from a1 to {last}")
        raise BadAction("bad_cell", f"{quoted(word)} is no cell; write a small column letter and a row number, like b7")


def _expect(kind: int, words: list[str], number: int) -> None:
    if len(words) != number:
        raise BadAction("bad_form", f"write this action as: {FORMS[act.KINDS[kind]]} (single spaces)")


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise BadAction("bad_number", f"{quoted(word)} is no level or size; write a number from 1 up, digits only")
    return int(word)


def _axis(word: str) -> int:
    if word not in act.AXES:
        raise BadAction("bad_axis", f"{quoted(word)} is no axis; h is crossed east-west, v north-south")
    return act.AXES.index(word)
