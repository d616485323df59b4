"""protocol/LOG.md says what the Structs say, and its examples are lines of a log."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from toylog import encode

from mexica_cli.record.lines import TIME_FIELDS, BotRecord, ClockSetting, Latency, Line, LogLine, ResultLine

KINDS: list[type[LogLine]] = list(get_args(Line))


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    """The page."""
    return (root / "protocol" / "LOG.md").read_text()


def section(page: str, kind: type[LogLine]) -> str:
    """What the page says of a kind of line."""
    return re.split(r"\n##+ ", page.split(f"\n### `{kind.__struct_config__.tag}`: ")[1])[0]


def documented(page: str, kind: type[LogLine]) -> dict[str, bool]:
    """The fields in the table of a kind of line, and whether they are always there."""
    rows = re.findall(r"^\| (`.*?`) \| (always)? ?\|", section(page, kind), re.MULTILINE)
    return {name: bool(always) for names, always in rows for name in re.findall(r"`(\w+)`", names)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_described(page: str, kind: type[LogLine]) -> None:
    fields = msgspec.structs.fields(kind)
    assert documented(page, kind) == {field.encode_name: field.required for field in fields}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_example(page: str, kind: type[LogLine]) -> None:
    examples = re.findall(r"```json\n(.*?)```", section(page, kind), re.DOTALL)
    assert examples
    for example in "".join(examples).splitlines():
        assert json.loads(msgspec.json.encode(msgspec.json.decode(example, type=kind))) == json.loads(example)


def test_no_example_stands_elsewhere(page: str) -> None:
    assert page.count("```json") == len(KINDS)


@pytest.mark.parametrize("part", [BotRecord, ClockSetting, Latency])
def test_parts_of_lines_are_described(page: str, part: type[msgspec.Struct]) -> None:
    assert all(f"`{name}`" in page for name in part.__struct_fields__)


def test_the_fields_that_hold_times_are_named(page: str) -> None:
    paragraph = page.split("## Comparing two runs")[1].split("```", maxsplit=1)[0]
    assert set(re.findall(r"`(\w+)`", paragraph)) == TIME_FIELDS


def test_the_program_counts_points(page: str, log: list[Line]) -> None:
    program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    run = subprocess.run([sys.executable, "-c", program], input=encode(log), capture_output=True, check=True)
    results = [line for line in log if isinstance(line, ResultLine) and line.outcome != "void"]
    assert sum(json.loads(run.stdout).values()) == sum(sum(line.scores) for line in results)
