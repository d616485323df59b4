"""The channel to a bot inside the arena."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from mexica_cli.arena.faults import ChannelClosed, FaultKind
from mexica_cli.arena.inprocess import InProcessChannel, Respond


def echo(heard: list[bytes]) -> Respond:
    """A bot that says every line back, twice after `twice`, and nothing after `hush`."""

    def respond(line: bytes) -> list[bytes]:
        heard.append(line)
        return {b"twice": [line, line], b"hush": []}.get(line, [line + b"\n"])

    return respond


def fragile(error: BaseException) -> Respond:
    """A bot that answers `ask` and raises at anything else."""

    def respond(line: bytes) -> list[bytes]:
        if line != b"ask":
            raise error
        return [b"answer"]

    return respond


async def test_answers_come_line_by_line_without_their_ends() -> None:
    channel = InProcessChannel(echo([]))
    channel.post(b"one\ntwice\n")
    assert [await channel.receive_line() for _ in range(3)] == [b"one", b"twice", b"twice"]
    assert channel.poll_line() is None


async def test_the_bot_thinks_while_it_is_waited_for_and_not_while_it_is_told(autojump_clock: MockClock) -> None:
    def think(line: bytes) -> list[bytes]:
        autojump_clock.jump(2.0)
        return [line]

    channel = InProcessChannel(think)
    channel.post(b"ask\n")
    assert channel.flushed
    await channel.flush()
    assert trio.current_time() == 0.0
    assert await channel.receive_line() == b"ask"
    assert trio.current_time() == 2.0


async def test_lines_wait_in_order_until_somebody_asks() -> None:
    heard: list[bytes] = []
    channel = InProcessChannel(echo(heard))
    channel.post(b"hush\nhush\n")
    channel.post(b"ask\n")
    assert heard == []
    assert await channel.receive_line() == b"ask"
    assert heard == [b"hush", b"hush", b"ask"]


async def test_a_bot_that_says_nothing_is_waited_for(autojump_clock: MockClock) -> None:
    channel = InProcessChannel(echo([]))
    channel.post(b"hush\n")
    with trio.move_on_after(5) as scope:
        await channel.receive_line()
    assert scope.cancelled_caught
    assert channel.unfinished == 0


async def test_waiting_lets_others_run() -> None:
    """Two bots inside would otherwise play a whole match before anybody could stop them."""
    channel = InProcessChannel(echo([]))
    channel.post(b"one\n")
    with trio.CancelScope() as scope:
        scope.cancel()
        await channel.receive_line()
    assert scope.cancelled_caught


async def test_an_answer_that_lies_there_can_be_had_without_waiting() -> None:
    channel = InProcessChannel(echo([]))
    channel.post(b"twice\n")
    await channel.receive_line()
    assert channel.poll_line() == b"twice"
    assert channel.poll_line() is None


@pytest.mark.parametrize(
    ("error", "words"), [(ValueError("no such action"), "ValueError: no such action"), (SystemExit(3), "SystemExit: 3")]
)
async def test_an_exception_is_a_crash_after_what_was_said_before(error: BaseException, words: str) -> None:
    channel = InProcessChannel(fragile(error))
    channel.post(b"ask\nfall\nask\n")
    assert await channel.receive_line() == b"answer"
    assert not channel.has_ended()
    with pytest.raises(ChannelClosed):
        await channel.receive_line()
    assert channel.has_ended()
    fault = await channel.why_closed()
    assert (fault.kind, fault.reason) == (FaultKind.CRASH, f"the bot raised {words}")
    channel.post(b"ask\n")
    with pytest.raises(ChannelClosed):
        await channel.receive_line()


async def test_an_interrupt_is_nobodys_crash() -> None:
    channel = InProcessChannel(fragile(KeyboardInterrupt()))
    channel.post(b"fall\n")
    with pytest.raises(KeyboardInterrupt):
        await channel.receive_line()


async def test_closing_tells_the_bot_what_it_has_not_heard() -> None:
    heard: list[bytes] = []
    channel = InProcessChannel(echo(heard))
    channel.post(b"result\nbye\n")
    await channel.close(0)
    await channel.close(0)
    assert heard == [b"result", b"bye"]


async def test_closing_survives_a_bot_that_falls() -> None:
    channel = InProcessChannel(fragile(ValueError()))
    channel.post(b"bye\nmore\n")
    await channel.close(0)
    assert channel.stderr_tail() is None


async def test_a_closed_channel_is_a_bot_that_left() -> None:
    channel = InProcessChannel(echo([]))
    await channel.close(0)
    assert channel.has_ended()
    channel.post(b"ask\n")
    with pytest.raises(ChannelClosed):
        await channel.receive_line()
    assert (await channel.why_closed()).kind is FaultKind.DISCONNECT
