"""What a number of games adds up to: for every bot, every two bots, every seat.

All rates and means have intervals over deals (`intervals`). Games that are void are nowhere in it. Where games are
cooperative, `team_results` makes contests of them first; the members of mixed teams are then compared by their mean
score in the games themselves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from math import fsum

import msgspec

from mexica_cli.tournament.intervals import Cluster, Estimate, mean_of, rate_of
from mexica_cli.tournament.results import GameResult

Sitting = tuple[GameResult, int]
"""A game and a seat of it."""


class Rates(msgspec.Struct, frozen=True):
    """How some seats of some games came out, a game and seat."""

    number: int
    """Seats counted."""
    wins: Estimate
    """Part of the games won; a shared first place counts its share."""
    beaten: Estimate
    """Part of the other seats that it came before, ties half. The chess score, with two seats."""
    points: Estimate
    """Mean of the game's own score."""


class BotStanding(msgspec.Struct, frozen=True):
    """One bot."""

    bot: str
    games: int
    deals: int
    rates: Rates | None
    """None without a game."""
    places: tuple[int, ...]
    """How often in each place, from the first on; ties share the better one."""
    forfeits: dict[str, int]
    """By kind of fault."""
    used_ms: float
    """Time used, a game."""
    longest_ms: float
    """The most time used in one game."""


class TeamRecord(msgspec.Struct, frozen=True):
    """One team in cooperative games, each of which it won or lost."""

    team: str
    games: int
    won: int
    rate: Estimate
    """Part of them that it won."""


class Meeting(msgspec.Struct, frozen=True):
    """One bot against another, over all games in which both sat."""

    bot: str
    other: str
    wins: int
    """How often it came before the other."""
    ties: int
    losses: int
    rate: Estimate
    """Part of the comparisons that it won, ties half."""


class SeatStanding(msgspec.Struct, frozen=True):
    """One seat of games of so many seats, whoever sat there. By design everyone sat there equally often."""

    seats: int
    seat: int
    rates: Rates


def standings(games: Iterable[GameResult], bots: Iterable[str] = ()) -> list[BotStanding]:
    """All bots, those of `bots` without a game too: by rate of wins, then of seats beaten, then points, then name."""
    sittings: dict[str, list[Sitting]] = {bot: [] for bot in bots}
    for game in games:
        if game.counts:
            for seat, bot in enumerate(game.seats):
                sittings.setdefault(bot, []).append((game, seat))
    return sorted((_standing(bot, own) for bot, own in sittings.items()), key=_order)


def head_to_head(games: Iterable[GameResult]) -> list[Meeting]:
    """Every two bots that met, both ways round, in the order of names."""
    ahead: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
    for game in games:
        if game.counts:
            players = zip(game.seats, game.ranking, strict=True)
            for (bot, place), (other, others_place) in permutations(players, 2):
                if bot != other:
                    ahead[bot, other].append((game.deal, ((place < others_place) + (place <= others_place)) / 2))
    return [_meeting(bot, other, ahead[bot, other]) for bot, other in sorted(ahead)]


def seat_standings(games: Iterable[GameResult]) -> list[SeatStanding]:
    """Every seat, by number of seats: what it is worth to sit there."""
    sittings: dict[tuple[int, int], list[Sitting]] = defaultdict(list)
    for game in games:
        if game.counts:
            for seat in range(len(game.seats)):
                sittings[len(game.seats), seat].append((game, seat))
    return [SeatStanding(seats, seat, _rates(sittings[seats, seat])) for seats, seat in sorted(sittings)]


def team_records(games: Iterable[GameResult]) -> list[TeamRecord]:
    """Every team in cooperative games, best first."""
    outcomes: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for game in games:
        if game.counts and game.team_won is not None:
            outcomes[game.team].append((game.deal, float(game.team_won)))
    records = [
        TeamRecord(team, len(own), round(sum(won for _, won in own)), rate_of(_by_deal(own)))
        for team, own in outcomes.items()
    ]
    return sorted(records, key=lambda record: (-record.rate.value, record.team))


def _standing(bot: str, sittings: Sequence[Sitting]) -> BotStanding:
    games = {game.id for game, _ in sittings}
    places = Counter(game.ranking[seat] for game, seat in sittings)
    kinds = (game.faults[seat] for game, seat in sittings)
    times = [game.used_ms[seat] for game, seat in sittings]
    return BotStanding(
        bot=bot,
        games=len(games),
        deals=len({game.deal for game, _ in sittings}),
        rates=_rates(sittings) if sittings else None,
        places=tuple(places[place] for place in range(1, max(places, default=0) + 1)),
        forfeits=dict(sorted(Counter(kind for kind in kinds if kind is not None).items())),
        used_ms=sum(times) / max(1, len(times)),
        longest_ms=max(times, default=0.0),
    )


def _order(standing: BotStanding) -> tuple[float, float, float, str]:
    if (rates := standing.rates) is None:
        return 1.0, 0.0, 0.0, standing.bot
    return -rates.wins.value, -rates.beaten.value, -rates.points.value, standing.bot


def _rates(sittings: Sequence[Sitting]) -> Rates:
    return Rates(
        number=len(sittings),
        wins=rate_of(_clusters(sittings, GameResult.won)),
        beaten=rate_of(_clusters(sittings, GameResult.beaten)),
        points=mean_of(_clusters(sittings, lambda game, seat: game.scores[seat])),
    )


def _meeting(bot: str, other: str, values: Sequence[tuple[str, float]]) -> Meeting:
    counts = Counter(value for _, value in values)
    return Meeting(bot, other, counts[1.0], counts[0.5], counts[0.0], rate_of(_by_deal(values)))


def _clusters(sittings: Iterable[Sitting], measure: Callable[[GameResult, int], float]) -> list[Cluster]:
    return _by_deal((game.deal, measure(game, seat)) for game, seat in sittings)


def _by_deal(values: Iterable[tuple[str, float]]) -> list[Cluster]:
    """Sums and numbers of values, by deal."""
    deals: dict[str, list[float]] = defaultdict(list)
    for deal, value in values:
        deals[deal].append(value)
    return [(fsum(own), len(own)) for own in deals.values()]
