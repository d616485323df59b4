"""How the arena writes: the same messages, in every form that the protocol allows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

Manner = Callable[[Sequence[bytes]], list[bytes]]
"""From lines that are sent together to what is written: one piece after the other, with a moment between them."""

JsonObject = dict[str, Any]

PADDING = 2 * 65536
"""Bytes by which `long_lines` makes a line longer: twice what a pipe holds, or a bot may send."""

STRANGER = b'{"type":"weather","id":1,"match":"1-1","sky":["clear",null,{"wind":3.5}]}\n'
NEW_FIELD: JsonObject = {"type": "play", "deep": [[{}], None, True, -1.5e-3, "}\n"]}


def plain(lines: Sequence[bytes]) -> list[bytes]:
    """As the arena does."""
    return [b"".join(lines)]


def in_pieces(lines: Sequence[bytes]) -> list[bytes]:
    """In pieces that end in mid-line, or before a line feed, so that the next one begins with it."""
    data = b"".join(lines)
    cuts = sorted({len(lines[0]) // 2, len(lines[0]) - 1, len(data) // 2, len(data) - 1} - {0})
    return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def among_strangers(lines: Sequence[bytes]) -> list[bytes]:
    """With messages of a type that nobody knows after every one but `hello`."""
    return [b"".join(line if b'"hello"' in line[:20] else line + STRANGER for line in lines)]


def with_new_fields(lines: Sequence[bytes]) -> list[bytes]:
    """With fields that nobody knows, also in `clock` and `followed`, and `type` at the end."""
    return rewritten(lines, _add_fields)


def with_nulls(lines: Sequence[bytes]) -> list[bytes]:
    """With `null` for what may be absent and is."""
    return rewritten(lines, _add_nulls)


def in_odd_json(lines: Sequence[bytes]) -> list[bytes]:
    """With white space, and with escapes for all that isn't ASCII."""
    return [b"".join(json.dumps(json.loads(line), separators=(" ,\t", " : ")).encode() + b"  \n" for line in lines)]


def long_lines(lines: Sequence[bytes]) -> list[bytes]:
    """With far longer lines than a bot may send."""
    return rewritten(lines, lambda message: message.update(padding="x" * PADDING))


def rewritten(lines: Sequence[bytes], change: Callable[[JsonObject], None]) -> list[bytes]:
    """The lines with a change made to each message."""
    data = bytearray()
    for line in lines:
        message = json.loads(line)
        change(message)
        data += json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    return [bytes(data)]


def _add_fields(message: JsonObject) -> None:
    kind = message.pop("type")
    for inner in (message.get("clock"), *message.get("followed", ())):
        if inner is not None:
            inner["new_here"] = NEW_FIELD
    message.update(new_field=NEW_FIELD, type=kind)


OPTIONAL = {
    "turn": ("state", "legal"),
    "event": ("action",),
    "error": ("retry_after",),
    "result": ("won",),
}
"""Fields that may be absent, by type of message."""

CLOCK = ("left_ms", "move_ms", "bank_ms", "increment_ms", "last_ms")


def _add_nulls(message: JsonObject) -> None:
    for field in OPTIONAL.get(message["type"], ()):
        message.setdefault(field, None)
    if (clock := message.get("clock")) is not None:
        for field in CLOCK:
            clock.setdefault(field, None)
