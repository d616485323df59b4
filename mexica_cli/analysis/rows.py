"""The rows of the tables, game by game. A value of a row is a number, a text, or None for null."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

import msgspec

from mexica_cli.analysis.course import Course, Moment
from mexica_cli.analysis.entries import events, scorings
from mexica_cli.record.lines import ActionLine, FaultLine, GameLine, Header, RejectLine, ResultLine, SayLine
from mexica_cli.record.seeds import block_of

Value = str | int | float | None
Row = Sequence[Value]
Write = Callable[[str, Sequence[Row]], None]
"""Takes rows of the table of that name."""
_TOOK = attrgetter("decisions", "median_us", "p99_us", "max_us", "held_up", "held_up_ms")
"""Of a `Latency`, in the order of the columns."""


class Rows:
    """A visitor (see `walk`) that makes the rows of every game that counts, numbered from 1 over all logs."""

    def __init__(self, tables: Collection[str], write: Write) -> None:
        """`tables`: those that are wanted; `write` gets their rows when a game is over."""
        self.games = 0
        """Games so far."""
        self._write = write
        self._tables = tables
        self._log: tuple[str, Header]
        self._game: GameLine
        self._rows: dict[str, list[Row]] = {}
        self._acts: list[Row] | None = None
        """Those of the actions, which are by far the most."""
        self._actions: list[int] = []
        """Number of actions by seat."""
        self._counts: Counter[tuple[str, int]] = Counter()
        self._lists()

    def _lists(self) -> None:
        """Empty lists for the rows of a game."""
        self._rows = {table: [] for table in self._tables}
        self._acts = self._rows.get("actions")
        self._counts.clear()

    def log(self, name: str, header: Header) -> None:
        """A log begins."""
        self._log = name, header

    def begin(self, line: GameLine) -> None:
        """A game begins."""
        self._game = line
        self._lists()
        self._actions = [0] * len(line.seats)

    def act(self, line: ActionLine, moment: Moment) -> None:
        """An action was done."""
        self._actions[line.seat] += 1
        if line.auto:
            self._counts["auto", line.seat] += 1
        if self._acts is not None:
            row = (self.games + 1, line.n, line.seat, line.action, *moment, _flag(line.auto), line.ms, line.note)
            self._acts.append(row)
        if line.followed:
            self._follow(line, moment.period, (self.games + 1, line.n))

    def _follow(self, line: ActionLine, period: int | None, start: tuple[int, int]) -> None:
        if "scorings" in self._rows:
            self._rows["scorings"] += [(*start, *scoring) for scoring in scorings(line, period)]
        if "events" in self._rows:
            self._rows["events"] += [(*start, *event) for event in events(line)]

    def aside(self, line: RejectLine | FaultLine | SayLine) -> None:
        """Something that is no action."""
        start = (self.games + 1, line.n, line.seat)
        match line:
            case RejectLine():
                self._counts["rejects", line.seat] += 1
                self._add("rejects", (*start, line.action, line.code, line.reason))
            case SayLine():
                self._counts["says", line.seat] += 1
                claim = None if line.claim is None else _json(line.claim)
                self._add("says", (*start, line.text, claim))

    def _add(self, table: str, row: Row) -> None:
        if table in self._rows:
            self._rows[table].append(row)

    def end(self, line: ResultLine, course: Course) -> None:
        """The game is over and counts."""
        self.games += 1
        self._add("games", [*self._setting(), *_outcome(line, course), _json(self._game.setup)])
        if "seats" in self._rows:
            self._rows["seats"] += self._seats(line, course)
        for table, rows in self._rows.items():
            self._write(table, rows)
        self._lists()

    def void(self) -> None:
        """The game is void."""
        self._lists()

    def _setting(self) -> Iterator[Value]:
        """What the game was, from `game_no` to `started`."""
        (name, header), game = self._log, self._game
        under = header if game.variant is None else header.variants[game.variant]
        board = under.options.get("board")
        yield from (self.games, name, game.match, block_of(game.match), header.game, under.rules)
        yield from (board.get("name") if isinstance(board, dict) else None, game.variant, str(header.seed))
        yield from (len(game.seats), _time(game.started))

    def _seats(self, line: ResultLine, course: Course) -> Iterator[Row]:
        for seat, bot in enumerate(self._game.seats):
            fault = line.reasons[seat]
            yield (
                self.games,
                seat,
                bot,
                line.ranking[seat],
                line.scores[seat],
                fault.kind if fault else None,
                fault.reason if fault else None,
                self._actions[seat],
                *(self._counts[what, seat] for what in ("auto", "rejects", "says")),
                course.turns[seat] if course.turns else None,
                course.unused[seat] if course.unused else None,
                line.stale[seat],
                line.unknown[seat] if line.unknown else 0,
                line.used_ms[seat] if line.used_ms else None,
            )


def _outcome(line: ResultLine, course: Course) -> Iterator[Value]:
    """How a game ended, from `outcome` to `held_up_ms`."""
    won = None if line.won is None else _flag(line.won)
    yield from (line.outcome, won, course.ending, line.actions)
    yield from (sum(course.turns) if course.turns else None, course.rounds, line.digest)
    yield round(sum(line.used_ms), 3) if line.used_ms else None
    yield from _TOOK(line.latency) if line.latency else [None] * 6


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _time(text: str) -> str | None:
    """A time of the log as that of a table: UTC, without its zone; None where there is none."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (time.astimezone(UTC) if time.tzinfo else time).strftime("%Y-%m-%d %H:%M:%S")
