"""TOML files made into Structs, and what is said of those that can't be."""

from __future__ import annotations

import errno
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from mexica_cli.games.tomlfile import (
    FieldError,
    FileError,
    TomlFile,
    describe,
    dotted,
    field_types,
    sentence,
    struct_from,
)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Kite(msgspec.Struct, frozen=True, kw_only=True):
    """A Struct with a field of every type that files have."""

    length: Annotated[int, Meta(ge=1, le=9)]
    weight: float = 1.0
    least: Annotated[int, Meta(ge=0)] = 0
    name: str = "kite"
    flies: bool = True
    colour: Colour = Colour.RED
    kind: Literal["box", "flat"] = "flat"
    tails: Annotated[list[str], Meta(min_length=1, max_length=3)] | None = None
    knots: list[int] = []
    wind: Annotated[str, Meta(description='a wind in quotes, like "north"')] | None = None
    either: Literal["none"] | int = 0
    owner: dict[str, int] = {}


def read(path: Path) -> Kite:
    """The kite of a file. Raises FileError."""
    source = TomlFile(path, "kite")
    try:
        return struct_from(Kite, source.table)
    except FieldError as error:
        raise source.error(error) from None


def said_of(tmp_path: Path, text: str) -> str:
    """The error for a file with this text, without the folder."""
    path = tmp_path / "kite.toml"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        read(path)
    return str(caught.value).removeprefix(f"{tmp_path}/")


def test_a_right_file(tmp_path: Path) -> None:
    path = tmp_path / "kite.toml"
    path.write_text('length = 3\ncolour = "blue"\nweight = 2\nowner.age = 7\n')
    assert read(path) == Kite(length=3, colour=Colour.BLUE, weight=2.0, owner={"age": 7})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "kite.toml: length: this field is missing; give a whole number from 1 to 9"),
        ("length = 10\n", "kite.toml:1: length: expected `int` <= 9; give a whole number from 1 to 9"),
        ('# a kite\n\nlength = "3"', "kite.toml:3: length: expected `int`, got `str`; give a whole number from 1 to 9"),
        ("length = 3\nlenght = 4", "kite.toml:2: lenght: there is no such field; did you mean length?"),
        ("length = 3\nxyz = 4", "kite.toml:2: xyz: there is no such field; known fields: length, weight, least, name,"),
        ("length = 3\nleast = -1", "kite.toml:2: least: expected `int` >= 0; give a whole number of 0 or more"),
        ("length = 3\nflies = 1", "kite.toml:2: flies: expected `bool`, got `int`; give true or false"),
        (
            'length = 3\ncolour = "green"',
            'kite.toml:2: colour: invalid enum value \'green\'; give one of "red", "blue"',
        ),
        ('length = 3\nkind = "x"', 'kite.toml:2: kind: invalid enum value \'x\'; give one of "box", "flat"'),
        (
            "length = 3\ntails = []",
            "kite.toml:2: tails: expected `array` of length >= 1; give a list of 1 to 3 entries",
        ),
        ("length = 3\nknots = [1, 'a']", "kite.toml:2: knots: expected `int`, got `str`; give a list of 0 or more"),
        ("length = 3\nwind = 3", 'kite.toml:2: wind: expected `str`, got `int`; give a wind in quotes, like "north"'),
        ("length = 3\nname = false", "kite.toml:2: name: expected `str`, got `bool`; give a text"),
        (
            "length = 3\neither = 'x'",
            "kite.toml:2: either: invalid enum value 'x'; give one of \"none\" or a whole number",
        ),
        ("length = 3\n[owner]\nage = 'old'", "kite.toml:2: owner: expected `int`, got `str`; give a table"),
        ("length = 3\nowner.age = 'old'", "kite.toml:2: owner: expected `int`, got `str`; give a table"),
        ("length = = 3", "kite.toml:1: this is not TOML: Invalid value"),
        ("length = 3\nname = 'x\n", "kite.toml: this is not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_field(text: str, said: str, tmp_path: Path) -> None:
    assert said_of(tmp_path, text).startswith(said)


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere\.toml: the kite can't be read: .*No such file"):
        TomlFile(tmp_path / "nowhere.toml", "kite")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(FileError, match=r"can't be read: this is no text in UTF-8$"):
        TomlFile(tmp_path / "latin.toml", "kite")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file", "a.toml"), "a.toml: No such file"),
        (OSError(errno.ENOSPC, "No space left"), "No space left"),
        (OSError("no room"), "no room"),
        (FileExistsError(errno.EEXIST, "File exists", "cup"), "cup: there is something of that name that is no folder"),
        (FileError("a.toml: no kite"), "a.toml: no kite"),
    ],
)
def test_what_went_wrong_is_said_with_its_file_and_without_numbers(error: Exception, said: str) -> None:
    assert sentence(error) == said


LINES = """
top = 1

[table] # a comment
inner = 2
"quoted" = 3
dotted.name = 4
rows = [
    ["a", "b"],
    ["c"]
]
after = 5

[[list]]
x = 1

[[ list ]]
x = 2
[deep.er]
y = 3
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("table",), 4),
        (("table", "inner"), 5),
        (("table", "quoted"), 6),
        (("table", "dotted", "name"), 7),
        (("table", "rows"), 8),
        (("table", "after"), 12),
        (("list", 0), 14),
        (("list", 0, "x"), 15),
        (("list", 1, "x"), 18),
        (("list", 1, "missing"), 17),
        (("deep", "er", "y"), 20),
        (("table", "missing"), 4),
    ],
)
def test_the_line_of_a_field(path: tuple[str | int, ...], line: int, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(LINES)
    error = TomlFile(file, "x").error(FieldError(path, "it is wrong"))
    assert str(error) == f"{file}:{line}: {dotted(path)}: it is wrong"


def test_a_field_that_is_nowhere_has_no_line(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(LINES)
    assert str(TomlFile(file, "x").error(FieldError("missing", "it is missing"))) == f"{file}: missing: it is missing"


def test_a_field_in_a_table_is_called_by_its_path() -> None:
    with pytest.raises(FieldError, match=r"^kites\[1\]\.length: this field is missing; give .* or leave the kite out$"):
        struct_from(Kite, {}, ("kites", 1), absent=", or leave the kite out")
    with pytest.raises(FieldError, match=r"^kites\[1\]\.name: expected `str`, got `int`"):
        struct_from(Kite, {"length": 1, "name": 3}, ("kites", 1))


def test_all_types_are_described() -> None:
    assert "something else" not in {describe(kind) for kind in field_types(Kite).values()}


@given(st.dictionaries(st.sampled_from([*Kite.__struct_fields__, "other"]), st.integers() | st.text() | st.booleans()))
def test_any_table_is_a_struct_or_an_error_that_begins_with_a_field(table: dict[str, object]) -> None:
    try:
        struct_from(Kite, table)
    except FieldError as error:
        message = str(error)
    else:
        message = ""
    assert message.partition(":")[0] in {"", *table, "length"}
