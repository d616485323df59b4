"""How well a team did, in a number, so that teams compare over the same seeds. The rulebook knows won and lost only."""

from __future__ import annotations

from mexica_cli.games.moctezuma.rules import MOST_ROUNDS
from mexica_cli.games.moctezuma.table import WON, Table

VICTORY, PART = 10_000, 1_000


def score(table: Table) -> int:
    """10000 for a victory, 1000 for each part of Quetzalcoatl invoked, 10 for each round lived through (99 at most),
    and 1 for each fortress point left. A round counts once its Reflection is over; the last one of a victory does too.
    """
    lived = table.round if table.outcome == WON else table.round - 1
    return (
        VICTORY * (table.outcome == WON) + PART * invoked(table) + 10 * min(lived, MOST_ROUNDS) + fortress_left(table)
    )


def invoked(table: Table) -> int:
    """Parts of Quetzalcoatl that are invoked."""
    return table.variant.groups.count("part") - len(table.parts)


def fortress_left(table: Table) -> int:
    """Fortress points of all gods together."""
    return sum(table.fortress)
