"""Schemas of Structs, down to the notes below their fields."""

from __future__ import annotations

from typing import Annotated

import jsonschema
import msgspec
import pytest
from msgspec import Meta

from mexica_cli.wire.schema import field_notes, json_schema, structs_in


class Stone(msgspec.Struct):
    """A stone."""

    weight: Annotated[int, Meta(ge=1)]
    """In grams,
    rounded."""
    colour: str = "grey"


class Take(msgspec.Struct, tag="take"):
    """Stones are taken."""

    stones: list[Stone]
    """Those that
    are taken."""
    by: Stone | None = None
    """Who takes them."""


class End(msgspec.Struct, tag="end"):
    """Nothing more."""


def test_notes_are_read_from_the_source() -> None:
    assert field_notes(Stone) == {"weight": "In grams, rounded."}
    assert field_notes(Take) == {"stones": "Those that are taken.", "by": "Who takes them."}
    assert field_notes(End) == {}


def test_structs_inside_structs_are_found() -> None:
    assert set(structs_in(Take | End)) == {Take, End, Stone}


def test_a_schema_describes_everything() -> None:
    schema = json_schema("Moves", "A move.", Take | End)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert (schema["title"], schema["description"]) == ("Moves", "A move.")
    assert schema["$defs"]["Stone"]["description"] == "A stone."
    assert schema["$defs"]["Stone"]["properties"]["weight"]["description"] == "In grams, rounded."
    assert schema["$defs"]["Take"]["properties"]["by"]["description"] == "Who takes them."


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ({"type": "end"}, True),
        ({"type": "take", "stones": [{"weight": 1}], "by": None}, True),
        ({"type": "take", "stones": [{"weight": 0}]}, False),
        ({"type": "take"}, False),
        ({"type": "drop"}, False),
        ({}, False),
        ([], False),
    ],
)
def test_a_union_takes_one_of_its_structs(value: object, right: bool) -> None:
    validator = jsonschema.Draft202012Validator(json_schema("Moves", "A move.", Take | End))
    assert validator.is_valid(value) is right


def test_one_struct_is_a_schema_too() -> None:
    schema = json_schema("Stone", "A stone.", Stone)
    assert jsonschema.Draft202012Validator(schema).is_valid({"weight": 3})
    assert not jsonschema.Draft202012Validator(schema).is_valid({"colour": "red"})


def test_only_what_json_schema_knows_is_in_it() -> None:
    """A strict validator refuses words of other vocabularies, such as OpenAPI's `discriminator`."""
    assert "discriminator" not in json_schema("Moves", "A move.", Take | End)
