"""The pieces of Mexica in SVG. Every owner has a letter and every kind a shape, so that nothing hangs on colour.

temple   a stepped pyramid of as many storeys as it has levels, with owner and level on it: A3, and N3 for neutral
pawn     a disc with the owner's letter
token    a hexagon with the district's size
bridge   planks along its axis, reaching onto both banks
"""

from __future__ import annotations

from math import cos, pi, sin

from rich.style import Style

from mexica_cli.view.scene import letter, seat_style
from mexica_cli.view.svg_elements import CELL, Point, element, line, middle, path, polygon, text, words

STOREY = 6
"""Height of a storey of a temple."""
LOWEST = 17
"""Height of the lowest one, which holds the letters."""
NEUTRAL = ("#ffffff", "#5a5a5a")


def temple(at: Point, cell: str, owner: int | None, level: int) -> str:
    """A temple; `owner` is None for the neutral colour."""
    ink, fill = NEUTRAL if owner is None else colours(owner)
    name = "N" if owner is None else letter(owner)
    x, foot = middle(at)[0], at[1] + CELL - 3
    storeys = [_storey(x, foot - LOWEST - STOREY * n, 13.5 - 3 * n, STOREY, fill) for n in range(1, level)]
    lowest = _storey(x, foot - LOWEST, 17.5, LOWEST, fill)
    label = text((x, foot - LOWEST / 2), f"{name}{level}", 15, "ink", fill=ink)
    whose = "neutral temple" if owner is None else f"temple of {name}"
    return _piece(cell, f"{whose}, level {level}", *reversed(storeys), lowest, label)


def _storey(x: float, top: float, half: float, height: float, fill: str) -> str:
    return element("rect", x=x - half, y=top, width=2 * half, height=height, fill=fill, class_="edge")


def pawn(at: Point, cell: str, seat: int, *, above: bool) -> str:
    """A pawn, smaller where it stands above a bridge or temple, so that this is seen."""
    ink, fill = colours(seat)
    (x, y), radius = middle(at), 11.5 if above else 14
    return _piece(
        cell,
        f"pawn of {letter(seat)}",
        element("circle", cx=x, cy=y, r=radius + 2.5, class_="rim"),
        element("circle", cx=x, cy=y, r=radius, fill=fill, class_="edge"),
        text((x, y), letter(seat), 16, "ink", fill=ink),
    )


def token(at: Point, cell: str, size: int | str) -> str:
    """The calpulli token of a founded district of that size."""
    x, y = middle(at)
    corners = [(x + 16.5 * cos(n * pi / 3), y + 16.5 * sin(n * pi / 3)) for n in range(6)]
    # Rounded, so that the text is the same whatever a machine's sine says in the last digit.
    rounded = [(round(a, 1), round(b, 1)) for a, b in corners]
    return _piece(
        cell, f"token of {size}", path("token", [polygon(*rounded)]), text((x, y), str(size), 16, "ink", fill="#1b1b1b")
    )


def bridge(at: Point, cell: str, axis: str) -> str:
    """A bridge; axis `h` is crossed east-west."""
    planks = [line(_turned(at, axis, along, 9), _turned(at, axis, along, CELL - 9)) for along in range(-1, CELL + 6, 6)]
    rails = [line(_turned(at, axis, -6, side), _turned(at, axis, CELL + 6, side)) for side in (9, CELL - 9)]
    corners = [_turned(at, axis, *corner) for corner in ((-6, 9), (CELL + 6, 9), (CELL + 6, CELL - 9), (-6, CELL - 9))]
    way = "east-west" if axis == "h" else "north-south"
    deck = path("deck", [polygon(*corners)])
    return _piece(cell, f"bridge, crossed {way}", deck, path("planks", planks), path("rails", rails))


def _turned(at: Point, axis: str, along: float, across: float) -> Point:
    """A point of a bridge, given along and across its axis."""
    return (at[0] + along, at[1] + across) if axis == "h" else (at[0] + across, at[1] + along)


def _piece(cell: str, name: str, *parts: str) -> str:
    return element("g", words("title", f"{name} on {cell}"), *parts, data_cell=cell)


def colours(seat: int) -> tuple[str, str]:
    """Ink and fill of a seat. The fill is the one it has on the terminal, the ink what is best read on it."""
    background = Style.parse(seat_style(seat)).bgcolor
    assert background is not None
    fill = background.get_truecolor(foreground=False)
    light = 299 * fill.red + 587 * fill.green + 114 * fill.blue > 127_500
    return "#1b1b1b" if light else "#ffffff", fill.hex
