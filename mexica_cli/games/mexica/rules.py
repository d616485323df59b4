"""A rule set: every number and choice in which rule sets of Mexica differ, read from a TOML file.

A file may name a shipped rule set in `extends` and then give only what differs from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, inspect

from mexica_cli.games.game import RuleError
from mexica_cli.games.tomlfile import FieldError, FileError, TomlFile, field_types, nearest, struct_from

SHIPPED = ("official", "help", "summary")
DATA = Path(__file__).parent / "data"

Count = Annotated[int, Meta(ge=0, le=999)]
Points = Annotated[int, Meta(ge=0, le=99)]
Level = Annotated[int, Meta(ge=0, le=99)]


class RuleSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules in force. Costs are in action points (AP); "reading n" are the numbered readings of the rules."""

    action_points: Annotated[int, Meta(ge=1, le=99)]
    """AP of a turn."""
    kept_points: Points
    """Unspent AP that a seat keeps, at most, for its next turn."""
    action_tokens: Points
    """Action tokens in the game."""
    tokens_per_turn: Points
    """Action tokens that a seat may take in a turn (reading 10)."""

    canal_tiles: Annotated[list[Count], Meta(min_length=1, max_length=26)]
    """Number of canal tiles of 1 space, of 2 spaces and so on. Tiles are straight."""
    canal_cost: Literal["tile", "space"]
    """Laying a tile costs 1 AP, or 1 AP for each of its spaces."""
    canal_touches_water: bool
    """Whether one space of a tile must touch water orthogonally before it is laid (reading 2)."""
    bridges: Count
    """Bridges in the game."""

    boat_cost: Annotated[int, Meta(ge=1, le=99)]
    """AP for going by boat (reading 8)."""
    boat_toll: Literal["bridge", "trip"]
    """Whether the cost is due for every bridge reached or passed under, or once for the whole trip."""
    teleport: Literal["off", "land", "anywhere"]
    """Where one may teleport to: nowhere, land, or land and bridges (reading 9)."""
    teleport_cost: Annotated[int, Meta(ge=1, le=99)]

    temples: Annotated[list[Annotated[list[Level], Meta(min_length=1, max_length=9)]], Meta(min_length=2, max_length=2)]
    """For each period, the temples a player gets: number of level 1, of level 2 and so on. A level costs 1 AP."""
    temple_reach: Literal["district", "adjacent"]
    """A temple goes anywhere in the pawn's district, or on a space next to the pawn or under it (reading 5)."""
    neutral_temples: Annotated[list[Level], Meta(max_length=9)]
    """Neutral temples of a game of two players, by level (reading 18)."""
    neutral_distance: Annotated[int, Meta(ge=1, le=99)]
    """Least distance of two neutral temples, rows plus columns."""

    calpulli: Annotated[list[Annotated[int, Meta(ge=1, le=999)]], Meta(min_length=2, max_length=99)]
    """Sizes of all calpulli tokens."""
    first_calpulli: Annotated[int, Meta(ge=1, le=98)]
    """How many of them are drawn for the first period; the others are the second period's."""
    found_cost: Points
    """AP for founding a district."""
    start_bonus: Points
    """Points for a pawn on a starting space when a period is scored."""
    start_anywhere: bool
    """Pawns are placed on any free land, not only on starting spaces."""

    period_end: Literal["round", "at_once"]
    """When the end of a period is looked at: after the last seat's turn, or after every action (reading 14)."""
    period_end_needs: Literal["both", "either"]
    """Whether no token on display and a player without temples must both be so, or one of them."""
    penning_first_round: bool
    """Whether a pawn may be penned in the first round (reading 11)."""
    penning_temples: bool
    """Whether a temple may pen a pawn in later rounds."""
    automatic_retirement: bool
    """Whether tokens that no district can fit any more leave the display by themselves (reading 13)."""
    stall_rounds: Points
    """Rounds in a row without canal, temple, founding or retirement that end the period; 0 for never (reading 15)."""

    @property
    def longest_tile(self) -> int:
        """Length of the longest canal tile, in spaces."""
        return len(self.canal_tiles)

    @property
    def levels(self) -> int:
        """The highest level of a temple."""
        return len(self.temples[0])


_FIELDS = field_types(RuleSet)


def shipped_rules(name: str) -> RuleSet:
    """A rule set that comes with the program."""
    return read_rules(DATA / f"{name}.toml")


def read_rules(path: Path) -> RuleSet:
    """The rule set of a TOML file. Raises RuleError with file, line, field and what would be right."""
    try:
        file = TomlFile(path, "rule set")
        try:
            return _rules(_extended(file.table) | file.table)
        except FieldError as error:
            raise file.error(error) from None
    except FileError as error:
        raise RuleError(str(error)) from None


def _extended(table: dict[str, Any]) -> dict[str, Any]:
    parent = table.pop("extends", None)
    if parent is None:
        return {}
    if parent not in SHIPPED:
        raise FieldError("extends", f"{parent!r} is not one of {', '.join(SHIPPED)}")
    fields: dict[str, Any] = msgspec.to_builtins(shipped_rules(parent))
    return fields


def rules_from(fields: Mapping[str, Any]) -> RuleSet:
    """The rule set of these fields, all of them given. Raises RuleError that names the field."""
    try:
        return _rules(fields)
    except FieldError as error:
        raise RuleError(str(error)) from None


def _rules(fields: Mapping[str, Any]) -> RuleSet:
    rules = struct_from(RuleSet, fields, absent=", or `extends` to take it from")
    _check(rules)
    return rules


def _check(rules: RuleSet) -> None:
    """Refuse fields that are right each by itself but not together."""
    if len(rules.temples[0]) != len(rules.temples[1]):
        raise FieldError("temples", "both periods must list the same levels (write 0 where there are none)")
    if not sum(rules.temples[0]):
        raise FieldError("temples", "the first period must have at least one temple")
    if len(rules.neutral_temples) > rules.levels:
        raise FieldError("neutral_temples", f"there are only {rules.levels} levels; list at most that many numbers")
    if rules.first_calpulli >= len(rules.calpulli):
        most = len(rules.calpulli) - 1
        raise FieldError("first_calpulli", f"with {len(rules.calpulli)} tokens in `calpulli`, give at most {most}")


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
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
