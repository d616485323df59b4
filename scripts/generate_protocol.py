"""Write what is generated in protocol/: the JSON Schemas, from the Structs, and the transcript of a short game.

Run it after a change to a message, a line of the log, the state of a game, or the rules of Mexica:

    .venv/bin/python scripts/generate_protocol.py
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import structlog
import trio
import trio.testing

from mexica_cli.arena.bot import Arena
from mexica_cli.arena.bot import Bot as ArenaBot
from mexica_cli.arena.channel import Channel
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.guard import Guard
from mexica_cli.arena.inprocess import InProcessChannel, Respond
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.series import Series, SeriesPlan
from mexica_cli.arena.spec import BotSpec, Inside
from mexica_cli.client import Bot, Reject, Session, Turn
from mexica_cli.games import GAMES, load_game
from mexica_cli.games.mexica.observation import MexicaState
from mexica_cli.games.moctezuma.observation import MoctezumaState
from mexica_cli.record.lines import Line
from mexica_cli.wire.lobby import LobbyMessage, LobbyRequest
from mexica_cli.wire.messages import ArenaMessage, BotMessage, GameInfo, Want
from mexica_cli.wire.schema import json_schema

PROTOCOL = Path(__file__).resolve().parent.parent / "protocol"

# ---- schemas ---------------------------------------------------------------------------------------------------------

SCHEMAS: dict[str, tuple[str, str, Any]] = {
    "arena-messages": (
        "A line from the arena",
        "See PROTOCOL.md. Bots pass over unknown types and fields.",
        ArenaMessage,
    ),
    "bot-messages": ("A line from a bot", "See PROTOCOL.md. The arena passes over unknown fields.", BotMessage),
    "lobby-messages": (
        "A line from a server, besides those of a match",
        "See SERVER.md. Clients pass over unknown types and fields.",
        LobbyMessage,
    ),
    "lobby-requests": (
        "A line from a client, besides those of a match",
        "See SERVER.md. The server passes over unknown fields.",
        LobbyRequest,
    ),
    "log-lines": ("A line of a game log", "See LOG.md.", Line),
    "mexica-state": ("A state of Mexica", "`state` in the messages `start` and `turn`. See NOTATION.md.", MexicaState),
    "moctezuma-state": (
        "A state of Moctezuma, as a seat sees it",
        "`state` in the messages `start` and `turn`. See NOTATION-MOCTEZUMA.md.",
        MoctezumaState,
    ),
}
"""By file: title, description and type."""


def schemas() -> Iterator[tuple[str, bytes]]:
    """Every schema with its path in protocol/."""
    for name, parts in SCHEMAS.items():
        yield f"schema/{name}.json", json.dumps(json_schema(*parts), indent=2, ensure_ascii=False).encode() + b"\n"


# ---- the transcript --------------------------------------------------------------------------------------------------

SEED = 1


class Scripted(Bot):
    """Plays a list of answers, then passes. An answer is action texts with `; ` between them."""

    script: ClassVar[tuple[str, ...]]

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self._answers = iter(self.script)

    def play(self, turn: Turn) -> list[str]:
        """The next answer."""
        return next(self._answers, "end").split("; ")


class Curious(Scripted):
    """Is sent everything, and does a whole turn in one answer."""

    name = "curious"
    version = "1.0"
    author = "scripts/generate_protocol.py"
    script = (
        "place h6",
        "canal f2 g2; canal h2; canal i1; bridge g2 v; take; take; end",
        "walk h5; walk h4; walk h3; walk g3; walk g2; walk g1; found 3 f1; spend; spend; temple 2 h1; end",
        "canal h5; canal g7; end",
        "end",
        "end",
        "end",
        "end",
        "retire 13",
        "end",
        "refuse",
    )

    def rejected(self, reject: Reject) -> None:
        """Say so in the next answer."""
        self.note = f"after a rejection: {reject.code}"


class Frugal(Scripted):
    """Is sent events only, and mostly does one thing after the other."""

    name = "frugal"
    want: ClassVar[tuple[Want, ...]] = ("events",)
    script = (
        "place i7",
        "canal k6 k7",
        "canal k5",
        "bridge k7 h",
        "bridge k5 h",
        "walk j7",
        "walk k7",
        "end",
        "boat k5",
        "walk l5",
        "temple 1 l4",
        "temple 3 m4; end",
        "teleport a4; end; walk a5",
        "take; end",
        "end",
        "end",
        "agree",
        "retire 9",
        "end",
    )


class Transcript:
    """What was said, in the order in which the arena sent and took it."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, bytes]] = []

    def write(self, seat: int, line: bytes, *, from_arena: bool) -> None:
        """One line between the arena and a seat."""
        sender, receiver = ("arena", seat) if from_arena else (seat, "arena")
        entry = {"from": sender, "to": receiver, "line": msgspec.Raw(line)}
        self._lines.append((seat, msgspec.json.encode(entry) + b"\n"))

    def text(self) -> bytes:
        """All of it. Before the first turn and after the result the seats are busy all at once, so it is told seat by
        seat there."""
        first = next(n for n, (_, line) in enumerate(self._lines) if b'"type":"turn"' in line)
        last = max(n for n, (_, line) in enumerate(self._lines) if b'"type":"result"' in line)
        opening, game, end = self._lines[:first], self._lines[first : last + 1], self._lines[last + 1 :]
        by_seat = itemgetter(0)
        return b"".join(line for _, line in (*sorted(opening, key=by_seat), *game, *sorted(end, key=by_seat)))


