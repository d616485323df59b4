"""What the arena must know of any game, and nothing more.

A `Game` is a rule set with its board (or cards) and options, immutable and
shared. A `State` is one position of it, mutable and cheap to copy. Everything
here is pure: no I/O, no clock, no global randomness; chance comes only from what
is handed in: the seed of `Game.deal`, or a `Chance`.

Actions are ints inside and text at the border: `State.parse` and `State.text`
translate. Seats are numbered from 0.
"""

from __future__ import annotations

from typing import Any, Protocol, TypedDict

import msgspec

from mexica_cli.games.chance import Chance

JsonDict = dict[str, Any]


class RuleError(Exception):
    """A rule set, board, setup or position that can't be used; the message says what, where and why."""


def not_shipped(field: str, name: str) -> RuleError:
    """The error for a position of rules, a board or cards that don't come with the program."""
    return RuleError(f"position: {field}: {name!r} doesn't come with the program: first send `new` with it, then this")


class BadAction(Exception):
    """An action text that names no action that could exist here (unreadable, off the board, wrong cell order).

    `code` is stable and for programs, `reason` is a sentence for people. It may show what was written, `quoted`: the
    text can have any length, and the sentence goes to everybody.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def quoted(text: str) -> str:
    """What somebody wrote as an action, short enough for a sentence."""
    return repr(text if len(text) <= 40 else text[:40] + "…")


class Illegal(msgspec.Struct, frozen=True):
    """Why an action may not be done now: a stable `code` and a sentence."""

    code: str
    reason: str


class Followed(TypedDict, total=False):
    """One thing that followed from an action beyond the action itself; `what` names it, the other keys depend on it."""

    what: str


class State(Protocol):
    """One position of a game."""

    @property
    def players(self) -> int:
        """Number of seats."""

    @property
    def to_act(self) -> int | None:
        """The seat that must choose an action now; None once the game is over."""

    @property
    def turn(self) -> int:
        """Ordinal of the game turn under way, from 0: the unit that a move time is given for.

        Answers that other seats give inside it (votes) belong to the same turn.
        """

    def legal_actions(self) -> list[int]:
        """Every legal action of the seat to act, in no promised order; empty once the game is over."""

    def is_legal(self, action: int) -> bool:
        """The same verdict for one action, without listing all."""

    def why_illegal(self, action: int) -> Illegal | None:
        """None for a legal action, else the rule that forbids it."""

    def apply(self, action: int) -> list[JsonDict]:
        """Do a legal action and return what followed from it. An illegal action is the caller's fault: undefined."""

    def neutral_action(self) -> int:
        """The legal action by which an absent seat passes."""

    def parse(self, text: str) -> int:
        """Action text to action. Raises BadAction."""

    def text(self, action: int) -> str:
        """Action to its text."""

    def copy(self) -> State:
        """An independent copy."""

    def observation(self, seat: int | None) -> msgspec.Struct:
        """What that seat may see (None: a spectator), as the Struct that goes over the wire as `state`."""

    def shown(self, entry: JsonDict, seat: int | None) -> JsonDict:
        """An entry that `apply` returned, as that seat may see it (None: a spectator)."""

    def shown_text(self, action: int, by: int, seat: int | None) -> str:
        """The text of an action that seat `by` has done, as another may see it."""

    def sample_hidden(self, seat: int | None, chance: Chance) -> State:
        """A copy that looks the same to that seat, in which all that it can't see is drawn anew."""

    @property
    def may_talk(self) -> bool:
        """Whether the members of a team may now talk to each other."""

    def scores(self) -> list[int]:
        """Points by seat, as they stand."""

    def ranking(self) -> list[int] | None:
        """Place by seat once over (1 is best, ties share); None before."""

    @property
    def won(self) -> bool | None:
        """Whether the team has won; None before the end, and in games without a team."""

    def position(self) -> str:
        """The whole state, hidden things included, as one line; `Game.from_position` reads it back."""

    def digest(self) -> str:
        """Sixteen hex digits that differ whenever anything differs that bears on the rest of the game."""


class Game(Protocol):
    """A rule set with its board and options."""

    @property
    def name(self) -> str:
        """Name of the game, as in `GAMES`."""

    @property
    def rules(self) -> str:
        """Name of the rule set."""

    @property
    def seats(self) -> tuple[int, int]:
        """Least and greatest number of seats."""

    @property
    def cooperative(self) -> bool:
        """Whether all seats win or lose together."""

    @property
    def open_information(self) -> bool:
        """Whether every seat sees everything: then `shown` changes nothing, and a state may be sent whole."""

    def deal(self, players: int, seed: int) -> JsonDict:
        """The random part of the set-up, as JSON: a pure function of (game, players, seed)."""

    def start(self, players: int, setup: JsonDict) -> State:
        """The first state of a game with that set-up. Raises RuleError for a set-up that doesn't fit."""

    def from_position(self, text: str) -> State:
        """The state that `State.position` wrote. Raises RuleError."""

    def imagine(self, state: JsonDict, seat: int | None, chance: Chance) -> State:
        """A state that looks to that seat (None: a spectator) like `state`, an observation of it as JSON; what isn't in
        there is drawn by `chance`. Raises RuleError."""

    def options(self) -> JsonDict:
        """All that is needed to make this game again without any file, as JSON (rule fields, board rows)."""
