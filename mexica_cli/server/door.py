"""The first lines of a connection: who comes, and whether they may."""

from __future__ import annotations

import re

import trio

from mexica_cli.arena.faults import ChannelClosed
from mexica_cli.arena.limits import Limits
from mexica_cli.server.streams import ClientChannel
from mexica_cli.server.tokens import Tokens
from mexica_cli.wire.framing import LineTooLong, encode
from mexica_cli.wire.handshake import Refused, games_on_offer, hello, read_join
from mexica_cli.wire.messages import Error, Join

AGAIN = 10.0
"""Seconds after which somebody for whom there is no room may try again."""


async def greet(channel: ClientChannel, limits: Limits) -> Join:
    """Send `hello` and read `join`. Raises Refused."""
    channel.post(encode(hello(games_on_offer(), limits.on_the_wire())))
    try:
        with trio.fail_after(limits.startup):
            return read_join(await channel.receive_line())
    except ChannelClosed:
        fault = await channel.why_closed()
        if channel.intake.alien is not None:
            raise Refused("not_json", fault.reason) from None
        raise Refused("not_joined", f"no `join`: {fault.reason.removesuffix(' in mid-match')}") from None
    except LineTooLong as error:
        raise Refused("oversize", str(error)) from None
    except trio.TooSlowError:
        waiting = f"; {channel.unfinished} bytes came without a line feed" if channel.unfinished else ""
        raise Refused("not_joined", f"no `join` within {limits.startup:g} s{waiting}") from None


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
