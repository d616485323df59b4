"""The report for programs: JSON lines, or one of its tables as CSV, with a column a field."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, BinaryIO, TextIO

import msgspec

from mexica_cli.tournament.intervals import LEVEL, Estimate
from mexica_cli.tournament.report_lines import (
    KINDS,
    TABLES,
    BotOutput,
    EndingOutput,
    FailureOutput,
    FaultsOutput,
    KnockoutOutput,
    LatencyOutput,
    LogOutput,
    MemberOutput,
    PairOutput,
    ProgramOutput,
    ReportLine,
    ReportOutput,
    Rounded,
    SeatOutput,
    SprtOutput,
    SwissOutput,
    TeamOutput,
)
from mexica_cli.tournament.report_text import clock_text, conditions, known, methods, plain, title
from mexica_cli.tournament.statistics import Rates
from mexica_cli.tournament.summary import BotSummary, Pair, SprtReport, Summary

MODEL = "bradley-terry"


def write_jsonl(stream: BinaryIO, summary: Summary) -> None:
    """Write all lines, kind by kind."""
    for kind in KINDS:
        stream.writelines(msgspec.json.encode(line) + b"\n" for line in lines(summary, kind))


def write_csv(stream: TextIO, summary: Summary, table: str = "bot") -> None:
    """Write the lines of one type, one of TABLES, under a line of column names.

    Lists and objects are written as words (`3 0 1`, `crash=2 timeout=1`), null as nothing, control characters as `�`.
    """
    kind = TABLES[table]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(kind.__struct_fields__)
    for line in lines(summary, kind):
        writer.writerow(_cell(getattr(line, name)) for name in kind.__struct_fields__)


def lines(summary: Summary, kind: type[ReportLine]) -> Iterable[ReportLine]:
    """The lines of one kind."""
    return _MAKERS[kind](summary)


# ---- from the summary to lines ---------------------------------------------------------------------------------------


def _report(summary: Summary) -> Iterator[ReportOutput]:
    settings = summary.settings
    name, elo = settings.anchor or (None, None)
    yield ReportOutput(
        title=title(summary),
        format=settings.format,
        games=summary.games,
        planned=settings.planned,
        void=summary.void,
        blocks=summary.blocks,
        deals=summary.deals,
        actions=summary.actions,
        teams=summary.teams,
        order=str(settings.order),
        level=LEVEL,
        anchor=name,
        anchor_elo=elo,
        resamples=settings.resamples,
        notes=summary.notes,
        methods=methods(summary),
    )


def _logs(summary: Summary) -> Iterator[LogOutput]:
    for log in summary.logs:
        header = log.header
        yield LogOutput(
            log=log.name,
            game=header.game,
            rules=header.rules,
            board=dict(conditions(header)).get("board"),
            seed=header.seed,
            clock=clock_text(header.clock),
            program=header.server,
            created=header.created,
            games=log.games,
            void=log.void,
            repeated=log.repeated,
        )


def _programs(summary: Summary) -> Iterator[ProgramOutput]:
    for program in summary.programs:
        yield ProgramOutput(bot=program.name, command=program.command, sha256=program.sha256)


def _bots(summary: Summary) -> Iterator[BotOutput]:
    for rank, bot in enumerate(summary.bots, 1):
        own = bot.standing
        yield BotOutput(
            rank=rank,
            bot=own.bot,
            games=own.games,
            deals=own.deals,
            **_rates(own.rates),
            **_rating(bot),
            places=own.places,
            used_ms=_round(own.used_ms, 3),
            longest_ms=_round(own.longest_ms, 3),
        )


def _rating(bot: BotSummary) -> dict[str, Any]:
    rating = bot.rating
    return _interval("rating", None if rating is None else known(rating)) | {
        "rating_model": None if rating is None else MODEL,
        "rating_group": None if rating is None else rating.group,
        "rating_firm": None if rating is None else rating.firm,
    }


def _members(summary: Summary) -> Iterator[MemberOutput]:
    for own in summary.members:
        yield MemberOutput(bot=own.bot, games=own.games, **_rates(own.rates, "points"))


def _teams(summary: Summary) -> Iterator[TeamOutput]:
    for own in summary.records:
        yield TeamOutput(team=own.team, games=own.games, won=own.won, **_interval("rate", own.rate))


def _pairs(summary: Summary) -> Iterator[PairOutput]:
    for pair in summary.pairs:
        meeting = pair.meeting
        yield PairOutput(
            bot=meeting.bot,
            other=meeting.other,
            ahead=meeting.wins,
            tied=meeting.ties,
            behind=meeting.losses,
            **_interval("rate", meeting.rate),
            **_match(pair),
        )


def _match(pair: Pair) -> dict[str, Any]:
    match, names = pair.match, ("score", "elo", "normalised_elo")
    fields: dict[str, Any] = {"counts": None, "superiority": None}
    if match is not None:
        fields = {"counts": match.counts, "superiority": _round(match.superiority)}
    for name in names:
        fields |= _interval(name, None if match is None else getattr(match, name))
    return fields


def _seats(summary: Summary) -> Iterator[SeatOutput]:
    for own in summary.seats:
        yield SeatOutput(seats=own.seats, seat=own.seat, games=own.rates.number, **_rates(own.rates))


def _endings(summary: Summary) -> Iterator[EndingOutput]:
    for ending in summary.endings:
        yield EndingOutput(outcome=ending.outcome, kinds=ending.kinds, games=ending.games)


def _faults(summary: Summary) -> Iterator[FaultsOutput]:
    for own in summary.faults:
        yield FaultsOutput(
            bot=own.bot,
            forfeits=sum(own.forfeits.values()),
            kinds=own.forfeits,
            startup=own.startup,
            stale=own.stale,
            unknown=own.unknown,
            withdrawn=own.withdrawn,
        )


def _failures(summary: Summary) -> Iterator[FailureOutput]:
    for failure in summary.failures:
        yield FailureOutput(
            log=failure.log,
            match=failure.game,
            bot=failure.bot,
            seat=failure.seat,
            kind=failure.kind,
            reason=failure.reason,
            void=failure.void,
            stderr=failure.stderr,
        )


def _sprt(summary: Summary) -> Iterator[SprtOutput]:
    if summary.sprt is not None:
        yield _sprt_line(summary.sprt)


def _sprt_line(report: SprtReport) -> SprtOutput:
    sprt, state = report.match.sprt, report.state
    return SprtOutput(
        bot=report.match.bot,
        other=report.match.other,
        model=str(sprt.model),
        elo0=sprt.elo0,
        elo1=sprt.elo1,
        alpha=sprt.alpha,
        beta=sprt.beta,
        counts=report.counts,
        llr=_round(state.llr),
        lower=_round(state.lower),
        upper=_round(state.upper),
        decision=str(state.decision),
    )


def _swiss(summary: Summary) -> Iterator[SwissOutput]:
    for row in summary.settings.swiss:
        yield SwissOutput(
            bot=row.bot,
            score=_round(float(row.score)),
            buchholz=_round(float(row.buchholz)),
            sonneborn=_round(float(row.sonneborn)),
            byes=row.byes,
        )


def _knockout(summary: Summary) -> Iterator[KnockoutOutput]:
    for match in summary.settings.knockout:
        yield KnockoutOutput(stage=match.stage, winner=match.winner, loser=match.loser, decided=match.decided)


def _latency(summary: Summary) -> Iterator[LatencyOutput]:
    if summary.latency is not None:
        yield LatencyOutput(**msgspec.structs.asdict(summary.latency))


_MAKERS = dict(
    zip(
        KINDS,
        (
            _report,
            _logs,
            _programs,
            _bots,
            _members,
            _teams,
            _pairs,
            _seats,
            _endings,
            _faults,
            _failures,
            _sprt,
            _swiss,
            _knockout,
            _latency,
        ),
        strict=True,
    )
)


def _rates(rates: Rates | None, *names: str) -> dict[str, Any]:
    """The fields of some rates with their intervals, all three unless named."""
    fields: dict[str, Any] = {}
    for name in names or ("wins", "beaten", "points"):
        fields |= _interval(name, None if rates is None else getattr(rates, name))
    return fields


def _interval(name: str, estimate: Estimate | None) -> dict[str, Any]:
    """The three fields of a number with its interval."""
    if estimate is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: _round(estimate.value), f"{name}_low": _round(estimate.low), f"{name}_high": _round(estimate.high)}


def _round(value: float, digits: int = 6) -> Rounded:
    return round(value, digits) if isfinite(value) else None


def _cell(value: object) -> object:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={number}" for name, number in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return plain(value) if isinstance(value, str) else value
