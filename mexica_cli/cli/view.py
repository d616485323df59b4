"""`mexica view`: games as a page for a browser, or one position as a picture."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from mexica_cli.cli.logs import reading
from mexica_cli.cli.values import OUT_FILE, FileName
from mexica_cli.games.mexica import MexicaState
from mexica_cli.number_text import count
from mexica_cli.record.lines import VOID
from mexica_cli.record.reader import LoggedGame, LogReader, games
from mexica_cli.record.replay import ReplayError, Rulebook
from mexica_cli.record.writer import naming
from mexica_cli.view.page.document import PackedGame, document, pack
from mexica_cli.view.page.logged import messages, state_after
from mexica_cli.view.scene import Scene, short_name
from mexica_cli.view.svg import View, draw_svg

EPILOG = """
\b
Examples:
  mexica view games.jsonl -o games.html
  mexica view games.jsonl --game 3 -o game.html
  mexica view games.jsonl --svg --game 1-1 --at 120 -o - > picture.svg
"""


@click.command(epilog=EPILOG)
@click.argument("log", type=FileName(exists=True, dir_okay=False, allow_dash=True))
@click.option("-o", "--output", required=True, type=OUT_FILE, metavar="FILE", help="Where to; - is standard output.")
@click.option("--game", metavar="N|MATCH", help="Only this game: its number in the log, from 1, or its match id.")
@click.option("--svg", is_flag=True, help="A picture of one position (Mexica only).")
@click.option(
    "--at", type=click.IntRange(0), metavar="K", help="With --svg: after so many actions; else after the last."
)
def view(log: str, output: str, game: str | None, *, svg: bool, at: int | None) -> None:
    """Make a page of the games in a LOG, to be opened in any browser.

    The page is one file and needs no network. Void games are left out. A LOG may be compressed with gzip or zstd; - is
    standard input. `#n=123` after the page's address leads to the moment after action 123, `#g=2&n=123` to that of the
    second game.
    """
    if at is not None and not svg:
        raise click.UsageError("--at goes with --svg; in a page every moment is there, the address says which is shown")
    with reading(log) as reader:
        chosen = _chosen(reader, game)
        made = [_picture(chosen, reader, at)] if svg else _page(chosen, reader)
        with _writing(output) as file:
            file.writelines(part.encode() for part in made)


def _chosen(reader: LogReader, game: str | None) -> Iterator[LoggedGame]:
    """The games that are wanted; of those not void, numbered as they come. Raises ClickException if there is none."""
    found = False
    number = 0
    for logged in games(reader):
        if logged.result.outcome == VOID:
            continue
        number += 1
        if game in {None, str(number), logged.game.match}:
            found = True
            yield logged
            if game is not None:
                return
    if not found:
        wanted = "no whole game" if game is None else f"no game {game!r} among {number} whole ones"
        raise click.ClickException(f"{reader.name}: there is {wanted}")


# ---- the page ------------------------------------------------------------------------------------


def _page(chosen: Iterable[LoggedGame], reader: LogReader) -> Iterator[str]:
    packed = [_packed(logged, reader) for logged in chosen]
    assert reader.header is not None
    header = reader.header
    about = f"{header.rules} rules, seed {header.seed}, {header.created[:10]}".rstrip(", ")
    return document(_title(header.game, packed), about, packed)


def _title(game: str, packed: list[PackedGame]) -> str:
    names = sorted({name for one in packed for name in one.entry.seats})
    listed = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"{game.capitalize()}: {listed}"


def _packed(logged: LoggedGame, reader: LogReader) -> PackedGame:
    try:
        return pack(messages(logged, Rulebook(logged.header)))
    except ReplayError as error:
        raise click.ClickException(f"{reader.name}, match {logged.game.match!r}: {error}") from None


# ---- the picture ---------------------------------------------------------------------------------


def _picture(chosen: Iterable[LoggedGame], reader: LogReader, at: int | None) -> str:
    logged = next(iter(chosen))
    actions = logged.result.actions if at is None else at
    if actions > logged.result.actions:
        most = logged.result.actions
        raise click.ClickException(f"match {logged.game.match!r} has {most} actions: --at goes from 0 to {most}")
    try:
        rulebook = Rulebook(logged.header)
        state = state_after(logged, rulebook, actions)
    except ReplayError as error:
        raise click.ClickException(f"{reader.name}, match {logged.game.match!r}: {error}") from None
    observation = state.observation(None)
    if not isinstance(observation, MexicaState):
        raise click.UsageError(f"--svg draws positions of mexica; this is a log of {logged.header.game}")
    options = rulebook.of(logged.game).options()
    scene = Scene(observation=observation, options=options, seats=logged.game.seats)
    players = ", ".join(
        f"{short_name(name)} {points}" for name, points in zip(scene.seats, state.scores(), strict=True)
    )
    title = f"Match {logged.game.match} after {count(actions, 'action')}"
    return draw_svg(scene, View(title=title, caption=f"{title}: {players}"))


# ---- files ---------------------------------------------------------------------------------------


@contextmanager
def _writing(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        yield sys.stdout.buffer
        return
    with naming(path), Path(path).open("wb") as file:
        yield file
