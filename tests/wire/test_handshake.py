"""The first lines of a connection."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from mexica_cli import __version__
from mexica_cli.wire.framing import encode
from mexica_cli.wire.handshake import Refused, hello, read_join, wanted
from mexica_cli.wire.messages import GameInfo, Join, Limits, Want

LIMITS = Limits(
    line_bytes=65536,
    messages=100,
    illegal=3,
    startup_ms=10000,
    ready_ms=9000,
    quit_ms=2000,
    stderr_bytes=1024,
    memory_bytes=None,
)


def refusal(line: bytes) -> Refused:
    with pytest.raises(Refused) as caught:
        read_join(line)
    assert str(caught.value) == caught.value.reason
    return caught.value


def test_hello_says_what_is_spoken_played_and_allowed() -> None:
    greeting = json.loads(encode(hello([GameInfo(name="nim", rules=["plain"], players=(2, 4))], LIMITS)))
    assert greeting == {
        "type": "hello",
        "protocol": [1],
        "server": f"mexica {__version__}",
        "games": [{"name": "nim", "rules": ["plain"], "players": [2, 4]}],
        "limits": {
            "line_bytes": 65536,
            "messages": 100,
            "illegal": 3,
            "startup_ms": 10000,
            "ready_ms": 9000,
            "quit_ms": 2000,
            "stderr_bytes": 1024,
            "memory_bytes": None,
        },
    }


def test_the_least_join() -> None:
    join = read_join(b'{"type":"join","protocol":1,"name":"tiny"}')
    assert join == Join(protocol=1, name="tiny")
    assert wanted(join) == set(get_args(Want))


def test_a_full_join_with_fields_of_tomorrow() -> None:
    line = (
        b'{"mood":"bright","name":"tiny","version":"0.3","author":"A","games":["nim"],"table":"t","token":"k",'
        b'"session":"s","want":["events","legal"],"protocol":1,"type":"join"}'
    )
    assert read_join(line) == Join(
        protocol=1,
        name="tiny",
        version="0.3",
        author="A",
        games=["nim"],
        table="t",
        token="k",
        session="s",
        want=["events", "legal"],
    )


@pytest.mark.parametrize(
    ("want", "sent"),
    [(b"null", {"state", "legal", "events"}), (b"[]", set()), (b'["state","state"]', {"state"})],
)
def test_wants(want: bytes, sent: set[Want]) -> None:
    assert wanted(read_join(b'{"type":"join","protocol":1,"name":"tiny","want":%b}' % want)) == sent


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (b"Usage: bot FILE", "not_json", "Usage: bot FILE"),
        (b"[1]", "no_type", "[1]"),
        (b'{"type":"sing"}', "unknown_type", "'sing'"),
        (b'{"type":"join","protocol":1}', "bad_field", "`name` is missing"),
        (b'{"type":"join","protocol":1,"name":""}', "bad_field", "`name`"),
        (b'{"type":"join","protocol":1,"name":"%b"}' % (b"x" * 65), "bad_field", "`name`"),
        (b'{"type":"join","protocol":1,"name":"a","want":["all"]}', "bad_field", "`want[0]`"),
        (b'{"type":"join","protocol":"1","name":"a"}', "bad_field", "`protocol`"),
        (b"\xff", "not_json", "UTF-8"),
    ],
)
def test_what_is_no_message_is_refused_as_such(line: bytes, code: str, words: str) -> None:
    refused = refusal(line)
    assert refused.code == code
    assert refused.reason.startswith("the first line must be a `join`: ")
    assert words in refused.reason


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"ready","match":"1-1"}',
        b'{"type":"play","id":1,"actions":["end"]}',
        b'{"type":"pong","id":1}',
        b'{"type":"quit"}',
    ],
)
def test_any_other_message_is_no_join(line: bytes) -> None:
    refused = refusal(line)
    assert refused.code == "not_joined"
    assert refused.reason == f"the first line must be a `join`. The line begins: {line.decode()}"


@pytest.mark.parametrize("version", [0, 2, -1, 99])
def test_another_protocol_is_not_spoken(version: int) -> None:
    refused = refusal(b'{"type":"join","protocol":%d,"name":"tiny"}' % version)
    assert refused.code == "protocol_version"
    assert refused.reason == f"protocol {version} is not spoken here, 1 is"
