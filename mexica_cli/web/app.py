"""The page for spectators and its WebSockets, as an ASGI application.

    GET /                             the page
    WebSocket /live/lobby             all tables and standings, whenever they change
    WebSocket /live/table/NAME        the matches of a table, one after the other; `?match=ID`: one of them

What goes over a WebSocket is JSON, a message a frame: `lobby`, `error`, or those of `view.page.messages`. Nothing that
a browser sends is listened to.
"""

from __future__ import annotations

from functools import partial
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

import msgspec
import trio
from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope, WebsocketScope

from mexica_cli.arena.log import log
from mexica_cli.server.broadcast import Stage
from mexica_cli.web.document import live_document
from mexica_cli.web.relay import Relays, Send
from mexica_cli.wire.handshake import SERVER, Refused
from mexica_cli.wire.lobby import Standing, TableInfo

VIEWERS = 200
"""WebSockets at once, at most."""
PATIENCE = 10.0
"""Seconds that a browser may take for one message. One that takes longer is dropped."""
EVERY = 1.0
"""Seconds from one look at the lobby to the next."""
LISTED = 100
"""Tables, and rows of standings, that are shown."""
TABLE = "/live/table/"
FORBIDDEN, TOO_SLOW, NO_SUCH = 4403, 4408, 4404
"""Why a WebSocket is closed."""


class LobbyNow(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="lobby"):
    """All tables, and how everybody does there."""

    server: str
    tables: list[TableInfo]
    standings: dict[str, list[Standing]]
    """By table."""


class WebError(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """Why there is nothing to see."""

    reason: str


class Hall(Protocol):
    """What is needed of a server's `Lobby`."""

    def list_tables(self) -> list[TableInfo]:
        """All tables."""

    def standings(self, table: str) -> list[Standing]:
        """How everybody does at a table, best first. Raises Refused."""

    def stage(self, table: str) -> Stage:
        """The matches under way at a table that may be watched. Raises Refused."""


class App:
    """The application."""

    def __init__(self, hall: Hall, nursery: trio.Nursery) -> None:
        """`nursery` is for what serves several viewers."""
        self._hall = hall
        self._relays = Relays(nursery)
        self._page = "".join(live_document()).encode()
        self._viewers = 0

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """One connection, as ASGI calls it; or, for `lifespan`, from start to stop."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, send)
        else:
            await self._open(scope, receive, send)

    # ---- the page --------------------------------------------------------------------------------

    async def _answer(self, scope: HTTPScope, send: ASGISendCallable) -> None:
        if scope["path"] != "/":
            await _respond(send, 404, "text/plain; charset=utf-8", b"There is one page here, at /\n")
        elif scope["method"] not in {"GET", "HEAD"}:
            await _respond(send, 405, "text/plain; charset=utf-8", b"The page is there to be read: GET\n")
        else:
            await _respond(send, 200, "text/html; charset=utf-8", self._page)

    # ---- WebSockets ------------------------------------------------------------------------------

    async def _open(self, scope: WebsocketScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """One viewer, from first to last."""
        await receive()
        if not _same_origin(scope) or self._viewers >= VIEWERS:
            await send({"type": "websocket.close", "code": FORBIDDEN, "reason": None})
            return
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        self._viewers += 1
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_until_gone, receive, nursery.cancel_scope)
                await self._show(scope, send)
                nursery.cancel_scope.cancel()
        finally:
            self._viewers -= 1

    async def _show(self, scope: WebsocketScope, send: ASGISendCallable) -> None:
        """Show a viewer what its address asks for, and say goodbye where that comes to an end."""
        tell = partial(_tell, send)
        try:
            await self._tell_all(scope, tell)
        except Refused as refused:
            await tell(msgspec.json.encode(WebError(reason=refused.reason)))
            await send({"type": "websocket.close", "code": NO_SUCH, "reason": None})
        except trio.TooSlowError:
            log.info("a viewer of the page is too slow")
            await send({"type": "websocket.close", "code": TOO_SLOW, "reason": "too slow"})
        else:
            await send({"type": "websocket.close", "code": 1000, "reason": None})

    async def _tell_all(self, scope: WebsocketScope, tell: Send) -> None:
        """Raises Refused, TooSlowError."""
        path = scope["path"]
        if path == "/live/lobby":
            await self._tell_lobby(tell)
        if not path.startswith(TABLE):
            raise Refused("no_page", f"there is nothing at {path[:100]}")
        match = parse_qs(scope["query_string"].decode("ascii", "replace")).get("match", [None])[0]
        await self._relays.watch(self._hall.stage(path.removeprefix(TABLE)), match, tell)

    async def _tell_lobby(self, tell: Send) -> None:
        told = b""
        while True:
            now = msgspec.json.encode(self._lobby_now())
            if now != told:
                await tell(now)
                told = now
            await trio.sleep(EVERY)

    def _lobby_now(self) -> LobbyNow:
        tables = self._hall.list_tables()[:LISTED]
        standings = {table.name: self._hall.standings(table.name)[:LISTED] for table in tables}
        return LobbyNow(server=SERVER, tables=tables, standings=standings)


async def _tell(send: ASGISendCallable, message: bytes) -> None:
    """Raises TooSlowError."""
    with trio.fail_after(PATIENCE):
        await send({"type": "websocket.send", "bytes": None, "text": message.decode()})


async def _until_gone(receive: ASGIReceiveCallable, scope: trio.CancelScope) -> None:
    """Read over what the browser sends, until it is gone."""
    while (await receive())["type"] != "websocket.disconnect":
        pass
    scope.cancel()


def _same_origin(scope: WebsocketScope) -> bool:
    """Whether no page from elsewhere asks. Programs that are no browser send no origin."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    return origin is None or urlsplit(origin.decode("latin-1")).netloc == headers.get(b"host", b"").decode("latin-1")


async def _live(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """There is nothing to make ready, nor to clear away."""
    assert (await receive())["type"] == "lifespan.startup"
    await send({"type": "lifespan.startup.complete"})
    assert (await receive())["type"] == "lifespan.shutdown"
    await send({"type": "lifespan.shutdown.complete"})


async def _respond(send: ASGISendCallable, status: int, kind: str, body: bytes) -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-cache"),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
