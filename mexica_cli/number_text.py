"""Numbers as they are told to people: `2 games`, `1st`, `4.56 s`."""

from __future__ import annotations


def count(number: int, thing: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def ordinal(place: int) -> str:
    """`1st`."""
    kind = 0 if place % 100 in {11, 12, 13} else place % 10
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(kind, 'th')}"


def duration(milliseconds: float) -> str:
    """`12.3 ms`, `4.56 s`."""
    return f"{milliseconds / 1000:.2f} s" if milliseconds >= 1000 else f"{milliseconds:.1f} ms"
