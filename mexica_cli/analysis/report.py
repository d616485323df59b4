"""The lines of the statistics, version 1. docs/ANALYSIS.md describes every field.

All lines are flat. Parts are from 0 to 1; means are by game where nothing else is said. What isn't known is null.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mexica_cli.analysis.counts import Counts, Done, Standing

STATS_VERSION = 1
DIGITS = 4
"""Behind the point."""


class StatsLine(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Common shape of the lines."""

    version: int = STATS_VERSION


class StatsHead(StatsLine, frozen=True, kw_only=True, tag="stats"):
    """The first line: what was counted."""

    games: int
    void: int
    actions: int


class LengthStats(StatsLine, frozen=True, kw_only=True, tag="length"):
    """How long games of so many players are."""

    players: int
    games: int
    actions: float | None
    actions_min: float | None
    actions_max: float | None
    turns: float | None
    rounds: float | None
    rounds_min: float | None
    rounds_max: float | None
    used_ms: float | None


class EndingStats(StatsLine, frozen=True, kw_only=True, tag="ending"):
    """How games end."""

    outcome: str
    ending: str | None
    games: int
    part: float


class BotStats(StatsLine, frozen=True, kw_only=True, tag="bot"):
    """A bot; `ap` and `ap_unused` are by turn, `turn_ms` too."""

    bot: str
    games: int
    wins: float
    team_won: float | None
    points: float
    place: float
    actions: float
    turns: float | None
    ap: float | None
    ap_unused: float | None
    turn_ms: float | None
    rejects: int
    forfeits: int


class SourceStats(StatsLine, frozen=True, kw_only=True, tag="source"):
    """What a bot gets its points for."""

    bot: str
    source: str
    period: int | None
    points: float
    part: float


class ActionStats(StatsLine, frozen=True, kw_only=True, tag="action"):
    """What a bot does; `ap` is by game, `ap_part` of all its AP."""

    bot: str
    action: str
    number: float
    ap: float | None
    ap_part: float | None


class SizeStats(StatsLine, frozen=True, kw_only=True, tag="size"):
    """How large what a bot does is."""

    bot: str
    action: str
    size: int
    number: float


class SeatStats(StatsLine, frozen=True, kw_only=True, tag="seat"):
    """What a seat is worth."""

    players: int
    seat: int
    games: int
    wins: float
    points: float
    place: float


class TeamStats(StatsLine, frozen=True, kw_only=True, tag="team"):
    """A team, whatever the seats."""

    bots: list[str]
    games: int
    won: float
    points: float
    rounds: float | None
    rounds_min: float | None
    rounds_max: float | None


class CardStats(StatsLine, frozen=True, kw_only=True, tag="card"):
    """What is done with a card; `won` is by games in which it was."""

    card: str
    action: str
    number: float
    games: int
    won: float


LINES: tuple[type[StatsLine], ...] = (
    StatsHead,
    LengthStats,
    EndingStats,
    BotStats,
    SourceStats,
    ActionStats,
    SizeStats,
    SeatStats,
    TeamStats,
    CardStats,
)
"""All kinds, in the order of the report."""


def report(counts: Counts) -> Iterator[StatsLine]:
    """The lines, in order. What there is nothing of, has none."""
    actions = sum(int(length.actions.total) for length in counts.lengths.values())
    yield StatsHead(games=counts.games, void=counts.voided, actions=actions)
    if counts.games:
        for part in (_lengths, _endings, _bots, _sources, _actions, _sizes, _seats, _teams, _cards):
            yield from part(counts)


def _lengths(counts: Counts) -> Iterator[StatsLine]:
    for players, length in sorted(counts.lengths.items()):
        yield LengthStats(
            players=players,
            games=length.actions.number,
            actions=_round(length.actions.mean),
            actions_min=length.actions.least,
            actions_max=length.actions.most,
            turns=_round(length.turns.mean),
            rounds=_round(length.rounds.mean),
            rounds_min=length.rounds.least,
            rounds_max=length.rounds.most,
            used_ms=_round(length.used_ms.mean),
        )