class HeardChannel(InProcessChannel):
    """Writes down what goes through it."""

    def __init__(self, respond: Respond, seat: int, transcript: Transcript) -> None:
        super().__init__(respond)
        self._seat = seat
        self._transcript = transcript

    def post(self, data: bytes) -> None:
        """See `Channel.post`."""
        for line in data.splitlines():
            self._transcript.write(self._seat, line, from_arena=True)
        super().post(data)

    async def receive_line(self) -> bytes:
        """See `Channel.receive_line`."""
        line = await super().receive_line()
        self._transcript.write(self._seat, line, from_arena=False)
        return line


class HeardArena(Arena):
    """Has its bots in process, and their channels listened to."""

    transcript: Transcript

    async def connect(self, bot: ArenaBot) -> Channel:
        """See `Arena.connect`."""
        assert isinstance(bot.spec.launch, Inside)
        return HeardChannel(bot.spec.launch.make(), self.bots.index(bot), self.transcript)


def transcript() -> bytes:
    """Every line of a short game of two seats, both ways. No time passes in it, so it is the same every time."""
    heard = Transcript()
    trio.run(play, heard, clock=trio.testing.MockClock())
    return heard.text()


async def play(heard: Transcript) -> None:
    """Play the short game."""
    game, kind, limits = load_game("mexica"), GAMES["mexica"], Limits()
    info = GameInfo(name=game.name, rules=list(kind.rules), players=kind.seats)
    plan = SeriesPlan(games=1, master_seed=SEED, control=TimeControl(bank=60, increment=0.5))
    async with trio.open_nursery() as nursery:
        arena = HeardArena(nursery, Guard(), limits, [info], None, lambda _: None)
        arena.transcript = heard
        bots = [arena.add(spec(bot)) for bot in (Curious, Frugal)]
        await Series(game, bots, plan, lambda _: None, lambda *_: None).run(frozenset(), lambda: False)
        await arena.close()


def spec(bot: type[Bot]) -> BotSpec:
    """The bot, to run in process."""
    return BotSpec(name=bot.name, text=bot.name, launch=Inside(lambda: Session(bot.make([])).receive), sha256="")


# ---- files -----------------------------------------------------------------------------------------------------------


def files() -> dict[str, bytes]:
    """All generated files, by their path in protocol/."""
    return {**dict(schemas()), "transcripts/short-game.jsonl": transcript()}


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    for name, content in files().items():
        path = PROTOCOL / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        print(f"protocol/{name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
