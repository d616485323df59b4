"""Every example in the documents is what it says it is: it fits the schema, and the code reads it without loss.

A fenced block names its contents in its first line: ```jsonl arena has lines from the arena, ```jsonl bot and
```jsonl log likewise (`log` goes without saying in LOG.md), ```state is a state of Mexica, ```state moctezuma one of
Moctezuma, ```json transcript has lines of a transcript, and ```text dialogue has lines of both sides, each after the
word `arena` or `bot`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from mexica_cli.games import load_game
from mexica_cli.games.game import BadAction, State
from mexica_cli.games.mexica.observation import MexicaState
from mexica_cli.games.moctezuma.observation import MoctezumaState
from mexica_cli.record.lines import Line
from mexica_cli.wire.handshake import Refused, read_join
from mexica_cli.wire.lobby import LobbyMessage, LobbyRequest
from mexica_cli.wire.messages import ArenaMessage, BotMessage

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "protocol").glob("*.md"))]

KINDS: dict[str, tuple[str, Any]] = {
    "arena": ("arena-messages", ArenaMessage),
    "bot": ("bot-messages", BotMessage),
    "server": ("lobby-messages", LobbyMessage),
    "client": ("lobby-requests", LobbyRequest),
    "log": ("log-lines", Line),
    "mexica": ("mexica-state", MexicaState),
    "moctezuma": ("moctezuma-state", MoctezumaState),
}
"""By the second word of a block: schema and type of its lines."""

FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A line of JSON in a document."""

    where: str
    kind: str
    text: str


class Block(NamedTuple):
    """A fenced block of a document."""

    where: str
    info: str
    lines: list[str]


def blocks() -> Iterator[Block]:
    """Every fenced block of every document."""
    for path in DOCUMENTS:
        text = path.read_text()
        for fence in FENCE.finditer(text):
            line = text.count("\n", 0, fence.start()) + 1
            yield Block(f"{path.relative_to(ROOT)}:{line}", fence["info"].strip(), fence["body"].splitlines())


def examples() -> Iterator[Example]:
    """Every line of JSON that has a schema."""
    for block in blocks():
        language, _, kind = block.info.partition(" ")
        if kind == "dialogue":
            yield from spoken(block)
        elif kind == "transcript":
            for entry in map(json.loads, block.lines):
                yield Example(block.where, "arena" if entry["from"] == "arena" else "bot", json.dumps(entry["line"]))
        elif language == "state":
            yield Example(block.where, kind or "mexica", "".join(block.lines))
        elif language in ("json", "jsonl") and kind != "setup":
            default = "log" if "LOG.md" in block.where else ""
            yield from (Example(block.where, kind or default, line) for line in block.lines if line)


def spoken(block: Block) -> Iterator[Example]:
    """The lines of a dialogue."""
    for line in block.lines:
        speaker, _, text = line.partition(" ")
        if speaker:
            yield Example(block.where, speaker, text.strip())


ALL = list(examples())


def test_every_document_is_looked_at() -> None:
    assert {path.name for path in DOCUMENTS} >= {"README.md", "PROTOCOL.md"}
    assert len(ALL) > 40


def test_no_message_hides_in_a_block_that_is_not_looked_at() -> None:
    looked_at = {example.where for example in ALL}
    assert [
        block.where for block in blocks() if block.where not in looked_at and any('{"type"' in x for x in block.lines)
    ] == []


@pytest.mark.parametrize("example", [pytest.param(x, id=f"{x.where}-{n}") for n, x in enumerate(ALL)])
def test_example(example: Example, schemas: dict[str, Any]) -> None:
    assert example.kind in KINDS, f"{example.where}: say what the lines are, as in ```jsonl arena"
    schema, union = KINDS[example.kind]
    line = json.loads(example.text)
    schemas[schema].check(line)
    assert json.loads(msgspec.json.encode(msgspec.json.decode(example.text, type=union))) == line


def actions() -> Iterator[str]:
    """Every action text in an example that the game is meant to understand."""
    for example in ALL:
        line = json.loads(example.text)
        if line.get("type") in ("play", "turn", "event", "action"):
            yield from [*line.get("actions", []), *(line.get("legal") or [])]
            yield from [line["action"]] if "action" in line else []


def test_actions_are_written_as_the_game_writes_them() -> None:
    games = [load_game(name) for name in ("mexica", "moctezuma")]
    states = [game.start(2, game.deal(2, 1)) for game in games]
    texts = set(actions())
    assert len(texts) > 10
    assert {text for text in texts if not any(is_written(text, state) for state in states)} == set()


def is_written(text: str, state: State) -> bool:
    """Whether the game would write an action so."""
    try:
        return state.text(state.parse(text)) == text
    except BadAction:
        return False


def test_lists_of_legal_actions_are_sorted() -> None:
    lists = [line["legal"] for line in map(json.loads, (x.text for x in ALL)) if line.get("legal")]
    assert lists
    assert [legal for legal in lists if legal != sorted(legal)] == []


def test_a_join_that_is_refused_is_refused_in_these_words() -> None:
    lines = [json.loads(example.text) for example in ALL]
    refusals = [
        (join, error) for join, error in pairwise(lines) if (join.get("type"), error.get("type")) == ("join", "error")
    ]
    assert refusals
    for join, error in refusals:
        with pytest.raises(Refused) as refused:
            read_join(json.dumps(join).encode())
        assert (refused.value.code, refused.value.reason) == (error["code"], error["reason"])
