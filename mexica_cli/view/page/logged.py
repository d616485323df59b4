"""The games of a log as messages for a page: each is played again through the rules."""

from __future__ import annotations

from collections.abc import Iterator

from mexica_cli.games.game import Game, State
from mexica_cli.record.lines import ActionLine, FaultLine, GameLine, Header, Line, RejectLine, ResultLine, SayLine
from mexica_cli.record.reader import LoggedGame
from mexica_cli.record.replay import Replay, Rulebook
from mexica_cli.view.page.feed import Feed, Sight, Told, aside, end
from mexica_cli.view.page.messages import AnyMessage


def messages(logged: LoggedGame, rulebook: Rulebook) -> Iterator[AnyMessage]:
    """What a page is told of the game, hidden things included, for the game is over. Raises ReplayError."""
    teller = _Teller(logged.header, logged.game, rulebook.of(logged.game))
    yield teller.start()
    for _, line in logged.lines[1:]:
        yield from teller.take(line)


def state_after(logged: LoggedGame, rulebook: Rulebook, actions: int) -> State:
    """The state after so many actions, or the last one if there are fewer. Raises ReplayError."""
    replay = Replay(rulebook.of(logged.game), logged.header, logged.game)
    for _, line in logged.lines[1:]:
        if replay.actions == actions and isinstance(line, ActionLine):
            break
        replay.step(line)
    return replay.state


class _Teller:
    """One game of a log."""

    def __init__(self, header: Header, line: GameLine, game: Game) -> None:
        self._line = line
        self._game = game
        self._feed = Feed(game)
        self._replay = Replay(game, header, line)

    def start(self) -> AnyMessage:
        """The first message."""
        return self._feed.start(self._line.match, self._line.seats, self._sight())

    def take(self, line: Line) -> Iterator[AnyMessage]:
        """The message for the next line."""
        self._replay.step(line)
        match line:
            case ActionLine():
                yield self._step(line)
            case RejectLine() | FaultLine() | SayLine():
                yield aside(line)
            case ResultLine():
                yield end(line)

    def _step(self, line: ActionLine) -> AnyMessage:
        told = Told(text=line.action, followed=line.followed)
        others = [] if self._game.open_information else [self._told(line, seat) for seat in self._seats()]
        return self._feed.step(
            line.n, line.seat, told, self._sight(), others=others, auto=line.auto, note=line.note or ""
        )

    def _told(self, line: ActionLine, seat: int) -> Told:
        """The action as that seat saw it."""
        state = self._replay.state
        action = state.parse(line.action)
        followed = [state.shown(entry, seat) for entry in line.followed]
        return Told(text=state.shown_text(action, line.seat, seat), followed=followed)

    def _sight(self) -> Sight:
        state = self._replay.state
        seats = [] if self._game.open_information else self._seats()
        return [state.observation(None), *map(state.observation, seats)]

    def _seats(self) -> range:
        return range(len(self._line.seats))
