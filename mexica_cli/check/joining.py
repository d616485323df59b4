"""Checks of the handshake, and of `ready`."""

from __future__ import annotations

import msgspec

from mexica_cli.check.check import Check
from mexica_cli.check.desk import Desk
from mexica_cli.check.finding import Doubt
from mexica_cli.check.match import Match
from mexica_cli.check.sources import JOIN, READY, VERSIONS


async def _join(desk: Desk) -> str:
    bot = await desk.connect()
    join = await bot.join(desk.hello())
    desk.plays_it(join)
    return f"it calls itself {join.name!r}"


async def _ready(desk: Desk) -> str:
    await desk.match()
    return "ready for the match 1-1"


async def _versions(desk: Desk) -> str:
    bot = await desk.connect()
    hello = desk.hello()
    await bot.join(msgspec.structs.replace(hello, protocol=[*hello.protocol, 2]))
    return "it chose version 1"


async def _want(desk: Desk) -> str:
    match = Match(await desk.join(), desk.setting)
    await match.begin()
    await match.play(3)
    want = sorted(match.bot.want)
    if not want:
        raise Doubt("it wants nothing, so nothing tells it a vote from a turn of its own")
    return f"it gets by with {', '.join(want)}"


JOINING = (
    Check(
        name="join",
        does="Starts the bot and says `hello`.",
        judged="Passes if a right `join` is the bot's first line, in time, and names the game or no game at all.",
        source=JOIN,
        run=_join,
        basic=True,
    ),
    Check(
        name="ready",
        does="Sends `start`.",
        judged="Passes if `ready` for that match comes in time.",
        source=READY,
        run=_ready,
        basic=True,
    ),
    Check(
        name="versions",
        does="Says `hello` with the versions 1 and 2 of the protocol.",
        judged="Passes if `join` names version 1, the only one that there is by now.",
        source=VERSIONS,
        run=_versions,
    ),
    Check(
        name="want",
        does="Sends what `want` in `join` asks for, and nothing else, for three answers.",
        judged="Passes if the bot can do with it. Warns if it wants nothing.",
        source=JOIN,
        run=_want,
    ),
)
