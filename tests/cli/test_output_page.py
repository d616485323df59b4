"""docs/OUTPUT.md against the structs that are printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from mexica_cli.cli.board import BoardOutput
from mexica_cli.cli.cards import CardOutput
from mexica_cli.cli.output import CheckOutput
from mexica_cli.cli.rules import DifferenceOutput, RuleOutput, RuleSetOutput
from mexica_cli.cli.status import StatusOutput
from mexica_cli.view.jsonl import BotOutput, GameOutput, Output, SummaryOutput

KINDS: list[type[Output]] = [
    GameOutput,
    SummaryOutput,
    StatusOutput,
    CardOutput,
    RuleSetOutput,
    RuleOutput,
    DifferenceOutput,
    BoardOutput,
    CheckOutput,
]


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    """The page."""
    return (root / "docs" / "OUTPUT.md").read_text()


def tag(kind: type[Output]) -> str:
    return str(kind.__struct_config__.tag)


def section(page: str, kind: type[Output]) -> str:
    """What the page says of a kind of line."""
    return re.split(r"\n##+ ", page.split(f"\n### `{tag(kind)}`\n")[1])[0]


def fields(table: str) -> set[str]:
    """The names in the first column of a table."""
    rows = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    return {name for names in rows for name in re.findall(r"`(\w+)`", names)}


def test_the_page_has_these_kinds(page: str) -> None:
    assert re.findall(r"^### `(\w+)`$", page, re.MULTILINE) == list(map(tag, KINDS))


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_every_field_is_described(page: str, kind: type[Output]) -> None:
    table = section(page, kind).partition("| field of a bot |")[0]
    assert fields(table) == set(kind.__struct_fields__)


def test_every_field_of_a_bot_is_described(page: str) -> None:
    assert fields(section(page, SummaryOutput).partition("| field of a bot |")[2]) == set(BotOutput.__struct_fields__)


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_every_kind_has_an_example(page: str, kind: type[Output]) -> None:
    [example] = re.findall(r"```json\n(.*?)\n```", section(page, kind), re.DOTALL)
    assert json.loads(msgspec.json.encode(msgspec.json.decode(example, type=kind))) == json.loads(example)
