"""A logged game as a row of moments that can be gone through in both directions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from mexica_cli.games.game import Game, State
from mexica_cli.record.lines import ActionLine, GameLine, Header, Line
from mexica_cli.record.replay import Replay
from mexica_cli.view.tellers import ACTION, teller_of
from mexica_cli.view.tellers.teller import Teller


class Moment(NamedTuple):
    """What the game was like after so many actions."""

    state: State
    lines: tuple[Line, ...]
    """What led here since the moment before: rejections, forfeits, talk, and at most one action."""
    marks: dict[str, tuple[object, ...]]
    """By unit, what changes when a new one of that unit begins."""

    @property
    def action(self) -> ActionLine | None:
        """The action that led here."""
        return next((line for line in self.lines if isinstance(line, ActionLine)), None)


class Timeline:
    """One game. Moment n is the one after n actions; moment 0 is the beginning."""

    def __init__(self, game: Game, header: Header, begun: GameLine, lines: Iterable[Line]) -> None:
        """Play the game again, `lines` being those after its first. Raises ReplayError."""
        self.game = game
        self.begun = begun
        self.teller: Teller = teller_of(game.name, game.options())
        replay = Replay(game, header, begun)
        self.moments = [self._moment(replay.state, ())]
        self.end: tuple[Line, ...] = ()
        """What came after the last action: forfeits, the result."""
        waiting: list[Line] = []
        for line in lines:
            replay.step(line)
            waiting.append(line)
            if isinstance(line, ActionLine):
                self.moments.append(self._moment(replay.state, tuple(waiting)))
                waiting.clear()
        self.end = tuple(waiting)

    def _moment(self, state: State, lines: tuple[Line, ...]) -> Moment:
        return Moment(state.copy(), lines, self.teller.marks(state))

    @property
    def units(self) -> list[str]:
        """What can be gone by: `action`, and what the game has besides, the shortest first."""
        return [ACTION, *self.teller.units]

    @property
    def last(self) -> int:
        """The number of the last moment."""
        return len(self.moments) - 1

    def after(self, at: int, unit: str) -> int:
        """The moment at which the next unit begins; the last one if there is none."""
        if unit == ACTION:
            return min(at + 1, self.last)
        begun = (n for n in range(at + 1, self.last + 1) if self._begins(n, unit))
        return next(begun, self.last)

    def before(self, at: int, unit: str) -> int:
        """The moment at which this unit began, or, from there, the one before it."""
        if unit == ACTION:
            return max(at - 1, 0)
        begun = (n for n in range(at - 1, 0, -1) if self._begins(n, unit))
        return next(begun, 0)

    def _begins(self, n: int, unit: str) -> bool:
        return self.moments[n].marks[unit] != self.moments[n - 1].marks[unit]

    def find(self, words: str, at: int, step: int) -> int | None:
        """The next moment (`step` 1) or the one before (-1) whose action, or what followed, has these words in it."""
        wanted = words.casefold()
        for n in range(at + step, self.last + 1 if step > 0 else 0, step):
            if any(wanted in line.casefold() for line in self.told(n)):
                return n
        return None

    def told(self, n: int) -> list[str]:
        """What led to a moment: the action as it was written and in words, and what followed from it."""
        line = self.moments[n].action
        if line is None:
            return []
        name = self.begun.seats[line.seat]
        followed = [sentence for entry in line.followed for sentence in self.teller.followed(entry)]
        return [f"{line.action}  {name} {self.teller.action(line.action)}", *followed]

    def observation(self, n: int, seat: int | None = None) -> msgspec.Struct:
        """What a seat saw at that moment (None: a spectator)."""
        return self.moments[n].state.observation(seat)
