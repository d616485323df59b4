"""Serves the page for spectators over hypercorn, in the server's own event loop."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial

import trio
from hypercorn.config import Config
from hypercorn.trio import serve

from mexica_cli.arena.tcp import cannot_listen
from mexica_cli.web.app import App, Hall

NOTHING_TO_SAY = 4096
"""Bytes of the longest message from a browser: none has anything to say."""
PING = 20.0
"""Seconds between two pings, so that a browser that is gone is noticed."""


async def serve_web(
    hall: Hall,
    *,
    host: str,
    port: int,
    started: Callable[[str], None],
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve the page until cancelled. `started` is told its address. Raises OSError where it can't listen there, in a
    sentence."""
    async with trio.open_nursery() as nursery:
        # The socket is made here, as hypercorn leaves one open that it can't bind.
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            listener = socket.create_server((host, port), family=family)
        except (OSError, UnicodeError) as error:
            raise cannot_listen(host, port, error) from None
        application = App(hall, nursery)
        addresses = await nursery.start(partial(serve, application, _config(listener.detach()), mode="asgi"))
        started(f"{addresses[0]}/")
        task_status.started()


def _config(listener: int) -> Config:
    config = Config()
    config.bind = [f"fd://{listener}"]
    config.accesslog = config.errorlog = None
    config.include_server_header = False
    config.websocket_max_message_size = NOTHING_TO_SAY
    config.websocket_ping_interval = PING
    return config
