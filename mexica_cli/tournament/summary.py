"""Everything that a report of games says: one `Summary`, from one log or several, out of which all outputs are made.

Games are read one at a time and only their results are kept, so a log may be of any size. Void games count for nothing
but are counted. Several logs are put together by the names of the bots: games that follow from the same seed, rules and
id have the same deal, whichever log they are in, and a game that was copied from one log to another counts once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from statistics import median_low
from typing import NamedTuple

import msgspec

from mexica_cli.record.lines import BotRecord, Header, Latency, ResultLine
from mexica_cli.tournament.collection import Collection, Ending, Failure, LogSummary, SummaryError
from mexica_cli.tournament.elo import MatchStatistics, match_statistics, pentanomial
from mexica_cli.tournament.knockout import KnockoutMatch
from mexica_cli.tournament.ratings import RESAMPLES, Rating, rate
from mexica_cli.tournament.results import GameResult, team_results
from mexica_cli.tournament.sprt import Sprt, SprtState
from mexica_cli.tournament.statistics import (
    BotStanding,
    Meeting,
    SeatStanding,
    TeamRecord,
    head_to_head,
    seat_standings,
    standings,
    team_records,
)
from mexica_cli.tournament.swiss import SwissRow


class Log(NamedTuple):
    """The games of one log, to be gone through once."""

    name: str
    """Its file, as `mexica log show` is to be given it."""
    header: Header
    games: Iterable[tuple[Sequence[str], ResultLine]]
    """Bots by seat and result, void games included."""


class Order(StrEnum):
    """By what the bots are ordered."""

    WINS = "wins"
    """For schedules in which everyone has the same opponents."""
    RATING = "rating"
    """For any other."""
    TABLE = "table"
    """The Swiss table, or how far one got in the knockout."""


class SprtMatch(msgspec.Struct, frozen=True):
    """A sequential test of two bots."""

    sprt: Sprt
    bot: str
    other: str


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the logs don't say."""

    title: str = ""
    format: str = ""
    """In words: `round robin`."""
    planned: int | None = None
    """Games in the schedule, if that is known."""
    order: Order = Order.WINS
    anchor: tuple[str, float] | None = None
    """A bot whose rating is fixed."""
    sprt: SprtMatch | None = None
    withdrawn: dict[str, str] = {}
    """Bots that aren't scheduled any more, and why."""
    swiss: tuple[SwissRow, ...] = ()
    knockout: tuple[KnockoutMatch, ...] = ()
    resamples: int = RESAMPLES
    """Of the bootstrap; it takes most of the time."""


class BotSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One bot, or one team where games are cooperative."""

    standing: BotStanding
    rating: Rating | None
    """None where it met no other bot."""


class BotFaults(msgspec.Struct, frozen=True, kw_only=True):
    """What one bot did wrong."""

    bot: str
    forfeits: dict[str, int]
    """Games forfeited, by kind."""
    startup: int
    """Games that were void because it never started."""
    stale: int
    """Answers that were dropped because they answered an earlier request."""
    unknown: int
    """Messages of a type that there isn't."""
    withdrawn: str | None
    """Why it isn't scheduled any more, if it isn't."""

    @property
    def failed(self) -> bool:
        """Whether it was worse than stale answers and messages of unknown type."""
        return bool(self.forfeits or self.startup or self.withdrawn is not None)


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """One bot against another."""

    meeting: Meeting
    """Over all games in which both sat."""
    match: MatchStatistics | None
    """Over those with two seats: from pairs of games, or from single games where there is no whole pair."""


class SprtReport(msgspec.Struct, frozen=True, kw_only=True):
    """A sequential test and how far it has come."""

    match: SprtMatch
    counts: tuple[int, ...]
    """Pairs of games by the points of the first bot: 0, 0.5, 1, 1.5, 2."""
    state: SprtState


class LatencySummary(msgspec.Struct, frozen=True, kw_only=True):
    """What the arena itself took for a decision, over all games that say it."""

    games: int
    decisions: int
    median_us: int
    """Median over the games of their medians."""
    p99_us: int
    """Median over the games of their 99th percentiles."""
    max_us: int
    held_up: int
    """How often the arena itself was held up while a bot's time ran, which isn't charged to the bot."""
    held_up_ms: int
    """How long, in all."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a report says."""

    settings: Settings
    logs: tuple[LogSummary, ...]
    programs: tuple[BotRecord, ...]
    """What ran under which name; a name comes twice where it wasn't the same program in all logs."""
    games: int
    """Games that count."""
    void: int
    blocks: int
    deals: int
    """Blocks that don't share a deal: what all intervals are based on."""
    actions: int
    teams: bool
    """Whether `bots` are teams, compared by their scores at the same deals."""
    bots: tuple[BotSummary, ...]
    """Best first."""
    members: tuple[BotStanding, ...]
    """The members of mixed teams, by themselves."""
    records: tuple[TeamRecord, ...]
    """What teams have won and lost, in cooperative games."""
    pairs: tuple[Pair, ...]
    """Every two that met, both ways round."""
    seats: tuple[SeatStanding, ...]
    endings: tuple[Ending, ...]
    faults: tuple[BotFaults, ...]
    """Of every bot (no teams here): those with most forfeits first."""
    failures: tuple[Failure, ...]
    """In the order of the logs."""
    sprt: SprtReport | None
    latency: LatencySummary | None
    notes: tuple[str, ...]
    """Sentences on what a reader must know to judge the numbers."""


DEFAULT = Settings()