def _endings(counts: Counts) -> Iterator[StatsLine]:
    for (outcome, ending), games in counts.endings.most_common():
        yield EndingStats(outcome=outcome, ending=ending, games=games, part=_by(games, counts.games))


def _bots(counts: Counts) -> Iterator[StatsLine]:
    for bot in _names(counts):
        standing = counts.bots[bot]
        ap = sum(done.ap for (by, _), done in counts.deeds.items() if by == bot)
        turns = standing.turns
        yield BotStats(
            bot=bot,
            games=standing.games,
            wins=_by(standing.wins, standing.games),
            team_won=_by(standing.team_won, standing.games) if counts.teams else None,
            points=_by(standing.points, standing.games),
            place=_by(standing.places, standing.games),
            actions=_by(standing.actions, standing.games),
            turns=_by(turns, standing.games) if turns else None,
            ap=_by(ap, turns) if turns else None,
            ap_unused=_by(standing.unused, turns) if turns else None,
            turn_ms=_by(standing.used_ms, turns) if turns and standing.used_ms else None,
            rejects=standing.rejects,
            forfeits=standing.forfeits,
        )


def _sources(counts: Counts) -> Iterator[StatsLine]:
    for bot in _names(counts):
        own = {source: points for (by, source), points in counts.sources.items() if by == bot}
        total = sum(own.values())
        for (source, period), points in sorted(own.items(), key=lambda item: (-item[1], str(item[0]))):
            mean = _by(points, counts.bots[bot].games)
            yield SourceStats(bot=bot, source=source, period=period, points=mean, part=_by(points, total or 1))


def _actions(counts: Counts) -> Iterator[StatsLine]:
    for bot in _names(counts):
        verbs: dict[str, Done] = {}
        for (by, (verb, _, _)), done in counts.deeds.items():
            if by == bot:
                total = verbs.setdefault(verb, Done())
                total.number += done.number
                total.ap += done.ap
        games, ap = counts.bots[bot].games, sum(done.ap for done in verbs.values())
        for verb, done in sorted(verbs.items(), key=lambda item: (-item[1].number, item[0])):
            cost, part = (_by(done.ap, games), _by(done.ap, ap)) if ap else (None, None)
            yield ActionStats(bot=bot, action=verb, number=_by(done.number, games), ap=cost, ap_part=part)


def _sizes(counts: Counts) -> Iterator[StatsLine]:
    for bot in _names(counts):
        own = {deed: done for (by, deed), done in counts.deeds.items() if by == bot}
        for verb, size, number in sorted((verb, size, done.number) for (verb, size, _), done in own.items() if size):
            yield SizeStats(bot=bot, action=verb, size=size, number=_by(number, counts.bots[bot].games))


def _seats(counts: Counts) -> Iterator[StatsLine]:
    for (players, seat), standing in sorted(counts.seats.items()):
        yield SeatStats(
            players=players,
            seat=seat,
            games=standing.games,
            wins=_by(standing.wins, standing.games),
            points=_by(standing.points, standing.games),
            place=_by(standing.places, standing.games),
        )


def _teams(counts: Counts) -> Iterator[StatsLine]:
    teams = counts.teams.items()
    for bots, team in sorted(teams, key=lambda item: (-item[1].won / item[1].games, item[0])):
        yield TeamStats(
            bots=list(bots),
            games=team.games,
            won=_by(team.won, team.games),
            points=_by(team.points, team.games),
            rounds=_round(team.rounds.mean),
            rounds_min=team.rounds.least,
            rounds_max=team.rounds.most,
        )


def _cards(counts: Counts) -> Iterator[StatsLine]:
    teams = sum(team.games for team in counts.teams.values())
    for (card, verb), use in sorted(counts.cards.items()):
        number, won = _by(use.number, teams), _by(use.won, use.games)
        yield CardStats(card=card, action=verb, number=number, games=use.games, won=won)


def _names(counts: Counts) -> list[str]:
    """The bots, those first that win most."""

    def key(item: tuple[str, Standing]) -> tuple[float, str]:
        return -item[1].wins / item[1].games, item[0]

    return [bot for bot, _ in sorted(counts.bots.items(), key=key)]


def _by(total: float, number: float) -> float:
    return round(total / number, DIGITS)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
