"""What one check works at: connections to the bot, and the matches played over them."""

from __future__ import annotations

import trio

from mexica_cli.arena.bot import Arena, Bot
from mexica_cli.check.connection import Connection
from mexica_cli.check.finding import Flaw, NotApplicable
from mexica_cli.check.manners import Manner, plain
from mexica_cli.check.match import Match
from mexica_cli.check.setting import Setting
from mexica_cli.check.sources import JOIN
from mexica_cli.games import GAMES
from mexica_cli.wire.handshake import Refused, games_on_offer, hello
from mexica_cli.wire.messages import Hello, Join


class Desk:
    """Opened for one check, and closed after it: then every bot has ended."""

    def __init__(self, arena: Arena, bot: Bot, setting: Setting) -> None:
        self.setting = setting
        self._arena = arena
        self._bot = bot
        self.connections: list[Connection] = []

    def hello(self) -> Hello:
        """The arena's first line."""
        return hello(games_on_offer(), self.setting.limits.on_the_wire())

    async def connect(self, manner: Manner = plain) -> Connection:
        """A new bot, to which nothing has been said. Raises Flaw when it can't be had."""
        limits = self.setting.limits
        try:
            with trio.fail_after(limits.startup):
                channel = await self._arena.connect(self._bot)
        except Refused as refused:
            raise Flaw(refused.reason, JOIN) from None
        except trio.TooSlowError:
            raise Flaw(f"nobody connected within {limits.startup:g} s", JOIN) from None
        self.connections.append(Connection(channel, self._bot.name, limits, manner))
        return self.connections[-1]

    async def join(self, manner: Manner = plain) -> Connection:
        """A new bot that has joined, for the game that is checked. Raises Flaw."""
        bot = await self.connect(manner)
        self.plays_it(await bot.join(self.hello()))
        return bot

    def plays_it(self, join: Join) -> None:
        """Raises Flaw for a bot that says it doesn't play the game that is checked."""
        game = self.setting.game.name
        if join.games is not None and game not in join.games:
            others = f": check it with --game {join.games[0]}" if set(join.games) & GAMES.keys() else ""
            raise Flaw(f"it says that it plays {', '.join(join.games) or 'nothing'}, and not {game}{others}", JOIN)

    async def match(self, manner: Manner = plain) -> Match:
        """A match that has begun, with a new bot. Raises Flaw."""
        match = Match(await self.join(manner), self.setting)
        await match.begin()
        return match

    def needs_process(self) -> None:
        """Raises NotApplicable for a bot whose end can't be seen."""
        if not self.setting.is_program:
            raise NotApplicable("what becomes of a bot that connects by itself can't be seen from here")

    async def close(self) -> None:
        """End all bots."""
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for connection in self.connections:
                    nursery.start_soon(connection.close)
