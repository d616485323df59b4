"""What explains a drawing: outlines of spaces, arrows, shaded areas and labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from math import hypot
from typing import Literal

import msgspec

from mexica_cli.games.mexica.observation import Cell
from mexica_cli.view.svg_elements import CELL, Point, border, element, group, line, middle, path, polygon, square, text

Kind = Literal["good", "bad", "note"]
"""What a mark says: `good` is solid with a round badge, `bad` dashed and crossed with a square one, `note` dotted."""

HEAD = 13
"""Length of an arrow's head."""
RIM = 17
"""An arrow starts so far from the middle of its first space, where the pawn ends."""
SHORT = 15
"""It ends so far before the middle of its last one."""
BESIDE = 20
"""A label's line ends so far from the middle of the space, beside what lies there."""
CORNERS = ((1, 0), (0, 0), (0, 1), (1, 1))
"""Where badges go, across and down: the first on a space in its upper right corner, and so on."""
LETTER = 7.6
"""Width of a letter in a label of size 13, at most: SVG can't measure."""

Locate = Callable[[Cell], Point]
"""The upper left corner of a space."""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """A line around spaces that make a rectangle."""

    cells: list[Cell]
    kind: Kind
    badge: str = ""
    """A number or letter in a corner of the last space."""


class Arrow(msgspec.Struct, frozen=True, kw_only=True):
    """An arrow through the middles of spaces, two or more."""

    cells: list[Cell]
    kind: Kind
    badge: str = ""


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """Words on the space `at`, with a line to the space that they are about."""

    words: str
    at: Cell
    about: Cell


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """All marks of a drawing."""

    shaded: list[list[Cell]] = []
    """Areas, each with a line around it."""
    outlines: list[Outline] = []
    arrows: list[Arrow] = []
    labels: list[Label] = []


def marked_below(marks: Marks, locate: Locate) -> str:
    """The layer below bridges and pieces."""
    return group("shades", (shade for cells in marks.shaded for shade in _shade([locate(cell) for cell in cells])))


def _shade(places: list[Point]) -> Iterator[str]:
    yield path("shade", map(square, places))
    yield path("shade-edge", border(places, 2))


def marked_between(marks: Marks, locate: Locate) -> str:
    """The layer above bridges and below pieces: what passes a pawn doesn't hide it."""
    return group("arrows", (part for mark in marks.arrows for part in _arrow(mark, locate)))


def marked_above(marks: Marks, locate: Locate) -> str:
    """The layers above the pieces."""
    outlines = [part for mark in marks.outlines for part in _outline(mark, locate)]
    badges = _badges([*marks.outlines, *marks.arrows], locate)
    labels = [part for mark in marks.labels for part in _label(mark, locate)]
    return "".join(group(*layer) for layer in (("outlines", outlines), ("badges", badges), ("labels", labels)))


def _outline(mark: Outline, locate: Locate) -> Iterator[str]:
    corners = [locate(cell) for cell in mark.cells]
    x, y = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners) + CELL, max(y for _, y in corners) + CELL
    box = polygon((x + 4, y + 4), (right - 4, y + 4), (right - 4, bottom - 4), (x + 4, bottom - 4))
    yield from _drawn([box], mark.kind)
    if mark.kind == "bad":
        yield from _cross((x + 4, bottom - 4), 5)


def _arrow(mark: Arrow, locate: Locate) -> Iterator[str]:
    points = [middle(locate(cell)) for cell in mark.cells]
    start = _towards(points[0], points[1], RIM)
    tip = _towards(points[-1], points[-2], SHORT)
    neck = _towards(tip, points[-2], HEAD)
    yield from _drawn([line(start, *points[1:-1], neck)], mark.kind)
    yield path(f"head {mark.kind}", [polygon(*_head(neck, tip))])
    if mark.kind == "bad":
        yield from _cross(_halfway(points[-2] if len(points) > 2 else start, neck), 7)


def _head(neck: Point, tip: Point) -> tuple[Point, Point, Point]:
    across, down = ((tip[0] - neck[0]) / HEAD * 7.5, (tip[1] - neck[1]) / HEAD * 7.5)
    return tip, _rounded(neck[0] - down, neck[1] + across), _rounded(neck[0] + down, neck[1] - across)


def _towards(start: Point, end: Point, distance: float) -> Point:
    """The point that lies so far from `start` on the way to `end`."""
    share = distance / hypot(end[0] - start[0], end[1] - start[1])
    return _rounded(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _halfway(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _rounded(x: float, y: float) -> Point:
    """So that the text is the same whatever a machine's arithmetic says in the last digit."""
    return round(x, 1), round(y, 1)


def _drawn(commands: list[str], kind: str) -> Iterator[str]:
    """A line that is seen on every ground: a light one, and a coloured one on it."""
    yield path("halo", commands)
    yield path(f"mark {kind}", commands)


def _cross(at: Point, arm: float) -> Iterator[str]:
    (left, top), (right, bottom) = (at[0] - arm, at[1] - arm), (at[0] + arm, at[1] + arm)
    yield from _drawn([line((left, top), (right, bottom)), line((left, bottom), (right, top))], "bad cross")


def _badges(marks: Iterable[Outline | Arrow], locate: Locate) -> Iterator[str]:
    taken: Counter[Cell] = Counter()
    for mark in marks:
        if mark.badge:
            (x, y), (right, down) = locate(mark.cells[-1]), CORNERS[taken[mark.cells[-1]] % len(CORNERS)]
            taken[mark.cells[-1]] += 1
            yield from _badge((x + 6 + right * (CELL - 12), y + 6 + down * (CELL - 12)), mark)


def _badge(at: Point, mark: Outline | Arrow) -> Iterator[str]:
    rounding = 2 if mark.kind == "bad" else 9
    x, y = at[0] - 9, at[1] - 9
    yield element("rect", x=x, y=y, width=18, height=18, rx=rounding, class_=f"badge {mark.kind}")
    yield text(at, mark.badge, 13, "badge-text")


def _label(mark: Label, locate: Locate) -> Iterator[str]:
    x, y = middle(locate(mark.at))
    half = len(mark.words) * LETTER / 2 + 7
    if mark.at != mark.about:
        about = _towards(middle(locate(mark.about)), (x, y), BESIDE)
        yield path("pointer", [line((x, y), about)])
        yield element("circle", cx=about[0], cy=about[1], r=4, class_="pointed")
    yield element("rect", x=x - half, y=y - 12, width=2 * half, height=24, rx=5, class_="label")
    yield text((x, y), mark.words, 13, "label-text")
