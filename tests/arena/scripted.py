"""Bots made of a script, in virtual time: what they say, and when, is exact and the same on every run.

A `Player` answers the arena's messages with `Reply`s. It is reached over a `ScriptedChannel`, which needs no task of
its own: a line lies there from its time on. At a `Table` players play matches.
"""

from __future__ import annotations

import io
import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
import trio
from toygame import NimGame

from mexica_cli.arena.bot import Arena, Bot
from mexica_cli.arena.channel import Channel
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.faults import ChannelClosed, FaultKind, SeatFault
from mexica_cli.arena.guard import Guard
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.referee import MatchPlan, Referee
from mexica_cli.arena.spec import BotSpec, Command
from mexica_cli.games.game import Game, JsonDict
from mexica_cli.record.lines import (
    LOG_VERSION,
    TIME_FIELDS,
    TURN_OVER,
    BotRecord,
    ClockSetting,
    GameLine,
    Header,
    Line,
    ResultLine,
)
from mexica_cli.record.reader import LogReader
from mexica_cli.record.seeds import deal_seed
from mexica_cli.record.verify import Report, verify
from mexica_cli.wire.framing import LineTooLong, decode_arena_message, encode
from mexica_cli.wire.handshake import Refused
from mexica_cli.wire.messages import (
    ArenaMessage,
    BotMessage,
    Hello,
    Join,
    Play,
    Ready,
    Reject,
    Start,
    Turn,
    Want,
)

M = TypeVar("M", bound=ArenaMessage)
L = TypeVar("L", bound=Line)

Ending = SeatFault | LineTooLong
"""What comes in place of a line: the end of the channel, or a line that is too long."""


@dataclass(frozen=True)
class Reply:
    """One line of a bot, `after` seconds after what it answers was read, or after the reply before it."""

    make: Callable[[Any], bytes | Ending]
    after: float = 0.0


Answer = Reply | Sequence[Reply]
SILENCE: Answer = ()


def act(*actions: str, after: float = 0.0, note: str | None = None, behind: int = 0) -> Reply:
    """A `play`; `behind`: that many requests too late."""
    return Reply(lambda asked: encode(Play(id=asked.id - behind, actions=list(actions), note=note)), after)


def say(message: BotMessage | bytes, after: float = 0.0) -> Reply:
    """Any line at all."""
    line = message if isinstance(message, bytes) else encode(message)
    return Reply(lambda _: line, after)


def fail(ending: Ending, after: float = 0.0) -> Reply:
    """The channel ends, or a line comes that is too long."""
    return Reply(lambda _: ending, after)


def ready(after: float = 0.0) -> Reply:
    """The `ready` that is due."""
    return Reply(lambda start: encode(Ready(match=start.match)), after)


_END = act("end")


CRASH = fail(SeatFault(FaultKind.CRASH, "it fell"))


def _replies(answer: Answer) -> Sequence[Reply]:
    return (answer,) if isinstance(answer, Reply) else answer


class Player:
    """A bot: it gives its `answers` one by one to what it is asked, then `then` to everything else.

    `on` says what it answers to the other kinds of message. `reading` is the time before it reads what it is sent.
    """

    def __init__(
        self,
        name: str,
        *answers: Answer,
        want: Sequence[Want] | None = (),
        then: Answer = _END,
        on: dict[type[ArenaMessage], Answer] | None = None,
        reading: float = 0.0,
    ) -> None:
        join = Join(protocol=1, name=name, want=None if want is None else list(want))
        self.name = name
        self.reading = reading
        self.heard: list[tuple[float, ArenaMessage]] = []
        """Everything it was told, with the time."""
        self.channels: list[ScriptedChannel] = []
        """Its connections, the latest last."""
        self.refusals: deque[Refused] = deque()
        """How the next attempts to start it fail."""
        self._answers = deque(answers)
        self._then = then
        self._on: dict[type[ArenaMessage], Answer] = {Hello: say(join), Start: ready(), **(on or {})}

    def connect(self) -> ScriptedChannel:
        """Start the bot."""
        if self.refusals:
            raise self.refusals.popleft()
        self.channels.append(ScriptedChannel(self))
        return self.channels[-1]

    def replies(self, message: ArenaMessage) -> Sequence[Reply]:
        """What it says to a message."""
        self.heard.append((trio.current_time(), message))
        if answer := self._on.get(type(message)):
            return _replies(answer)
        if _is_question(message):
            return _replies(self._answers.popleft() if self._answers else self._then)
        return ()

    def told(self, kind: type[M]) -> list[M]:
        """Every message of a kind that it was sent."""
        return [message for _, message in self.heard if isinstance(message, kind)]

    def kinds(self) -> list[str]:
        """The kinds of all messages since the first `start`, in order."""
        kinds = [str(message.__struct_config__.tag) for _, message in self.heard]
        return kinds[kinds.index("start") :]

    def when(self, kind: type[ArenaMessage]) -> list[float]:
        """When the messages of a kind came."""
        return [time for time, message in self.heard if isinstance(message, kind)]


def _is_question(message: ArenaMessage) -> bool:
    if isinstance(message, Reject):
        return message.code != TURN_OVER and message.strikes_left > 0
    return isinstance(message, Turn)


