"""PROTOCOL.md leaves nothing out: every message, field, limit, fault and code, and every link leads somewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from mexica_cli.arena.faults import SEAT_FAULTS, FaultKind
from mexica_cli.arena.limits import Limits
from mexica_cli.wire.framing import BadMessageCode
from mexica_cli.wire.messages import LINE_BYTES, ArenaMessage, BotMessage, Want
from mexica_cli.wire.schema import structs_in

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = ROOT / "protocol"

STRUCTS: dict[str, type[msgspec.Struct]] = {struct.__name__: struct for struct in structs_in(ArenaMessage | BotMessage)}
MESSAGES: dict[str, type[msgspec.Struct]] = {
    str(struct.__struct_config__.tag): struct for struct in get_args(ArenaMessage | BotMessage)
}
INNER = {
    "A game in `games`": "GameInfo",
    "`clock` in `start`": "Clock",
    "A reason": "Fault",
    "A claim, of": "Claim",
    "## Limits": "Limits",
}
"""Structs inside messages: what stands, in the document, before the table of their fields."""

Row = list[str]


@cache
def text() -> str:
    return (PROTOCOL / "PROTOCOL.md").read_text()


def section(heading: str) -> str:
    """What stands under a heading, down to the next one of the same or a higher level."""
    level = heading.partition(" ")[0]
    _, found, rest = text().partition(f"\n{heading}\n")
    assert found, f"PROTOCOL.md has no heading {heading!r}"
    return re.split(rf"^#{{1,{len(level)}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def table(after: str) -> list[Row]:
    """The rows of the first table in a text, without its head."""
    lines = re.search(r"(?:^\|.*\|\n)+", after, re.MULTILINE)
    assert lines, f"no table in {after[:80]!r}"
    rows = [[cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in lines[0].splitlines()]
    return [[cell.removeprefix("| ") for cell in row] for row in rows[2:]]


def word(cell: str) -> str:
    """The one word in code that a cell is about."""
    match = re.fullmatch(r"`(\w+)`", cell)
    assert match, f"{cell!r} is no single word in code"
    return match[1]


# ---- fields ----------------------------------------------------------------------------------------------------------


def check_fields(rows: list[Row], struct: type[msgspec.Struct]) -> None:
    """A table of fields has those of the Struct, with their types, and says which are always there."""
    schema = msgspec.json.schema_components([struct])[1][struct.__name__]
    properties = {name: kind for name, kind in schema["properties"].items() if name != "type"}
    assert sorted(word(row[0]) for row in rows) == sorted(properties)
    for name, kind, present, *_ in rows:
        assert kind.startswith(json_types(properties[word(name)])), f"{struct.__name__}.{word(name)} is no {kind}"
        assert (present == "always") == (word(name) in schema["required"]), f"{struct.__name__}.{word(name)}: {present}"


def json_types(kind: dict[str, Any]) -> str:
    """The name of a field's type, as the tables begin it."""
    if "anyOf" in kind:
        return json_types(next(part for part in kind["anyOf"] if part != {"type": "null"}))
    if "enum" in kind:
        return "string"
    return str(kind.get("type", "object"))


def test_every_message_has_its_section() -> None:
    headings = re.findall(r"^### `(\w+)`$", text(), re.MULTILINE)
    assert sorted(headings) == sorted(MESSAGES)


@pytest.mark.parametrize("message", sorted(MESSAGES))
def test_fields_of(message: str) -> None:
    body = section(f"### `{message}`")
    if MESSAGES[message].__struct_fields__:
        check_fields(table(body), MESSAGES[message])
    else:
        assert not re.search(r"^\|", body, re.MULTILINE)


@pytest.mark.parametrize("before", INNER)
def test_fields_inside(before: str) -> None:
    check_fields(table(text()[text().index(before) :]), STRUCTS[INNER[before]])


def test_every_struct_is_told() -> None:
    assert set(STRUCTS) == {struct.__name__ for struct in MESSAGES.values()} | set(INNER.values())


def test_every_want_is_told() -> None:
    assert re.findall(r'^- `"(\w+)"`: ', section("### `join`"), re.MULTILINE) == list(get_args(Want))


# ---- numbers ---------------------------------------------------------------------------------------------------------


def test_limits_are_those_of_the_arena() -> None:
    said = {word(row[0]): row[3] for row in table(section("## Limits"))}
    for name, value in msgspec.structs.asdict(Limits().on_the_wire()).items():
        number = f"{value >> 30} GiB" if name == "memory_bytes" else f"{value:,}"
        assert f": {number}" in said[name], name
    assert f"({LINE_BYTES:,})" in text()


# ---- faults and codes ------------------------------------------------------------------------------------------------


def test_every_fault_is_told() -> None:
    rows = table(section("## Faults"))
    assert [word(row[0]) for row in rows] == [kind.value for kind in FaultKind]
    assert {word(row[0]) for row in rows if "void" not in row[1]} == {kind.value for kind in SEAT_FAULTS}


def codes(*calls: str) -> set[str]:
    """The codes in such calls in the parts that play a match. Those of the server are in SERVER.md."""
    return {code for part in ("games", "wire", "arena") for code in codes_in(ROOT / "mexica_cli" / part, *calls)}


def codes_in(folder: Path, *calls: str) -> set[str]:
    """The codes in calls of these names anywhere in a folder: the first argument, or `code=`."""
    return {
        code
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls
        for code in constants(node)
    }


def constants(call: ast.Call) -> Iterator[str]:
    given = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "code")]
    yield from (value.value for value in given if isinstance(value, ast.Constant) and isinstance(value.value, str))


def told_codes(heading: str) -> set[str]:
    """The codes in the table below a line of the section on codes."""
    return {word(row[0]) for row in table(section("## Codes").partition(heading)[2])}


def test_every_code_of_an_error_is_told() -> None:
    told = told_codes("In `error`, not fatal:") | told_codes("In `error`, fatal, in answer")
    unseen = {"not_run"}  # there is no program to be told that it can't be run
    assert told | unseen == codes("Error", "Refused") | set(get_args(BadMessageCode))


def test_every_code_of_a_reject_is_told() -> None:
    pages = [(PROTOCOL / name).read_text() for name in ("NOTATION.md", "NOTATION-MOCTEZUMA.md")]
    told = set(re.findall(r"`(\w+)`", "".join(pages))) | {"turn_over"}
    assert codes("Illegal", "BadAction") - told == set()


# ---- links -----------------------------------------------------------------------------------------------------------

LINKS = [
    (path.relative_to(ROOT), target)
    for path in [ROOT / "README.md", *sorted(PROTOCOL.glob("*.md"))]
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text())
    if "://" not in target
]


def anchors(path: Path) -> set[str]:
    """The names by which a document's headings can be linked to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(("document", "target"), LINKS, ids=str)
def test_link(document: Path, target: str) -> None:
    name, _, anchor = target.partition("#")
    path = ROOT / document.parent / name if name else ROOT / document
    assert path.exists()
    assert not anchor or anchor in anchors(path)
