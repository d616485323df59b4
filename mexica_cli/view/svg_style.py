"""Colours and lines of the SVG board. The frame is opaque, so the drawing looks the same on light and dark pages.

Grounds differ in lightness as well as in hue: dark lake, middling canals with waves, light land, hatched founded land.
"""

from __future__ import annotations

RULES = {
    "": "font-family:'DejaVu Sans',Verdana,Arial,sans-serif;font-weight:bold;text-anchor:middle",
    "path": "fill:none",
    ".frame": "fill:#12202b",
    ".coordinate,.caption": "fill:#dfe8ee",
    ".caption": "font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace",
    ".lake": "fill:#1c4a70;stroke:#2a608c",
    ".canal": "fill:#5fb6e6",
    ".waves": "stroke:#16507c;stroke-width:2;stroke-linecap:round",
    ".land": "fill:#ecdfb4;stroke:#bfae78",
    ".founded": "fill:#bccb85;stroke:#8ea55a",
    ".hatch": "stroke:#92a962;stroke-width:1.5",
    ".founded-edge": "stroke:#35521a;stroke-width:4;stroke-linecap:square",
    ".palace": "fill:#eeb567;stroke:#a86f22",
    ".starts": "fill:none;stroke:#8a5410;stroke-width:2.5",
    ".centre": "fill:#8a5410",
    ".banks": "stroke:#4a3b12;stroke-width:2;stroke-linecap:square",
    ".shade": "fill:#ffffff;fill-opacity:.55",
    ".shade-edge": "stroke:#1b1b1b;stroke-width:3;stroke-dasharray:7 5",
    ".deck": "fill:#a8713a",
    ".planks": "stroke:#6b4118;stroke-width:1.5",
    ".rails": "stroke:#2d1a06;stroke-width:3.5;stroke-linecap:round",
    ".edge": "stroke:#1b1b1b;stroke-width:1.5",
    ".rim": "fill:#fffdf5;stroke:#1b1b1b",
    ".token": "fill:#fffdf0;stroke:#35521a;stroke-width:3",
    ".halo": "stroke:#ffffff;stroke-width:7;stroke-linejoin:round;stroke-linecap:round",
    ".mark": "stroke-width:3.5;stroke-linejoin:round",
    ".mark.good": "stroke:#00632f",
    ".mark.bad": "stroke:#b3001b;stroke-dasharray:7 4",
    ".mark.cross": "stroke-dasharray:none;stroke-linecap:round",
    ".mark.note": "stroke:#1b1b1b;stroke-dasharray:2 4",
    ".head": "stroke:#ffffff;stroke-width:1.5",
    ".head.good,.badge.good": "fill:#00632f",
    ".head.bad,.badge.bad": "fill:#b3001b",
    ".head.note,.badge.note": "fill:#1b1b1b",
    ".badge": "stroke:#ffffff;stroke-width:1.5",
    ".badge-text": "fill:#ffffff",
    ".label": "fill:#fffdf5;stroke:#1b1b1b;stroke-width:1.5",
    ".label-text": "fill:#1b1b1b",
    ".pointer": "stroke:#1b1b1b;stroke-width:2.5",
    ".pointed": "fill:#1b1b1b;stroke:#fffdf5",
}
"""Declarations by selector, within the drawing."""


def _scoped(selector: str) -> str:
    """The selector for this drawing only: a page that it becomes part of keeps its own look."""
    return ",".join(f".mexica {part}".rstrip() for part in selector.split(","))


STYLE = "\n" + "".join(f"{_scoped(selector)}{{{declared}}}\n" for selector, declared in RULES.items())
