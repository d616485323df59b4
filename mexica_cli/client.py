"""What a Python bot imports: subclass `Bot`, write `play`, and `run` it.

    from mexica_cli.client import Bot, run

    class Chance(Bot):
        name = "chance"
        want = ("legal",)

        def play(self, turn):
            return self.random.choice(turn.legal)

    if __name__ == "__main__":
        run(Chance)

Three layers: a `Bot` chooses, a `Session` speaks the protocol for it (lines in, lines out, no I/O), and `run` moves the
lines over standard input and output or TCP. Whoever hosts a bot in its own process makes it with `Bot.make` and keeps a
`Session`; a bot's file offers that as `make`.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, NoReturn, Self

import msgspec

from mexica_cli.wire.framing import BadMessage, LineBuffer, decode_arena_message, encode
from mexica_cli.wire.messages import (
    PROTOCOL_VERSION,
    Bye,
    Claim,
    Clock,
    Error,
    Event,
    Hello,
    Join,
    Message,
    Ping,
    Play,
    Pong,
    Ready,
    Reject,
    Result,
    Said,
    Say,
    Start,
    Turn,
    Want,
)

if TYPE_CHECKING:
    from mexica_cli.games.chance import Chance
    from mexica_cli.games.game import Game, State

__all__ = [
    "ArenaError",
    "Bot",
    "Claim",
    "Event",
    "ImaginingBot",
    "MirrorBot",
    "Reject",
    "Result",
    "Said",
    "Session",
    "Start",
    "Turn",
    "run",
]

ARENA_LINE_BYTES = 1 << 24
"""The longest line taken from an arena: far above what a position with all its legal actions needs."""

DEFAULT_PORT = 7325


class ArenaError(Exception):
    """The arena refused the bot, or sent what this client can't make sense of."""


# ---- the bot -------------------------------------------------------------------------------------


class Bot:
    """A player. Override `play`, and what else is of use; nothing but `play` needs to be there.

    `random` is made anew at every start from the match's seed and the command line's `--seed`, so a bot that takes its
    chance from there alone plays the same match the same way again. `options` is the command line, `seat` the bot's
    seat in the match under way and `match` the match's id. What `note` holds after `play` goes into the log with the
    answer.
    """

    name: ClassVar[str] = "bot"
    version: ClassVar[str | None] = None
    author: ClassVar[str | None] = None
    games: ClassVar[Sequence[str] | None] = None
    """Games that the bot plays; None: any."""
    want: ClassVar[Sequence[Want]] = ("state", "legal", "events")
    """What the arena shall send. Less is faster: without `legal` and `state` a decision costs tens of microseconds."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.random = random.Random(options.seed)
        self.seat = 0
        self.note: str | None = None
        self.match = ""
        self.sayings: list[Say] = []
        """What `say` has collected, until it is sent."""

    @classmethod
    def arguments(cls, parser: argparse.ArgumentParser) -> None:
        """Add the bot's own options to `parser`."""

    @classmethod
    def parser(cls) -> argparse.ArgumentParser:
        """The command line of this bot: `--seed` and its own options."""
        parser = argparse.ArgumentParser(description=cls.__doc__)
        parser.add_argument("--seed", type=int, default=0, help="varies the bot's use of chance (default 0)")
        cls.arguments(parser)
        return parser

    @classmethod
    def make(cls, argv: Sequence[str]) -> Self:
        """A bot from its command line. Raises SystemExit for a wrong one, as argparse does."""
        return cls(cls.parser().parse_args(argv))

    def start(self, match: Start) -> None:
        """A match begins."""

    def play(self, turn: Turn) -> str | Sequence[str]:
        """Choose: one action's text, or several that are done in order."""
        raise NotImplementedError

    def event(self, event: Event) -> None:
        """Somebody acted. Every seat gets every event, the one that acted too, in the order of the match."""

    def rejected(self, reject: Reject) -> None:
        """An action was illegal, or came after the end of the turn.

        In the first case `play` is asked next, with the same turn once more and what is left of its time. The actions
        before the illegal one stand: they came as events, and aren't in that turn's `state` and `legal`. The other case
        (`code` is `turn_over`) needs no answer.
        """

    def result(self, result: Result) -> None:
        """The match is over."""

    def begin(self, match: Start) -> None:
        """The library's part of a start, before the bot's own."""
        self.random = random.Random(f"{match.seed}:{self.options.seed}")
        self.seat = match.seat
        self.match = match.match
        self.start(match)

    def happen(self, event: Event) -> None:
        """The library's part of an event, before the bot's own."""
        self.event(event)

    def choose(self, turn: Turn) -> str | Sequence[str]:
        """The library's part of a turn, before the bot's own."""
        return self.play(turn)

    def say(self, text: str, claim: Claim | None = None) -> None:
        """Within `play`, in a game for a team: say something to the team, before the answer goes out."""
        self.sayings.append(Say(match=self.match, text=text, claim=claim))

    def said(self, said: Said) -> None:
        """Another seat of the team said something."""


