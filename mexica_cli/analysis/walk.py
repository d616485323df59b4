"""Through a log, once, game by game: what counts is told to a visitor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from mexica_cli.analysis.course import Course, Moment
from mexica_cli.analysis.courses import Courses
from mexica_cli.games.game import BadAction
from mexica_cli.record.lines import VOID, ActionLine, FaultLine, GameLine, Header, Line, RejectLine, ResultLine, SayLine
from mexica_cli.record.reader import LogError, LogReader, open_log
from mexica_cli.record.replay import ReplayError


class Visitor(Protocol):
    """Is told of one game after the other. What it was told since `begin` counts only when `end` comes."""

    def log(self, name: str, header: Header) -> None:
        """A log begins."""

    def begin(self, line: GameLine) -> None:
        """A game begins; one before it that had no `end` doesn't count."""

    def act(self, line: ActionLine, moment: Moment) -> None:
        """An action was done."""

    def aside(self, line: RejectLine | FaultLine | SayLine) -> None:
        """Something that is no action."""

    def end(self, line: ResultLine, course: Course) -> None:
        """The game is over and counts."""

    def void(self) -> None:
        """The game is void."""


def walk(reader: LogReader, visitor: Visitor) -> None:
    """Take the visitor through a log.

    Raises LogError where the log is wrong, as far as that is seen without playing it: an action that is none, or
    something that followed that has another shape than what follows in this game.
    """
    take = _Walk(reader.name, visitor).take
    for _, line in reader:
        try:
            take(line)
        except (ReplayError, BadAction) as error:
            raise reader.error(str(error)) from None
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise reader.error(f"the line doesn't fit the game; `mexica log verify` says more ({error!r})") from None


class _Walk:
    """Where in a log we are."""

    def __init__(self, name: str, visitor: Visitor) -> None:
        self._name = name
        self._visitor = visitor
        self._courses: Courses
        self._course: Course

    def take(self, line: Line) -> None:
        """The next line. Raises ReplayError, BadAction."""
        match line:
            case ActionLine():
                self._visitor.act(line, self._course.take(line))
            case GameLine():
                self._course = self._courses.begin(line)
                self._visitor.begin(line)
            case ResultLine() if line.outcome == VOID:
                self._visitor.void()
            case ResultLine():
                self._visitor.end(line, self._course)
            case Header():
                self._courses = Courses(line)
                self._visitor.log(self._name, line)
            case _:
                self._visitor.aside(line)


class Reading(msgspec.Struct):
    """What was read of logs."""

    read_bytes: int = 0
    """Length of all lines, uncompressed."""
    cut: list[str] = []
    """Logs that end in mid-game; the game that was cut off doesn't count."""

    def add(self, reader: LogReader) -> None:
        """A log was read to its end. Raises LogError if it has no header."""
        if reader.header is None:
            raise LogError(reader.name, 1, "the log ends within its first line")
        self.read_bytes += reader.read_bytes
        if reader.torn or reader.open_match is not None:
            self.cut.append(reader.name)


def walk_logs(paths: Sequence[str], visitor: Visitor) -> Reading:
    """Take the visitor through logs, one after the other; `-` is standard input. Raises LogError, OSError."""
    reading = Reading()
    for path in paths:
        with open_log(path) as reader:
            walk(reader, visitor)
            reading.add(reader)
    return reading
