"""Listening to a client outside of matches."""

from __future__ import annotations

import trio

from mexica_cli.arena.faults import ChannelClosed, FaultKind
from mexica_cli.server.streams import ClientChannel
from mexica_cli.wire.framing import BadMessage, LineTooLong, encode
from mexica_cli.wire.lobby import ClientMessage, decode_client_message
from mexica_cli.wire.messages import Error, Join, Ping, Play, Pong, Ready, Say


class Gone(Exception):
    """A client is done with, `error` says why; it is None where the connection is simply gone."""

    def __init__(self, error: Error | None) -> None:
        super().__init__(error.reason if error else "the connection is gone")
        self.error = error


def gone(code: str, reason: str) -> Gone:
    """A client that did wrong."""
    return Gone(Error(code=code, reason=reason, fatal=True))


async def hear(channel: ClientChannel, idle: float) -> ClientMessage:
    """The next message that isn't dealt with here. Raises Gone.

    A client that says nothing for `idle` seconds gets a `ping`; if it says nothing for as long again, it is gone.
    """
    pinged = False
    while True:
        with trio.move_on_after(idle):
            if (message := await _next(channel)) is not None:
                return message
            pinged = False
            continue
        if pinged:
            raise gone("idle", f"nothing came for {2 * idle:g} s, not even an answer to `ping`")
        channel.post(encode(Ping(id=0)))
        pinged = True


async def _next(channel: ClientChannel) -> ClientMessage | None:
    try:
        message = decode_client_message(await channel.receive_line())
    except ChannelClosed:
        fault = await channel.why_closed()
        raise (Gone(None) if fault.kind is FaultKind.DISCONNECT else gone(fault.kind, fault.reason)) from None
    except LineTooLong as error:
        raise gone("oversize", str(error)) from None
    except BadMessage as bad:
        if bad.code != "unknown_type":
            raise gone(bad.code, bad.reason) from None
        channel.post(encode(Error(code=bad.code, reason=bad.reason)))
        return None
    return _housekeep(channel, message)


def _housekeep(channel: ClientChannel, message: ClientMessage) -> ClientMessage | None:
    match message:
        case Pong() | Ready():  # a `ready` may be late: its match is over
            return None
        case Play():
            channel.post(encode(Error(code="stale", reason="you are asked nothing now; that `play` is dropped")))
            return None
        case Say():
            channel.post(encode(Error(code="not_now", reason="you play no match now; nobody is told")))
            return None
        case Join():
            channel.post(encode(Error(code="already_joined", reason="this connection has joined before")))
            return None
        case _:
            return message
