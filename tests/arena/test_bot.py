"""A bot across games: the handshake, coming and going; and the arena that ends every bot."""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Sequence

import pytest
import trio
from arena.scripted import CRASH, SILENCE, Answer, Player, ScriptedArena, ScriptedChannel, fail, say, take_in
from trio.testing import MockClock, wait_all_tasks_blocked

from mexica_cli.arena.bot import CALLER_WAIT, CALLERS, HURRY, Arena, Bot, open_arena
from mexica_cli.arena.channel import Channel
from mexica_cli.arena.faults import NeverStarted
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.spec import BotSpec, Command, Inside, Listen
from mexica_cli.wire.framing import LineTooLong
from mexica_cli.wire.handshake import SERVER, Refused
from mexica_cli.wire.messages import Bye, Error, GameInfo, Hello, Join, Want, Welcome

LIMITS = Limits(startup=3, quit=1.5)
NIM = GameInfo(name="nim", rules=["plain"], players=(2, 4))


def one(nursery: trio.Nursery, *, on_hello: Answer | None = None, name: str = "ann") -> tuple[Bot, Player]:
    """A bot, not yet started; `on_hello`: what it answers, if it isn't a right `join`."""
    player = Player(name, on=None if on_hello is None else {Hello: on_hello})
    (bot,) = take_in(nursery, [player], LIMITS)
    return bot, player


async def refusal(bot: Bot) -> str:
    """Why the bot never started."""
    with pytest.raises(NeverStarted) as caught:
        await bot.start()
    assert caught.value.name == bot.name
    assert bot.channel is None
    return caught.value.reason


# ---- the handshake ---------------------------------------------------------------------------------------------------


async def test_a_handshake(nursery: trio.Nursery) -> None:
    bot, player = one(nursery)
    await bot.start()
    assert bot.channel is player.channels[0]
    greeting = Hello(protocol=[1], server=SERVER, games=[], limits=LIMITS.on_the_wire())
    assert [message for _, message in player.heard] == [greeting, Welcome(bot="ann", session="")]
    assert bot.joined == Join(protocol=1, name="ann", want=[])


@pytest.mark.parametrize(
    ("want", "sent"),
    [(None, {"state", "legal", "events"}), ([], set()), (["events"], {"events"}), (["legal", "legal"], {"legal"})],
)
async def test_what_a_bot_wants(nursery: trio.Nursery, want: list[Want] | None, sent: set[Want]) -> None:
    (bot,) = take_in(nursery, [Player("ann", want=want)], LIMITS)
    await bot.start()
    assert bot.want == sent


async def test_a_bot_that_runs_is_not_started_again(nursery: trio.Nursery) -> None:
    bot, player = one(nursery)
    await bot.start()
    await bot.start()
    assert len(player.channels) == 1


async def test_a_bot_may_take_all_the_time_it_has(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    bot, _ = one(nursery, on_hello=say(Join(protocol=1, name="slow"), after=2.999))
    await bot.start()
    assert trio.current_time() == 2.999


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (SILENCE, "not_joined", "no `join` within 3 s"),
        (say(Join(protocol=1, name="x"), after=3.001), "not_joined", "no `join` within 3 s"),
        (say(Join(protocol=2, name="x")), "protocol_version", "protocol 2 is not spoken here, 1 is"),
        (say(b'{"type":"pong","id":1}'), "not_joined", "the first line must be a `join`"),
        (say(b"Usage: bot FILE"), "not_json", "Usage: bot FILE"),
        (fail(LineTooLong(9, "xxx")), "oversize", "9 bytes"),
        (CRASH, "not_joined", "no `join`: it fell"),
    ],
)
async def test_without_a_join_a_bot_is_told_why_and_ended(
    autojump_clock: MockClock, nursery: trio.Nursery, answer: Answer, code: str, words: str
) -> None:
    bot, player = one(nursery, on_hello=answer)
    assert words in await refusal(bot)
    (error,) = player.told(Error)
    assert (error.code, error.fatal) == (code, True)
    assert words in error.reason
    assert player.channels[0].closed == 1.5


