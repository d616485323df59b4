"""Card sets in TOML files: one table a card (`[[warrior]]`, `[[priest]]` and so on), as `cards` has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from mexica_cli.games.game import RuleError
from mexica_cli.games.moctezuma import card_checks
from mexica_cli.games.moctezuma.cards import CardSet
from mexica_cli.games.tomlfile import FieldError, FieldPath, FileError, TomlFile, describe, nearest

SHIPPED_CARDS = Path(__file__).parent / "data" / "cards.toml"

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def read_cards(path: Path) -> CardSet:
    """The cards of a TOML file. Raises RuleError with file, line, card, field and what would be right."""
    try:
        file = TomlFile(path, "card file")
    except FileError as error:
        raise RuleError(str(error)) from None
    try:
        return _card_set(file.table)
    except FieldError as error:
        raise RuleError(str(file.error(error))) from None


def cards_from(table: Mapping[str, Any]) -> CardSet:
    """The cards of a table of the same form. Raises RuleError that names group, card and field."""
    try:
        return _card_set(table)
    except FieldError as error:
        raise RuleError(f"cards: {error}") from None


def _card_set(table: Mapping[str, Any]) -> CardSet:
    fields = _fields(CardSet)
    for name, value in table.items():
        if name not in fields:
            raise FieldError(name, f"there is no such group of cards; {nearest(name, fields)}")
        if name != "about":
            _check_group(name, value, fields[name])
    for name in fields:
        if name != "about" and name not in table:
            raise FieldError(name, f"these cards are missing; give each in a table [[{name}]]")
    if not isinstance(table.get("about", ""), str):
        raise FieldError("about", "this is no text; write it in quotes")
    cards = msgspec.convert(dict(table), CardSet)
    card_checks.check(cards)
    return cards


def _check_group(group: str, value: object, kind: inspect.Type) -> None:
    """Card by card, so that a fault can be said with its card."""
    assert isinstance(kind, inspect.ListType)
    assert isinstance(kind.item_type, inspect.StructType)
    if not isinstance(value, list):
        raise FieldError(group, f"begin each card with a line [[{group}]], in two pairs of brackets")
    for index, card in enumerate(value):
        try:
            msgspec.convert(card, kind.item_type.cls)
        except msgspec.ValidationError as error:
            raise _fault((group, index), card, kind.item_type, str(error)) from None


def _fault(where: FieldPath, card: object, kind: inspect.StructType, message: str) -> FieldError:
    """What msgspec said, with the card's id, and what would be right at that place."""
    text, _, at = message.partition(" - at `$")
    inner = [int(number) if number else name for name, number in _STEP.findall(at.rstrip("`"))]
    wanted, inner = _wanted(card, kind, inner, text)
    card_id = card.get("id") if isinstance(card, dict) else None
    name = card_id if isinstance(card_id, str) else "this card"
    return FieldError((*where, *inner), f"{name}: {text[0].lower()}{text[1:].replace(' | null', '')}; {wanted}")


def _wanted(card: object, kind: inspect.Type, path: list[str | int], text: str) -> tuple[str, list[str | int]]:
    """What would be right at a place inside a card, and the place, with the name of a field that must not be there."""
    value: Any = card
    for step in path:
        if step == "do":
            return f"give one of {', '.join(_step_names(kind))}", path
        kind, value = _inside(kind, value, step)
    struct = _struct_of(kind, value)
    if struct is None:
        return _described(kind), path
    known = {field.encode_name: field.type for field in struct.fields}
    if missing := re.search(r"missing required field `(\w+)`", text):
        return _described(known[missing[1]]), path
    if unknown := re.search(r"unknown field `(\w+)`", text):
        return nearest(unknown[1], known), [*path, unknown[1]]
    return _described(kind), path


def _inside(kind: inspect.Type, value: Any, step: str | int) -> tuple[inspect.Type, Any]:
    """Type and value one step further in."""
    if isinstance(step, int):
        (parts,) = (part for part in _parts(kind) if isinstance(part, inspect.ListType))
        return parts.item_type, value[step]
    struct = _struct_of(kind, value)
    assert struct is not None, "msgspec goes into tables that it knows the type of"
    return next(field.type for field in struct.fields if field.encode_name == step), value[step]


def _struct_of(kind: inspect.Type, value: object) -> inspect.StructType | None:
    """The Struct that a table is read into: of steps, the one that its `do` names."""
    structs = [part for part in _parts(kind) if isinstance(part, inspect.StructType)]
    if not isinstance(value, dict):
        return None
    if len(structs) == 1:
        return structs[0]
    return next((struct for struct in structs if struct.tag == value.get("do")), None)


def _parts(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _step_names(kind: inspect.Type) -> list[str]:
    return sorted(str(part.tag) for part in _parts(kind) if isinstance(part, inspect.StructType) and part.tag)


def _described(kind: inspect.Type) -> str:
    """What a value of that type may be, in words; a step is told by its `do`."""
    if steps := _step_names(kind):
        return f"give a table with do = one of {', '.join(steps)}"
    if isinstance(kind, inspect.ListType) and len(_parts(kind.item_type)) > 1:
        return "give a list of steps, each a table with do = …"
    return f"give {describe(kind)}"


def _fields(kind: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: field.type for field in info.fields}
