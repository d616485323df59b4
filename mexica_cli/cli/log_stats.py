"""`mexica log stats`: what games look like, and what bots do in them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mexica_cli.analysis import report
from mexica_cli.analysis.counts import Counts
from mexica_cli.analysis.walk import walk_logs
from mexica_cli.cli.logs import Stopwatch, errors_as_sentences, logs_argument, tell_cut, verbose_option
from mexica_cli.cli.output import format_option, print_line
from mexica_cli.number_text import count
from mexica_cli.view.console import clean, console_for

Cell = Callable[[Any], str]


def _text(value: Any) -> str:
    return "–" if value is None else clean(str(value))


def _names(value: list[str]) -> str:
    return ", ".join(map(clean, value))


def _whole(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _mean(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


class Section(NamedTuple):
    """A table of lines of a kind."""

    title: str
    kind: type[report.StatsLine]
    columns: dict[str, tuple[str, Cell]]
    """By field: heading and form."""


_BOT: dict[str, tuple[str, Cell]] = {"bot": ("bot", _text)}
_STANDING: dict[str, tuple[str, Cell]] = {
    "games": ("games", _whole),
    "wins": ("first %", _percent),
    "team_won": ("team won %", _percent),
    "points": ("points", _mean),
    "place": ("place", _mean),
}
_ROUNDS: dict[str, tuple[str, Cell]] = {
    "rounds": ("rounds", _mean),
    "rounds_min": ("least", _whole),
    "rounds_max": ("most", _whole),
}
_ACTIONS: dict[str, tuple[str, Cell]] = {
    "actions": ("actions", _mean),
    "actions_min": ("least", _whole),
    "actions_max": ("most", _whole),
}

SECTIONS = (
    Section(
        "Length of games",
        report.LengthStats,
        {
            "players": ("players", _text),
            "games": ("games", _whole),
            **_ACTIONS,
            "turns": ("turns", _mean),
            **_ROUNDS,
            "used_ms": ("ms used", _mean),
        },
    ),
    Section(
        "Ends of games",
        report.EndingStats,
        {"outcome": ("outcome", _text), "ending": ("end", _text), "games": ("games", _whole), "part": ("%", _percent)},
    ),
    Section(
        "Bots",
        report.BotStats,
        {**_BOT, **_STANDING, "rejects": ("rejected", _whole), "forfeits": ("forfeits", _whole)},
    ),
    Section(
        "What bots do in a game, and in a turn",
        report.BotStats,
        {
            **_BOT,
            "actions": ("actions", _mean),
            "turns": ("turns", _mean),
            "ap": ("AP a turn", _mean),
            "ap_unused": ("AP unused", _mean),
            "turn_ms": ("ms a turn", _mean),
        },
    ),
    Section(
        "Points a game, by source",
        report.SourceStats,
        {
            **_BOT,
            "source": ("source", _text),
            "period": ("period", _text),
            "points": ("points", _mean),
            "part": ("%", _percent),
        },
    ),
    Section(
        "Actions a game",
        report.ActionStats,
        {
            **_BOT,
            "action": ("action", _text),
            "number": ("number", _mean),
            "ap": ("AP", _mean),
            "ap_part": ("% of AP", _percent),
        },
    ),
    Section(
        "Actions a game, by size (level, spaces, token)",
        report.SizeStats,
        {**_BOT, "action": ("action", _text), "size": ("size", _text), "number": ("number", _mean)},
    ),
    Section(
        "Seats",
        report.SeatStats,
        {"players": ("players", _text), "seat": ("seat", _text), **_STANDING},
    ),
    Section(
        "Teams",
        report.TeamStats,
        {
            "bots": ("bots", _names),
            "games": ("games", _whole),
            "won": ("won %", _percent),
            "points": ("points", _mean),
            **_ROUNDS,
        },
    ),
    Section(
        "Cards",
        report.CardStats,
        {
            "card": ("card", _text),
            "action": ("action", _text),
            "number": ("a game", _mean),
            "games": ("games", _whole),
            "won": ("of these won %", _percent),
        },
    ),
)


@click.command()
@logs_argument
@format_option
@verbose_option
@click.pass_context
def stats(ctx: click.Context, logs: tuple[str, ...], format_: str, verbose: bool) -> None:
    """What games and bots are like.

    Length of games, their ends, and what bots do and get points for. Void games count for nothing. How good bots are,
    with ratings and intervals, says `mexica rate`. All numbers are described in docs/ANALYSIS.md.

    \b
    mexica log stats games.jsonl
    mexica log stats games.jsonl --format jsonl | jq -c 'select(.type == "source")'
    """
    watch = Stopwatch(verbose=verbose)
    counts = Counts()
    with errors_as_sentences():
        reading = walk_logs(logs, counts)
    lines = list(report.report(counts))
    if format_ == "jsonl":
        for line in lines:
            print_line(line)
    else:
        _print_tables(console_for(sys.stdout), lines)
    watch.tell(reading.read_bytes)
    ctx.exit(tell_cut(reading.cut))


def _print_tables(console: Console, lines: list[report.StatsLine]) -> None:
    head = lines[0]
    assert isinstance(head, report.StatsHead)
    void = f", {head.void} void" if head.void else ""
    console.print(f"{count(head.games, 'game')}{void}, {count(head.actions, 'action')}")
    for section in SECTIONS:
        if chosen := [line for line in lines if type(line) is section.kind]:
            console.print(Text(f"\n{section.title}", "bold"))
            console.print(_table(section, chosen))


def _table(section: Section, lines: list[report.StatsLine]) -> Table:
    """The lines; a column that has nothing in it is left out."""
    fields = {
        field: (heading, cell)
        for field, (heading, cell) in section.columns.items()
        if any(getattr(line, field, None) is not None for line in lines)
    }
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, cell in fields.values():
        name = cell in {_text, _names}
        table.add_column(heading, justify="left" if name else "right", overflow="fold", no_wrap=not name)
    for line in lines:
        table.add_row(*(cell(getattr(line, field)) for field, (_, cell) in fields.items()))
    return table
