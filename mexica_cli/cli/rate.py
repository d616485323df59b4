"""`mexica rate`: standings, ratings and all other statistics of the games in any logs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from mexica_cli.cli.logs import logs_argument, tell_cut
from mexica_cli.record.lines import Header
from mexica_cli.record.reader import LogError, LogReader, games, open_log
from mexica_cli.tournament.collection import SummaryError
from mexica_cli.tournament.report_data import write_csv, write_jsonl
from mexica_cli.tournament.report_html import html
from mexica_cli.tournament.report_lines import TABLES
from mexica_cli.tournament.report_table import print_table
from mexica_cli.tournament.summary import Log, Order, Settings, Summary, summarise
from mexica_cli.view.console import console_for


class Anchor(click.ParamType[tuple[str, float]]):
    """A bot and its rating: `greedy` or `greedy=1500`. Comes out as a pair."""

    name = "bot[=elo]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """Text to name and rating."""
        if isinstance(value, tuple):
            return value
        bot, equals, elo = str(value).rpartition("=")
        if not equals:
            return elo, 0.0
        try:
            return bot, float(elo)
        except ValueError:
            self.fail(f"{elo!r} is no rating; write BOT or BOT=ELO, as in greedy=1500", param, ctx)


@click.command(context_settings={"show_default": True})
@logs_argument
@click.option("--anchor", type=Anchor(), metavar="BOT[=ELO]", help="Fix the rating of that bot, at 0 or at ELO.")
@click.option(
    "--format", "format_", type=click.Choice(["table", "jsonl", "csv", "html"]), default="table", help="Of the report."
)
@click.option("--table", type=click.Choice(list(TABLES)), help="Which table --format csv writes.  [default: bot]")
@click.pass_context
def rate(ctx: click.Context, logs: tuple[str, ...], anchor: tuple[str, float] | None, format_: str, table: str) -> None:
    """Rate the bots of game logs, with all other statistics.

    Bots of the same name in several logs count as one. A LOG may be compressed with gzip or zstd; - is standard input.
    Void games count for nothing. The fields of jsonl and csv are described in docs/REPORTS.md.

    \b
    mexica rate games.jsonl
    mexica rate --anchor random=1000 --format csv monday.jsonl.gz tuesday.jsonl
    mexica rate games.jsonl --format html > report.html
    """
    if table is not None and format_ != "csv":
        raise click.UsageError("--table says which table --format csv writes")
    cut: list[str] = []
    try:
        summary = summarise(_read(logs, cut), Settings(order=Order.RATING, anchor=anchor))
    except SummaryError as error:
        raise click.UsageError(str(error)) from None
    except LogError as error:
        raise click.ClickException(str(error)) from None
    _write(summary, format_, table or "bot")
    ctx.exit(tell_cut(cut))


def _read(paths: Sequence[str], cut: list[str]) -> Iterator[Log]:
    """The logs one after the other, each open while its games are read; those that aren't whole go to `cut`."""
    for path in paths:
        with open_log(path) as reader:
            yield Log(path, _header(reader), ((game.game.seats, game.result) for game in games(reader)))
        if reader.torn or reader.open_match is not None:
            cut.append(reader.name)


def _header(reader: LogReader) -> Header:
    for _, line in reader:
        assert isinstance(line, Header)
        return line
    raise LogError(reader.name, 1, "the log ends within its first line")


def _write(summary: Summary, format_: str, table: str) -> None:
    match format_:
        case "jsonl":
            write_jsonl(sys.stdout.buffer, summary)
        case "csv":
            write_csv(sys.stdout, summary, table)
        case "html":
            sys.stdout.buffer.write(html(summary).encode())
        case _:
            print_table(console_for(sys.stdout), summary)
