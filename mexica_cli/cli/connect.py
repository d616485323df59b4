"""`mexica connect`: brings any bot to a server."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

import click

from mexica_cli.arena.bot import open_arena
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import set_up_logging
from mexica_cli.arena.spec import BotSpec, Command
from mexica_cli.cli.bots import named_bots
from mexica_cli.cli.values import FileName
from mexica_cli.cli.visiting import address, run, server_argument, tls_ca_option, tls_option
from mexica_cli.games.tomlfile import plain
from mexica_cli.server.relay import BotFailed, Relay
from mexica_cli.server.visit import Address
from mexica_cli.wire.handshake import games_on_offer
from mexica_cli.wire.messages import PROTOCOL_VERSION, Join

TOKEN_VARIABLE = "MEXICA_TOKEN"


@click.command(context_settings={"show_default": True})
@click.argument("bot", metavar="BOT")
@server_argument
@click.option("--name", help="What the bot is called there.  [default: as with mexica match]")
@click.option("--table", help="Table to sit down at.  [default: the only one that is open to it]")
@click.option(
    "--token-file",
    type=FileName(exists=True, dir_okay=False, path_type=Path),
    help=f"File with the bot's token.  [default: what {TOKEN_VARIABLE} holds]",
)
@tls_option
@tls_ca_option
@click.option("--sandbox", is_flag=True, help="Shut the bot off from network and files, with bubblewrap.")
@click.option("-v", "--verbose", is_flag=True, help="Say more on standard error.")
def connect(**given: Any) -> None:
    """Bring a bot that speaks over standard input and output to a server.

    BOT is what `mexica match` takes: greedy, ./my_bot.py, 'node my.js', name=command. When the connection breaks it is
    made again, after longer and longer pauses, and the bot goes on where it was; a bot that fails is started anew. Ends
    when the server has no more use for the bot, or with Ctrl-C.
    """
    set_up_logging(verbose=given["verbose"])
    spec = _spec(given["bot"], sandbox=given["sandbox"])
    join = Join(
        protocol=PROTOCOL_VERSION,
        name=given["name"] or spec.name,
        table=given["table"],
        token=_token(given["token_file"]),
    )
    try:
        run(partial(_connect, spec, address(given), join))
    except BotFailed as error:
        raise click.ClickException(str(error)) from None


def _spec(text: str, *, sandbox: bool) -> BotSpec:
    (spec,) = named_bots([text], sandbox=sandbox)
    if not isinstance(spec.launch, Command):
        raise click.UsageError(f"{text!r} comes by itself; name a program to bring")
    return spec


def _token(file: Path | None) -> str | None:
    if file is not None:
        return _token_in(file)
    return os.environ.pop(TOKEN_VARIABLE, None)  # the bot needn't know it


def _token_in(file: Path) -> str:
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{file}: the token can't be read: {plain(error)}") from None
    if not token:
        raise click.UsageError(f"{file}: there is no token in this file; it has what `mexica serve --new-token` prints")
    return token


async def _connect(spec: BotSpec, where: Address, join: Join) -> None:
    failures: list[BotFailed] = []
    async with open_arena(Limits(), games_on_offer()) as arena:
        relay = Relay(arena, arena.add(spec), where, join, partial(click.echo, err=True))
        try:
            await relay.run()
        except BotFailed as error:
            failures.append(error)
    if failures:
        raise failures[0]
