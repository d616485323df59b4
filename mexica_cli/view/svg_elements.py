"""Elements of SVG as text, and what every drawing of the board measures by."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from html import escape

from mexica_cli.view.console import clean

CELL = 40
"""Side of a space, in units of the drawing."""

Point = tuple[float, float]
"""Across and down, in units; for a space, its upper left corner."""


def element(tag: str, *inner: str, **attributes: str | float) -> str:
    """An element. In names of attributes `_` stands for `-`; one at the end is dropped (`class_`)."""
    given = "".join(f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"' for name, value in attributes.items())
    return f"<{tag}{given}>{''.join(inner)}</{tag}>" if inner else f"<{tag}{given}/>"


def _value(value: str | float) -> str:
    return escape(clean(value)) if isinstance(value, str) else f"{value:g}"


def words(tag: str, content: str, **attributes: str | float) -> str:
    """An element that holds words. Characters that XML has no place for are replaced."""
    return element(tag, escape(clean(content), quote=False), **attributes)


def group(class_: str, parts: Iterable[str]) -> str:
    """A layer, each of its parts on a line of its own; nothing where there are no parts."""
    lines = "".join(f"{part}\n" for part in parts)
    return element("g", "\n", lines, class_=class_) + "\n" if lines else ""


def text(at: Point, content: str, size: float, class_: str, **attributes: str | float) -> str:
    """Words with their middle on a point."""
    # Viewers disagree on dominant-baseline, so the baseline is put where capitals and digits stand in the middle.
    x, y = at
    return words("text", content, x=x, y=y + 0.36 * size, font_size=size, class_=class_, **attributes)


def path(class_: str, commands: Iterable[str], **attributes: str | float) -> str:
    """A path; nothing where there are no commands."""
    drawn = "".join(commands)
    return element("path", class_=class_, d=drawn, **attributes) if drawn else ""


def line(start: Point, *further: Point) -> str:
    """Commands of a path: from point to point."""
    return f"M{_pair(start)}" + "".join(f"L{_pair(point)}" for point in further)


def polygon(start: Point, *further: Point) -> str:
    """Commands of a path: from point to point and back to the first."""
    return line(start, *further) + "Z"


def square(at: Point) -> str:
    """Commands of a path: the whole space."""
    return f"M{_pair(at)}h{CELL}v{CELL}h-{CELL}Z"


def middle(at: Point) -> Point:
    """The centre of a space."""
    return at[0] + CELL / 2, at[1] + CELL / 2


def border(places: Collection[Point], inset: float) -> Iterator[str]:
    """Commands of a path along the border of an area, inside of it by `inset`."""
    area = set(places)
    for x, y in places:
        left, right, top, bottom = x + inset, x + CELL - inset, y + inset, y + CELL - inset
        sides: list[tuple[Point, Point, Point]] = [
            ((x, y - CELL), (x, top), (x + CELL, top)),
            ((x, y + CELL), (x, bottom), (x + CELL, bottom)),
            ((x - CELL, y), (left, y), (left, y + CELL)),
            ((x + CELL, y), (right, y), (right, y + CELL)),
        ]
        yield from (line(start, end) for neighbour, start, end in sides if neighbour not in area)


def _pair(point: Point) -> str:
    return f"{point[0]:g} {point[1]:g}"
