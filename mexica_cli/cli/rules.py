"""`mexica rules`: what rule sets say, where they have it from, and how they differ."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click
import msgspec
from rich.table import Table

from mexica_cli.cli.output import Output, check_files, format_option, print_line
from mexica_cli.games.mexica.rule_files import SHIPPED, RuleFile, Source, find_rules
from mexica_cli.games.mexica.rules import RuleSet
from mexica_cli.view.console import clean, console_for
from mexica_cli.wire.schema import field_notes


class RuleSetOutput(Output, frozen=True, kw_only=True, tag="rule_set"):
    """A rule set in short."""

    name: str
    about: str
    extends: str | None
    own: int
    """Fields that it gives itself."""
    house: int
    """Fields in force with something of ours in them."""


class RuleOutput(Output, frozen=True, kw_only=True, tag="rule"):
    """A field of a rule set."""

    rules: str
    field: str
    value: Any
    meaning: str
    stated: str
    house: str
    set_by: str
    """The rule set that gives the value: this one, or one that it extends."""


class DifferenceOutput(Output, frozen=True, kw_only=True, tag="difference"):
    """A field in which two rule sets differ."""

    field: str
    meaning: str
    rules: tuple[str, str]
    values: tuple[Any, Any]
    sources: tuple[Source, Source]


@click.group()
def rules() -> None:
    """What rule sets of Mexica say, and whether a file with one can be used.

    \b
    Wherever rules are asked for, a name is a shipped rule set, and a path is a TOML file:
      extends = "official"
      stall_rounds = 5
    """


# ---- list ----------------------------------------------------------------------------------------


@rules.command("list")
@format_option
def list_(format_: str) -> None:
    """The shipped rule sets."""
    found = [_in_short(find_rules(name)) for name in SHIPPED]
    if format_ == "jsonl":
        for one in found:
            print_line(one)
        return
    table = _table("rules", "what it is", "extends", "own fields", "house rules")
    for one in found:
        table.add_row(one.name, one.about, one.extends or "–", str(one.own), str(one.house))
    console_for(sys.stdout).print(table)


def _in_short(file: RuleFile) -> RuleSetOutput:
    return RuleSetOutput(
        name=file.name,
        about=file.about,
        extends=file.extends,
        own=sum(name == file.name for name in file.set_by.values()),
        house=sum(bool(source.house) for source in file.sources.values()),
    )


# ---- show ----------------------------------------------------------------------------------------


@rules.command()
@click.argument("name", metavar="NAME|FILE")
@format_option
def show(name: str, format_: str) -> None:
    """A rule set field by field.

    Value, where it comes from, what of it is a house rule, and what it means.
    """
    file = find_rules(name)
    if format_ == "jsonl":
        for rule in _rules(file):
            print_line(rule)
        return
    console = console_for(sys.stdout)
    extends = f" (extends {clean(file.extends)})" if file.extends else ""
    console.print(f"{file.name}{extends}{f': {clean(file.about)}' if file.about else ''}", soft_wrap=True)
    table = _table("field", "value", "from", "source", "meaning")
    for rule in _rules(file):
        table.add_row(rule.field, _shown(rule.value), rule.set_by, _source(file.sources[rule.field]), rule.meaning)
    console.print(table)


def _rules(file: RuleFile) -> Iterator[RuleOutput]:
    values, notes = msgspec.to_builtins(file.rules), field_notes(RuleSet)
    for field, value in values.items():
        source = file.sources[field]
        yield RuleOutput(
            rules=file.name,
            field=field,
            value=value,
            meaning=notes[field],
            stated=source.stated,
            house=source.house,
            set_by=file.set_by[field],
        )


def _source(source: Source) -> str:
    """`rulebook 7 [house: counted as rows plus columns]`."""
    house = f"[house: {source.house}]" if source.house else ""
    return clean(" ".join(filter(None, (source.stated, house))))


# ---- check ---------------------------------------------------------------------------------------


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@format_option
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], format_: str) -> None:
    """Whether files hold rule sets that can be used.

    If not, it says what is wrong, where, and what would be right. Exits with 2 if one can't be used.
    """
    ctx.exit(check_files(files, lambda name: _verdict(find_rules(name)), format_))


def _verdict(file: RuleFile) -> str:
    own = sum(name == file.name for name in file.set_by.values())
    return f"{own} fields{f' that differ from {clean(file.extends)}' if file.extends else ''}"


# ---- diff ----------------------------------------------------------------------------------------


@rules.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@format_option
def diff(first: str, second: str, format_: str) -> None:
    """The fields in which two rule sets differ, each a NAME or a FILE."""
    files = find_rules(first), find_rules(second)
    differences = list(_differences(*files))
    if format_ == "jsonl":
        for difference in differences:
            print_line(difference)
    elif differences:
        console_for(sys.stdout).print(_difference_table(files, differences))
    else:
        click.echo(f"{files[0].name} and {files[1].name} say the same")


def _differences(a: RuleFile, b: RuleFile) -> Iterator[DifferenceOutput]:
    notes = field_notes(RuleSet)
    second = msgspec.to_builtins(b.rules)
    for field, value in msgspec.to_builtins(a.rules).items():
        if value != second[field]:
            yield DifferenceOutput(
                field=field,
                meaning=notes[field],
                rules=(a.name, b.name),
                values=(value, second[field]),
                sources=(a.sources[field], b.sources[field]),
            )


def _difference_table(files: tuple[RuleFile, RuleFile], differences: Sequence[DifferenceOutput]) -> Table:
    table = _table("field", files[0].name, files[1].name, "source of the latter", "meaning")
    for one in differences:
        table.add_row(one.field, *map(_shown, one.values), _source(one.sources[1]), one.meaning)
    return table


# ---- tables --------------------------------------------------------------------------------------


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _shown(value: Any) -> str:
    """As it is written in TOML."""
    return json.dumps(value)
