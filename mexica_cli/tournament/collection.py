"""Reads the results of logs and puts them together: what counts, what failed, what ran under which name."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mexica_cli.arena.faults import FaultKind
from mexica_cli.record.lines import VOID, BotRecord, Header, Latency, ResultLine
from mexica_cli.tournament.results import GameResult, game_result

STDERR_KEPT = 5
"""Failures of one kind of one bot of which the end of the standard error is kept."""
NOBODYS = frozenset({FaultKind.ARENA, FaultKind.STOPPED})
"""Kinds of fault that are no bot's, though they stand at its seat."""

_encoder = msgspec.json.Encoder(order="sorted")


class SummaryError(Exception):
    """Logs that can't be put together; the message says which, why, and what would do."""


class LogSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One log."""

    name: str
    header: Header
    games: int
    """Games that count, without the repeated ones."""
    void: int
    repeated: int
    """Games that another log holds too; they count there."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that forfeited, or what made a game void."""

    log: str
    game: str
    """Its id in that log."""
    bot: str | None
    """None where no bot is to blame."""
    seat: int | None
    kind: str
    reason: str
    void: bool
    """Whether the game is void, and counts for nothing."""
    stderr: str | None
    """The end of what the bot wrote there; of the first failures of a kind only."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which games ended."""

    outcome: str
    """`finished`, `forfeit` or `void`."""
    kinds: tuple[str, ...]
    """The kinds of fault in such a game, each once, sorted."""
    games: int


