"""Logs of real games for tests of pages: played by a chooser that gets something done, not by bots."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from toylog import ToyMatch, header

from mexica_cli.games import load_game
from mexica_cli.games.chance import Chance
from mexica_cli.games.game import Game, State
from mexica_cli.record.lines import ActionLine, GameLine, Header, Line, ResultLine
from mexica_cli.record.reader import LoggedGame
from mexica_cli.record.replay import Rulebook

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
"""Opens an address in a browser, with options of Playwright's contexts."""

SEATS = ("ann", "bob", "cyd", "dan")
EAGER = ("found", "temple", "canal", "bridge", "boat", "teleport", "use", "sacrifice", "take")
"""Kinds of actions that bring a game on; the first come most often."""


class EagerMatch(ToyMatch):
    """Plays so that there is something to see: districts are founded, temples built, cards used."""

    def play(self, actions: int | None = None) -> EagerMatch:
        """So many actions, or all that are left."""
        while actions != 0 and self.state.to_act is not None:
            self.act(self._choose())
            actions = None if actions is None else actions - 1
        return self

    def _choose(self) -> str:
        texts = sorted(map(self.state.text, self.state.legal_actions()))
        kinds = {text.split()[0] for text in texts}
        wished = [kind for kind in EAGER if kind in kinds and self._chance.below(3)]
        fitting = [text for text in texts if text.split()[0] == wished[0]] if wished else texts
        return fitting[self._chance.below(len(fitting))]


@cache
def played(name: str, players: int, match: str = "1-1") -> LoggedGame:
    """A whole game of that name, with its header."""
    game = load_game(name)
    lines: list[Line] = EagerMatch(game, match, SEATS[:players]).play().result()
    return logged(header(game), lines)


def logged(head: Header, lines: list[Line]) -> LoggedGame:
    """A game's lines as a reader gives them."""
    assert isinstance(lines[0], GameLine)
    assert isinstance(lines[-1], ResultLine)
    return LoggedGame(head, list(enumerate(lines, 2)))


def states(one: LoggedGame) -> list[State]:
    """The state after every action of a game of our own, from the first state on."""
    game: Game = Rulebook(one.header).of(one.game)
    state = game.start(len(one.game.seats), one.game.setup)
    found = [state.copy()]
    for _, line in one.lines[1:]:
        if isinstance(line, ActionLine):
            state.apply(state.parse(line.action))
            found.append(state.copy())
    return found


def chance() -> Chance:
    """For drawing moments of a game."""
    return Chance(20)


def changed(value: Any, change: Any) -> Any:
    """What `changed` in `data/game.js` does."""
    if isinstance(change, list):
        if len(change) == 1:
            return change[0]
        place, gone, *items = change
        return [*value[:place], *items, *value[place + gone :]]
    keyed = dict(enumerate(value)) if isinstance(value, list) else dict(value)
    for key, inner in change.items():
        at = int(key) if isinstance(value, list) else key
        if inner == []:
            del keyed[at]
        else:
            keyed[at] = changed(keyed.get(at), inner)
    return list(keyed.values()) if isinstance(value, list) else keyed
