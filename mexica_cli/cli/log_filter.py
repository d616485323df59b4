"""`mexica log filter`: a log of some of a log's games."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from mexica_cli.analysis.selection import ANY, Selection, select
from mexica_cli.arena.faults import SEAT_FAULTS
from mexica_cli.cli.logs import FILE, Stopwatch, cut, errors_as_sentences, verbose_option
from mexica_cli.cli.values import OUT_FILE
from mexica_cli.record.reader import open_log
from mexica_cli.record.writer import open_copy

OUTCOMES = ("finished", "forfeit", "void")
_TEAM = {None: None, "won": True, "lost": False}


@click.command(name="filter")
@click.argument("log", type=FILE)
@click.option("--game", "matches", multiple=True, metavar="ID", help="The match of this id.")
@click.option("--bot", "bots", multiple=True, metavar="NAME", help="This bot plays; given several times, all of them.")
@click.option("--winner", "winners", multiple=True, metavar="NAME", help="This bot comes first, perhaps not alone.")
@click.option("--team", type=click.Choice(["won", "lost"]), help="In games of a team: how it ended.")
@click.option("--outcome", "outcomes", multiple=True, type=click.Choice(OUTCOMES), help="How the match ended.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    type=click.Choice([ANY, *sorted(kind.value for kind in SEAT_FAULTS)]),
    help="A seat forfeited so.",
)
@click.option("--players", multiple=True, type=click.IntRange(1), metavar="N", help="Number of seats.")
@click.option("--rules", multiple=True, metavar="NAME", help="Played under this rule set.")
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="The variant of the log's header.")
@click.option("--invert", "inverted", is_flag=True, help="The games that all this does not fit.")
@click.option(
    "--out", type=OUT_FILE, default="-", metavar="FILE", help="Where to: compressed for .gz and .zst.  [default: -]"
)
@verbose_option
@click.pass_context
def filter_(ctx: click.Context, /, log: str, team: str | None, out: str, verbose: bool, **conditions: Any) -> None:
    """Write a log of those games of LOG that fit.

    Several options must all fit; of one that is given several times any value may, but for --bot. The lines are copied
    as they are, so that the new log can be verified. Void games are games too: --invert --outcome void leaves them out.

    \b
    mexica log filter games.jsonl --winner random > upsets.jsonl
    mexica log filter games.jsonl.zst --fault timeout --fault crash --out faults.jsonl.gz
    zstd -dc games.jsonl.zst | mexica log filter - --bot greedy --players 4 | mexica log stats -
    """
    selection = msgspec.convert({**conditions, "team_won": _TEAM[team]}, Selection)
    watch = Stopwatch(verbose=verbose)
    with errors_as_sentences(), open_log(log) as reader, open_copy(out) as stream:
        selected = select(reader, selection, stream.write)
    if verbose:
        click.echo(f"{selected.wanted} of {selected.games} games", err=True)
    watch.tell(reader.read_bytes)
    if reader.torn or reader.open_match is not None:
        click.echo(f"{reader.name}: {cut(reader)}", err=True)
        ctx.exit(1)
