"""The drawings of pieces and grounds of Mexica's SVG board, once each, for the page to place.

A drawing is drawn at the origin. `{cell}` and `{size}` in it are filled in by the page, in `data/board.js`.
"""

from __future__ import annotations

from mexica_cli.games.game import JsonDict
from mexica_cli.view import svg_ground, svg_pieces
from mexica_cli.view.scene import SEAT_STYLES, letter
from mexica_cli.view.svg import MARGIN
from mexica_cli.view.svg_elements import CELL

_ORIGIN = (0.0, 0.0)
_CELL = "{cell}"
_SEATS = range(len(SEAT_STYLES))


def drawings(levels: int) -> JsonDict:
    """All drawings, with temples of up to that level. `ground` holds commands of paths, the others are elements."""
    owners = [*((letter(seat), seat) for seat in _SEATS), ("N", None)]
    return {
        "cell": CELL,
        "margin": MARGIN,
        "temple": {
            f"{name}{level}": svg_pieces.temple(_ORIGIN, _CELL, owner, level)
            for name, owner in owners
            for level in range(1, levels + 1)
        },
        "pawn": {letter(seat): svg_pieces.pawn(_ORIGIN, _CELL, seat, above=False) for seat in _SEATS},
        "pawn_above": {letter(seat): svg_pieces.pawn(_ORIGIN, _CELL, seat, above=True) for seat in _SEATS},
        "token": svg_pieces.token(_ORIGIN, _CELL, "{size}"),
        "bridge": {axis: svg_pieces.bridge(_ORIGIN, _CELL, axis) for axis in "hv"},
        "ground": {class_: commands(_ORIGIN) for class_, commands in svg_ground.DETAILS.items()},
    }


def seat_colours() -> str:
    """Colours of the seats, and of the neutral colour, as a style sheet's variables."""
    pairs = [*((str(seat), svg_pieces.colours(seat)) for seat in _SEATS), ("n", svg_pieces.NEUTRAL)]
    return "".join(f"--seat-{name}:{fill};--seat-{name}-ink:{ink};" for name, (ink, fill) in pairs)
