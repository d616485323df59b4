"""The first lines on a connection: `hello` from the arena, `join` from the bot. Pure; the arena moves the bytes."""

from __future__ import annotations

from collections.abc import Sequence

from mexica_cli import __version__
from mexica_cli.games import GAMES
from mexica_cli.wire.framing import BadMessage, decode_bot_message, excerpt
from mexica_cli.wire.messages import PROTOCOL_VERSION, GameInfo, Hello, Join, Limits, Want

SERVER = f"mexica {__version__}"
EVERYTHING: frozenset[Want] = frozenset(("state", "legal", "events"))


class Refused(Exception):
    """A first line that is no acceptable `join`; `code` and `reason` go into an `error`."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def games_on_offer() -> list[GameInfo]:
    """Every game that is played here."""
    return [GameInfo(name=name, rules=list(kind.rules), players=kind.seats) for name, kind in GAMES.items()]


def hello(games: Sequence[GameInfo], limits: Limits) -> Hello:
    """The arena's first line."""
    return Hello(protocol=[PROTOCOL_VERSION], server=SERVER, games=list(games), limits=limits)


def read_join(line: bytes) -> Join:
    """The bot's first line. Raises Refused."""
    try:
        message = decode_bot_message(line)
    except BadMessage as bad:
        raise Refused(bad.code, f"the first line must be a `join`: {bad.reason}") from None
    if not isinstance(message, Join):
        raise Refused("not_joined", f"the first line must be a `join`. The line begins: {excerpt(line)}")
    if message.protocol != PROTOCOL_VERSION:
        raise Refused("protocol_version", f"protocol {message.protocol} is not spoken here, {PROTOCOL_VERSION} is")
    return message


def wanted(join: Join) -> frozenset[Want]:
    """What the bot is to be sent."""
    return EVERYTHING if join.want is None else frozenset(join.want)
