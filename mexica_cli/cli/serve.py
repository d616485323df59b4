"""`mexica serve`: a game server."""

from __future__ import annotations

import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
import trio

from mexica_cli.arena.faults import first_of
from mexica_cli.cli.values import FileName
from mexica_cli.extras import how_to_install
from mexica_cli.games.tomlfile import FileError, plain
from mexica_cli.record.reader import LogError
from mexica_cli.server.matches import MatchesTable
from mexica_cli.server.oplog import LogFormat, set_up_server_logging
from mexica_cli.server.server import Beside, Server
from mexica_cli.server.settings import NAME, ServerFile, Settings, TableEntry, make_settings, read_settings
from mexica_cli.server.tokens import keep_token, new_token
from mexica_cli.view.console import console_for
from mexica_cli.view.standings import print_standings

DEFAULT_TABLE = TableEntry(name="ladder", kind="ladder")
"""What is played where no configuration says it."""


@click.command(context_settings={"show_default": True})
@click.option("--config", type=FileName(dir_okay=False, path_type=Path), metavar="FILE", help="Configuration.")
@click.option("--host", metavar="ADDRESS", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0: any free one.  [default: 7325]")
@click.option("--data", type=FileName(file_okay=False), help="Folder of the logs.  [default: mexica-server]")
@click.option("--tokens", type=FileName(dir_okay=False), metavar="FILE", help="Tokens: nobody plays without one.")
@click.option("--tls-cert", type=FileName(dir_okay=False), metavar="FILE", help="Certificate chain for TLS, PEM.")
@click.option("--tls-key", type=FileName(dir_okay=False), metavar="FILE", help="Its key, PEM.")
@click.option("--web", "web_port", type=click.IntRange(0, 65535), metavar="PORT", help="Serve a page for spectators.")
@click.option("--web-host", default="127.0.0.1", metavar="ADDRESS", help="Address for the page to listen on.")
@click.option("--once", is_flag=True, help="Stop when all tables are over.")
@click.option("--new-token", metavar="NAME", help="Make a token for a bot, put its hash into --tokens, and stop.")
@click.option("--log-format", type=click.Choice(get_args(LogFormat)), default="console", help="Of standard error.")
@click.option("-v", "--verbose", is_flag=True, help="Log more.")
@click.pass_context
def serve(ctx: click.Context, /, **given: Any) -> None:
    """Serve tables where bots and spectators meet.

    Without a configuration there is one table, a ladder of Mexica for two. docs/SERVER.md has everything about the
    configuration, protocol/SERVER.md about the protocol.

    \b
    SIGTERM, Ctrl-C   let the running matches finish, and say goodbye; once more: stop now
    SIGHUP            read the configuration anew
    """
    try:
        settings = _settings(given)
    except FileError as error:
        raise click.UsageError(str(error)) from None
    if given["new_token"] is not None:
        ctx.exit(_make_token(settings, given["new_token"]))
    if given["once"] and any(table.entry.kind == "ladder" for table in settings.tables.values()):
        raise click.UsageError("a ladder never ends, so --once would wait for ever; leave out one of them")
    set_up_server_logging(given["log_format"], verbose=given["verbose"])
    ctx.exit(_serve(settings, given))


def _settings(given: dict[str, Any]) -> Settings:
    """The configuration, under what the command line says. Raises FileError."""
    if given["config"] is not None:
        settings = read_settings(given["config"])
    else:
        settings = make_settings(ServerFile(tables=[DEFAULT_TABLE]), Path())
    over: dict[str, Any] = {name: given[name] for name in ("host", "port") if given[name] is not None}
    over |= {name: Path(given[name]) for name in ("data", "tokens") if given[name] is not None}
    if (given["tls_cert"] is None) != (given["tls_key"] is None):
        raise click.UsageError("--tls-cert and --tls-key go together")
    if given["tls_cert"] is not None:
        over["tls"] = Path(given["tls_cert"]), Path(given["tls_key"])
    return msgspec.structs.replace(settings, **over)


def _make_token(settings: Settings, name: str) -> int:
    """Make a token and print it: it is nowhere else."""
    if settings.tokens is None:
        raise click.UsageError("--new-token needs the file of the tokens: give --tokens, or a --config that names it")
    if not NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} is no name of a bot; it has letters, digits and _.+#-")
    token = new_token()
    try:
        replaced = keep_token(settings.tokens, name, token)
    except FileError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{settings.tokens}: the token can't be kept: {plain(error)}") from None
    click.echo(f"{name} has a {'new ' if replaced else ''}token in {settings.tokens}; this is it:", err=True)
    click.echo(token)
    return 0


def _serve(settings: Settings, given: dict[str, Any]) -> int:
    page = _page(given)
    server = Server(settings, _print_table, _say_where, lambda: _settings(given), once=given["once"], beside=page)
    try:
        trio.run(server.run)
    except BaseExceptionGroup as group:
        error = first_of(group)
        if not isinstance(error, LogError):
            raise error from None
        raise click.ClickException(str(error)) from None
    except FileError as error:
        raise click.UsageError(str(error)) from None
    except LogError as error:
        raise click.ClickException(str(error)) from None
    unfinished = [table for table in server.tables if table.failure is not None]
    for table in unfinished:
        click.echo(f"Error: table {table.name!r}: {table.failure}", err=True)
    over = all(table.state == "over" for table in server.tables)
    return 1 if unfinished or (given["once"] and not over) else 0


def _page(given: dict[str, Any]) -> Beside | None:
    """What serves the page for spectators. Its packages are an extra, and loaded only where it is wanted."""
    if given["web_port"] is None:
        return None
    if find_spec("hypercorn") is None:
        raise click.UsageError(f"--web needs the packages of an extra; install them with: {how_to_install('web')}")
    from mexica_cli.web.serving import serve_web  # noqa: PLC0415

    return partial(serve_web, host=given["web_host"], port=given["web_port"], started=_say_page)


def _say_where(host: str, port: int) -> None:
    click.echo(f"serving on {host}:{port}", err=True)


def _say_page(address: str) -> None:
    click.echo(f"page for spectators: {address}", err=True)


def _print_table(table: MatchesTable) -> None:
    """The results of a table that is over."""
    console = console_for(sys.stdout)
    console.print(f"table {table.name}: {table.setting.game.name}, rules {table.setting.game.rules}", soft_wrap=True)
    print_standings(console, table.tally, table.ledger.header.seed, None)
    sys.stdout.flush()
