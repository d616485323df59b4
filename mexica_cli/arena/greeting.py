"""The first lines on a channel: who is at its other end."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from mexica_cli.arena.channel import Channel
from mexica_cli.arena.faults import ChannelClosed
from mexica_cli.arena.limits import Limits
from mexica_cli.wire.framing import LineTooLong, encode
from mexica_cli.wire.handshake import Refused, hello, read_join
from mexica_cli.wire.messages import GameInfo, Join


async def greet(channel: Channel, games: Sequence[GameInfo], limits: Limits, patience: float) -> Join:
    """Send `hello` and read `join`, for which the other end has so many seconds. Raises Refused."""
    channel.post(encode(hello(games, limits.on_the_wire())))
    try:
        with trio.fail_after(patience):
            return read_join(await channel.receive_line())
    except ChannelClosed:
        fault = await channel.why_closed()
        raise Refused("not_joined", f"no `join`: {fault.reason.removesuffix(' in mid-match')}") from None
    except LineTooLong as error:
        raise Refused("oversize", str(error)) from None
    except trio.TooSlowError:
        waiting = f"; {channel.unfinished} bytes came without a line feed" if channel.unfinished else ""
        raise Refused("not_joined", f"no `join` within {patience:g} s{waiting}") from None
