"""Every message of protocol 1. These Structs are the protocol: the JSON Schemas in `protocol/` are made from them.

One JSON object a line. The field `type` names the message; unknown fields are ignored. Times are milliseconds, and the
names of their fields end in `_ms`; sizes are bytes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

PROTOCOL_VERSION = 1
LINE_BYTES = 65536
"""The longest line a bot may send, line feed included."""

NAME_CHARACTERS = 64
TEXT_CHARACTERS = 512

Seat = Annotated[int, Meta(ge=0)]
Name = Annotated[str, Meta(min_length=1, max_length=NAME_CHARACTERS)]
Want = Literal["state", "legal", "events"]
Json = dict[str, Any]


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Common shape of all messages."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What the arena allows a bot. Times in milliseconds, sizes in bytes; null means no limit."""

    line_bytes: int
    messages: int
    """Messages that a bot may send for one `turn`."""
    illegal: int
    """Illegal actions in a match; the last of them forfeits."""
    startup_ms: int
    ready_ms: int
    quit_ms: int
    stderr_bytes: int
    memory_bytes: int | None


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game that this arena plays."""

    name: str
    rules: list[str]
    players: tuple[int, int]
    """Least and greatest number of seats."""


class Clock(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The time of the seat that is asked, in milliseconds."""

    left_ms: int | None = None
    """Time for this answer; absent where there is no limit."""
    move_ms: int | None = None
    """Time for a whole turn, all its answers together."""
    bank_ms: int | None = None
    """What is left of the seat's bank for the match."""
    increment_ms: int | None = None
    """Added to the bank at the end of each of the seat's turns."""
    last_ms: float | None = None
    """What the arena measured for the seat's last answer; absent before the first."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Why a seat forfeited."""

    kind: str
    reason: str


Cards = Annotated[list[Name], Meta(max_length=16)]


class Claim(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a seat says of its own hand, for programs. Nobody checks whether it is true."""

    holds: Cards = []
    """Cards that it has."""
    lacks: Cards = []
    """Cards that it hasn't."""
    plays: Cards = []
    """Cards that it plays this round."""


# ---- arena to bot --------------------------------------------------------------------------------


class Hello(Message, frozen=True, tag="hello"):
    """Always the first line on a connection."""

    protocol: list[int]
    server: str
    games: list[GameInfo]
    limits: Limits


class Welcome(Message, frozen=True, tag="welcome"):
    """Accepts a `join`."""

    bot: str
    session: str


class Start(Message, frozen=True, tag="start"):
    """A match begins; answer with `ready`."""

    match: str
    game: str
    rules: str
    options: Json
    """The whole rule set and board, so that a bot needs no file."""
    seat: Seat
    seats: list[str]
    seed: int
    """For the bot's own use of chance: the same for the same match and seat, unrelated to the deal."""
    state: Json
    clock: Clock


class Event(Message, frozen=True, tag="event"):
    """An action was done, or a seat forfeited (then `action` is absent and `followed` says it)."""

    match: str
    n: Annotated[int, Meta(ge=0)]
    """Number of the action in the match, from 1; for a forfeit, of the last action before it."""
    seat: Seat
    action: str | None = None
    followed: list[Json] = []
    auto: bool = False
    """True where the arena acted for a seat that had forfeited."""


class Turn(Message, frozen=True, tag="turn"):
    """The seat must choose; answer with `play` and the same `id`."""

    match: str
    id: int
    seat: Seat
    clock: Clock
    state: Json | None = None
    legal: list[str] | None = None


class Reject(Message, frozen=True, tag="reject"):
    """`actions[index]` was not legal. Those before it stand; answer the same turn again, the clock goes on.

    No answer is wanted where `code` is `turn_over` or `strikes_left` is 0.
    """

    match: str
    id: int
    index: int
    action: str
    code: str
    reason: str
    strikes_left: int
    """Illegal actions that this seat may still make before it forfeits."""


class Result(Message, frozen=True, tag="result"):
    """The match is over. Sent to every seat that can still be reached."""

    match: str
    outcome: Literal["finished", "forfeit", "void"]
    ranking: list[int]
    """Place by seat, 1 is best, ties share; empty when void."""
    scores: list[int]
    reasons: list[Fault | None]
    """By seat, why it forfeited, or null."""
    won: bool | None = None
    """In a cooperative game, whether the team has won."""


class Said(Message, frozen=True, tag="said"):
    """Another seat of the team said something (cooperative games). Comes to those that want `events`."""

    match: str
    seat: Seat
    text: str
    claim: Claim | None = None


class Ping(Message, frozen=True, tag="ping"):
    """Answer with `pong` and the same `id`."""

    id: int


class Error(Message, frozen=True, tag="error"):
    """Something about the last line was wrong. After a fatal one the connection is closed."""

    code: str
    reason: str
    fatal: bool = False
    retry_after: float | None = None
    """Seconds to wait before trying again."""


class Bye(Message, frozen=True, tag="bye"):
    """The arena is done with the bot, which should exit."""

    reason: str


# ---- bot to arena --------------------------------------------------------------------------------


class Join(Message, frozen=True, tag="join"):
    """Answers `hello`."""

    protocol: int
    name: Name
    version: str | None = None
    author: str | None = None
    games: list[str] | None = None
    table: str | None = None
    token: str | None = None
    session: str | None = None
    role: Literal["player", "spectator"] | None = None
    """At a server: who watches doesn't play. A player by default."""
    want: list[Want] | None = None
    """What the bot wants to be sent; all of it by default."""


class Ready(Message, frozen=True, tag="ready"):
    """Answers `start`."""

    match: str


class Play(Message, frozen=True, tag="play"):
    """Answers `turn`: one or several actions, done in order."""

    id: int
    actions: Annotated[list[str], Meta(min_length=1, max_length=256)]
    note: Annotated[str, Meta(max_length=TEXT_CHARACTERS)] | None = None
    """Goes into the log."""


class Say(Message, frozen=True, tag="say"):
    """Talk to one's team (cooperative games), when asked to choose and before answering."""

    match: str
    text: Annotated[str, Meta(max_length=TEXT_CHARACTERS)]
    claim: Claim | None = None


class Pong(Message, frozen=True, tag="pong"):
    """Answers `ping`."""

    id: int


class Quit(Message, frozen=True, tag="quit"):
    """The bot leaves; in a match that is a forfeit."""


ArenaMessage = Hello | Welcome | Start | Event | Turn | Reject | Result | Said | Ping | Error | Bye
BotMessage = Join | Ready | Play | Say | Pong | Quit
