"""The table at the end of a match: what the bots made, how the games ended, what the arena took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.table import Table

from mexica_cli.arena.latency import held_up_text
from mexica_cli.arena.tally import BotTally, Tally
from mexica_cli.number_text import count, duration, ordinal
from mexica_cli.record.lines import Latency
from mexica_cli.view.console import clean


def print_standings(console: Console, tally: Tally, seed: int, latency: Latency | None) -> None:
    """Print the table and the lines below it."""
    if tally.games:
        console.print(standings_table(tally))
    if tally.won is not None:
        console.print(f"team: won {tally.won} of {count(tally.games, 'game')}, {100 * tally.won / tally.games:.1f} %")
    if forfeits := _forfeits(tally):
        console.print(f"forfeits: {forfeits}", soft_wrap=True)
    console.print(f"games: {_endings(tally)}", soft_wrap=True)
    if latency is not None:
        console.print(
            f"arena: {latency.median_us} µs of its own a decision (median), {latency.p99_us} µs (99th percentile), "
            f"{latency.max_us} µs (most), {count(latency.decisions, 'decision')}",
            soft_wrap=True,
        )
        if latency.held_up:
            console.print(f"arena: {held_up_text(latency.held_up, latency.held_up_ms)}", soft_wrap=True)
    console.print(f"seed: {seed}", soft_wrap=True)
    for line in _first_failures(tally):
        console.print(line, soft_wrap=True)


def standings_table(tally: Tally) -> Table:
    """The table: 80 columns hold four bots, if their names aren't long; long names are folded first."""
    seats = 0 if tally.won is not None else max(place for bot in tally.bots.values() for place in bot.places)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bot", overflow="fold")
    places = map(ordinal, range(1, seats + 1))
    for column in ("games", "wins", "wins %", "points\na game", *places, "time\na game", "longest\ngame"):
        table.add_column(column, justify="right")
    for bot in tally.standings():
        table.add_row(*_row(bot, seats))
    return table


def _row(bot: BotTally, seats: int) -> Iterable[str]:
    games = max(1, bot.games)
    yield bot.name
    yield str(bot.games)
    yield f"{bot.wins:.2f}".removesuffix(".00")
    yield f"{100 * bot.wins / games:.1f}"
    yield f"{bot.points / games:.1f}"
    for place in range(1, seats + 1):
        yield str(bot.places[place])
    yield duration(bot.used_ms / games)
    yield duration(bot.longest_game_ms)


def _forfeits(tally: Tally) -> str:
    return "; ".join(f"{bot.name} {_counts(bot.faults.items())}" for bot in tally.standings() if bot.faults)


def _first_failures(tally: Tally) -> Iterator[str]:
    """Why each bot forfeited for the first time, with its last words; then where to learn more."""
    failures = [(bot.name, bot.first_failure) for bot in tally.standings() if bot.first_failure]
    for name, failure in failures:
        yield clean(f"{name} forfeited {failure.match}: {failure.reason}")
        if failure.stderr:
            yield clean(f"  {failure.stderr}")
    if failures:
        yield "`mexica check BOT` says more."


def _endings(tally: Tally) -> str:
    endings = f" ({_counts(tally.endings.items())})" if tally.endings else ""
    return f"{tally.games} played, {count(tally.actions, 'action')}{endings}"


def _counts(items: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(items))
