"""What followed from an action, as points and as everything else that happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from mexica_cli.record.lines import ActionLine

POINTS = "points"


class Scoring(NamedTuple):
    """Points that a seat got. Added up they are the scores, in games that score so."""

    entry: int
    """Place in the action's `followed`, from 0."""
    seat: int
    points: int
    source: str
    """What for."""
    period: int | None
    size: int | None
    """Of the token that was set, where one was."""
    cell: str | None
    """Where it lies."""
    palace: int | None
    """How many of the points a pawn on a starting space gave, where a period was scored."""


class Event(NamedTuple):
    """Anything else that followed."""

    entry: int
    what: str
    seat: int | None
    card: str | None
    god: str | None
    origin: str | None
    """`from`: where a card came from."""
    goal: str | None
    """`to`: where it went."""
    detail: str
    """The whole entry, as JSON."""


def scorings(line: ActionLine, period: int | None) -> Iterator[Scoring]:
    """The points; `period` is that of the action."""
    palace: list[int] | None = None
    for index, entry in enumerate(line.followed):
        if entry.get("what") == POINTS:
            seat = entry["seat"]
            yield Scoring(
                index,
                seat,
                entry["points"],
                entry["for"],
                entry.get("period", period),
                entry.get("size"),
                entry.get("cell"),
                None if palace is None else palace[seat],
            )
        elif entry.get("what") == "scored":
            palace = entry["palace"]


def events(line: ActionLine) -> Iterator[Event]:
    """Everything but the points."""
    for index, entry in enumerate(line.followed):
        if entry.get("what") != POINTS:
            yield _event(index, entry)


def _event(index: int, entry: dict[str, Any]) -> Event:
    get = entry.get
    detail = msgspec.json.encode(entry).decode()
    return Event(index, get("what", ""), get("seat"), get("card"), get("god"), get("from"), get("to"), detail)