class ImaginingBot(Bot):
    """A bot that has the game's state on its side of the line, by the arena's own rules, in any game.

    `state` is as it stands when `start` and `play` are called, as far as the seat can see; what is hidden from it has
    been made up, every possibility being as likely. `state.sample_hidden(self.seat, chance)` makes it up anew; a bot
    that thinks so far ahead that it matters does that many times. `chance` is like `random`, for the rules. Answer with
    one action at a time: what comes after it may show something that was hidden.
    """

    want: ClassVar[Sequence[Want]] = ("state",)

    game: Game
    state: State
    chance: Chance

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self._made_from: tuple[str, object] | None = None

    def begin(self, match: Start) -> None:
        """Set the state up, then start."""
        from mexica_cli.games import restore_game  # noqa: PLC0415 (only bots that use the rules pay for loading them)
        from mexica_cli.games.chance import Chance, derive_seed  # noqa: PLC0415

        if self._made_from != (match.game, match.options):
            self.game = restore_game(match.game, match.options)
            self._made_from = (match.game, match.options)
        self.chance = Chance(derive_seed(match.seed, self.options.seed))
        self.state = self.game.imagine(match.state, match.seat, self.chance)
        super().begin(match)

    def choose(self, turn: Turn) -> str | Sequence[str]:
        """Imagine the state, then choose."""
        if turn.state is not None:
            self.state = self.game.imagine(turn.state, turn.seat, self.chance)
        return super().choose(turn)


class MirrorBot(ImaginingBot):
    """A bot that keeps the state by events, in games without hidden information.

    `state` is as it stands whenever `start`, `play`, `event` or `rejected` is called; copy it before trying actions
    out. Events are cheap, so the arena is asked for nothing else, and answers may be whole turns.
    """

    want = ("events",)

    def happen(self, event: Event) -> None:
        """Do the action in the mirrored state, then tell the bot."""
        if event.action is not None:
            self.state.apply(self.state.parse(event.action))
        super().happen(event)


# ---- the protocol --------------------------------------------------------------------------------


def _later(clock: Clock, gone: int) -> Clock:
    """The clock so many milliseconds later."""
    left, bank = (None if ms is None else max(0, ms - gone) for ms in (clock.left_ms, clock.bank_ms))
    return msgspec.structs.replace(clock, left_ms=left, bank_ms=bank)


