"""What differs between two JSON values, itself JSON and small where little differs.

A change is

    [value]                    another value, or a new field of an object
    []                         the field of the object is gone
    {"key": change, ...}       an object, or a list of the same length (keys are places), of which parts have changed
    [place, count, item, ...]  a list: at the place so many items are gone, and these are there instead

`data/game.js` does a change to a state.
"""

from __future__ import annotations

from typing import Any

Json = Any


def change_of(old: Json, new: Json) -> Json | None:
    """The change that makes `new` of `old`; None if they are the same."""
    if old == new and type(old) is type(new):
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        return _fields(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _places(old, new) if len(old) == len(new) else _splice(old, new)
    return [new]


def _fields(old: dict[str, Json], new: dict[str, Json]) -> Json:
    gone: dict[str, Json] = {key: [] for key in old if key not in new}
    added = {key: [value] for key, value in new.items() if key not in old}
    kept = {key: change_of(old[key], value) for key, value in new.items() if key in old}
    return {**gone, **{key: change for key, change in kept.items() if change is not None}, **added}


def _places(old: list[Json], new: list[Json]) -> Json:
    changes = {str(place): change_of(*pair) for place, pair in enumerate(zip(old, new, strict=True))}
    return {place: change for place, change in changes.items() if change is not None}


def _splice(old: list[Json], new: list[Json]) -> Json:
    shorter = min(len(old), len(new))
    start = next((place for place in range(shorter) if old[place] != new[place]), shorter)
    rest = shorter - start
    tail = next((back for back in range(rest) if old[-1 - back] != new[-1 - back]), rest)
    return [start, len(old) - start - tail, *new[start : len(new) - tail]]
