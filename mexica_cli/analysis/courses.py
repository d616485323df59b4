"""Which course a game of a log takes."""

from __future__ import annotations

from collections.abc import Callable

from mexica_cli.analysis.course import Course, PlainCourse
from mexica_cli.analysis.mexica_course import MexicaCourses
from mexica_cli.analysis.moctezuma_course import MoctezumaCourse
from mexica_cli.games.game import Game
from mexica_cli.games.mexica import MexicaGame
from mexica_cli.games.moctezuma import MoctezumaGame
from mexica_cli.record.lines import GameLine, Header
from mexica_cli.record.replay import Rulebook

Begin = Callable[[GameLine], Course]


class Courses:
    """The courses of the games of one log."""

    def __init__(self, header: Header) -> None:
        """Raises ReplayError for a header whose game can't be made again."""
        self._rulebook = Rulebook(header)
        self._begin: dict[str | None, Begin] = {}

    def begin(self, line: GameLine) -> Course:
        """The course of a game. Raises ReplayError for a variant that the header doesn't have."""
        if line.variant not in self._begin:
            self._begin[line.variant] = _courses_of(self._rulebook.of(line))
        return self._begin[line.variant](line)


def _courses_of(game: Game) -> Begin:
    match game:
        case MexicaGame():
            return MexicaCourses(game).begin
        case MoctezumaGame():
            return lambda _: MoctezumaCourse()
    return lambda _: PlainCourse()