class Session:
    """Speaks the protocol for a bot: takes the arena's lines one by one and gives the bot's lines in answer.

    It does no I/O. Exceptions of the bot come through.
    """

    def __init__(self, bot: Bot, now: Callable[[], float] = time.monotonic) -> None:
        """`now` tells the time in seconds."""
        self.bot = bot
        self.over = False
        """The arena has said `bye`: no line will be answered any more."""
        self._now = now
        self._turn: Turn | None = None
        self._asked_at = 0.0

    def receive(self, line: bytes) -> list[bytes]:
        """Answer one line of the arena, given without its end; the answers have theirs.

        Unknown messages and fields are passed over. Raises ArenaError.
        """
        try:
            message = decode_arena_message(line)
        except BadMessage as bad:
            if bad.code == "unknown_type":
                return []
            raise ArenaError(f"the arena sent a line that breaks the protocol: {bad.reason}") from None
        answer = self._answer(message)
        said, self.bot.sayings = self.bot.sayings, []
        return [encode(line) for line in (*said, answer) if line is not None]

    def _answer(self, message: Message) -> Message | None:
        match message:
            case Turn():
                self._turn, self._asked_at = message, self._now()
                return self._play(message)
            case Start():
                self.bot.begin(message)
                return Ready(match=message.match)
            case Reject():
                return self._play_again(message)
            case Ping():
                return Pong(id=message.id)
            case Hello():
                return self._join(message)
            case Error():
                self._complain(message)
            case Bye():
                self.over = True
            case _:
                self._tell(message)
        return None

    def _tell(self, message: Message) -> None:
        match message:
            case Event():
                self.bot.happen(message)
            case Said():
                self.bot.said(message)
            case Result():
                self.bot.result(message)

    def _play(self, turn: Turn) -> Play:
        actions = self.bot.choose(turn)
        note, self.bot.note = self.bot.note, None
        return Play(id=turn.id, actions=[actions] if isinstance(actions, str) else list(actions), note=note)

    def _play_again(self, reject: Reject) -> Play | None:
        """The turn stands, less what was done of it and the time that has gone: ask the bot again."""
        self.bot.rejected(reject)
        turn = self._turn
        if turn is None or turn.id != reject.id or reject.code == "turn_over" or not reject.strikes_left:
            return None
        gone = math.ceil(1000 * (self._now() - self._asked_at))
        return self._play(msgspec.structs.replace(turn, clock=_later(turn.clock, gone)))

    def _join(self, hello: Hello) -> Join:
        if PROTOCOL_VERSION not in hello.protocol:
            raise ArenaError(f"the arena speaks protocol {hello.protocol}, this client {PROTOCOL_VERSION}")
        bot = self.bot
        return Join(
            protocol=PROTOCOL_VERSION,
            name=bot.name,
            version=bot.version,
            author=bot.author,
            games=None if bot.games is None else list(bot.games),
            want=list(bot.want),
        )

    def _complain(self, error: Error) -> None:
        if error.fatal:
            raise ArenaError(f"the arena ended the connection: {error.code}: {error.reason}")
        sys.stderr.write(f"arena: {error.code}: {error.reason}\n")


# ---- input and output ----------------------------------------------------------------------------

Read = Callable[[int], bytes]
Write = Callable[[bytes], object]


def run(bot_class: type[Bot]) -> NoReturn:
    """Run a bot as a program, by the command line it was started with.

    Exit codes: 0 after `bye` or the end of input, 1 when the bot or the arena failed (why is on standard error), 2 for
    a wrong command line.
    """
    parser = bot_class.parser()
    parser.add_argument("--connect", metavar="HOST:PORT", type=_address, help="play over TCP, not stdin and stdout")
    options = parser.parse_args()
    sys.exit(_guarded(bot_class, options))


def _guarded(bot_class: type[Bot], options: argparse.Namespace) -> int:
    """Serve until done and return the exit code. What the bot raises goes through: a traceback, and exit code 1."""
    try:
        read, write = _standard_streams() if options.connect is None else _tcp(options.connect)
        serve(Session(bot_class(options)), read, write)
    except (BrokenPipeError, ConnectionResetError):
        return 0  # the arena is gone, which is one way for input to end
    except ArenaError as failure:
        sys.stderr.write(f"{bot_class.name}: {failure}\n")
        return 1
    except KeyboardInterrupt:
        return 1
    return 0


def serve(session: Session, read: Read, write: Write) -> None:
    """Carry lines between the arena and a session until the arena says `bye` or input ends.

    `read(n)` blocks until there is something and returns at most n bytes, none at the end; `write` sends all.
    """
    lines = LineBuffer(ARENA_LINE_BYTES)
    while not session.over and (data := read(1 << 16)):
        lines.feed(data)
        while not session.over and (line := lines.next_line()) is not None:
            for answer in session.receive(line):
                write(answer)


def _standard_streams() -> tuple[Read, Write]:
    """Binary, unbuffered standard input and output, kept for the protocol alone.

    Whatever else in this process writes to standard output (a `print` left in a bot, a library) lands on standard
    error.
    """
    out = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(out, view) :]

    return lambda size: os.read(0, size), write


def _tcp(address: tuple[str, int]) -> tuple[Read, Write]:
    import socket  # noqa: PLC0415 (most bots never connect, and it takes a while to load)

    try:
        connection = socket.create_connection(address)
    except OSError as error:
        raise ArenaError(f"can't connect to {address[0]} port {address[1]}: {error.strerror or error}") from None
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection.recv, connection.sendall


def _address(text: str) -> tuple[str, int]:
    """HOST:PORT, or HOST alone with the usual port; an IPv6 host goes in brackets."""
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon:
        host, port = text, str(DEFAULT_PORT)
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT, as in 127.0.0.1:{DEFAULT_PORT}")
    return host.strip("[]"), int(port)