def summarise(logs: Iterable[Log], settings: Settings = DEFAULT) -> Summary:
    """Read all logs to their ends and count. The same games give the same summary, in whatever order and logs.

    Raises SummaryError for logs that can't be put together, and whatever reading them raises.
    """
    read = Collection()
    for log in logs:
        read.add_log(log.name, log.header, log.games)
    results = read.results
    teams = any("@" in game.block for game in results)
    contests = team_results(results) if teams else results
    bots = _bots(contests, () if teams else read.bots(), settings)
    return Summary(
        settings=settings,
        logs=tuple(read.logs),
        programs=tuple(read.programs()),
        games=len(results),
        void=sum(log.void for log in read.logs),
        blocks=len({(game.block, *sorted(game.seats)) for game in results}),
        deals=len({game.deal for game in results}),
        actions=read.actions,
        teams=teams,
        bots=tuple(bots),
        members=tuple(standings(results)) if teams and any(len(set(game.seats)) > 1 for game in results) else (),
        records=tuple(team_records(results)),
        pairs=tuple(_pairs(contests)),
        seats=tuple(seat_standings(results)),
        endings=tuple(read.endings()),
        faults=tuple(_faults(read, settings)),
        failures=tuple(read.failures),
        sprt=None if settings.sprt is None else _sprt(settings.sprt, results),
        latency=_latency(read.latencies),
        notes=(*read.notes(), *_notes(results, contests, bots)),
    )


def _bots(games: Sequence[GameResult], names: Iterable[str], settings: Settings) -> list[BotSummary]:
    try:
        rated = rate(games, settings.anchor, resamples=settings.resamples)
    except ValueError as error:
        raise SummaryError(str(error)) from None
    ratings = {rating.bot: rating for rating in rated}
    bots = [BotSummary(standing=own, rating=ratings.get(own.bot)) for own in standings(games, names)]
    match settings.order:
        case Order.WINS:
            return bots
        case Order.RATING:
            order = [rating.bot for rating in rated]
        case Order.TABLE:
            order = _order_of_table(settings)
    place = {bot: index for index, bot in enumerate(order)}
    return sorted(bots, key=lambda bot: place.get(bot.standing.bot, len(order)))


def _order_of_table(settings: Settings) -> list[str]:
    """The rows of the Swiss table, or the bots of the knockout: who lost later is better, the winner first."""
    if settings.swiss:
        return [row.bot for row in settings.swiss]
    late_first = sorted(settings.knockout, key=lambda match: -match.stage)
    return list(dict.fromkeys(bot for match in late_first for bot in (match.winner, match.loser)))


def _pairs(games: Sequence[GameResult]) -> Iterator[Pair]:
    duels: dict[frozenset[str], list[GameResult]] = defaultdict(list)
    for game in games:
        if len(game.seats) == 2:
            duels[frozenset(game.seats)].append(game)
    for meeting in head_to_head(games):
        own = duels.get(frozenset((meeting.bot, meeting.other)))
        yield Pair(meeting=meeting, match=_match(own, meeting.bot, meeting.other) if own else None)


def _match(games: Sequence[GameResult], bot: str, other: str) -> MatchStatistics:
    counts: Sequence[int] = pentanomial(games, bot, other)
    if not any(counts):
        halves = Counter(game.half_points(game.seats.index(bot)) for game in games)
        counts = (halves[0], halves[1], halves[2])
    return match_statistics(counts)


def _faults(read: Collection, settings: Settings) -> list[BotFaults]:
    forfeits: dict[str, Counter[str]] = defaultdict(Counter)
    startup: Counter[str] = Counter()
    for failure in read.failures:
        if failure.bot is not None and failure.void:
            startup[failure.bot] += 1
        elif failure.bot is not None:
            forfeits[failure.bot][failure.kind] += 1
    faults = [
        BotFaults(
            bot=bot,
            forfeits=dict(sorted(forfeits[bot].items())),
            startup=startup[bot],
            stale=read.stale[bot],
            unknown=read.unknown[bot],
            withdrawn=settings.withdrawn.get(bot),
        )
        for bot in read.bots()
    ]
    return sorted(faults, key=lambda own: (-sum(own.forfeits.values()), -own.startup, own.bot))


def _sprt(match: SprtMatch, games: Sequence[GameResult]) -> SprtReport:
    counts = pentanomial(games, match.bot, match.other)
    return SprtReport(match=match, counts=counts, state=match.sprt.state(counts))


def _latency(games: Sequence[Latency]) -> LatencySummary | None:
    if not games:
        return None
    return LatencySummary(
        games=len(games),
        decisions=sum(game.decisions for game in games),
        median_us=median_low(game.median_us for game in games),
        p99_us=median_low(game.p99_us for game in games),
        max_us=max(game.max_us for game in games),
        held_up=sum(game.held_up for game in games),
        held_up_ms=sum(game.held_up_ms for game in games),
    )


def _notes(results: Sequence[GameResult], contests: Sequence[GameResult], bots: Sequence[BotSummary]) -> Iterator[str]:
    ratings = [bot.rating for bot in bots if bot.rating is not None]
    if any(rating.group for rating in ratings):
        groups = max(rating.group for rating in ratings) + 1
        yield f"The bots are in {groups} groups that never met each other: ratings compare within a group only."
    if soft := [rating.bot for rating in ratings if not rating.firm]:
        yield (
            "Won or lost everything against the rest, so that only the prior keeps the rating finite and no interval "
            f"can be given: {', '.join(soft)}."
        )
    if contests is not results:
        compared = {contest.deal for contest in contests}
        if alone := sum(game.deal not in compared for game in results):
            yield f"{alone} games are left out of the comparison of teams: only one team has played their deals."