async def test_half_a_line_at_the_handshake_is_mentioned(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    class Unflushed(Player):
        def connect(self) -> ScriptedChannel:
            channel = super().connect()
            channel.torn = 12
            return channel

    (bot,) = take_in(nursery, [Unflushed("ann", on={Hello: SILENCE})], LIMITS)
    assert await refusal(bot) == "no `join` within 3 s; 12 bytes came without a line feed"


async def test_a_program_that_cannot_be_run(nursery: trio.Nursery) -> None:
    bot, player = one(nursery)
    player.refusals.append(Refused("not_run", "./ann can't be run: no such file"))
    assert await refusal(bot) == "./ann can't be run: no such file"
    await bot.start()


async def test_a_bot_whose_start_is_cancelled_is_ended(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    bot, player = one(nursery, on_hello=SILENCE)
    with trio.move_on_after(1):
        await bot.start()
    assert bot.channel is None
    assert player.channels[0].closed == 0


# ---- waiting for a caller --------------------------------------------------------------------------------------------


class Callers(ScriptedArena):
    """An arena to which one player after the other connects, each so many seconds after the wait began."""

    def __init__(self, nursery: trio.Nursery, callers: Sequence[tuple[float, Player]], limits: Limits = LIMITS) -> None:
        super().__init__(nursery, limits, [])
        self._callers = deque(callers)
        self.notices: list[str] = []
        self.notice = self.notices.append
        self.bot = Bot(BotSpec("guest", "listen:0", Listen("127.0.0.1", 0), ""), self, limits)

    async def connect(self, bot: Bot) -> Channel:
        after, player = self._callers.popleft() if self._callers else (math.inf, Player(""))
        await trio.sleep(after)
        return player.connect()

    async def next_caller(self, bot: Bot) -> Channel:
        return await self.connect(bot)


async def test_the_wait_goes_on_after_a_caller_that_speaks_no_protocol(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    browser = Player("browser", on={Hello: say(b"GET / HTTP/1.1")})
    guest = Player("guest")
    arena = Callers(nursery, [(0.5, browser), (1.0, guest)])
    await arena.bot.start()
    assert arena.bot.channel is guest.channels[0]
    assert [error.fatal for error in browser.told(Error)] == [True]
    assert browser.channels[0].closed == 1.5
    (notice,) = arena.notices
    assert notice.startswith("guest: the first line must be a `join`")
    assert notice.endswith("waiting for another connection")


async def test_nobody_calls(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    arena = Callers(nursery, [])
    assert await refusal(arena.bot) == "nobody connected and joined within 3 s"
    assert trio.current_time() == 3.0


async def test_the_wait_is_limited_in_all(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    silent = Player("silent", on={Hello: SILENCE})
    arena = Callers(nursery, [(2.0, silent), (1.5, Player("late"))])
    await refusal(arena.bot)
    assert trio.current_time() == 3.0
    assert silent.channels[0].closed is not None


async def test_callers_that_say_nothing_keep_nobody_waiting(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    silent = [Player("silent", on={Hello: SILENCE}) for _ in range(CALLERS - 1)]
    guest = Player("guest")
    arena = Callers(nursery, [*((0.25, player) for player in silent), (0.25, guest)], Limits(startup=60))
    await arena.bot.start()
    assert trio.current_time() == 0.25 * CALLERS
    assert arena.bot.channel is guest.channels[0]
    assert guest.told(Welcome) != []
    assert {player.channels[0].closed for player in silent} == {0}


async def test_a_caller_that_says_nothing_makes_room_for_another(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    silent = [Player("silent", on={Hello: SILENCE}) for _ in range(CALLERS)]
    guest = Player("guest")
    arena = Callers(nursery, [*((0.0, player) for player in silent), (0.0, guest)], Limits(startup=60))
    await arena.bot.start()
    assert trio.current_time() == CALLER_WAIT
    assert {error.reason for player in silent for error in player.told(Error)} == {"no `join` within 5 s"}
    assert arena.bot.channel is guest.channels[0]


async def test_of_two_callers_that_join_at_the_same_moment_one_is_the_bot(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    callers = [Player(name, on={Hello: say(Join(protocol=1, name=name), after=1.0)}) for name in ("ann", "bob")]
    arena = Callers(nursery, [(0.0, caller) for caller in callers])
    await arena.bot.start()
    (welcomed,) = [caller for caller in callers if caller.told(Welcome)]
    assert arena.bot.channel is welcomed.channels[0]
    assert arena.bot.joined == Join(protocol=1, name=welcomed.name)
    assert [caller.channels[0].closed for caller in callers if caller is not welcomed] == [0]


# ---- going -----------------------------------------------------------------------------------------------------------


async def test_stop_says_goodbye_and_the_next_start_begins_anew(nursery: trio.Nursery) -> None:
    bot, player = one(nursery)
    await bot.start()
    await bot.stop("enough")
    assert player.told(Bye) == [Bye(reason="enough")]
    assert (player.channels[0].closed, bot.channel) == (1.5, None)
    await bot.stop("again")
    assert len(player.told(Bye)) == 1
    await bot.start()
    assert bot.channel is player.channels[1]


async def test_stop_may_be_less_patient(nursery: trio.Nursery) -> None:
    bot, player = one(nursery)
    await bot.start()
    await bot.stop("enough", 0.25)
    assert player.channels[0].closed == 0.25


async def test_drop_waits_for_nobody(nursery: trio.Nursery) -> None:
    bot, player = one(nursery)
    await bot.start()
    error = Error(code="timeout", reason="too slow", fatal=True)
    bot.drop(error, "forfeited")
    assert (bot.channel, player.channels[0].closed) == (None, None)
    assert [message for _, message in player.heard][-2:] == [error, Bye(reason="forfeited")]
    await wait_all_tasks_blocked()
    assert player.channels[0].closed == 1.5
    bot.drop(error, "again")
    assert len(player.told(Bye)) == 1


async def test_numbers_go_on_over_connections(nursery: trio.Nursery) -> None:
    bot, _ = one(nursery)
    ids = [bot.next_id(), bot.next_id()]
    await bot.start()
    await bot.stop("enough")
    await bot.start()
    assert [*ids, bot.next_id()] == [1, 2, 3]


# ---- the arena -------------------------------------------------------------------------------------------------------


async def test_the_arena_ends_all_bots_at_once(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    class Slow(ScriptedChannel):
        async def close(self, grace: float) -> None:
            await trio.sleep(grace)
            await super().close(grace)

    class SlowArena(ScriptedArena):
        async def connect(self, bot: Bot) -> Channel:
            await trio.lowlevel.checkpoint()
            channel = Slow(self._players[bot.name])
            channels.append(channel)
            return channel

    channels: list[Slow] = []
    players = [Player("ann"), Player("bob")]
    arena = SlowArena(nursery, LIMITS, players)
    for player in players:
        await arena.add(BotSpec(player.name, "", Command(("x",)), "")).start()
    await arena.close()
    assert [channel.closed for channel in channels] == [1.5, 1.5]
    assert trio.current_time() == 1.5
    assert [bye.reason for player in players for bye in player.told(Bye)] == ["the arena closes"] * 2


async def test_a_cancelled_arena_is_in_a_hurry(nursery: trio.Nursery) -> None:
    arena = ScriptedArena(nursery, LIMITS, [ann := Player("ann")])
    await arena.add(BotSpec("ann", "", Command(("x",)), "")).start()
    with trio.CancelScope() as scope:
        scope.cancel()
        await arena.close()
    assert ann.channels[0].closed == HURRY


def inside(lines: list[bytes], name: str = "ann") -> BotSpec:
    """A bot inside the arena, which keeps the lines that it hears."""

    def respond(line: bytes) -> list[bytes]:
        lines.append(line)
        return [b'{"type":"join","protocol":1,"name":"x"}'] if b'"hello"' in line else []

    return BotSpec(name, name, Inside(lambda: respond), "")


async def test_leaving_the_arena_ends_its_bots() -> None:
    lines: list[bytes] = []
    async with open_arena(LIMITS, [NIM]) as arena:
        await arena.add(inside(lines)).start()
    messages = [json.loads(line) for line in lines]
    assert [message["type"] for message in messages] == ["hello", "welcome", "bye"]
    assert messages[0]["games"] == [{"name": "nim", "rules": ["plain"], "players": [2, 4]}]


async def test_leaving_it_by_an_exception_ends_them_too() -> None:
    lines: list[bytes] = []

    async def fall(arena: Arena) -> None:
        await arena.add(inside(lines)).start()
        raise ZeroDivisionError

    with pytest.RaisesGroup(ZeroDivisionError):
        async with open_arena(LIMITS, []) as arena:
            await fall(arena)
    assert json.loads(lines[-1]) == {"type": "bye", "reason": "the arena closes"}


async def test_a_bot_inside_that_cannot_be_made_never_starts() -> None:
    def make() -> object:
        raise SystemExit(2)

    async with open_arena(LIMITS, []) as arena:
        bot = arena.add(BotSpec("ann", "ann", Inside(make), ""))  # type: ignore[arg-type]
        assert await refusal(bot) == "making it raised SystemExit: 2"