class ScriptedChannel(Channel):
    """A channel to a player."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.closed: float | None = None
        """The patience with which it was closed."""
        self.tail: str | None = None
        self.torn = 0
        self._lines: deque[tuple[float, bytes | Ending]] = deque()
        self._read_at = -math.inf
        self._why: SeatFault | None = None

    def post(self, data: bytes) -> None:
        self._read_at = max(self._read_at, trio.current_time() + self.player.reading)
        for line in data.splitlines():
            message = decode_arena_message(line)
            self.say(self.player.replies(message), message)

    def say(self, replies: Sequence[Reply], asked: ArenaMessage | None = None) -> None:
        """The player says something: on being asked, or by itself."""
        when = max(self._read_at, trio.current_time())
        for reply in replies:
            when += reply.after
            self._lines.append((when, reply.make(asked)))

    @property
    def flushed(self) -> bool:
        return self._read_at <= trio.current_time()

    async def flush(self) -> None:
        await trio.sleep_until(self._read_at)

    async def receive_line(self) -> bytes:
        await trio.sleep_until(self._lines[0][0] if self._lines else math.inf)
        _, line = self._lines.popleft()
        match line:
            case LineTooLong():
                raise line
            case SeatFault():
                self._why = line
                raise ChannelClosed
        return line.rstrip()

    def poll_line(self) -> bytes | None:
        if not self._lines or self._lines[0][0] > trio.current_time():
            return None
        line = self._lines.popleft()[1]
        return line.rstrip() if isinstance(line, bytes) else None

    def has_ended(self) -> bool:
        """Whether the next that would be read, and be there by now, is the end."""
        return (
            bool(self._lines) and self._lines[0][0] <= trio.current_time() and isinstance(self._lines[0][1], SeatFault)
        )

    @property
    def unfinished(self) -> int:
        return self.torn

    async def why_closed(self) -> SeatFault:
        assert self._why is not None
        return self._why

    async def close(self, grace: float) -> None:
        self.closed = grace

    def stderr_tail(self) -> str | None:
        return self.tail


class ScriptedArena(Arena):
    """An arena whose bots are players."""

    def __init__(self, nursery: trio.Nursery, limits: Limits, players: Sequence[Player]) -> None:
        super().__init__(nursery, Guard(), limits, [], None, lambda _: None)
        self._players = {player.name: player for player in players}

    async def connect(self, bot: Bot) -> Channel:
        await trio.lowlevel.checkpoint()
        return self._players[bot.name].connect()


def take_in(
    nursery: trio.Nursery, players: Sequence[Player], limits: Limits, restart_after: int | None = None
) -> list[Bot]:
    """The players as bots of an arena, not yet started."""
    arena = ScriptedArena(nursery, limits, players)
    specs = [BotSpec(player.name, player.name, Command((player.name,)), "") for player in players]
    return [arena.add(spec, restart_after=restart_after) for spec in specs]


@dataclass
class Played:
    """A match that was played."""

    lines: list[Line] = field(default_factory=list)

    @property
    def result(self) -> ResultLine:
        """How it ended."""
        (result,) = self.of(ResultLine)
        assert result is self.lines[-1]
        return result

    def of(self, kind: type[L]) -> list[L]:
        """The lines of a kind."""
        return [line for line in self.lines if isinstance(line, kind)]

    def faults(self) -> dict[int, str]:
        """The kinds of fault by seat."""
        return {seat: fault.kind for seat, fault in enumerate(self.result.reasons) if fault is not None}


class Table:
    """Where players play, match after match, each bot in the seat of its place in the list."""

    def __init__(
        self,
        nursery: trio.Nursery,
        *players: Player,
        game: Game | None = None,
        control: TimeControl | None = None,
        limits: Limits | None = None,
        seed: int = 7,
    ) -> None:
        self._game = game or NimGame()
        self._control = control or TimeControl()
        self._limits = limits or Limits()
        self.bots = take_in(nursery, players, self._limits)
        self._seed = seed

    def referee(self, match: str, setup: JsonDict, played: Played) -> Referee:
        """The referee of a match."""
        plan = MatchPlan(
            id=match,
            setup=setup,
            control=self._control,
        )
        return Referee(self._game, plan, self.bots, played.lines.append)

    async def play(self, *, pile: int | None = None, match: str = "1-1") -> Played:
        """A match, of nim with that pile or with the one that the seed deals."""
        for bot in self.bots:
            await bot.start()
        setup = self._game.deal(len(self.bots), deal_seed(self._seed, match)) if pile is None else {"pile": pile}
        played = Played([GameLine(match=match, seats=[bot.name for bot in self.bots], setup=setup)])
        result = await self.referee(match, setup, played).run()
        assert result is played.result
        return played

    def verified(self, lines: Sequence[Line]) -> Report:
        """What `verify` finds in a log of these lines. Raises LogError where it finds fault."""
        return verified(lines, self._game, [bot.name for bot in self.bots], self._seed, self._limits)


def verified(lines: Sequence[Line], game: Game, names: Sequence[str], seed: int, limits: Limits) -> Report:
    """What `verify` finds in a log of these lines. Raises LogError where it finds fault."""
    header = Header(
        version=LOG_VERSION,
        server="mexica",
        game=game.name,
        rules=game.rules,
        options=game.options(),
        seed=seed,
        clock=ClockSetting(),
        limits=limits.on_the_wire(),
        bots=[BotRecord(name=name, command=name, sha256="") for name in names],
    )
    data = b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *lines))
    return verify(LogReader(io.BufferedReader(io.BytesIO(data)), "scripted.jsonl"))


def timeless(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The lines without what may differ between two runs."""
    rows = [msgspec.to_builtins(line) for line in lines]
    return [{name: row[name] for name in row if name not in TIME_FIELDS} for row in rows]
