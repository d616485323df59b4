"""What the formats and the statistics need to know of a game, and all that a tournament has of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from mexica_cli.record.lines import VOID, ResultLine
from mexica_cli.record.seeds import block_of, deal_of
from mexica_cli.tournament.blocks import Block, Fixture


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """One game. Tuples are by seat; `ranking` and `scores` are empty when it is void."""

    id: str
    block: str
    deal: str
    """What the game shares its deal with: its block, or all blocks of that deal. Such games are not independent."""
    seats: tuple[str, ...]
    """Names of bots; the same name may sit more than once."""
    ranking: tuple[int, ...]
    """Places, 1 is best, ties share."""
    scores: tuple[float, ...]
    outcome: str
    """`finished`, `forfeit` or `void`."""
    faults: tuple[str | None, ...]
    """Kind of the fault by which a seat forfeited, or made the game void."""
    used_ms: tuple[float, ...]
    """Time used; 0 where the log has no times."""
    team_won: bool | None = None
    """In a cooperative game, whether the team has won."""

    @property
    def counts(self) -> bool:
        """Whether it is not void."""
        return self.outcome != VOID

    @property
    def team(self) -> str:
        """Its seats as one team: `a`, or `a+b` for a mixed one."""
        return "+".join(sorted(set(self.seats)))

    def won(self, seat: int) -> float:
        """1 for the first place, 1/k where k seats share it, else 0; a team's game counts whole for all its seats."""
        if self.team_won is not None:
            return float(self.team_won)
        return 1 / self.ranking.count(1) if self.ranking[seat] == 1 else 0.0

    def beaten(self, seat: int) -> float:
        """The part of the other seats that it came before, ties half. At two seats: 1 a win, 0.5 a draw, 0 a loss."""
        others = len(self.seats) - 1
        return self.half_points(seat) / (2 * others) if others else 0.5

    def half_points(self, seat: int) -> int:
        """Two for every seat that it came before, one for every seat that it shares its place with."""
        place = self.ranking[seat]
        return sum((place < other) + (place <= other) for other in self.ranking) - 1


class Unplayed(Exception):
    """A round was asked for before the games were over on which it depends; `games` are their ids."""

    def __init__(self, games: Sequence[str]) -> None:
        super().__init__(f"{len(games)} games of earlier rounds are not played yet: {', '.join(games[:5])}")
        self.games = games


class Results:
    """The games of a tournament that count, by id."""

    def __init__(self, games: Iterable[GameResult], withdrawn: Iterable[str] = ()) -> None:
        """Against `withdrawn` bots nothing more is played: their games that are missing are lost."""
        self._games = {game.id: game for game in games if game.counts}
        self._withdrawn = frozenset(withdrawn)

    def open(self, blocks: Iterable[Block]) -> list[Fixture]:
        """The games of these blocks that are still to be played, in their order."""
        fixtures = (fixture for block in blocks for fixture in block.fixtures())
        return [
            fixture
            for fixture in fixtures
            if fixture.id not in self._games and self._withdrawn.isdisjoint(fixture.seats)
        ]

    def check(self, blocks: Iterable[Block]) -> None:
        """Raises Unplayed if a game of these blocks is still to be played."""
        if missing := self.open(blocks):
            raise Unplayed([fixture.id for fixture in missing])

    def points(self, blocks: Sequence[Block], bot: str) -> Fraction:
        """The part of the games of two-seat blocks that the bot won, draws half: 0 to 1. Raises Unplayed."""
        self.check(blocks)
        fixtures = [fixture for block in blocks for fixture in block.fixtures()]
        return Fraction(sum(self._half_points(fixture, bot) for fixture in fixtures), 2 * len(fixtures))

    def scores(self, blocks: Sequence[Block], bot: str) -> float:
        """The sum of the bot's scores in the games of these blocks. Raises Unplayed."""
        self.check(blocks)
        games = [self._games.get(fixture.id) for block in blocks for fixture in block.fixtures()]
        return sum(game.scores[game.seats.index(bot)] for game in games if game is not None)

    def _half_points(self, fixture: Fixture, bot: str) -> int:
        if (game := self._games.get(fixture.id)) is None:
            return 0 if bot in self._withdrawn else 2
        return game.half_points(game.seats.index(bot))


def game_result(seats: Sequence[str], line: ResultLine, log: str = "") -> GameResult:
    """The result of a game from its last line and its bots by seat.

    `log` names the log where several are put together, whose ids may be the same. Raises ValueError for a match id
    that is none.
    """
    block = block_of(line.match)
    return GameResult(
        id=log + line.match,
        block=log + block,
        deal=log + deal_of(block),
        seats=tuple(seats),
        ranking=tuple(line.ranking),
        scores=tuple(line.scores),
        outcome=line.outcome,
        faults=tuple(None if fault is None else str(fault.kind) for fault in line.reasons),
        used_ms=tuple(line.used_ms or [0.0] * len(seats)),
        team_won=line.won,
    )


def team_results(games: Iterable[GameResult]) -> list[GameResult]:
    """Cooperative games as contests between teams: one result a deal, with a seat for every team that has played it.

    A team's score is its mean score in its games of the deal, and the places follow from the scores. A team of one bot
    is called like the bot, a mixed one `a+b`. Deals played by one team only are left out.
    """
    by_deal: dict[str, dict[str, list[GameResult]]] = defaultdict(lambda: defaultdict(list))
    for game in games:
        if game.counts:
            by_deal[game.deal][game.team].append(game)
    return [_contest(deal, dict(sorted(teams.items()))) for deal, teams in by_deal.items() if len(teams) > 1]


def _contest(deal: str, teams: dict[str, list[GameResult]]) -> GameResult:
    scores = tuple(_mean([_mean(game.scores) for game in games]) for games in teams.values())
    faults = ((kind for game in games for kind in game.faults if kind is not None) for games in teams.values())
    return GameResult(
        id=deal,
        block=deal,
        deal=deal,
        seats=tuple(teams),
        ranking=tuple(1 + sum(other > score for other in scores) for score in scores),
        scores=scores,
        outcome="finished",
        faults=tuple(next(kinds, None) for kinds in faults),
        used_ms=tuple(sum(sum(game.used_ms) for game in games) for games in teams.values()),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
