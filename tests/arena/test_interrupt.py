"""Ctrl-C, once and twice."""

from __future__ import annotations

import signal

import pytest
import trio

from mexica_cli.arena.interrupt import Interrupt


async def test_the_first_asks_and_the_second_stops() -> None:
    scope, notices = trio.CancelScope(), list[str]()
    interrupt = Interrupt(scope, notices.append)
    seen = [(interrupt.asked, scope.cancel_called)]
    for _ in range(3):
        interrupt.receive()
        seen.append((interrupt.asked, scope.cancel_called))
    assert seen == [(False, False), (True, False), (True, True), (True, True)]
    assert notices == ["finishing the running game; once more to stop at once"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_signals_are_taken_while_it_watches(nursery: trio.Nursery, number: signal.Signals) -> None:
    asked = trio.Event()
    interrupt = Interrupt(trio.CancelScope(), lambda _: asked.set())
    await nursery.start(interrupt.watch)
    signal.raise_signal(number)
    with trio.fail_after(10):
        await asked.wait()
    assert interrupt.asked
    nursery.cancel_scope.cancel()
