"""What is said at a server besides the protocol of matches: tables, standings, spectators. `protocol/SERVER.md` is it.

The messages of `messages.py` come over the same connection; these are the others.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mexica_cli.wire.framing import BadMessage, diagnose
from mexica_cli.wire.messages import ArenaMessage, BotMessage, Json, Message, Name

TableKind = Literal["matches", "ladder"]
TableState = Literal["waiting", "playing", "over"]
Look = Literal["tables", "standings", "status"]


# ---- server to client ----------------------------------------------------------------------------


class TableInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table."""

    name: str
    kind: TableKind
    game: str
    rules: str
    players: int
    """Seats of a match."""
    state: TableState
    here: list[str] = []
    """Who sits at it, at most the first 100."""
    matches: int | None = None
    """How many are played; absent: a ladder, which has no end."""
    played: int = 0
    """Matches that are over and count."""
    running: list[str] = []
    """Ids of the matches under way, at most the first 100."""
    spectators: bool = True
    """Whether it may be watched."""


class Tables(Message, frozen=True, tag="tables"):
    """Answers `look` at the tables."""

    tables: list[TableInfo]


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bot of a table."""

    bot: str
    games: int
    wins: float
    """First places without a forfeit; one shared by k counts 1/k for each."""
    forfeits: int
    rating: float | None = None
    """On a ladder."""
    here: bool = False
    """Connected now."""
    benched_s: float | None = None
    """Seconds until it plays again, if it is benched."""


class Standings(Message, frozen=True, tag="standings"):
    """Answers `look` at the standings, best first."""

    table: str
    rows: list[Standing]


class Status(Message, frozen=True, tag="status"):
    """Answers `look` at the status."""

    server: str
    uptime_s: float
    connections: int
    players: int
    """Bots that are connected."""
    spectators: int
    tables: int
    running: int
    """Matches under way."""
    finished: int
    """Matches that came to their end since the server was started."""
    per_minute: float
    """Matches that came to their end in the last minute."""
    decisions: int
    """Answers of bots in the last one to two minutes, to which the latency belongs."""
    latency_us: tuple[int, int] | None
    """The server's own part of a decision, median and 99th percentile; null without any."""
    memory_bytes: int
    """Resident memory of the server."""


class Scene(Message, frozen=True, tag="scene"):
    """What a spectator is shown first: the match as it stands."""

    table: str
    match: str
    game: str
    rules: str
    options: Json
    """The whole rule set and board, as in `start`."""
    seats: list[str]
    n: Annotated[int, Meta(ge=0)]
    """Actions done so far."""
    state: Json
    """As a spectator may see it."""
    position: str | None = None
    """The whole state, hidden things included, at a table that shows them."""


# ---- client to server ----------------------------------------------------------------------------


class LookAt(Message, frozen=True, tag="look"):
    """Ask for `tables`, `standings` or `status`."""

    at: Look
    table: str | None = None
    """Whose standings."""


class Sit(Message, frozen=True, tag="sit"):
    """Sit down at a table, or watch it."""

    table: Name
    match: str | None = None
    """For spectators: which match of the table; absent: any."""


class Open(Message, frozen=True, tag="open"):
    """Open a table and sit down at it."""

    table: Name
    game: str = "mexica"
    rules: str = "official"
    """One of those in `hello`."""
    board: str | None = None
    """One that comes with the game."""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    """Single fields of the rule set."""
    players: Annotated[int, Meta(ge=1, le=5)] = 2
    matches: Annotated[int, Meta(ge=1, le=10_000)] = 1
    time: str | None = None
    """Bank and increment: `60+0.5`."""
    move_time: str | None = None
    """Time for each turn: `2s`."""
    invite: list[Name] = msgspec.field(default_factory=list)
    """Who may sit down; empty: whoever comes first."""


LobbyMessage = Tables | Standings | Status | Scene
LobbyRequest = LookAt | Sit | Open
ServerMessage = ArenaMessage | LobbyMessage
ClientMessage = BotMessage | LobbyRequest

_client_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


def decode_client_message(line: bytes) -> ClientMessage:
    """What a client sent, from a line without its end. Raises BadMessage."""
    try:
        return _client_decoder.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise diagnose(line, error, ClientMessage, "a client") from None


def decode_server_message(line: bytes) -> ServerMessage:
    """What a server sent, from a line without its end. Raises BadMessage."""
    try:
        return _server_decoder.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise diagnose(line, error, ServerMessage, "the server") from None


__all__ = [
    "BadMessage",
    "ClientMessage",
    "LobbyMessage",
    "LobbyRequest",
    "LookAt",
    "Open",
    "Scene",
    "ServerMessage",
    "Sit",
    "Standing",
    "Standings",
    "Status",
    "TableInfo",
    "Tables",
    "decode_client_message",
    "decode_server_message",
]
