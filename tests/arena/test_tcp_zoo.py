"""Bots that connect over TCP, good ones and bad ones."""

from __future__ import annotations

import errno
import re
import socket
import struct
import sys
from pathlib import Path

import pytest
import trio
from arena.zookeeper import LONG, SHORT, Played, clean_arena, limits, play, survivor

from mexica_cli.arena.faults import FaultKind
from mexica_cli.arena.host import VOIDS_IN_A_ROW
from mexica_cli.arena.spec import BotSpec, Listen
from mexica_cli.arena.tcp import cannot_listen
from mexica_cli.games.game import Game
from mexica_cli.record.lines import ActionLine
from mexica_cli.wire.framing import LineBuffer, decode_arena_message, encode
from mexica_cli.wire.messages import Bye, Error, Hello, Join, Message, Play, Pong, Ready, Result, Start, Turn

JOIN = Join(protocol=1, name="caller", want=["legal"])
READY = Ready(match="1-1")
RESET = struct.pack("ii", 1, 0)
"""Of SO_LINGER: closing breaks the connection."""


class Caller:
    """A bot that calls, once: a good one."""

    def __init__(self) -> None:
        self.heard: list[Message] = []
        """All that the arena said."""
        self.stream: trio.SocketStream
        self._lines = LineBuffer(1 << 24)

    async def call(self, port: int) -> None:
        """Connect, behave in one's own way, and close the connection."""
        async with await trio.open_tcp_stream("127.0.0.1", port) as self.stream:
            await self.behave()

    async def behave(self) -> None:
        """Be good until the arena closes."""
        while (message := await self.hear()) is not None:
            await self.answer(message)

    async def answer(self, message: Message) -> None:
        """The good answer."""
        match message:
            case Hello():
                await self.say(JOIN)
            case Start(match=match):
                await self.say(Ready(match=match))
            case Turn(id=turn, legal=[*_, last]):
                await self.say(Play(id=turn, actions=[last]))

    async def say(self, *messages: Message) -> None:
        """Send all of it at once."""
        await self.stream.send_all(b"".join(map(encode, messages)))

    async def hear(self) -> Message | None:
        """The next message; None when the arena has closed."""
        while (line := self._lines.next_line()) is None:
            data = await self.stream.receive_some()
            if not data:
                return None
            self._lines.feed(data)
        self.heard.append(decode_arena_message(line))
        return self.heard[-1]

    async def be_good_until(self, kind: type[Message]) -> None:
        """Answer well what comes before a message of that type."""
        while not isinstance(message := await self.hear(), kind):
            assert message is not None
            await self.answer(message)

    async def hear_all(self) -> None:
        """Listen until the arena closes."""
        while await self.hear() is not None:
            pass


async def answered(
    game: Game,
    *callers: Caller,
    games: int = 1,
    startup: float = LONG,
    move: float = LONG,
    told: list[Message] | None = None,
) -> Played:
    """Games against a good bot inside, where every wait for a connection is answered by the next of the callers."""
    spec = BotSpec(name="caller", text="listen:0", launch=Listen("127.0.0.1", 0), sha256="")
    specs = [spec, survivor("survivor", [] if told is None else told)]
    queue, ports = list(callers), list[int]()
    with trio.fail_after(LONG):
        async with trio.open_nursery() as nursery:

            def notice(text: str) -> None:
                if found := re.search(r"waiting for a bot on 127\.0\.0\.1:(\d+)$", text):
                    ports.append(int(found[1]))
                if queue and (found or text.endswith("; waiting for another connection")):
                    nursery.start_soon(queue.pop(0).call, ports[-1])

            played = await play(game, specs, limits(startup=startup), move=move, games=games, notice=notice)
    assert queue == []
    return played


def outcomes(played: Played) -> list[str]:
    """How the games ended."""
    return [result.outcome for result in played.results]


# ---- good ones -------------------------------------------------------------------------------------------------------


class Bytewise(Caller):
    """Sends every byte in a packet of its own."""

    async def say(self, *messages: Message) -> None:
        for byte in b"".join(map(encode, messages)):
            await self.stream.send_all(bytes([byte]))


