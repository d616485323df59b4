"""`mexica cards`: the cards of Moctezuma, and whether a file with others can be used."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from mexica_cli.cli.output import Output, check_files, format_option, print_line
from mexica_cli.cli.values import FileName
from mexica_cli.games.moctezuma.card_files import SHIPPED_CARDS, read_cards
from mexica_cli.games.moctezuma.cards import COUNTS, AnyCard, CardSet, cards_of, copies
from mexica_cli.view.console import clean, console_for


class CardOutput(Output, frozen=True, kw_only=True, tag="card"):
    """A card, or several that are alike."""

    group: str
    copies: int
    card: dict[str, Any]
    """As the card file has it."""


@click.command()
@click.argument("card", required=False)
@click.option(
    "--cards",
    "file",
    type=FileName(exists=True, dir_okay=False),
    default=str(SHIPPED_CARDS),
    metavar="FILE",
    help="Another card set than the one that comes with the program.",
)
@click.option("--check", is_flag=True, help="Only say whether the file can be used.")
@format_option
@click.pass_context
def cards(ctx: click.Context, card: str | None, file: str, *, check: bool, format_: str) -> None:
    """The cards of Moctezuma: all of them, or everything about one.

    CARD is an id or a name. A file of cards is described in docs/MOCTEZUMA.md; a match is played with it by
    `mexica match --game moctezuma --cards FILE`.
    """
    if check:
        ctx.exit(check_files([file], _verdict, format_))
    found = list(_every(read_cards(Path(file))))
    if card is not None:
        found = [_named(card, found)]
    if format_ == "jsonl":
        for one in found:
            print_line(one)
    elif card is not None:
        _print_one(found[0])
    else:
        _print_all(found)


def _verdict(file: str) -> str:
    found = list(_every(read_cards(Path(file))))
    total = sum(one.copies for one in found)
    attested = sum(one.copies for one in found if one.card["origin"] == "attested")
    return f"{total} cards of {len(found)} kinds, {attested} attested"


def _every(cards: CardSet) -> Iterator[CardOutput]:
    for group in COUNTS:
        for card in cards_of(cards, group):
            yield CardOutput(group=group, copies=copies(card), card=_fields(card))


def _fields(card: AnyCard) -> dict[str, Any]:
    """The fields that say something: those that aren't what a file may leave out."""
    values: dict[str, Any] = msgspec.to_builtins(card)
    defaults = {field.encode_name: field for field in msgspec.structs.fields(type(card))}
    return {name: value for name, value in values.items() if value != _default(defaults[name])}


def _default(field: Any) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _named(wanted: str, cards: list[CardOutput]) -> CardOutput:
    """The card of that id or name. Raises UsageError."""
    by_name = {name.lower(): one for one in cards for name in (one.card["id"], one.card["name"])}
    if wanted.lower() in by_name:
        return by_name[wanted.lower()]
    near = get_close_matches(wanted.lower(), by_name, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "; `mexica cards` lists them"
    raise click.UsageError(f"there is no card {wanted!r}{hint}")


def _print_all(cards: list[CardOutput]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("group", "card", "id", "copies", "origin", "what it says"):
        table.add_column(column, justify="right" if column == "copies" else "left", overflow="fold")
    for one in cards:
        card = one.card
        origin = card["origin"]
        table.add_row(one.group, clean(card["name"]), card["id"], str(one.copies), origin, clean(card.get("text", "")))
    console_for(sys.stdout).print(table)


def _print_one(one: CardOutput) -> None:
    """Everything about a card, its effect in the words of the card language."""
    console = console_for(sys.stdout)
    card = dict(one.card)
    console.print(f"{clean(card.pop('name'))} ({card.pop('id')})", style="bold", soft_wrap=True)
    console.print(f"{one.group}, {one.copies} of {sum(COUNTS.values())} cards, {card.pop('origin')}", soft_wrap=True)
    card.pop("count", None)
    for words in filter(None, (card.pop("text", ""), card.pop("note", ""))):
        console.print(clean(words), soft_wrap=True)
    for field, value in card.items():
        for line in _lines(value):
            console.print(f"  {field}: {line}", soft_wrap=True)


def _lines(value: Any) -> Iterator[str]:
    """A value as text; the steps of an effect come one a line."""
    steps = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    for part in value if steps else [value]:
        yield part if isinstance(part, str) else msgspec.json.encode(part).decode()
