"""What the commands that go to a server have in common: where it is, and how it is spoken with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import click
import trio

from mexica_cli.arena.tcp import DEFAULT_PORT
from mexica_cli.cli.values import FileName
from mexica_cli.server.visit import Address, VisitError


class HostPort(click.ParamType[tuple[str, int]]):
    """HOST:PORT, or HOST alone with the usual port; an IPv6 host goes in brackets."""

    name = "host:port"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        """Text to host and port."""
        if isinstance(value, tuple):
            return value
        text = str(value)
        host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
        if not colon:
            host, port = text, str(DEFAULT_PORT)
        if not host or not port.isdecimal() or not 0 < int(port) < 65536:
            self.fail(f"{text!r} is no HOST:PORT, as in 127.0.0.1:{DEFAULT_PORT}", param, ctx)
        return host.strip("[]"), int(port)


server_argument = click.argument("server", type=HostPort(), metavar="HOST:PORT")
tls_option = click.option("--tls", is_flag=True, help="Speak TLS with the server.")
tls_ca_option = click.option(
    "--tls-ca",
    type=FileName(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Certificates to trust, PEM, in place of the system's; means --tls.",
)


def address(given: dict[str, Any]) -> Address:
    """Where the server is."""
    host, port = given["server"]
    return Address(host=host, port=port, tls=given["tls"] or given["tls_ca"] is not None, authority=given["tls_ca"])


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Run the work; what is wrong with the server ends the command in a sentence."""
    try:
        trio.run(_unwrapped, work)
    except VisitError as error:
        raise click.ClickException(str(error)) from None


async def _unwrapped(work: Callable[[], Awaitable[None]]) -> None:
    """Do the work; a VisitError comes out without the groups that nurseries wrap around it."""
    try:
        await work()
    except BaseExceptionGroup as group:  # not `except*`, which would wrap what is raised in it in a group again
        visits, others = group.split(VisitError)
        if visits is None or others is not None:
            raise
        raise _first(visits) from None


def _first(group: BaseExceptionGroup[VisitError]) -> VisitError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
