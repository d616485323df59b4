"""Ctrl-C, once, twice, and where that doesn't help."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
import trio

from mexica_cli.arena.interrupt import Interrupt, _leave_closed

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """A terminal's defaults, whatever the tests were started by."""
    before = [signal.signal(number, signal.SIG_DFL) for number in SIGNALS]
    yield
    for number, handler in zip(SIGNALS, before, strict=True):
        signal.signal(number, handler)


async def test_the_first_asks_and_the_second_stops() -> None:
    scope, notices = trio.CancelScope(), list[str]()
    interrupt = Interrupt(scope, notices.append)
    seen = [(interrupt.asked, scope.cancel_called)]
    for _ in range(3):
        interrupt.receive()
        seen.append((interrupt.asked, scope.cancel_called))
    assert seen == [(False, False), (True, False), (True, True), (True, True)]
    assert notices == ["finishing the running game; once more to stop at once"]


async def test_nobody_need_be_there_to_read_the_notice() -> None:
    def notice(_: str) -> None:
        raise OSError

    interrupt = Interrupt(trio.CancelScope(), notice)
    interrupt.receive()
    assert interrupt.asked


@pytest.mark.parametrize("number", SIGNALS)
async def test_signals_are_taken_while_it_watches(nursery: trio.Nursery, number: signal.Signals) -> None:
    asked = trio.Event()
    interrupt = Interrupt(trio.CancelScope(), lambda _: asked.set())
    await nursery.start(interrupt.watch)
    signal.raise_signal(number)
    with trio.fail_after(10):
        await asked.wait()
    assert interrupt.asked
    nursery.cancel_scope.cancel()


async def test_a_third_one_ends_the_process_even_if_the_loop_has_seen_none() -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(Interrupt(trio.CancelScope(), lambda _: None).watch)
        signal.raise_signal(signal.SIGTERM)
        assert signal.SIG_DFL not in map(signal.getsignal, SIGNALS)
        signal.raise_signal(signal.SIGINT)
        assert [signal.getsignal(number) for number in SIGNALS] == [signal.SIG_DFL] * 3
        nursery.cancel_scope.cancel()


async def test_a_run_under_nohup_outlives_its_terminal() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    async with trio.open_nursery() as nursery:
        await nursery.start(Interrupt(trio.CancelScope(), lambda _: None).watch)
        for number in (signal.SIGINT, signal.SIGTERM):
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            signal.raise_signal(number)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        nursery.cancel_scope.cancel()
    assert [signal.getsignal(number) for number in SIGNALS] == [signal.SIG_DFL, signal.SIG_DFL, signal.SIG_IGN]


def test_a_closed_terminal_takes_what_is_still_written_and_an_open_one_shows_it() -> None:
    (shown, open_one), (closing, closed) = os.openpty(), os.openpty()
    os.close(closing)
    _leave_closed([open_one, closed])
    assert os.isatty(open_one)
    assert os.write(closed, b"the table") == 9
    for fd in (shown, open_one, closed):
        os.close(fd)
