"""Tables of the page: columns, cells that know what they are sorted by, numbers with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from mexica_cli.tournament.intervals import Estimate
from mexica_cli.tournament.markup import Content, Markup, element
from mexica_cli.tournament.statistics import Rates

FAR = 1e300
"""Stands for what is infinite, where scripts sort."""


class Column(NamedTuple):
    """A column of a table."""

    head: str
    kind: str = ""
    """Its classes: `left` for texts, `pin` to stay in sight, `wide` for drawings, `long` for sentences."""


class Cell(NamedTuple):
    """A cell of a table."""

    content: Content
    value: float | None = None
    """What it is sorted by, unless by its text."""


def grid(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Markup:
    """The table."""
    head = [element("th", column.head, scope="col", class_=column.kind or None) for column in columns]
    body = [element("tr", *map(_td, columns, row)) for row in rows]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body), class_="grid sortable")
    return scroll(table, columns[0].head)


def _td(column: Column, cell: Cell) -> Markup:
    value = None if cell.value is None else max(-FAR, min(FAR, cell.value))
    return element("td", cell.content, class_=column.kind or None, data_value=value)


def scroll(table: Markup, words: str) -> Markup:
    """What may be wider than a phone scrolls by itself, also by keyboard."""
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label=words)


def count_cell(number: int) -> Cell:
    """A whole number."""
    return Cell(str(number), number)


def number_cell(number: float, digits: int) -> Cell:
    """A number with so many digits after the point."""
    return Cell(f"{number:.{digits}f}", number)


def rate_cell(rates: Rates | None, which: str, words: Callable[[Estimate], str]) -> Cell:
    """One of the rates."""
    return estimate_cell(None if rates is None else getattr(rates, which), words)


def estimate_cell(estimate: Estimate | None, words: Callable[[Estimate], str]) -> Cell:
    """A number with its interval below it."""
    if estimate is None:
        return Cell("–", -inf)
    value, space, interval = words(estimate).partition(" ")
    return Cell([value, element("small", space + interval)], estimate.value)
