"""Counting for statistics: what all games of any logs add up to, by bot, seat, number of players, and so on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from mexica_cli.analysis.course import Course, Moment
from mexica_cli.analysis.entries import Scoring, scorings
from mexica_cli.record.lines import ActionLine, FaultLine, GameLine, Header, RejectLine, ResultLine, SayLine

Deed = tuple[str, int | None, str | None]
"""What was done: verb, size and card of a `Moment`."""
Source = tuple[str, int | None]
"""What points were for, and the period."""


class Spread(msgspec.Struct):
    """Sum, least and greatest of numbers. None counts for nothing."""

    number: int = 0
    total: float = 0
    least: float | None = None
    most: float | None = None

    def add(self, value: float | None) -> None:
        """One more."""
        if value is None:
            return
        self.number += 1
        self.total += value
        self.least = value if self.least is None else min(self.least, value)
        self.most = value if self.most is None else max(self.most, value)

    @property
    def mean(self) -> float | None:
        """None if there are none."""
        return self.total / self.number if self.number else None


class Done(msgspec.Struct):
    """How often something was done, and the AP that it cost."""

    number: int = 0
    ap: int = 0


class Length(msgspec.Struct):
    """How long games are."""

    actions: Spread = msgspec.field(default_factory=Spread)
    turns: Spread = msgspec.field(default_factory=Spread)
    rounds: Spread = msgspec.field(default_factory=Spread)
    used_ms: Spread = msgspec.field(default_factory=Spread)


class Standing(msgspec.Struct):
    """What a bot, or whoever sits in a seat, came to in all its games; a bot that has two seats has two games."""

    games: int = 0
    wins: float = 0
    """A first place shared by k seats counts 1/k for each."""
    team_won: int = 0
    """Games that its team won."""
    points: int = 0
    places: int = 0
    """Sum of the places."""
    forfeits: int = 0
    rejects: int = 0
    actions: int = 0
    turns: int = 0
    unused: int = 0
    used_ms: float = 0


class Team(msgspec.Struct):
    """Games of the same bots, in whatever seats."""

    games: int = 0
    won: int = 0
    points: int = 0
    rounds: Spread = msgspec.field(default_factory=Spread)


class CardUse(msgspec.Struct):
    """How often something was done with a card."""

    number: int = 0
    games: int = 0
    """Games in which it was."""
    won: int = 0
    """Of these, those that the team won."""


class Counts:
    """A visitor (see `walk`) that adds up every game that counts."""

    def __init__(self) -> None:
        self.games = 0
        self.voided = 0
        self.lengths: defaultdict[int, Length] = defaultdict(Length)
        """By number of players."""
        self.endings: Counter[tuple[str, str | None]] = Counter()
        """By outcome, and how the rules say that it ended."""
        self.bots: defaultdict[str, Standing] = defaultdict(Standing)
        self.seats: defaultdict[tuple[int, int], Standing] = defaultdict(Standing)
        """By number of players and seat."""
        self.sources: Counter[tuple[str, Source]] = Counter()
        """Points by bot."""
        self.deeds: defaultdict[tuple[str, Deed], Done] = defaultdict(Done)
        """By bot."""
        self.teams: defaultdict[tuple[str, ...], Team] = defaultdict(Team)
        """By names, sorted."""
        self.cards: defaultdict[tuple[str, str], CardUse] = defaultdict(CardUse)
        """By card and verb."""
        self._game: GameLine
        self._deeds: defaultdict[tuple[int, Deed], Done] = defaultdict(Done)
        self._sources: Counter[tuple[int, Source]] = Counter()
        self._rejects: Counter[int] = Counter()

    def log(self, name: str, header: Header) -> None:
        """A log begins."""

    def begin(self, line: GameLine) -> None:
        """A game begins."""
        self._game = line
        self._deeds.clear()
        self._sources.clear()
        self._rejects.clear()

    def act(self, line: ActionLine, moment: Moment) -> None:
        """An action was done."""
        done = self._deeds[line.seat, moment[:3]]
        done.number += 1
        done.ap += moment.ap or 0
        if line.followed:
            for scoring in scorings(line, moment.period):
                self._score(scoring)

    def _score(self, scoring: Scoring) -> None:
        seat, palace = scoring.seat, scoring.palace
        if palace is None:
            self._sources[seat, (scoring.source, scoring.period)] += scoring.points
        else:
            self._sources[seat, ("districts", scoring.period)] += scoring.points - palace
            self._sources[seat, ("palace", scoring.period)] += palace

    def aside(self, line: RejectLine | FaultLine | SayLine) -> None:
        """Something that is no action."""
        if isinstance(line, RejectLine):
            self._rejects[line.seat] += 1

    def void(self) -> None:
        """The game is void."""
        self.voided += 1

    def end(self, line: ResultLine, course: Course) -> None:
        """The game is over and counts."""
        seats = self._game.seats
        self.games += 1
        self.endings[line.outcome, course.ending] += 1
        self._add_length(self.lengths[len(seats)], line, course)
        for seat, bot in enumerate(seats):
            for standing in (self.bots[bot], self.seats[len(seats), seat]):
                self._add_seat(standing, seat, line, course)
        for (seat, source), points in self._sources.items():
            self.sources[seats[seat], source] += points
        for (seat, deed), done in self._deeds.items():
            total = self.deeds[seats[seat], deed]
            total.number += done.number
            total.ap += done.ap
        if line.won is not None:
            self._add_team(line, course, won=line.won)

    @staticmethod
    def _add_length(length: Length, line: ResultLine, course: Course) -> None:
        length.actions.add(line.actions)
        length.turns.add(None if course.turns is None else sum(course.turns))
        length.rounds.add(course.rounds)
        length.used_ms.add(sum(line.used_ms) if line.used_ms else None)

    def _add_seat(self, standing: Standing, seat: int, line: ResultLine, course: Course) -> None:
        place = line.ranking[seat]
        standing.games += 1
        standing.wins += 1 / line.ranking.count(1) if place == 1 else 0
        standing.team_won += bool(line.won)
        standing.points += line.scores[seat]
        standing.places += place
        standing.forfeits += line.reasons[seat] is not None
        standing.rejects += self._rejects[seat]
        standing.actions += sum(done.number for (by, _), done in self._deeds.items() if by == seat)
        standing.turns += course.turns[seat] if course.turns else 0
        standing.unused += course.unused[seat] if course.unused else 0
        standing.used_ms += line.used_ms[seat] if line.used_ms else 0

    def _add_team(self, line: ResultLine, course: Course, *, won: bool) -> None:
        team = self.teams[tuple(sorted(self._game.seats))]
        team.games += 1
        team.won += won
        team.points += line.scores[0]
        team.rounds.add(course.rounds)
        used: Counter[tuple[str, str]] = Counter()
        for card, verb, number in self._cards():
            used[card, verb] += number
        for key, number in used.items():
            use = self.cards[key]
            use.number += number
            use.games += 1
            use.won += won

    def _cards(self) -> Iterator[tuple[str, str, int]]:
        for (_, (verb, _, card)), done in self._deeds.items():
            if card is not None:
                yield card, verb, done.number
