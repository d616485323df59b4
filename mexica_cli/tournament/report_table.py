"""The report as text: on a terminal of 80 columns, or in a pipe as wide as it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mexica_cli.arena.latency import held_up_text
from mexica_cli.number_text import count, duration, ordinal
from mexica_cli.tournament.report_text import (
    ORDERS,
    SURE,
    conditions,
    elo_text,
    ending_text,
    faults_text,
    known,
    latency_text,
    mean_text,
    methods,
    percent,
    plain,
    played,
    rate_text,
    show_command,
    sprt_name,
    sprt_state,
    title,
)
from mexica_cli.tournament.statistics import BotStanding
from mexica_cli.tournament.summary import BotSummary, Pair, Summary

Rows = Iterable[Sequence[str]]


def print_table(console: Console, summary: Summary) -> None:
    """Print all of the report. What there is nothing of, is left out."""
    for part in (_head, _sprt, _format, _standings, _faults, _pairs, _seats, _time, _endings, _notes, _methods):
        for text in part(summary):
            if isinstance(text, Table):
                console.print(text)
            else:
                console.print(text, soft_wrap=True)


def standings_table(summary: Summary) -> Table:
    """The bots and their numbers."""
    table = _table("bot", "games", f"wins %\n{SURE}", f"points a game\n{SURE}", f"rating (Elo,\nBradley-Terry) {SURE}")
    for bot in summary.bots:
        table.add_row(*_standing(bot))
    return table


Part = Iterator[Table | Text | str]


def _head(summary: Summary) -> Part:
    yield Text(title(summary), "bold")
    if summary.settings.format:
        yield plain(summary.settings.format)
    for log in summary.logs:
        name = f"{plain(log.name)}: {count(log.games, 'game')}; " if len(summary.logs) > 1 else ""
        yield name + ", ".join(f"{what} {plain(value)}" for what, value in conditions(log.header))
    yield f"{played(summary)}, {count(summary.actions, 'action')}"


def _sprt(summary: Summary) -> Part:
    if summary.sprt is not None:
        yield from _heading(sprt_name(summary.sprt))
        yield sprt_state(summary.sprt)


def _format(summary: Summary) -> Part:
    if summary.settings.swiss:
        yield from _heading("Swiss table")
        table = _table("bot", "score", "Buchholz", "Sonneborn-\nBerger", "byes")
        for row in summary.settings.swiss:
            numbers = (f"{float(number):.2f}" for number in (row.score, row.buchholz, row.sonneborn))
            table.add_row(plain(row.bot), *numbers, str(row.byes))
        yield table
    if summary.settings.knockout:
        yield from _heading("Knockout")
        for match in summary.settings.knockout:
            decided = "" if match.decided == "points" else f" (by {match.decided})"
            yield f"stage {match.stage + 1}: {plain(match.winner)} beat {plain(match.loser)}{decided}"


def _standings(summary: Summary) -> Part:
    if not summary.bots:
        return
    yield from _heading(f"Standings, {'of teams, ' if summary.teams else ''}{ORDERS[summary.settings.order]}")
    yield standings_table(summary)
    if places := max((len(bot.standing.places) for bot in summary.bots), default=0):
        yield from _heading("Places")
        table = _table("bot", *map(ordinal, range(1, places + 1)), f"seats beaten %\n{SURE}")
        for bot in summary.bots:
            own = bot.standing
            numbers = [*own.places, *[0] * (places - len(own.places))]
            table.add_row(plain(own.bot), *map(str, numbers), rate_text(own.rates.beaten) if own.rates else "-")
        yield table
    if summary.records:
        yield from _heading("Games won by teams")
        table = _table("team", "games", "won", f"won %\n{SURE}")
        for record in summary.records:
            table.add_row(plain(record.team), str(record.games), str(record.won), rate_text(record.rate))
        yield table
    if summary.members:
        yield from _heading("Members of mixed teams")
        table = _table("bot", "games", f"points a game\n{SURE}")
        for member in sorted(summary.members, key=_points):
            table.add_row(plain(member.bot), str(member.games), mean_text(member.rates.points) if member.rates else "-")
        yield table


def _faults(summary: Summary) -> Part:
    if faulty := [faults for faults in summary.faults if faults_text(faults)]:
        yield from _heading("Faults")
        first = {failure.bot: failure for failure in reversed(summary.failures)}
        for faults in faulty:
            line = Text(f"{plain(faults.bot)}: {faults_text(faults)}", "red" if faults.failed else "")
            if failure := first.get(faults.bot):
                line.append(f"; the first: {show_command(failure.log, failure.game)}", "default")
            yield line


def _pairs(summary: Summary) -> Part:
    place = {bot.standing.bot: index for index, bot in enumerate(summary.bots)}
    once = [pair for pair in summary.pairs if place[pair.meeting.bot] < place[pair.meeting.other]]
    once.sort(key=lambda pair: (place[pair.meeting.bot], place[pair.meeting.other]))
    if once:
        yield from _heading("Head to head, over all games in which both sat")
        table = _table("bot", "other", "ahead", "tied", "behind", f"ahead %, ties half\n{SURE}")
        for meeting in (pair.meeting for pair in once):
            counts = map(str, (meeting.wins, meeting.ties, meeting.losses))
            table.add_row(plain(meeting.bot), plain(meeting.other), *counts, rate_text(meeting.rate))
        yield table
    if any(pair.match for pair in once):
        yield from _heading("Games of two")
        yield _matches(once)


def _matches(pairs: Iterable[Pair]) -> Table:
    table = _table(
        "bot", "other", f"Elo (logistic)\n{SURE}", f"normalised Elo\n{SURE}", "LOS %", "pairs by points\n0 ½ 1 1½ 2"
    )
    for pair in pairs:
        if (match := pair.match) is not None:
            counts = " ".join(map(str, match.counts)) + ("" if len(match.counts) == 5 else " (- = +)")
            numbers = (elo_text(match.elo), elo_text(match.normalised_elo), percent(match.superiority), counts)
            table.add_row(plain(pair.meeting.bot), plain(pair.meeting.other), *numbers)
    return table


def _seats(summary: Summary) -> Part:
    if summary.seats:
        yield from _heading("Seats, whoever sat there (numbered from 0)")
        table = _table("seat", "games", f"wins %\n{SURE}", f"points a game\n{SURE}")
        for own in summary.seats:
            rates = own.rates
            numbers = (str(rates.number), rate_text(rates.wins), mean_text(rates.points))
            table.add_row(f"{own.seat} of {own.seats}", *numbers)
        yield table


def _time(summary: Summary) -> Part:
    if any(bot.standing.longest_ms for bot in summary.bots):
        yield from _heading("Time used")
        table = _table("bot", "a game", "longest game")
        for own in (bot.standing for bot in summary.bots):
            table.add_row(plain(own.bot), duration(own.used_ms), duration(own.longest_ms))
        yield table
    if summary.latency is not None:
        yield f"arena: {latency_text(summary.latency)}"
        if summary.latency.held_up:
            yield f"arena: {held_up_text(summary.latency.held_up, summary.latency.held_up_ms)}"


def _endings(summary: Summary) -> Part:
    if summary.endings:
        yield from _heading("How games ended")
        table = _table("ending", "games")
        for ending in summary.endings:
            table.add_row(ending_text(ending), str(ending.games))
        yield table


def _notes(summary: Summary) -> Part:
    if summary.notes:
        yield from _heading("Notes")
        yield from map(plain, summary.notes)


def _methods(summary: Summary) -> Part:
    yield from _heading("How the numbers are made")
    for name, text in methods(summary).items():
        yield f"{name.replace('_', ' ')}: {text}"


def _heading(text: str) -> Iterator[Text]:
    yield Text(f"\n{text}", "bold")


def _table(*columns: str) -> Table:
    """A table; where there is no room, names are folded before any number is cut."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        name = column in {"bot", "other", "ending", "seat"}
        table.add_column(column, justify="left" if name else "right", overflow="fold", no_wrap=not name)
    return table


def _standing(bot: BotSummary) -> Iterator[str]:
    own, rating = bot.standing, bot.rating
    yield plain(own.bot)
    yield str(own.games)
    yield rate_text(own.rates.wins) if own.rates else "-"
    yield mean_text(own.rates.points) if own.rates else "-"
    if rating is None:
        yield "-"
    else:
        group = f" in group {rating.group + 1}" if rating.group else ""
        yield elo_text(known(rating)) + group


def _points(own: BotStanding) -> tuple[float, str]:
    return -own.rates.points.value if own.rates else 0.0, own.bot