class Collection:
    """Takes logs one after the other."""

    def __init__(self) -> None:
        self.logs: list[LogSummary] = []
        self.results: list[GameResult] = []
        """Of the games that count."""
        self.failures: list[Failure] = []
        self.latencies: list[Latency] = []
        self.stale: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()
        self.actions = 0
        self._endings: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._kept: Counter[tuple[str | None, str]] = Counter()
        self._seen: dict[tuple[str, str, tuple[str, ...]], list[tuple[int, str]]] = {}
        """By conditions, id and seats of a game: in which logs it was, and how it ended."""

    def add_log(self, name: str, header: Header, games: Iterable[tuple[Sequence[str], ResultLine]]) -> None:
        """Take all games of a log. Raises SummaryError, and what going through the games raises."""
        if self.logs and (first := self.logs[0]).header.game != header.game:
            both = f"{first.name} is of {first.header.game} and {name} of {header.game}"
            raise SummaryError(f"{both}: take the logs of one game at a time")
        conditions = _conditions(header)
        void = repeated = 0
        before = len(self.results)
        for seats, line in games:
            _check(name, len(seats), line)
            if line.outcome == VOID:
                void += 1
            elif (copy := self._copy(name, conditions, tuple(seats), line)) is None:
                repeated += 1
                continue
            else:
                self._add_result(name, conditions, copy, seats, line)
            self._note(name, seats, line)
        played = len(self.results) - before
        self.logs.append(LogSummary(name=name, header=header, games=played, void=void, repeated=repeated))

    def bots(self) -> list[str]:
        """The names of all bots, those that never played too, sorted."""
        named = {bot.name for log in self.logs for bot in log.header.bots}
        return sorted(named | {bot for game in self.results for bot in game.seats})

    def programs(self) -> list[BotRecord]:
        """What ran under which name, each combination once, by name."""
        records = {(bot.name, bot.sha256): bot for log in self.logs for bot in log.header.bots}
        return [records[key] for key in sorted(records)]

    def endings(self) -> list[Ending]:
        """How games ended: the games that finished, then forfeits by frequency, then void ones."""
        order = {"finished": 0, VOID: 2}
        found = sorted(self._endings.items(), key=lambda item: (order.get(item[0][0], 1), -item[1], item[0]))
        return [Ending(outcome=outcome, kinds=kinds, games=games) for (outcome, kinds), games in found]

    def notes(self) -> Iterator[str]:
        """What may make it doubtful to put these logs together."""
        changed = Counter(bot.name for bot in self.programs())
        if names := [name for name, programs in changed.items() if programs > 1]:
            yield f"Not the same program in all logs, yet counted as one bot: {', '.join(names)}."
        if len({_rules(log.header) for log in self.logs}) > 1:
            yield "The logs differ in rules or board; all numbers are over all of them."
        if len({_encoder.encode(log.header.clock) for log in self.logs}) > 1:
            yield "The logs differ in time control; all numbers are over all of them."
        if repeated := sum(log.repeated for log in self.logs):
            yield f"{repeated} games are in more than one log and count once."

    def _copy(self, log: str, conditions: str, seats: tuple[str, ...], line: ResultLine) -> int | None:
        """Which playing of this game it is, from 0; None where another log has this very one.

        Bots need not play the same game twice, so two logs may hold different games of the same conditions and id.
        """
        seen = self._seen.setdefault((conditions, line.match, seats), [])
        here = len(self.logs)
        if any(number == here for number, _ in seen):
            raise SummaryError(f"{log}: the finished game {line.match!r} comes twice; `mexica log verify` says more")
        known = any(digest == line.digest for _, digest in seen)
        seen.append((here, line.digest))
        return None if known else len(seen) - 1

    def _add_result(self, log: str, conditions: str, copy: int, seats: Sequence[str], line: ResultLine) -> None:
        try:
            result = game_result(seats, line, f"{conditions}#{copy}/" if copy else f"{conditions}/")
        except ValueError as error:
            raise SummaryError(f"{log}: {error}") from None
        if copy:
            deal = f"{conditions}/{result.deal.partition('/')[2]}"
            result = msgspec.structs.replace(result, deal=deal)
        self.results.append(result)
        self.actions += line.actions
        if line.latency is not None:
            self.latencies.append(line.latency)
        for bot, stale, unknown in zip(seats, line.stale, line.unknown or [0] * len(seats), strict=True):
            self.stale[bot] += stale
            self.unknown[bot] += unknown

    def _note(self, log: str, seats: Sequence[str], line: ResultLine) -> None:
        """Remember how the game ended, and what failed in it."""
        kinds = sorted({str(fault.kind) for fault in line.reasons if fault is not None})
        self._endings[line.outcome, tuple(kinds)] += 1
        nobodys = False
        for seat, fault in enumerate(line.reasons):
            if fault is None or (nobodys and fault.kind in NOBODYS):
                continue
            nobodys = fault.kind in NOBODYS
            self.failures.append(
                Failure(
                    log=log,
                    game=line.match,
                    bot=None if nobodys else seats[seat],
                    seat=None if nobodys else seat,
                    kind=str(fault.kind),
                    reason=fault.reason,
                    void=line.outcome == VOID,
                    stderr=self._stderr(seats[seat], str(fault.kind), line.stderr[seat]),
                )
            )

    def _stderr(self, bot: str, kind: str, text: str | None) -> str | None:
        if not text:
            return None
        self._kept[bot, kind] += 1
        return text if self._kept[bot, kind] <= STDERR_KEPT else None


def _check(log: str, seats: int, line: ResultLine) -> None:
    """Raise SummaryError where the line's lists don't have one entry a seat."""
    lists: dict[str, Sequence[object]] = {"reasons": line.reasons, "stale": line.stale, "stderr": line.stderr}
    if line.outcome != VOID:
        lists |= {"ranking": line.ranking, "scores": line.scores}
        lists |= {"unknown": line.unknown or [0] * seats, "used_ms": line.used_ms or [0.0] * seats}
    for name, values in lists.items():
        if len(values) != seats:
            raise SummaryError(f"{log}: the result of {line.match!r} has {len(values)} {name} for {seats} seats")


def _conditions(header: Header) -> str:
    """A name for all that, with its id, a game's deal follows from."""
    return hashlib.sha256(_encoder.encode([header.seed, *_rules(header)])).hexdigest()[:16]


def _rules(header: Header) -> tuple[str, str, bytes]:
    return header.game, header.rules, _encoder.encode([header.options, header.variants])
