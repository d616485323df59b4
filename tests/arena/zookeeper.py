"""Lets bots of the zoo play matches, and makes sure that nothing is left of them."""

from __future__ import annotations

import io
import os
import secrets
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import msgspec
import trio

from mexica_cli.arena.bot import Arena, open_arena
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.inprocess import Respond
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.series import Series, SeriesPlan, SeriesStopped
from mexica_cli.arena.spec import BotSpec, Command, Inside
from mexica_cli.client import Bot, Event, Reject, Session, Start, Turn
from mexica_cli.games.game import Game
from mexica_cli.record.lines import Header, Line, ResultLine
from mexica_cli.record.reader import LogReader
from mexica_cli.record.verify import Report, verify
from mexica_cli.wire.messages import Message, Result

ZOO = Path(__file__).parent.parent / "zoo"
LONG = 60.0
"""A limit in seconds that no slow machine reaches: for what a bot does well, and as guard against a test that hangs."""
SHORT = 0.2
"""A limit in seconds for what a bot never does."""
SEED = 5


def zoo_bot(name: str, *argv: str) -> BotSpec:
    """A bot of the zoo. Without site-packages Python starts in half the time."""
    command = (sys.executable, "-E", "-s", "-S", str(ZOO / f"{name}.py"), *argv)
    return BotSpec(name=name, text=name, launch=Command(command), sha256="")


def limits(*, startup: float = LONG, ready: float = LONG, quit: float = SHORT, memory: int | None = None) -> Limits:  # noqa: A002
    """Limits under which nothing happens by chance: short only for what follows after a game."""
    return Limits(startup=startup, ready=ready, quit=quit, memory=memory)


class Survivor(Bot):
    """Plays well, and remembers what it is told."""

    name = "survivor"
    want = ("legal", "events")
    told: list[Message]

    def start(self, match: Start) -> None:
        self.told.append(match)

    def play(self, turn: Turn) -> str:
        self.told.append(turn)
        return (turn.legal or [])[-1]

    def event(self, event: Event) -> None:
        self.told.append(event)

    def rejected(self, reject: Reject) -> None:
        self.told.append(reject)

    def result(self, result: Result) -> None:
        self.told.append(result)


def survivor(name: str, told: list[Message]) -> BotSpec:
    """A Survivor inside the arena, which writes to `told`."""

    def make() -> Respond:
        bot = Survivor.make([])
        bot.told = told
        return Session(bot).receive

    return BotSpec(name=name, text=name, launch=Inside(make), sha256="")


# ---- a match, and what was seen of it --------------------------------------------------------------------------------


class Played(msgspec.Struct, kw_only=True):
    """Some games, as seen from outside."""

    lines: list[Line] = []
    results: list[ResultLine] = []
    stopped: str | None = None
    """Why the series was stopped."""
    report: Report
    """What `verify` says of the log."""

    def of(self, kind: type[Line]) -> list[Line]:
        """The log's lines of one type."""
        return [line for line in self.lines if isinstance(line, kind)]


async def play(
    game: Game,
    specs: Sequence[BotSpec],
    bounds: Limits,
    *,
    move: float = LONG,
    games: int = 1,
    stderr_dir: Path | None = None,
    notice: Callable[[str], None] = lambda text: None,
    record: Callable[[Arena, Line], None] = lambda arena, line: None,
) -> Played:
    """Play a series; its log must verify, and nothing may be left. `record` sees every line as it is written."""
    played = Played(report=Report())
    plan = SeriesPlan(games=games, master_seed=SEED, control=TimeControl(move=move))
    async with clean_arena(bounds, stderr_dir, notice) as arena:

        def write(line: Line) -> None:
            played.lines.append(line)
            record(arena, line)

        bots = [arena.add(spec) for spec in specs]
        series = Series(game, bots, plan, write, lambda _, result: played.results.append(result))
        try:
            await series.run(frozenset(), lambda: False)
        except SeriesStopped as stopped:
            played.stopped = str(stopped)
    played.report = verified(game, specs, plan, bounds, played.lines)
    return played


def verified(game: Game, specs: Sequence[BotSpec], plan: SeriesPlan, bounds: Limits, lines: Sequence[Line]) -> Report:
    """The verdict on the log of these lines. `game` must be one of the arena's. Raises LogError for a wrong log."""
    header = Header(
        version=1,
        server="zoo",
        game=game.name,
        rules=game.rules,
        options=game.options(),
        seed=plan.master_seed,
        clock=plan.control.setting(),
        limits=bounds.on_the_wire(),
        bots=[spec.record() for spec in specs],
    )
    data = b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *lines))
    return verify(LogReader(io.BufferedReader(io.BytesIO(data)), "zoo.jsonl"))


# ---- what is left ----------------------------------------------------------------------------------------------------

_TOKEN = "MEXICA_ZOO"


@asynccontextmanager
async def clean_arena(
    bounds: Limits, stderr_dir: Path | None = None, notice: Callable[[str], None] = lambda text: None
) -> AsyncIterator[Arena]:
    """An arena that must leave nothing: no process, whoever started it, and no open file descriptor."""
    before = open_files()
    with inherited_token() as token:
        try:
            async with open_arena(bounds, [], stderr_dir, notice) as arena:
                yield arena
        finally:
            with trio.CancelScope(shield=True):
                await no_process_left(token)
    with trio.move_on_after(SHORT):  # for other tasks of the test to close what they had open
        while open_files() != before:
            await trio.lowlevel.checkpoint()
    assert open_files() == before


@contextmanager
def inherited_token() -> Iterator[bytes]:
    """What every process that is started within the block, and by those, has in its environment."""
    token = secrets.token_hex(8)
    os.environ[_TOKEN] = token
    try:
        yield f"{_TOKEN}={token}".encode()
    finally:
        del os.environ[_TOKEN]


async def no_process_left(token: bytes) -> None:
    """Every process that carries the token is dead, or dying. Raises TooSlowError for one that lives."""
    for pid in processes_with(token):
        await death_of(pid)
    assert processes_with(token) == []


async def death_of(pid: int) -> None:
    """Wait until the process is dead (a zombie is). Raises TooSlowError for one that lives on."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        with trio.fail_after(LONG):
            await trio.lowlevel.wait_readable(fd)
    finally:
        os.close(fd)


def processes_with(token: bytes) -> list[int]:
    """The living processes with `token` in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if token in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


def members(group: int) -> list[int]:
    """The living processes of a process group."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, _, member_of = (process / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(member_of) == group and state != "Z":
                found.append(int(process.name))
    return found


def open_files() -> dict[str, Path]:
    """The file descriptors of this process, and what they are."""
    found = {}
    for fd in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the listing's own
            found[fd.name] = fd.readlink()
    return found
