"""A bot across games: brought to the table, kept there, and sent away; and the arena that does so."""

from __future__ import annotations

import errno
import math
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from pathlib import Path

import trio

from mexica_cli.arena import family
from mexica_cli.arena.channel import Channel
from mexica_cli.arena.faults import ArenaFailed, NeverStarted
from mexica_cli.arena.greeting import greet
from mexica_cli.arena.guard import Guard
from mexica_cli.arena.inprocess import InProcessChannel
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import log
from mexica_cli.arena.player import Player
from mexica_cli.arena.process import Program, open_process_channel
from mexica_cli.arena.sandbox import confined
from mexica_cli.arena.spec import BotSpec, Command, Inside, Listen
from mexica_cli.arena.tcp import Listener
from mexica_cli.wire.framing import encode
from mexica_cli.wire.handshake import Refused, wanted
from mexica_cli.wire.messages import Bye, Error, GameInfo, Join, Message, Welcome

HURRY = 0.2
"""Seconds that bots get to leave when the run is stopped at once."""

CALLER_WAIT = 5.0
"""Seconds that whoever connects gets to join, before the port is free for the next."""

CALLERS = 16
"""Connections that may be at the handshake at the same time; more wait until one of them is through with it."""

SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EIO})
"""Errors at the start of a program of which the program is innocent."""

Notice = Callable[[str], None]
"""Shown to the person at the terminal."""


class Bot(Player):
    """A bot that the arena brings. Its channel lasts from game to game, until a fault or the end."""

    def __init__(self, spec: BotSpec, arena: Arena, limits: Limits, restart_after: int | None = None) -> None:
        """`restart_after`: after so many matches it is started anew; None: only when it must be."""
        super().__init__(spec.name, limits)
        self.spec = spec
        self._restart_after = restart_after
        self._matches = 0
        self._arena = arena
        self._last_words: str | None = None

    async def start(self) -> None:
        """Have the bot at the table for one more match; open its channel where that is due.

        Raises NeverStarted, ArenaFailed.
        """
        if self._channel is not None and self._channel.has_ended():
            await self.stop("it left between two matches")
        if self._matches == self._restart_after:
            await self.stop("it is started anew")
        self._matches += 1
        if self._channel is not None:
            return
        self._matches = 1
        if isinstance(self.spec.launch, Listen):
            self._channel = await self._wait_for_caller()
        else:
            self._check_files()
            try:
                self._channel = await self._open()
            except Refused as refused:
                raise NeverStarted(self.name, refused.reason, self._last_words) from None

    @property
    def has_played(self) -> bool:
        """Whether it was at the table for another match before this one, over the same channel."""
        return self._matches > 1

    async def restart(self) -> None:
        """End what is left of the bot and start it anew, for the same match. Raises NeverStarted."""
        await self.stop("it left between two matches")
        await self.start()

    async def stop(self, reason: str, grace: float | None = None) -> None:
        """Say goodbye and end the bot; the next `start` begins anew."""
        channel, self._channel = self._channel, None
        if channel is not None:
            log.info("sent away", bot=self.name, reason=reason)
            channel.post(encode(Bye(reason=reason)))
            await channel.close(self.limits.quit if grace is None else grace)

    def drop(self, farewell: Message, reason: str) -> None:
        """Send a bot away that can't be used any more, without making anybody wait for it."""
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.post(encode(farewell) + encode(Bye(reason=reason)))
            self._arena.nursery.start_soon(channel.close, self.limits.quit)

    def _check_files(self) -> None:
        """Raises ArenaFailed where the bot isn't any more what the log says of it."""
        if (changed := self.spec.changed_file()) is not None:
            raise ArenaFailed(
                f"{changed}, a file of the bot {self.name}, was changed while the run was under way; "
                "put it back and go on, or begin another run"
            )

    async def _wait_for_caller(self) -> Channel:
        """The first connection over which a good `join` comes; others are told what is wrong and the wait goes on."""
        limit = self.limits.startup
        found: list[Channel] = []
        with trio.move_on_after(limit):
            async with trio.open_nursery() as nursery:
                room = trio.Semaphore(CALLERS)

                async def try_out(channel: Channel) -> None:
                    try:
                        join = await self._greet(channel, min(limit, CALLER_WAIT))
                    except Refused as refused:
                        self._arena.notice(f"{self.name}: {refused.reason}; waiting for another connection")
                    else:
                        if found:
                            await channel.close(0)
                        else:
                            found.append(channel)
                            self._welcome(channel, join)
                            nursery.cancel_scope.cancel()
                    finally:
                        room.release()

                caller = await self._arena.connect(self)
                while True:
                    await room.acquire()
                    nursery.start_soon(try_out, caller)
                    caller = await self._arena.next_caller(self)
        if found:
            return found[0]
        raise NeverStarted(self.name, f"nobody connected and joined within {limit:g} s")

    async def _open(self) -> Channel:
        """A channel with its handshake done. Raises Refused, after saying so to the bot."""
        channel = await self._arena.connect(self)
        self._welcome(channel, await self._greet(channel, self.limits.startup))
        return channel

    async def _greet(self, channel: Channel, patience: float) -> Join:
        """The bot's `join`. Raises Refused, after saying so to the bot and closing the channel."""
        try:
            return await greet(channel, self._arena.games, self.limits, patience)
        except Refused as refused:
            channel.post(encode(Error(code=refused.code, reason=refused.reason, fatal=True)))
            await channel.close(self.limits.quit)
            self._last_words = channel.stderr_tail()
            raise
        except BaseException:
            await channel.close(0)
            raise

    def _welcome(self, channel: Channel, join: Join) -> None:
        """Let whoever has joined be this bot."""
        self.joined = join
        self.want = wanted(join)
        log.info("joined", bot=self.name, calls_itself=join.name, want=sorted(self.want))
        channel.post(encode(Welcome(bot=self.name, session="")))


