"""A person in a seat: what is shown to it, what it types, and what goes to the referee."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

import trio

from mexica_cli.arena.channel import Channel
from mexica_cli.arena.faults import FaultKind, NeverStarted, SeatFault
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.player import Player
from mexica_cli.view.terminal.desk import Desk, Left
from mexica_cli.wire.framing import decode_arena_message, encode
from mexica_cli.wire.messages import Bye, Event, Message, Ready, Reject, Result, Said, Start, Turn


class Person(Player):
    """Somebody at the terminal. No clock runs, and whoever leaves ends the run."""

    untimed = True

    def __init__(self, name: str, desk: Desk, leave: Callable[[], None]) -> None:
        """`leave` ends the run."""
        super().__init__(name, Limits(messages=1 << 30, illegal=1 << 30))
        self.want = frozenset({"state", "legal", "events"})
        self._desk = desk
        self._leave = leave

    @property
    def has_played(self) -> bool:
        """See `Player.has_played`."""
        return False

    async def start(self) -> None:
        """See `Player.start`."""
        await trio.lowlevel.checkpoint()
        self._channel = _Desktop(self._desk, self._leave)

    async def restart(self) -> None:
        """See `Player.restart`."""
        await trio.lowlevel.checkpoint()
        raise NeverStarted(self.name, "a person can't be started anew")

    async def stop(self, reason: str, grace: float | None = None) -> None:
        """See `Player.stop`."""
        await trio.lowlevel.checkpoint()
        self._channel = None

    def drop(self, farewell: Message, reason: str) -> None:
        """See `Player.drop`."""
        self._channel = None


class _Desktop(Channel):
    """Takes what the referee sends to the desk, and what the person decides back."""

    def __init__(self, desk: Desk, leave: Callable[[], None]) -> None:
        self._desk = desk
        self._leave = leave
        self._answers: deque[bytes] = deque()
        self._turn: Turn | None = None

    def post(self, data: bytes) -> None:
        """See `Channel.post`."""
        try:
            for line in data.splitlines():
                self._take(decode_arena_message(line))
        except OSError:  # what is shown goes nowhere any more
            self._leave()

    def _take(self, message: Message) -> None:
        desk = self._desk
        match message:
            case Start():
                desk.begin(message)
                self._answers.append(encode(Ready(match=message.match)))
            case Turn():
                self._turn = message
            case Event():
                desk.happen(message)
            case Reject():
                desk.rejected(message)
            case Said():
                desk.said(message)
            case Result():
                desk.result(message)
            case Bye():
                pass

    @property
    def flushed(self) -> bool:
        """See `Channel.flushed`."""
        return True

    async def flush(self) -> None:
        """See `Channel.flush`."""
        await trio.lowlevel.checkpoint()

    async def receive_line(self) -> bytes:
        """See `Channel.receive_line`. The person is asked in a thread, so that the arena can look after its bots."""
        await trio.lowlevel.checkpoint()
        while not self._answers:
            turn = self._turn
            assert turn is not None, "a person is asked when it is its turn"
            try:
                answers = await trio.to_thread.run_sync(partial(self._desk.choose, turn), abandon_on_cancel=True)
            except (Left, OSError):
                self._leave()
                await trio.sleep_forever()
            except trio.Cancelled:
                self._desk.close()
                raise
            self._answers.extend(encode(answer) for answer in answers)
        return self._answers.popleft().rstrip(b"\n")

    def poll_line(self) -> bytes | None:
        """See `Channel.poll_line`."""
        return self._answers.popleft().rstrip(b"\n") if self._answers else None

    def has_ended(self) -> bool:
        """See `Channel.has_ended`."""
        return False

    @property
    def unfinished(self) -> int:
        """See `Channel.unfinished`."""
        return 0

    async def why_closed(self) -> SeatFault:
        """See `Channel.why_closed`."""
        await trio.lowlevel.checkpoint()
        return SeatFault(FaultKind.DISCONNECT, "the person has left")

    async def close(self, grace: float) -> None:
        """See `Channel.close`."""
        await trio.lowlevel.checkpoint()
