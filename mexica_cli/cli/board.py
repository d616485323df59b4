"""`mexica board`: boards shown, looked over, and made."""

from __future__ import annotations

import secrets
import sys
from typing import Any

import click
from rich.table import Table

from mexica_cli.cli.output import Output, check_files, format_option, print_line
from mexica_cli.games.chance import Chance
from mexica_cli.games.mexica import bits
from mexica_cli.games.mexica.board import LETTERS, MOST_ROWS, Board, drawn
from mexica_cli.games.mexica.islands import STARTS, Wish, make_island
from mexica_cli.games.mexica.loading import SHIPPED_BOARDS, find_board
from mexica_cli.games.mexica.rule_files import shipped_rules
from mexica_cli.games.mexica.setup import MOST_PLAYERS, neutral_room
from mexica_cli.games.mexica.variant import Variant
from mexica_cli.view.console import console_for

DRAWS, DRAWN_SPACES = 200, 100_000
"""Random draws by which it is judged whether the neutral temples have room: fewer on boards so large that they have."""


class BoardOutput(Output, frozen=True, kw_only=True, tag="board"):
    """A board and what counts on it."""

    name: str
    rows: int
    columns: int
    land: int
    """Spaces, palace included."""
    palace: int
    starts: int
    players: int
    """At most, under rules by which pawns begin on starting spaces."""
    canals: int
    """Spaces dug before the game."""
    districts: list[int]
    """Their sizes at the beginning, the largest first."""
    neutral_room: float
    """Share of random draws in which the neutral temples of the official rules fit; a game of two needs some."""
    drawing: list[str]


@click.group()
def board() -> None:
    """Boards of Mexica: shown, looked over, and made.

    \b
    Wherever a board is asked for, a name is a shipped one, and a path is a text file with a line a row:
      #  land               .  lake              =  canal dug before the game
      S  starting space     C  other space of the palace
    """


@board.command("list")
@format_option
def list_(format_: str) -> None:
    """The shipped boards."""
    found = [_look(find_board(name)) for name in SHIPPED_BOARDS]
    if format_ == "jsonl":
        for one in found:
            print_line(one)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("board")
    for column in ("rows", "columns", "land", "starts", "canals", "districts"):
        table.add_column(column, justify="right")
    for one in found:
        numbers = (one.rows, one.columns, one.land, one.starts, one.canals, len(one.districts))
        table.add_row(one.name, *map(str, numbers))
    console_for(sys.stdout).print(table)


@board.command()
@click.argument("name", metavar="NAME|FILE")
@format_option
def show(name: str, format_: str) -> None:
    """A board, with letters and numbers, and what counts on it."""
    found = find_board(name)
    if format_ == "jsonl":
        print_line(_look(found))
        return
    click.echo(drawn(found))
    click.echo(_in_words(_look(found)))


@board.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@format_option
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], format_: str) -> None:
    """Whether files hold boards that can be used.

    If not, it says what is wrong, where, and what would be right. Exits with 2 if one can't be used.
    """
    ctx.exit(check_files(files, lambda name: _in_words(_look(find_board(name))), format_))


@board.command(context_settings={"show_default": True})
@click.option("--rows", type=click.IntRange(5, MOST_ROWS), default=14, help="At most.")
@click.option("--columns", type=click.IntRange(5, len(LETTERS)), default=21, help="At most.")
@click.option("--size", type=click.IntRange(25), default=192, help="Spaces of land, palace included.")
@click.option("--starts", type=click.IntRange(1, 8), default=MOST_PLAYERS, help="Starting spaces.")
@click.option("--palace", type=click.Choice(list(STARTS)), default="cross", help="Five spaces, or nine.")
@click.option("--neutral/--no-neutral", default=True, help="With room for the neutral temples of a game of two.")
@click.option("--seed", type=click.IntRange(0), help="What chance follows from.  [default: a new one, named on stderr]")
@format_option
def generate(seed: int | None, format_: str, **wish: Any) -> None:
    """Make a random, fair island.

    No starting space is better off than another.

    \b
    mexica board generate --seed 7 > island.txt
    mexica match greedy greedy --board island.txt
    """
    chosen = secrets.randbits(32) if seed is None else seed
    made = make_island(Wish(**wish), chosen, f"island-{chosen}")
    if seed is None:
        click.echo(f"seed: {chosen}", err=True)
    if format_ == "jsonl":
        print_line(_look(made))
    else:
        click.echo(drawn(made), nl=False)


def _look(found: Board) -> BoardOutput:
    official = Variant("official", shipped_rules("official"), found)
    starts, land = found.starts.bit_count(), found.land.bit_count()
    draws = max(1, min(DRAWS, DRAWN_SPACES // land))
    return BoardOutput(
        name=found.name,
        rows=len(found.rows),
        columns=len(found.rows[0]),
        land=land,
        palace=found.palace.bit_count(),
        starts=starts,
        players=min(starts, MOST_PLAYERS),
        canals=found.canals.bit_count(),
        districts=sorted(map(int.bit_count, bits.regions(found.land, found.stride)), reverse=True),
        neutral_room=neutral_room(official, Chance(0), draws) / draws,
        drawing=list(found.rows),
    )


def _in_words(look: BoardOutput) -> str:
    """One line."""
    districts = ", ".join(map(str, look.districts[:8])) + (", …" if len(look.districts) > 8 else "")
    return (
        f"{look.rows} rows, {look.columns} columns, {look.land} spaces of land (palace: {look.palace}, starting:"
        f" {look.starts}), {look.canals} of canal, districts of {districts}; {_players(look)}"
    )


def _players(look: BoardOutput) -> str:
    if look.players < 2:
        return "only for rules by which pawns begin anywhere"
    if not look.neutral_room:
        return f"for up to {look.players} players, but without room for the neutral temples of a game of two"
    return f"for up to {look.players} players"
