"""protocol/SERVER.md leaves nothing out: messages, fields, codes. Its examples are checked with all the others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from mexica_cli.wire.lobby import LobbyMessage, LobbyRequest, Standing, TableInfo
from mexica_cli.wire.schema import structs_in
from protocol import test_document as protocol

MESSAGES: dict[str, type[msgspec.Struct]] = {
    str(struct.__struct_config__.tag): struct for struct in get_args(LobbyMessage | LobbyRequest)
}
INNER: dict[str, type[msgspec.Struct]] = {"A table in `tables`": TableInfo, "A row in `rows`": Standing}
ELSEWHERE = {"not_json", "not_joined", "oversize", "unknown_type"}
"""Codes that PROTOCOL.md tells."""


@pytest.fixture(scope="module")
def text(root: Path) -> str:
    return (root / "protocol" / "SERVER.md").read_text()


def test_every_message_has_its_section(text: str) -> None:
    assert sorted(re.findall(r"^### `(\w+)`$", text, re.MULTILINE)) == sorted(MESSAGES)


@pytest.mark.parametrize("message", sorted(MESSAGES))
def test_fields_of(text: str, message: str) -> None:
    protocol.check_fields(protocol.table(text[text.index(f"### `{message}`\n") :]), MESSAGES[message])


@pytest.mark.parametrize("before", INNER)
def test_fields_inside(text: str, before: str) -> None:
    protocol.check_fields(protocol.table(text[text.index(before) :]), INNER[before])


def test_every_struct_is_told() -> None:
    structs = set(structs_in(LobbyMessage | LobbyRequest))
    assert structs == {*MESSAGES.values(), *INNER.values()}


def test_every_code_is_told(text: str) -> None:
    told = set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", text.partition("## Codes")[2], re.MULTILINE)))
    )
    server = Path(protocol.ROOT) / "mexica_cli" / "server"
    said = protocol.codes_in(server, "Error", "Refused", "gone")
    assert said - ELSEWHERE == told