class Arena:
    """Starts bots and leaves nothing behind. Made by `open_arena`."""

    def __init__(
        self,
        nursery: trio.Nursery,
        guard: Guard,
        limits: Limits,
        games: Sequence[GameInfo],
        stderr_dir: Path | None,
        notice: Notice,
    ) -> None:
        self.nursery = nursery
        self.limits = limits
        self.notice = notice
        self.games = games
        self.bots: list[Bot] = []
        self._guard = guard
        if limits.memory is not None and not family.can_measure():
            notice("memory can't be measured on this system: the limit on it isn't enforced")
        self._stderr_dir = stderr_dir
        self._listeners: dict[str, Listener] = {}

    def add(self, spec: BotSpec, limits: Limits | None = None, restart_after: int | None = None) -> Bot:
        """Take a bot in, without starting it; `limits`: its own. Raises OSError for a port that can't be had."""
        if isinstance(spec.launch, Listen):
            self._listeners[spec.name] = Listener(spec.launch.host, spec.launch.port)
        bot = Bot(spec, self, limits or self.limits, restart_after)
        self.bots.append(bot)
        return bot

    async def connect(self, bot: Bot) -> Channel:
        """A new channel to the bot. Raises Refused when its program can't be run, ArenaFailed when none can be."""
        launch = bot.spec.launch
        if isinstance(launch, Inside):
            return _inside(launch)
        if isinstance(launch, Listen):
            self.notice(f"{bot.name}: waiting for a bot on {launch.host}:{self._listeners[bot.name].port}")
            return await self.next_caller(bot)
        stderr_file = self._stderr_dir / f"{bot.name}.stderr" if self._stderr_dir else None
        try:
            with _program(launch) as program:
                return await open_process_channel(self.nursery, program, self._guard, bot.limits, stderr_file)
        except OSError as error:
            if error.errno in SHORTAGES:
                raise _shortage(f"can't start {bot.name}", error) from None
            raise Refused("not_run", f"{launch.argv[0]} can't be run: {error.strerror}") from None

    async def next_caller(self, bot: Bot) -> Channel:
        """A channel to the next that connects to the bot's port, whoever that is. Raises ArenaFailed."""
        try:
            return await self._listeners[bot.name].accept(bot.limits.line_bytes)
        except OSError as error:
            raise _shortage(f"can't take a connection for {bot.name}", error) from None

    async def close(self) -> None:
        """End every bot, all at once; with little patience when the run was cancelled."""
        grace = HURRY if trio.current_effective_deadline() == -math.inf else None
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as stops:
                for bot in self.bots:
                    stops.start_soon(bot.stop, "the arena closes", grace)
        for listener in self._listeners.values():
            listener.close()


def _shortage(what: str, error: OSError) -> ArenaFailed:
    return ArenaFailed(f"the arena {what}: {error.strerror}; that is no fault of the bot's")


def _program(launch: Command) -> AbstractContextManager[Program]:
    """What the system is to start, as long as it takes to do so."""
    if launch.sandbox:
        return confined(launch.argv)
    return nullcontext(Program(argv=launch.argv, environ=os.environ))


def _inside(launch: Inside) -> Channel:
    """Make a bot inside the arena. Raises Refused when that fails."""
    try:
        return InProcessChannel(launch.make())
    except (Exception, SystemExit) as error:
        raise Refused("not_run", f"making it raised {type(error).__name__}: {error}") from error


@asynccontextmanager
async def open_arena(
    limits: Limits, games: Sequence[GameInfo], stderr_dir: Path | None = None, notice: Notice = lambda _: None
) -> AsyncIterator[Arena]:
    """An arena; when the block is left, however that happens, every bot has ended."""
    family.adopt_orphans()
    guard = Guard()
    try:
        async with trio.open_nursery() as nursery:
            arena = Arena(nursery, guard, limits, games, stderr_dir, notice)
            try:
                yield arena
            finally:
                await arena.close()
    finally:
        guard.close()
