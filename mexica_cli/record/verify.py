"""Checks a whole log: every action through the rules, every number by counting again."""

from __future__ import annotations

import msgspec

from mexica_cli.record.lines import VOID, GameLine, Header, Line, ResultLine
from mexica_cli.record.reader import LogReader
from mexica_cli.record.replay import Replay, ReplayError, Rulebook


class Report(msgspec.Struct, kw_only=True):
    """What a right log holds, and how it ends."""

    games: int = 0
    """Whole games that count."""
    void: int = 0
    """Whole games that are void."""
    actions: int = 0
    """Actions of all whole games."""
    torn: bool = False
    """The log ends within a line."""
    unfinished: str | None = None
    """The match within which the log ends."""

    @property
    def whole(self) -> bool:
        """Whether nothing was cut off at the end."""
        return not self.torn and self.unfinished is None


def verify(reader: LogReader) -> Report:
    """Replay every game of a log. Raises LogError for the first line that is wrong."""
    check = _Check()
    try:
        for number, line in reader:
            check.take(number, line)
    except ReplayError as error:
        raise reader.error(str(error)) from None
    check.report.torn = reader.torn
    check.report.unfinished = reader.open_match
    return check.report


class _Check:
    """A log, checked as far as its lines have been taken. The reader has made sure of their order."""

    def __init__(self) -> None:
        self.report = Report()
        self._header: Header
        self._rulebook: Rulebook
        self._replay: Replay
        self._finished: dict[str, int] = {}
        self._begun = 0

    def take(self, number: int, line: Line) -> None:
        """Go on by one line. Raises ReplayError."""
        if isinstance(line, Header):
            self._header, self._rulebook = line, Rulebook(line)
        elif isinstance(line, GameLine):
            self._refuse_double(line)
            self._begun = number
            self._replay = Replay(self._rulebook.of(line), self._header, line)
        else:
            self._replay.step(line)
            if isinstance(line, ResultLine):
                self._count(line)

    def _refuse_double(self, line: GameLine) -> None:
        if first := self._finished.get(line.match):
            raise ReplayError(f"match {line.match!r} was finished before: its game begins in line {first}")

    def _count(self, line: ResultLine) -> None:
        self.report.actions += line.actions
        if line.outcome == VOID:
            self.report.void += 1
        else:
            self.report.games += 1
            self._finished[line.match] = self._begun
