"""`mexica status`: how a server does."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import click
import msgspec
from rich.table import Table

from mexica_cli.cli.output import Output, format_option, print_line
from mexica_cli.cli.visiting import address, run, server_argument, tls_ca_option, tls_option
from mexica_cli.number_text import count
from mexica_cli.server.visit import Address, Visit, VisitError, visit
from mexica_cli.view.console import clean, console_for
from mexica_cli.wire.lobby import LookAt, Standing, Standings, Status, TableInfo, Tables
from mexica_cli.wire.messages import PROTOCOL_VERSION, Error, Join, Json

MEBI = 1 << 20


class StatusOutput(Output, frozen=True, kw_only=True, tag="status"):
    """Everything, for programs."""

    status: Json
    tables: list[TableInfo]
    standings: dict[str, list[Standing]]


@click.command(context_settings={"show_default": True})
@server_argument
@click.argument("table", required=False)
@tls_option
@tls_ca_option
@format_option
def status(**given: Any) -> None:
    """Show a server's connections, tables, matches a minute, latency and memory; with TABLE, that table's standings."""
    run(partial(_status, address(given), given["table"], given["format_"]))


async def _status(where: Address, table: str | None, format_: str) -> None:
    async with visit(where, Join(protocol=PROTOCOL_VERSION, name="status", role="spectator")) as here:
        found = await _ask(here, LookAt(at="status"), Status)
        tables = (await _ask(here, LookAt(at="tables"), Tables)).tables
        names = [table] if table is not None else []
        standings = {name: (await _ask(here, LookAt(at="standings", table=name), Standings)).rows for name in names}
    if format_ == "jsonl":
        fields = msgspec.to_builtins(found)
        del fields["type"]
        print_line(StatusOutput(status=fields, tables=tables, standings=standings))
    else:
        _print(found, tables, standings)


async def _ask(here: Visit, question: LookAt, kind: type[Any]) -> Any:
    answer = await here.ask(question)
    if isinstance(answer, Error):
        raise VisitError(answer.reason)
    if not isinstance(answer, kind):
        raise VisitError(f"the server didn't answer with its {question.at}")
    return answer


def _print(found: Status, tables: list[TableInfo], standings: dict[str, list[Standing]]) -> None:
    console = console_for(sys.stdout)
    console.print("\n".join(_lines(found)), soft_wrap=True)
    if tables:
        console.print(_tables(tables))
    for rows in standings.values():
        console.print(_standings(rows))


def _lines(found: Status) -> list[str]:
    latency = found.latency_us
    return [
        f"{clean(found.server)}, up {_duration(found.uptime_s)}",
        f"connections: {found.connections} ({count(found.players, 'bot')}, {count(found.spectators, 'spectator')})",
        f"matches: {found.running} running, {found.finished} finished, {found.per_minute:g} in the last minute",
        f"latency of the server's own: {latency[0]} µs (median), {latency[1]} µs (99th percentile), "
        f"{count(found.decisions, 'decision')}"
        if latency
        else "latency of the server's own: no decisions lately",
        f"memory: {found.memory_bytes / MEBI:.1f} MiB",
    ]


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours // 24} d {hours % 24:02}:{minutes:02}:{seconds:02}"


def _tables(tables: list[TableInfo]) -> Table:
    grid = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("table", "kind", "game", "rules", "state"):
        grid.add_column(column)
    for column in ("seats", "here", "running", "played"):
        grid.add_column(column, justify="right")
    for table in tables:
        played = str(table.played) if table.matches is None else f"{table.played}/{table.matches}"
        texts = map(clean, (table.name, table.kind, table.game, table.rules, table.state))
        grid.add_row(*texts, str(table.players), str(len(table.here)), str(len(table.running)), played)
    return grid


def _standings(rows: list[Standing]) -> Table:
    grid = Table(box=None, pad_edge=False, header_style="bold")
    grid.add_column("bot", overflow="fold")
    for column in ("rating", "games", "wins", "forfeits"):
        grid.add_column(column, justify="right")
    grid.add_column("")
    for row in rows:
        rating = "" if row.rating is None else f"{row.rating:.0f}"
        grid.add_row(clean(row.bot), rating, str(row.games), f"{row.wins:g}", str(row.forfeits), _presence(row))
    return grid


def _presence(row: Standing) -> str:
    if row.benched_s is not None:
        return f"benched for {row.benched_s:.0f} s"
    return "here" if row.here else ""
