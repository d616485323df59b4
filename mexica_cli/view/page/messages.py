"""What a page is told of a game: `start`, then `step`s and `aside`s as they happened, then `end`.

The same messages lie in a file, all of them, and go to a live page, one by one. `data/game.js` reads them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from mexica_cli.games.game import JsonDict


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Common shape of all messages."""


class Start(Message, frozen=True, kw_only=True, tag="start"):
    """A game begins."""

    match: str
    game: str
    rules: str
    seats: list[str]
    """Names of the bots, by seat."""
    setting: JsonDict
    """What stays the same throughout; see `tellers.teller.Teller.setting`."""
    state: JsonDict
    """The first state: what a spectator sees, and what the game's teller adds. Where seats see more than spectators,
    `own` has for each seat the fields that differ."""
    n: int = 0
    """Actions done before. More than 0 on a live page that was opened in mid-game."""


class Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An action as somebody sees it."""

    text: str
    """The action's text."""
    words: str
    """What was done, to go after the seat's name."""
    then: list[str] = []
    """What followed, a sentence each."""


class Step(Message, frozen=True, kw_only=True, tag="step"):
    """An action was done."""

    n: int
    """From 1."""
    seat: int
    text: str
    words: str
    then: list[str] = []
    change: Any
    """From the state before to the one after; see `changes`. Null if nothing changed."""
    auto: bool = False
    """Done by the arena for a seat that had forfeited."""
    note: str = ""
    """What the bot had to say to it."""
    others: list[Seen | None] = []
    """By seat: the action as that seat saw it, null if it saw all. Absent where everybody did."""


class Aside(Message, frozen=True, kw_only=True, tag="aside"):
    """Something that is no action: a rejection, a forfeit, something said."""

    n: int
    """Actions done before."""
    kind: str
    """`reject`, `fault` or `say`."""
    seat: int
    words: str
    """To go after the seat's name."""


class End(Message, frozen=True, kw_only=True, tag="end"):
    """The game is over."""

    outcome: str
    """`finished`, `forfeit` or `void`."""
    ranking: list[int]
    """Place by seat, 1 is best; empty when void."""
    scores: list[int]
    """Points by seat; empty when void."""
    won: bool | None = None
    """Whether the team has won; null in a game without a team."""


AnyMessage = Start | Step | Aside | End
