"""Rule sets in TOML files, and where each of their values comes from.

A file gives every field of a rule set, or names another rule set in `extends` (a shipped one, or a file, its path
beginning at the file that names it) and gives what differs. `about` says in a line what the rule set is; the table
`[sources]` says where a value is `stated`, and what of it is a `house` rule. Both may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica.consistency import check
from mexica_cli.games.mexica.named_files import DATA, find_file, is_file, name_of
from mexica_cli.games.mexica.rules import RuleSet
from mexica_cli.games.tomlfile import FieldError, FileError, TomlFile, field_types, nearest, struct_from

SHIPPED = ("official", "help", "summary")
MOST_FILES = 20
"""Files that may extend each other in a row."""


class Source(msgspec.Struct, frozen=True):
    """Where the value of a field comes from."""

    stated: str = ""
    """Document and chapter that state it."""
    house: str = ""
    """What of it is ours, or why it is."""


OWN = Source(stated="own")
"""Of a value whose file doesn't say."""


class RuleFile(msgspec.Struct, frozen=True, kw_only=True):
    """A rule set as a file gives it."""

    name: str
    about: str
    extends: str | None
    """What the file extends, as it is written there."""
    rules: RuleSet
    sources: dict[str, Source]
    """By field."""
    set_by: dict[str, str]
    """By field, the name of the rule set that gives its value: this one, or one that it extends."""


_FIELDS = field_types(RuleSet)


def find_rules(name: str) -> RuleFile:
    """A shipped rule set by its name, or one from a TOML file. Raises RuleError."""
    if name in SHIPPED:
        return read_rules(DATA / f"{name}.toml")
    return read_rules(find_file(name, "rule set", SHIPPED))


def shipped_rules(name: str) -> RuleSet:
    """A rule set that comes with the program."""
    return read_rules(DATA / f"{name}.toml").rules


def read_rules(path: Path) -> RuleFile:
    """The rule set of a TOML file. Raises RuleError with file, line, field and what would be right."""
    try:
        return _read(path, ())
    except FileError as error:
        raise RuleError(str(error)) from None


def _read(path: Path, extending: tuple[Path, ...]) -> RuleFile:
    """`extending`: the files that led to this one, the first that was asked for first."""
    file = TomlFile(path, "rule set")
    try:
        return _rule_file(file, (*extending, path.resolve()))
    except FieldError as error:
        raise file.error(error) from None


def _rule_file(file: TomlFile, chain: tuple[Path, ...]) -> RuleFile:
    table = dict(file.table)
    about, extends = _text(table, "about"), _text(table, "extends")
    sources = _sources(table)
    parent = _extended(file.path.parent, extends, chain) if extends is not None else None
    name = name_of(file.path)
    fields: dict[str, Any] = msgspec.to_builtins(parent.rules) if parent else {}
    return RuleFile(
        name=name,
        about=about or "",
        extends=extends,
        rules=_rules(fields | table),
        sources=(parent.sources if parent else {}) | {field: sources.get(field, OWN) for field in table},
        set_by=(parent.set_by if parent else {}) | dict.fromkeys(table, name),
    )


def _text(table: dict[str, Any], field: str) -> str | None:
    """A text that isn't a rule, taken out of the table."""
    text = table.pop(field, None)
    if text is not None and not isinstance(text, str):
        raise FieldError(field, "this is no text; write it in quotes")
    return text


def _sources(table: dict[str, Any]) -> dict[str, Source]:
    sources = table.pop("sources", {})
    if not isinstance(sources, dict):
        raise FieldError("sources", "this is no table; begin it with a line [sources], below all rules")
    for field, source in sources.items():
        where = ("sources", field)
        if not isinstance(source, dict):
            raise FieldError(where, 'write {stated = "where"} or {house = "why"}; rules themselves go above [sources]')
        if field not in table:
            raise FieldError(where, "this file gives no such rule, so it has no source here")
    return {field: struct_from(Source, source, ("sources", field)) for field, source in sources.items()}


def _extended(folder: Path, parent: str, chain: tuple[Path, ...]) -> RuleFile:
    if parent in SHIPPED:
        return _read(DATA / f"{parent}.toml", ())
    path = folder / parent
    if not is_file(path):
        names = ", ".join(SHIPPED)
        raise FieldError("extends", f"{parent!r} is none of {names}, and no file beside this one; give one of them")
    if path.resolve() in chain:
        way = " extends ".join(file.name for file in (*chain, path))
        raise FieldError("extends", f"the files go round in a circle: {way}; one of them must stand alone")
    if len(chain) == MOST_FILES:
        raise FieldError("extends", f"more than {MOST_FILES} files extend each other; put some of them together")
    return _read(path, chain)


def rules_from(fields: Mapping[str, Any]) -> RuleSet:
    """The rule set of these fields, all of them given. Raises RuleError that names the field."""
    try:
        return _rules(fields)
    except FieldError as error:
        raise RuleError(str(error)) from None


def _rules(fields: Mapping[str, Any]) -> RuleSet:
    rules = struct_from(RuleSet, fields, absent=", or `extends` to take it from")
    check(rules)
    return rules


def override(rules: RuleSet, options: Mapping[str, str]) -> RuleSet:
    """The rule set with single fields replaced by what a user wrote. Raises RuleError that names the field."""
    fields: dict[str, Any] = msgspec.to_builtins(rules)
    for field, text in options.items():
        if field not in _FIELDS:
            raise RuleError(f"there is no rule {field!r}; {nearest(field, _FIELDS)}")
        fields[field] = _value(_FIELDS[field], text.strip())
    return rules_from(fields)


def _value(kind: inspect.Type, text: str) -> Any:
    """What a text says for a field of that type; a text that says nothing is left for the check of types to refuse."""
    if isinstance(kind, inspect.BoolType):
        return {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}.get(text, text)
    if isinstance(kind, inspect.IntType) and text == "off":
        return 0
    if isinstance(kind, inspect.ListType) and not text.startswith("["):
        text = f"[{text}]"
    if isinstance(kind, inspect.LiteralType):
        return text
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
