"""The first line of a log that is about to be written."""

from __future__ import annotations

from collections.abc import Iterable

from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.limits import Limits
from mexica_cli.games.game import Game
from mexica_cli.record.lines import LOG_VERSION, BotRecord, Header, timestamp
from mexica_cli.wire.handshake import SERVER


def header_for(game: Game, seed: int, control: TimeControl, limits: Limits, bots: Iterable[BotRecord]) -> Header:
    """The header of a log of games that begins now; `seed` is the master seed."""
    return Header(
        version=LOG_VERSION,
        server=SERVER,
        created=timestamp(),
        game=game.name,
        rules=game.rules,
        options=game.options(),
        seed=seed,
        clock=control.setting(),
        limits=limits.on_the_wire(),
        bots=list(bots),
    )