class Hasty(Caller):
    """Knows the whole match by heart, and sends all that it will ever say in one packet."""

    async def behave(self) -> None:
        plays = [Play(id=number + 1, actions=[("take 1", "end")[number % 2]]) for number in range(40)]
        await self.say(JOIN, Pong(id=0), READY, *plays)
        await self.hear_all()


@pytest.mark.parametrize("kind", [Caller, Bytewise, Hasty])
async def test_a_bot_that_connects_plays(nim: Game, kind: type[Caller]) -> None:
    caller = kind()
    played = await answered(nim, caller)
    assert outcomes(played) == ["finished"]
    assert played.results[0].stale == [0, 0]
    assert {line.seat for line in played.of(ActionLine) if isinstance(line, ActionLine)} == {0, 1}
    assert isinstance(caller.heard[0], Hello)
    assert isinstance(caller.heard[-2], Result)
    assert isinstance(caller.heard[-1], Bye)


async def test_one_connection_lasts_for_all_games(nim: Game) -> None:
    caller = Caller()
    played = await answered(nim, caller, games=3)
    assert outcomes(played) == ["finished"] * 3
    assert len([message for message in caller.heard if isinstance(message, Start)]) == 3
    assert len([message for message in caller.heard if isinstance(message, Hello)]) == 1


class Program(Caller):
    """A reference bot, as a process that connects."""

    async def call(self, port: int) -> None:
        bot = Path(__file__).parents[2] / "bots" / "random" / "bot.py"
        await trio.run_process([sys.executable, str(bot), "--connect", f"127.0.0.1:{port}"])


async def test_a_reference_bot_connects_plays_and_leaves(nim: Game) -> None:
    played = await answered(nim, Program(), games=2)
    assert outcomes(played) == ["finished", "finished"]


# ---- bad ones in a match ---------------------------------------------------------------------------------------------


class Closes(Caller):
    """Closes its connection in its turn."""

    async def behave(self) -> None:
        await self.be_good_until(Turn)


class Breaks(Caller):
    """Breaks its connection in its turn, as a machine does that is restarted."""

    async def behave(self) -> None:
        await self.be_good_until(Turn)
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


class ClosesHalf(Caller):
    """Says that nothing more will come from it in its turn, and goes on listening."""

    async def behave(self) -> None:
        await self.be_good_until(Turn)
        await self.stream.send_eof()
        await self.hear_all()


class ClosesAtStart(Caller):
    """Closes its connection instead of getting ready."""

    async def behave(self) -> None:
        await self.be_good_until(Start)


class TearsLine(Caller):
    """Closes its connection in the middle of its answer."""

    async def behave(self) -> None:
        await self.be_good_until(Turn)
        await self.stream.send_all(b'{"type":"play","id":1,"act')


@pytest.mark.parametrize("kind", [Closes, Breaks, ClosesHalf, ClosesAtStart, TearsLine])
async def test_the_end_of_the_connection_is_a_disconnect(nim: Game, kind: type[Caller]) -> None:
    told: list[Message] = []
    played = await answered(nim, kind(), told=told)
    [result] = played.results
    assert (result.outcome, result.ranking) == ("forfeit", [2, 1])
    fault, other = result.reasons
    assert other is None
    assert fault is not None
    assert (fault.kind, fault.reason) == (FaultKind.DISCONNECT, "the connection was closed in mid-match")
    assert result.stderr == [None, None]
    assert isinstance(told[-1], Result)
    assert told[-1].reasons == result.reasons


@pytest.mark.parametrize("kind", [Closes, Breaks, ClosesHalf])
async def test_the_next_game_waits_for_another_connection(nim: Game, kind: type[Caller]) -> None:
    second = Caller()
    played = await answered(nim, kind(), second, games=2)
    assert outcomes(played) == ["forfeit", "finished"]
    starts = [message.match for message in second.heard if isinstance(message, Start)]
    assert starts == ["1-2"]


class Silent(Caller):
    """Listens, and never answers its turn."""

    async def behave(self) -> None:
        await self.be_good_until(Turn)
        await self.hear_all()


class Babbler(Caller):
    """Answers its turn with something else."""

    async def behave(self) -> None:
        await self.be_good_until(Turn)
        await self.stream.send_all(b"knight to f3\n" * 10_000)
        await self.hear_all()


