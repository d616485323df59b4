"""A log told step by step: the positions as text, and between them what was done."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rich.console import Console
from rich.text import Text

from mexica_cli.games.game import Game
from mexica_cli.number_text import count
from mexica_cli.record.lines import (
    VOID,
    ActionLine,
    FaultLine,
    GameLine,
    Header,
    Line,
    RejectLine,
    ResultLine,
    SayLine,
)
from mexica_cli.record.replay import Replay, ReplayError, Rulebook
from mexica_cli.view.console import clean
from mexica_cli.view.pictures import picture_of
from mexica_cli.view.scene import Look, Scene, letter, seat_style, short_name
from mexica_cli.view.tellers import ACTION, teller_of
from mexica_cli.view.tellers.teller import Teller
from mexica_cli.wire.messages import Result

INDENT = 12
"""Columns before what followed from an action."""


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be told of a log."""

    match: str | None = None
    """The one match; None: all."""
    first: int = 1
    """Number of the first action."""
    last: int | None = None
    """Number of the last action; None: to the end."""
    seat: int | None = None
    """What this seat saw of it; None: everything."""
    every: str = "turn"
    """The unit after which the position is drawn. It is drawn before the first action too, and at the end."""

    def holds(self, action: int) -> bool:
        """Whether an action of that number is told."""
        return self.first <= action and (self.last is None or action <= self.last)


class Narrator:
    """Prints the lines of a log as they are given to `take`."""

    def __init__(self, console: Console, excerpt: Excerpt) -> None:
        self._console = console
        self._excerpt = excerpt
        self._header: Header
        self._rulebook: Rulebook
        self._story: _Story | None = None
        self.matches = 0
        """How many were told so far."""

    def take(self, line: Line) -> None:
        """The next line of the log. Raises ReplayError for one that the rules don't bear out."""
        if isinstance(line, Header):
            self._header, self._rulebook = line, Rulebook(line)
        elif isinstance(line, GameLine):
            self._begin(line)
        elif self._story is not None:
            self._story.take(line)

    def _begin(self, line: GameLine) -> None:
        if self._excerpt.match not in {None, line.match}:
            self._story = None
            return
        if self.matches:
            self._console.print()
        self.matches += 1
        if self._excerpt.seat is not None and self._excerpt.seat >= len(line.seats):
            raise ReplayError(f"match {clean(line.match)} has the seats 0 to {len(line.seats) - 1}")
        game = self._rulebook.of(line)
        replay = Replay(game, self._header, line)
        self._story = _Story(self._console, self._excerpt, game, line, replay)


