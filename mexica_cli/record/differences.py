"""Where two JSON values differ, field by field, for messages to people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

from mexica_cli.wire.framing import excerpt

_MISSING = object()


class Difference(NamedTuple):
    """One field that differs, with both values as JSON text, shortened if long, or `nothing`."""

    path: str
    """Like `options.stall` or `bots[0].name`."""
    left: str
    right: str


def differences(left: Any, right: Any, path: str = "") -> list[Difference]:
    """All fields in which two values differ, in order; `path` is what both are called. Structs count as JSON."""
    return list(_compare(_json(left), _json(right), path))


def _json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _compare(left: Any, right: Any, path: str) -> Iterator[Difference]:
    if isinstance(left, dict) and isinstance(right, dict):
        for name in left | right:
            part = f"{path}.{name}" if path else name
            yield from _compare(left.get(name, _MISSING), right.get(name, _MISSING), part)
    elif isinstance(left, list) and isinstance(right, list):
        for index, (a, b) in enumerate(zip_longest(left, right, fillvalue=_MISSING)):
            yield from _compare(a, b, f"{path}[{index}]")
    elif left != right or type(left) is not type(right):
        yield Difference(path, _text(left), _text(right))


def _text(value: Any) -> str:
    return "nothing" if value is _MISSING else excerpt(msgspec.json.encode(value))
