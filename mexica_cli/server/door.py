"""The first lines of a connection: who comes, and whether they may."""

from __future__ import annotations

import re

from mexica_cli.arena.greeting import greet
from mexica_cli.arena.limits import Limits
from mexica_cli.server.streams import ClientChannel
from mexica_cli.server.tokens import Tokens
from mexica_cli.wire.framing import encode
from mexica_cli.wire.handshake import Refused, games_on_offer
from mexica_cli.wire.messages import Error, Join

AGAIN = 10.0
"""Seconds after which somebody for whom there is no room may try again."""

AFTER_JOIN = "once it is answered with `welcome`, `look`, `sit`, `open` and `quit` are understood too"


async def welcome(channel: ClientChannel, limits: Limits) -> Join:
    """Greet who comes, whatever that is. Raises Refused."""
    try:
        return await greet(channel, games_on_offer(), limits, limits.startup)
    except Refused as refused:
        if (alien := channel.intake.alien) is not None:
            raise Refused("not_json", alien) from None
        if refused.code == "unknown_type":  # what the reason lists is what bots say in matches: here is more
            raise Refused(refused.code, f"the first line must be a `join`; {AFTER_JOIN}") from None
        raise


async def identify(join: Join, tokens: Tokens | None) -> str:
    """The name of who joins, cleaned, and known to be theirs where there are tokens. Raises Refused."""
    name = clean_name(join.name)
    if not name:
        raise Refused("bad_name", "a name has letters or digits")
    if tokens is not None and not await tokens.accepts(name, join.token):
        raise Refused(
            "bad_token", f"that isn't the token of {name!r}" if join.token else f"{name!r} needs a token here"
        )
    return name


def clean_name(name: str) -> str:
    """The name without what can't be seen, and `_` for what no name has."""
    return re.sub(r"[^\w.+#-]", "_", "".join(filter(str.isprintable, name)).strip())


async def turn_away(channel: ClientChannel, error: Error, grace: float) -> None:
    """Say why, and hang up."""
    channel.post(encode(error))
    channel.stop_reading()
    await channel.close(grace)
