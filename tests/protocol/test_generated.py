"""The generated files of protocol/ are what the code makes today, and say the same as the code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from mexica_cli.wire.messages import ArenaMessage, BotMessage

COMMAND = ".venv/bin/python scripts/generate_protocol.py"

NAMES = [
    "schema/arena-messages.json",
    "schema/bot-messages.json",
    "schema/lobby-messages.json",
    "schema/lobby-requests.json",
    "schema/log-lines.json",
    "schema/mexica-state.json",
    "schema/moctezuma-state.json",
    "transcripts/short-game.jsonl",
]


def test_nothing_is_missing_or_left_over(protocol: Path, generated: dict[str, bytes]) -> None:
    folders = {name.partition("/")[0] for name in NAMES}
    on_file = {str(path.relative_to(protocol)) for folder in folders for path in (protocol / folder).iterdir()}
    assert set(generated) == set(NAMES)
    assert on_file == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_up_to_date(protocol: Path, generated: dict[str, bytes], name: str) -> None:
    if (protocol / name).read_bytes() != generated[name]:
        pytest.fail(f"protocol/{name} is stale; renew it with: {COMMAND}", pytrace=False)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("schema/")])
def test_a_schema_is_one(protocol: Path, name: str) -> None:
    document = json.loads((protocol / name).read_bytes())
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(document)


# ---- schema and code agree -------------------------------------------------------------------------------------------

LIMITS = {
    "line_bytes": 65536,
    "messages": 100,
    "illegal": 3,
    "startup_ms": 10000,
    "ready_ms": 10000,
    "quit_ms": 2000,
    "stderr_bytes": 1048576,
    "memory_bytes": None,
}
CLAIM = {"holds": ["cura"], "lacks": [], "plays": []}
CLOCK = {"left_ms": 1, "move_ms": 2, "bank_ms": 3, "increment_ms": 4, "last_ms": 5.5}

FULL: dict[str, list[dict[str, Any]]] = {
    "arena-messages": [
        {
            "type": "hello",
            "protocol": [1],
            "server": "test",
            "games": [{"name": "mexica", "rules": ["official"], "players": [2, 4]}],
            "limits": LIMITS,
        },
        {"type": "welcome", "bot": "ann", "session": ""},
        {
            "type": "start",
            "match": "1-1",
            "game": "mexica",
            "rules": "official",
            "options": {},
            "seat": 0,
            "seats": ["ann", "bob"],
            "seed": 7,
            "state": {},
            "clock": CLOCK,
        },
        {
            "type": "event",
            "match": "1-1",
            "n": 1,
            "seat": 0,
            "action": "end",
            "followed": [{"what": "over"}],
            "auto": True,
        },
        {"type": "turn", "match": "1-1", "id": 1, "seat": 0, "clock": CLOCK, "state": {}, "legal": ["end"]},
        {
            "type": "reject",
            "match": "1-1",
            "id": 1,
            "index": 0,
            "action": "x",
            "code": "no_ap",
            "reason": "why",
            "strikes_left": 2,
        },
        {
            "type": "result",
            "match": "1-1",
            "outcome": "forfeit",
            "ranking": [1, 2],
            "scores": [5, 6],
            "reasons": [None, {"kind": "crash", "reason": "why"}],
            "won": True,
        },
        {"type": "said", "match": "1-1", "seat": 0, "text": "hm", "claim": CLAIM},
        {"type": "ping", "id": 1},
        {"type": "error", "code": "stale", "reason": "why", "fatal": True, "retry_after": 1.5},
        {"type": "bye", "reason": "why"},
    ],
    "bot-messages": [
        {
            "type": "join",
            "protocol": 1,
            "name": "ann",
            "version": "1",
            "author": "x",
            "games": ["mexica"],
            "table": "t",
            "token": "t",
            "session": "s",
            "role": "player",
            "want": ["state", "legal", "events"],
        },
        {"type": "ready", "match": "1-1"},
        {"type": "play", "id": 1, "actions": ["end"], "note": "hm"},
        {"type": "say", "match": "1-1", "text": "hm", "claim": CLAIM},
        {"type": "pong", "id": 1},
        {"type": "quit"},
    ],
}
"""Every message with every field there is."""

UNIONS: dict[str, Any] = {"arena-messages": ArenaMessage, "bot-messages": BotMessage}

OTHERS = [None, True, -1, 1.5, "", "x" * 65, "x" * 513, [], [1], ["end"] * 257, [None], {}, {"kind": 1}]
"""Values of all kinds, right for some fields and wrong for others."""


def spoilt(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The message with each field left out, and with other values in it."""
    for field in message:
        yield {name: value for name, value in message.items() if name != field}
        for value in OTHERS:
            yield {**message, field: value}


def decodes(union: Any, message: dict[str, Any]) -> bool:
    try:
        msgspec.json.decode(json.dumps(message), type=union)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("name", FULL)
def test_every_message_is_tried_with_all_its_fields(name: str) -> None:
    structs = {struct.__struct_config__.tag: struct for struct in UNIONS[name].__args__}
    assert {message["type"]: set(message) for message in FULL[name]} == {
        tag: {"type", *struct.__struct_fields__} for tag, struct in structs.items()
    }


@pytest.mark.parametrize(
    ("name", "message"), [pytest.param(name, m, id=m["type"]) for name, all_of in FULL.items() for m in all_of]
)
def test_schema_and_decoder_give_the_same_verdict(schemas: dict[str, Any], name: str, message: dict[str, Any]) -> None:
    schema, union = schemas[name], UNIONS[name]
    assert schema.accepts(message)
    assert decodes(union, message)
    verdicts = [(variant, schema.accepts(variant), decodes(union, variant)) for variant in spoilt(message)]
    assert [variant for variant, by_schema, by_decoder in verdicts if by_schema != by_decoder] == []


@pytest.mark.parametrize("name", FULL)
def test_unknown_fields_pass_and_unknown_types_do_not(schemas: dict[str, Any], name: str) -> None:
    assert all(schemas[name].accepts({**message, "tomorrow": 1}) for message in FULL[name])
    assert not schemas[name].accepts({**FULL[name][0], "type": "tomorrow"})
