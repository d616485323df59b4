"""docs/VIEWING.md on what a page is told, and the page's own files."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from pagekit import changed, played

from mexica_cli.record.replay import Rulebook
from mexica_cli.view.page.document import FILE, NO_SCRIPT, document, pack, script
from mexica_cli.view.page.logged import messages
from mexica_cli.view.page.messages import Aside, End, Message, Start, Step

STEP: msgspec.json.Decoder[Step] = msgspec.json.Decoder(Step)


@pytest.fixture
def text(root: Path) -> str:
    return (root / "docs/VIEWING.md").read_text("utf-8")


@pytest.mark.parametrize("message", [Start, Step, Aside, End])
def test_every_field_is_described_and_no_other(message: type[Message], text: str) -> None:
    section = text.split(f"### `{message.__struct_config__.tag}`: ")[1].split("\n###", maxsplit=1)[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (always )?\|", section, re.MULTILINE)
    described = {field: bool(always) for cell, always in rows for field in re.findall(r"\w+", cell)}
    assert described == {field.name: field.required for field in msgspec.structs.fields(message)}


def test_examples_are_messages(text: str) -> None:
    found = [line for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert found
    for line in found:
        step = STEP.decode(line)
        assert msgspec.json.encode(step).decode() == line


def test_the_first_example_is_what_happens() -> None:
    one = played("mexica", 2)
    start, step, *_ = messages(one, Rulebook(one.header))
    assert isinstance(start, Start)
    assert isinstance(step, Step)
    after = changed(start.state, step.change)
    assert {key: after[key] for key in ("to_act", "seat", "turn")} == {"to_act": 1, "seat": 1, "turn": 1}
    assert set(step.change) == {"to_act", "seat", "turn", "pawns"}


def test_the_size_is_what_the_page_on_viewing_says() -> None:
    one = played("mexica", 2)
    packed = pack(messages(one, Rulebook(one.header)))
    whole = len("".join(document("games", "", [packed])))
    assert whole - len(packed.text) < 110_000
    assert len(packed.text) < 16_000


def test_scripts_are_small_and_there_is_no_other() -> None:
    there = {path.name for path in (files("mexica_cli.view.page") / "data").iterdir()}
    assert there == {f"{name}.js" for name in (*FILE, "live")} | {"style.css"}
    for name in (*FILE, "live"):
        assert script(name).startswith('"use strict";\n// ')
        assert len(script(name).splitlines()) < 400


def test_without_scripts_it_says_so() -> None:
    page = "".join(document("<games>", "", []))
    assert f"<noscript>{NO_SCRIPT}</noscript>" in page
    assert "<title>&lt;games&gt;</title>" in page
    assert json.loads(re.findall(r'id="page">(.*?)</script>', page)[0])["title"] == "<games>"
