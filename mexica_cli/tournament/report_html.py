"""The report as one page: no network, nothing to install, readable without scripts, on a phone, in light and dark.

Names and standard error come from strangers' programs. Everything is escaped by `markup`; besides, the page's policy
allows no script but its own and no connection at all.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from math import isinf

from mexica_cli.arena.latency import held_up_text
from mexica_cli.number_text import count, duration, ordinal
from mexica_cli.tournament.markup import Markup, element, join, name
from mexica_cli.tournament.report_faults import alarm, anchor, failures, faulty
from mexica_cli.tournament.report_figures import PlotRow, Scale, bar, gauge, heat_map, plot, scale_of
from mexica_cli.tournament.report_grid import (
    Cell,
    Column,
    count_cell,
    estimate_cell,
    grid,
    number_cell,
    rate_cell,
    scroll,
)
from mexica_cli.tournament.report_text import (
    ORDERS,
    conditions,
    elo_text,
    ending_text,
    known,
    latency_text,
    mean_text,
    methods,
    percent,
    played,
    rate_text,
    signed,
    sprt_name,
    sprt_state,
    title,
)
from mexica_cli.tournament.statistics import SeatStanding
from mexica_cli.tournament.summary import BotFaults, BotSummary, Pair, Summary
from mexica_cli.wire.messages import Limits


def html(summary: Summary) -> str:
    """The page."""
    body = [element("header", *_header(summary))]
    sections = [(key, heading, list(make(summary))) for key, heading, make in _SECTIONS]
    filled = [(key, heading, parts) for key, heading, parts in sections if parts]
    body.append(element("nav", *(element("a", heading, href=f"#{key}") for key, heading, _ in filled)))
    body += [element("section", element("h2", heading), *parts, id=key) for key, heading, parts in filled]
    return f"<!doctype html>\n{element('html', *_document(title(summary), body), lang='en')}\n"


def _document(heading: str, body: Sequence[Markup]) -> Iterator[Markup]:
    style, script = _resource("report.css"), _resource("report.js")
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    yield element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", heading),
        element("style", style),
    )
    yield element("body", *(Markup(f"{part}\n") for part in body), element("script", script))


def _resource(file: str) -> Markup:
    return Markup((files("mexica_cli.tournament") / "data" / file).read_text("utf-8"))


# ---- top of the page -------------------------------------------------------------------------------------------------


def _header(summary: Summary) -> Iterator[Markup]:
    yield element("h1", title(summary))
    words = [summary.settings.format, f"{played(summary)}, {count(summary.actions, 'action')}"]
    yield element("p", "; ".join(filter(None, words)), class_="soft")
    if len(summary.logs) == 1:
        facts = conditions(summary.logs[0].header)
        tiles = (element("div", element("dt", fact), element("dd", value)) for fact, value in facts)
        yield element("dl", *tiles, class_="facts")
    if failed := faulty(summary):
        yield element("div", element("ul", *map(alarm, failed)), class_="alarm", role="note")
    if summary.notes:
        yield element("ul", *(element("li", note) for note in summary.notes), class_="notes")


# ---- sections --------------------------------------------------------------------------------------------------------


def _test(summary: Summary) -> Iterator[Markup]:
    if (report := summary.sprt) is not None:
        state = report.state
        yield element("p", f"{sprt_name(report)}.")
        words = sprt_state(report)
        drawing = gauge(state.llr, state.lower, state.upper, words)
        bounds = f"H0 {state.lower:.2f}", f"H1 {state.upper:.2f}"
        yield element("div", element("span", bounds[0]), drawing, element("span", bounds[1]), class_="gauge")
        counts = ", ".join(map(str, report.counts))
        yield element("p", element("strong", words), f". Pairs with 0, ½, 1, 1½, 2 points: {counts}.")


def _format(summary: Summary) -> Iterator[Markup]:
    if summary.settings.swiss:
        yield element("p", "After the last round that is over.", class_="soft")
        columns = [Column("bot", "left pin"), *map(Column, ("score", "Buchholz", "Sonneborn-Berger", "byes"))]
        rows = [
            [
                _bot(row.bot),
                *(number_cell(float(x), 2) for x in (row.score, row.buchholz, row.sonneborn)),
                count_cell(row.byes),
            ]
            for row in summary.settings.swiss
        ]
        yield grid(columns, rows)
    if summary.settings.knockout:
        yield element("p", "The matches of the knockout that are over.", class_="soft")
        columns = [Column("stage"), Column("winner", "left"), Column("loser", "left"), Column("decided by", "left")]
        yield grid(
            columns,
            [
                [count_cell(match.stage + 1), _bot(match.winner), _bot(match.loser), Cell(match.decided)]
                for match in summary.settings.knockout
            ],
        )


def _standings(summary: Summary) -> Iterator[Markup]:
    if not summary.bots:
        return
    who = "Teams" if summary.teams else "Bots"
    yield element(
        "p", f"{who} {ORDERS[summary.settings.order]}. In brackets and after ±: 95 % intervals.", class_="soft"
    )
    places = max((len(bot.standing.places) for bot in summary.bots), default=0)
    heads = (
        "games",
        "wins %",
        "points a game",
        "Elo, Bradley-Terry",
        "seats beaten %",
        *map(ordinal, range(1, places + 1)),
    )
    columns = [Column("#"), Column("bot", "left pin"), *map(Column, heads)]
    faults = {own.bot: own for own in faulty(summary)}
    rows = [[count_cell(rank), *_standing(bot, places, faults)] for rank, bot in enumerate(summary.bots, 1)]
    yield grid(columns, rows)


def _standing(bot: BotSummary, places: int, faults: dict[str, BotFaults]) -> Iterator[Cell]:
    own = bot.standing
    yield _bot(own.bot, faults.get(own.bot))
    yield count_cell(own.games)
    yield rate_cell(own.rates, "wins", rate_text)
    yield rate_cell(own.rates, "points", mean_text)
    yield estimate_cell(None if bot.rating is None else known(bot.rating), elo_text)
    yield rate_cell(own.rates, "beaten", rate_text)
    yield from map(count_cell, [*own.places, *[0] * (places - len(own.places))])


def _ratings(summary: Summary) -> Iterator[Markup]:
    rated = [(bot.standing.bot, bot.rating) for bot in summary.bots if bot.rating is not None]
    rated.sort(key=lambda item: (item[1].group, -item[1].elo.value))
    for group, members in groupby(rated, key=lambda item: item[1].group):
        own = [(bot, known(rating)) for bot, rating in members]
        zero = _zero(summary, [bot for bot, _ in own])
        scale = scale_of([number for _, number in own], zero)
        rows = [PlotRow(name(bot), number, elo_text(number)) for bot, number in own]
        caption = "Elo, Bradley-Terry model, with 95 % bootstrap intervals."
        if any(isinf(number.error) for _, number in own):
            caption += " Dotted: nothing bounds the rating."
        if any(rating.group for _, rating in rated):
            caption = f"Group {group + 1}. {caption}"
        yield plot(rows, scale, zero, [signed(tick) for tick in scale.ticks], caption)


def _zero(summary: Summary, group: Sequence[str]) -> float:
    """The rating that the others of a group are relative to."""
    anchor = summary.settings.anchor
    return anchor[1] if anchor is not None and anchor[0] in group else 0.0


def _pairs(summary: Summary) -> Iterator[Markup]:
    bots = [bot.standing.bot for bot in summary.bots if bot.standing.games]
    if summary.pairs:
        words = (
            "Row against column: how often the row came before it, in percent, a tie half; below, the 95 % interval."
        )
        yield element("p", words, class_="soft")
        yield scroll(heat_map(bots, summary.pairs), "Head to head")
        yield element("details", element("summary", "All pairs in numbers"), _pair_table(summary.pairs), class_="table")


def _pair_table(pairs: Sequence[Pair]) -> Markup:
    heads = ("ahead", "tied", "behind", "ahead %, ties half")
    duels = any(pair.match for pair in pairs)
    columns = [Column("bot", "left pin"), Column("other", "left"), *map(Column, heads)]
    if duels:
        columns += map(Column, ("Elo, logistic", "normalised Elo", "LOS %", "pairs by points 0 ½ 1 1½ 2"))
    return grid(columns, [[*_meeting(pair), *(_match(pair) if duels else ())] for pair in pairs])


def _meeting(pair: Pair) -> Iterator[Cell]:
    meeting = pair.meeting
    yield _bot(meeting.bot)
    yield _bot(meeting.other)
    yield from map(count_cell, (meeting.wins, meeting.ties, meeting.losses))
    yield estimate_cell(meeting.rate, rate_text)


def _match(pair: Pair) -> Iterator[Cell]:
    match = pair.match
    if match is None:
        yield from [estimate_cell(None, elo_text)] * 3
        yield Cell("–")
    else:
        yield estimate_cell(match.elo, elo_text)
        yield estimate_cell(match.normalised_elo, elo_text)
        yield Cell(percent(match.superiority), match.superiority)
        yield Cell(_counts(match.counts))


def _counts(counts: Sequence[int]) -> str:
    return " ".join(map(str, counts)) + ("" if len(counts) == 5 else " (games lost, drawn, won)")


def _members(summary: Summary) -> Iterator[Markup]:
    if summary.members:
        columns = [Column("bot", "left pin"), Column("games"), Column("points a game")]
        yield grid(
            columns,
            [
                [_bot(own.bot), count_cell(own.games), rate_cell(own.rates, "points", mean_text)]
                for own in summary.members
            ],
        )


def _teams(summary: Summary) -> Iterator[Markup]:
    if summary.records:
        columns = [Column("team", "left pin"), Column("games"), Column("won"), Column("won %")]
        yield grid(
            columns,
            [
                [_bot(own.team), count_cell(own.games), count_cell(own.won), estimate_cell(own.rate, rate_text)]
                for own in summary.records
            ],
        )


def _seats(summary: Summary) -> Iterator[Markup]:
    for seats, standings in groupby(summary.seats, key=lambda own: own.seats):
        own = list(standings)
        scale = Scale(0.0, 1.0, [0.0, 0.25, 0.5, 0.75, 1.0])
        caption = f"{seats} seats: games won from each, in percent, whoever sat there. Dashed: an equal share."
        yield plot([_seat(row) for row in own], scale, 1 / seats, [f"{tick:.0%}" for tick in scale.ticks], caption)


def _seat(own: SeatStanding) -> PlotRow:
    label = join([f"seat {own.seat}", element("small", f"{mean_text(own.rates.points)} points")])
    return PlotRow(label, own.rates.wins, f"{rate_text(own.rates.wins)} %")


def _endings(summary: Summary) -> Iterator[Markup]:
    total = summary.games + summary.void
    if summary.endings:
        columns = [Column("ending", "left pin"), Column("games"), Column("%"), Column("", "wide")]
        rows = []
        for ending in summary.endings:
            share = ending.games / total
            drawing = bar(share, f"{percent(share)} %")
            cells = [
                Cell(ending_text(ending)),
                count_cell(ending.games),
                number_cell(100 * share, 1),
                Cell(drawing, share),
            ]
            rows.append(cells)
        yield grid(columns, rows)


def _time(summary: Summary) -> Iterator[Markup]:
    longest = max((bot.standing.longest_ms for bot in summary.bots), default=0.0)
    if longest:
        columns = [Column("bot", "left pin"), Column("a game"), Column("longest game"), Column("", "wide")]
        rows = []
        for own in (bot.standing for bot in summary.bots):
            mean, most = duration(own.used_ms), duration(own.longest_ms)
            drawing = bar(own.used_ms / longest, f"{mean} a game, {most} at most", own.longest_ms / longest)
            rows.append(
                [_bot(own.bot), Cell(mean, own.used_ms), Cell(most, own.longest_ms), Cell(drawing, own.used_ms)]
            )
        yield element("p", "Bar: the mean of all games. Line: the longest game.", class_="soft")
        yield grid(columns, rows)
    if summary.latency is not None:
        yield element("p", f"The arena took {latency_text(summary.latency)}.", class_="soft")
        if summary.latency.held_up:
            held_up = held_up_text(summary.latency.held_up, summary.latency.held_up_ms)
            yield element("p", f"It was {held_up}.", class_="soft")


def _programs(summary: Summary) -> Iterator[Markup]:
    columns = [Column("bot", "left pin"), Column("command", "left"), Column("SHA-256")]
    if summary.programs:
        yield grid(
            columns,
            [
                [
                    _bot(own.name),
                    Cell(element("code", own.command)),
                    Cell(element("code", own.sha256[:12], title=own.sha256)),
                ]
                for own in summary.programs
            ],
        )


def _logs(summary: Summary) -> Iterator[Markup]:
    heads = ("game", "rules", "board", "clock", "seed", "program", "limits")
    columns = [Column("log", "left pin"), Column("games"), *(Column(head, "left") for head in heads[:-1])]
    columns.append(Column(heads[-1], "left long"))
    rows = []
    for log in summary.logs:
        facts = dict(conditions(log.header)) | {"limits": _limits(log.header.limits)}
        rows.append([Cell(log.name), count_cell(log.games), *(Cell(facts.get(head, "–")) for head in heads)])
    if rows:
        yield grid(columns, rows)


def _limits(limits: Limits) -> str:
    memory = f", {limits.memory_bytes >> 20} MiB" if limits.memory_bytes else ""
    times = f"{limits.startup_ms / 1000:g} s to start, {limits.ready_ms / 1000:g} s to get ready"
    return f"{times}, {ordinal(limits.illegal)} illegal action forfeits{memory}"


def _methods(summary: Summary) -> Iterator[Markup]:
    parts = [(element("dt", key.replace("_", " ")), element("dd", words)) for key, words in methods(summary).items()]
    yield element("dl", *parts, class_="methods")


_SECTIONS: Sequence[tuple[str, str, Callable[[Summary], Iterator[Markup]]]] = (
    ("test", "Sequential test", _test),
    ("format", "Table of the format", _format),
    ("standings", "Standings", _standings),
    ("ratings", "Ratings", _ratings),
    ("pairs", "Head to head", _pairs),
    ("teams", "Games won by teams", _teams),
    ("members", "Members of mixed teams", _members),
    ("failures", "Faults", failures),
    ("endings", "How games ended", _endings),
    ("time", "Time used", _time),
    ("seats", "Seats", _seats),
    ("programs", "Programs", _programs),
    ("logs", "Logs", _logs),
    ("methods", "How the numbers are made", _methods),
)
"""Ids, headings and contents, in the order of the page."""


def _bot(bot: str, faults: BotFaults | None = None) -> Cell:
    if faults is None:
        return Cell(name(bot))
    number = sum(faults.forfeits.values())
    words = count(number, "forfeit") if number else "faults"
    return Cell([name(bot), " ", element("a", words, href=f"#{anchor(bot)}", class_="badge")])