@pytest.mark.parametrize(
    ("kind", "move", "code"), [(Silent, SHORT, FaultKind.TIMEOUT), (Babbler, LONG, FaultKind.PROTOCOL)]
)
async def test_a_bot_that_is_sent_away_is_told_why(nim: Game, kind: type[Caller], move: float, code: FaultKind) -> None:
    caller = kind()
    played = await answered(nim, caller, move=move)
    fault = played.results[0].reasons[0]
    assert fault is not None
    assert fault.kind == code
    assert caller.heard[-2:] == [Error(code=code, reason=fault.reason, fatal=True), Bye(reason="forfeited")]


# ---- bad ones at the door --------------------------------------------------------------------------------------------


class Stranger(Caller):
    """Says something as soon as it is connected, and listens to what comes."""

    def __init__(self, words: bytes) -> None:
        super().__init__()
        self._words = words

    async def behave(self) -> None:
        await self.stream.send_all(self._words)
        await self.hear_all()


STRANGERS = {
    "browser": (b"GET / HTTP/1.1\r\nHost: localhost:7325\r\nAccept: */*\r\n\r\n", "not_json"),
    "binary": (bytes(reversed(range(256))) * 100, "not_json"),
    "endless": (b"a" * 1_000_000, "oversize"),
    "early": (encode(READY), "not_joined"),
    "newer": (encode(Join(protocol=99, name="newer")), "protocol_version"),
    "nameless": (b'{"type":"join","protocol":1}\n', "bad_field"),
}


@pytest.mark.parametrize("name", STRANGERS)
async def test_a_stranger_is_told_so_and_the_wait_goes_on(nim: Game, name: str) -> None:
    words, code = STRANGERS[name]
    stranger, caller = Stranger(words), Caller()
    played = await answered(nim, stranger, caller)
    hello, *rest = stranger.heard
    assert isinstance(hello, Hello)
    [error] = rest
    assert isinstance(error, Error)
    assert (error.code, error.fatal) == (code, True)
    assert outcomes(played) == ["finished"]
    assert isinstance(caller.heard[-1], Bye)


class Visitor(Caller):
    """Connects and closes at once: a port scanner, a health check."""

    async def behave(self) -> None:
        pass


class BreaksAtOnce(Caller):
    """Connects and breaks the connection."""

    async def behave(self) -> None:
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


async def test_visitors_do_not_end_the_wait(nim: Game) -> None:
    played = await answered(nim, Visitor(), BreaksAtOnce(), Visitor(), Caller())
    assert outcomes(played) == ["finished"]


class Waits(Caller):
    """Connects and says nothing."""

    async def behave(self) -> None:
        await self.hear_all()


@pytest.mark.parametrize("callers", [0, 1, 2])
async def test_without_a_bot_in_time_the_game_is_void(nim: Game, callers: int) -> None:
    waiting = [Waits() for _ in range(callers)]
    played = await answered(nim, *waiting, startup=SHORT)
    assert outcomes(played) == ["void"] * VOIDS_IN_A_ROW
    assert played.stopped is not None
    assert played.stopped.endswith(f"nobody connected and joined within {SHORT} s")
    fault, other = played.results[0].reasons
    assert other is None
    assert fault is not None
    assert fault.kind == FaultKind.STARTUP
    assert all(isinstance(message, Hello) for caller in waiting for message in caller.heard)


async def test_a_port_is_had_once() -> None:
    async with clean_arena(limits()) as arena:
        arena.add(BotSpec(name="first", text="listen:0", launch=Listen("127.0.0.1", 0), sha256=""))
        port = arena._listeners["first"].port
        again = BotSpec(name="again", text=f"listen:{port}", launch=Listen("127.0.0.1", port), sha256="")
        with pytest.raises(OSError, match=f"^can't listen on 127.0.0.1:{port}: another program has that port; "):
            arena.add(again)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.EACCES, "Permission denied"), "this port is kept for the administrator; choose one above 1023"),
        (
            OSError(errno.EADDRNOTAVAIL, "No such address (while attempting to bind on address ('h', 7))"),
            "No such address",
        ),
        (UnicodeError("label too long"), "that is no name of a host"),
    ],
)
def test_why_a_port_cannot_be_had(error: OSError | UnicodeError, reason: str) -> None:
    assert str(cannot_listen("h", 7, error)) == f"can't listen on h:7: {reason}"
