"""JSON Schemas of Structs, with what the source says about their fields."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from textwrap import dedent
from typing import Any, get_args, get_type_hints

import msgspec

DIALECT = "https://json-schema.org/draft/2020-12/schema"

JsonDict = dict[str, Any]


def json_schema(title: str, description: str, of: Any) -> JsonDict:
    """The schema of one JSON value of type `of`: a Struct, or a union of Structs that a tag field tells apart.

    Every Struct has its own entry in `$defs`, described by its docstring, and its fields by the docstrings below them.
    """
    (top,), definitions = msgspec.json.schema_components([of], ref_template="#/$defs/{name}")
    top.pop("discriminator", None)  # OpenAPI's; validators in strict mode refuse what JSON Schema doesn't know
    for struct in structs_in(of):
        for field, note in field_notes(struct).items():
            definitions[struct.__name__]["properties"][field]["description"] = note
    return {"$schema": DIALECT, "title": title, "description": description, **top, "$defs": definitions}


def structs_in(hint: Any) -> Iterator[type[msgspec.Struct]]:
    """The Structs that a type is made of, those inside others too; one may come more than once."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
        parts = tuple(get_type_hints(hint).values())
    else:
        parts = get_args(hint)
    for part in parts:
        yield from structs_in(part)


def field_notes(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The strings below the fields of a Struct, by field. Python drops them, so they are read from the source."""
    (definition,) = ast.parse(dedent(inspect.getsource(struct))).body
    assert isinstance(definition, ast.ClassDef)
    notes = {}
    for field, below in pairwise(definition.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(note))):
                notes[name] = " ".join(note.split())
    return notes
