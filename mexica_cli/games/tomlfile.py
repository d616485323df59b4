"""TOML files made into Structs; what is wrong is said with file, line and field, and with what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

S = TypeVar("S", bound=msgspec.Struct)

FieldPath = tuple[str | int, ...]
"""Where a field is: `("bridges",)`, `("bots", 1, "command")`."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]\]?\s*(#.*)?")
_KEY = re.compile(r"""\s*["']?([^"'=\s\[]+)["']?\s*=""")


class FileError(Exception):
    """A file that can't be used; the message names it, line and field where there are such, and what would be right."""


def plain(error: BaseException) -> str:
    """What went wrong, for a person: without numbers and places that only programmers know."""
    match error:
        case UnicodeDecodeError():
            return "this is no text in UTF-8"
        case FileExistsError():
            return "there is something of that name that is no folder"
        case OSError(strerror=str(said)):
            return said
    return str(error)


def sentence(error: BaseException) -> str:
    """The same, after the file that it is about where the system names one."""
    where = error.filename if isinstance(error, OSError) else None
    return plain(error) if where is None else f"{where}: {plain(error)}"


class FieldError(Exception):
    """A field that can't be used; the message begins with its name."""

    def __init__(self, field: FieldPath | str, reason: str) -> None:
        self.path = (field,) if isinstance(field, str) else field
        super().__init__(f"{dotted(self.path)}: {reason}")


class TomlFile:
    """A TOML file that has been read: its `table`, and where in it a field is."""

    def __init__(self, path: Path, what: str) -> None:
        """`what` names its content in errors. Raises FileError."""
        import tomllib  # noqa: PLC0415 (a bot that gets its game over the line reads no file and need not wait for it)

        self.path = path
        try:
            self._text = path.read_text(encoding="utf-8")
            self.table: dict[str, Any] = tomllib.loads(self._text)
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(f"{path}: the {what} can't be read: {plain(error)}") from None
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            raise FileError(f"{path}{':' + line[1] if line else ''}: this is not TOML: {error}") from None
        except (ValueError, RecursionError):  # what tomllib doesn't make an error of its own
            reason = "a number with too many digits, or brackets within too many brackets; write less of them"
            raise FileError(f"{path}: this is not TOML that can be read: {reason}") from None

    def error(self, error: FieldError) -> FileError:
        """The same with file and line."""
        line = self._line(error.path)
        return FileError(f"{self.path}{f':{line}' if line else ''}: {error}")

    def _line(self, path: FieldPath) -> int | None:
        """The line of a field, or of the first field in it, or of the nearest table that it would be in."""
        fields = list(_fields(self._text))
        for length in range(len(path), 0, -1):
            for found, line in fields:
                if found[:length] == path[:length]:
                    return line
        return None


def _fields(text: str) -> Iterator[tuple[FieldPath, int]]:
    """Every table and key of a TOML text with its line. Keys within lists over several lines don't count."""
    table: FieldPath = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.fullmatch(line):
            name = header[2]
            if header[1] == "[[":
                counts[name] = counts.get(name, -1) + 1
                table = (name, counts[name])
            else:
                table = tuple(name.split("."))
            yield table, number
        elif key := _KEY.match(line):
            yield (*table, *key[1].split(".")), number


def dotted(path: FieldPath) -> str:
    """`bots[1].command`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def struct_from(kind: type[S], fields: Mapping[str, Any], where: FieldPath = (), absent: str = "") -> S:
    """The Struct of these fields. `absent` is added where one is missing. Raises FieldError."""
    known = field_types(kind)
    required = {field.encode_name for field in msgspec.structs.fields(kind) if field.required}
    for field in fields:
        if field not in known:
            raise FieldError((*where, field), f"there is no such field; {nearest(field, known)}")
    for field in known:
        if field in required and field not in fields:
            raise FieldError((*where, field), f"this field is missing; give {describe(known[field])}{absent}")
    try:
        return msgspec.convert(dict(fields), kind)
    except msgspec.ValidationError as error:
        raise _field_error(error, known, where) from None


def field_types(kind: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    """The types of a Struct's fields, by name."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: field.type for field in info.fields}


def nearest(name: str, known: Mapping[str, Any]) -> str:
    """What may have been meant by a name that isn't known."""
    from difflib import get_close_matches  # noqa: PLC0415 (only errors need it)

    near = get_close_matches(name, known, 1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"known fields: {', '.join(known)}"


def _field_error(error: msgspec.ValidationError, known: Mapping[str, inspect.Type], where: FieldPath) -> FieldError:
    message, _, path = str(error).replace(" | null", "").partition(" - at `$.")
    field = re.split(r"[`.\[]", path)[0]
    wanted = f"; give {describe(known[field])}" if field in known else ""
    return FieldError((*where, field), f"{message[0].lower()}{message[1:]}{wanted}")


def describe(kind: inspect.Type) -> str:
    """What a field of that type may hold, in words."""
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(words)}):
            return words
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number{_range(kind.ge, kind.le)}"
        case inspect.FloatType():
            return f"a number{_range(kind.ge, kind.le)}"
        case inspect.StrType():
            return "a text"
        case inspect.LiteralType(values=choices) | inspect.EnumType(cls=choices):
            return "one of " + ", ".join(f'"{choice}"' for choice in choices)
        case inspect.ListType():
            return f"a list{_length(kind)} entries, each {describe(kind.item_type)}"
        case inspect.UnionType():
            return " or ".join(describe(part) for part in kind.types if not isinstance(part, inspect.NoneType))
        case inspect.DictType() | inspect.StructType():
            return "a table"
    return "something else"


def _range(least: float | None, most: float | None) -> str:
    if least is None:
        return ""
    return f" of {least} or more" if most is None else f" from {least} to {most}"


def _length(kind: inspect.ListType) -> str:
    if kind.max_length is None:
        return f" of {kind.min_length or 0} or more"
    return f" of {kind.min_length or 0} to {kind.max_length}"