class _Story:
    """One match."""

    def __init__(self, console: Console, excerpt: Excerpt, game: Game, line: GameLine, replay: Replay) -> None:
        self._console = console
        self._look = Look(unicode=not console.options.ascii_only, width=console.width)
        self._excerpt = excerpt
        self._options = game.options()
        self._teller = teller_of(game.name, self._options)
        if excerpt.every not in (units := [ACTION, *self._teller.units]):
            raise ReplayError(f"{game.name} has no {excerpt.every} to go by; it goes by {', '.join(units)}")
        self._picture = picture_of(game.name)
        self._names = line.seats
        self._replay = replay
        self._drawn: int | None = None
        self._print(Text(f"match {clean(line.match)}: {game.name}, rules {game.rules}", "bold"))
        if excerpt.first == 1:
            self._draw()

    def take(self, line: Line) -> None:
        """The next line of this match. Raises ReplayError."""
        match line:
            case ActionLine():
                self._act(line)
            case ResultLine():
                self._replay.step(line)
                self._end(line)
            case _:
                self._replay.step(line)
                if self._excerpt.holds(self._replay.actions + 1):
                    self._print(aside_text(line))

    def _act(self, line: ActionLine) -> None:
        before = self._moment()
        self._replay.step(line)
        told = self._excerpt.holds(line.n)
        if told:
            self._print(action_text(self._seen(line), self._teller))
        if line.n + 1 == self._excerpt.first or (told and self._moment() != before):
            self._draw()

    def _seen(self, line: ActionLine) -> ActionLine:
        """The line as the seat saw it."""
        if (seat := self._excerpt.seat) is None:
            return line
        state = self._replay.state
        return msgspec.structs.replace(
            line,
            action=state.shown_text(state.parse(line.action), line.seat, seat),
            followed=[state.shown(entry, seat) for entry in line.followed],
            note=line.note if line.seat == seat else None,
        )

    def _moment(self) -> object:
        """What changes when a new one of the unit `every` begins."""
        unit = self._excerpt.every
        return self._replay.actions if unit == ACTION else self._teller.marks(self._replay.state)[unit]

    def _draw(self) -> None:
        state, seat = self._replay.state, self._excerpt.seat
        views = [state.observation(each) for each in range(state.players)] if seat is None else []
        scene = Scene(observation=state.observation(seat), options=self._options, seats=self._names, views=views)
        self._print(Text())
        self._print(self._picture(scene, self._look))
        self._print(Text())
        self._drawn = self._replay.actions

    def _end(self, line: ResultLine) -> None:
        if self._excerpt.holds(self._replay.actions) and self._drawn != self._replay.actions:
            self._draw()
        for text in end_texts(line, self._names, self._replay.actions):
            self._print(text)

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)


def end_texts(line: Result | ResultLine, names: list[str], actions: int) -> Iterator[Text]:
    """How a game ended after so many actions, line by line: in a word, then for each seat, best first."""
    team = "" if line.won is None else f"; the team has {'won' if line.won else 'lost'}"
    yield Text(f"{line.outcome} after {count(actions, 'action')}{team}", "bold")
    for seat in sorted(range(len(names)), key=lambda seat: line.ranking[seat] if line.ranking else seat):
        yield _standing_text(line, names, seat)


def _standing_text(line: Result | ResultLine, names: list[str], seat: int) -> Text:
    text = Text(f"{line.ranking[seat]:>4}. " if line.outcome != VOID else f"{'':6}")
    text.append(f" {letter(seat)} ", seat_style(seat))
    points = f" {count(line.scores[seat], 'point')}" if line.outcome != VOID else ""
    text.append(f" {short_name(names[seat])}{points}")
    if fault := line.reasons[seat]:
        text.append(f", {clean(fault.kind)}: {clean(fault.reason)}", "red")
    return text


def action_text(line: ActionLine, teller: Teller) -> Text:
    """An action with what followed from it, in sentences on lines below."""
    text = _seat_mark(line.n, line.seat)
    text.append(f"{clean(line.action)}{' (passed by the arena)' if line.auto else ''}")
    if line.note is not None:
        text.append(f"  # {clean(line.note)}", "dim")
    for entry in line.followed:
        for sentence in teller.followed(entry):
            text.append(f"\n{' ' * INDENT}{clean(sentence)}", "cyan")
    return text


def aside_text(line: Line) -> Text:
    """A rejection, a forfeit, talk; nothing for any other line."""
    match line:
        case RejectLine():
            reason = f"{clean(line.action)!r} was rejected: {clean(line.reason)}"
            return _seat_mark(None, line.seat).append(reason, "yellow")
        case FaultLine():
            return _seat_mark(None, line.seat).append(f"forfeits, {clean(line.kind)}: {clean(line.reason)}", "red")
        case SayLine():
            return _seat_mark(None, line.seat).append(f"says: {clean(line.text)}", "italic")
        case _:
            return Text()


def _seat_mark(number: int | None, seat: int) -> Text:
    """The beginning of a line about what a seat did: the number of the action, if it is one, and the seat's letter."""
    text = Text(f"{'' if number is None else number:>5}  ")
    text.append(f" {letter(seat)} ", seat_style(seat))
    return text.append("  ")
