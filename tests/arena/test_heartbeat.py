"""Hold-ups of the arena itself: what they cost the bots, in virtual time that jumps while nothing can run."""

from __future__ import annotations

import pytest
import trio
from arena.scripted import SILENCE, Played, Player, ScriptedChannel, Table, act, ready
from trio.testing import MockClock

from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.heartbeat import BEAT, HELD_UP, Patience, heartbeat
from mexica_cli.arena.inprocess import InProcessChannel
from mexica_cli.record.lines import ActionLine
from mexica_cli.wire.messages import Start, Turn

JUST_AFTER = BEAT / 5
"""Seconds from a beat to a hold-up: it counts from that beat."""


async def hold_up(clock: MockClock, at: float, seconds: float) -> None:
    """Nothing runs from just after the beat at that time on, so long from the beat."""
    await trio.sleep_until(at + JUST_AFTER)
    clock.jump(seconds - JUST_AFTER)


async def play(clock: MockClock, ann: Player, control: TimeControl, *hold_ups: tuple[float, float]) -> Played:
    """A match of ann's turn and bob's, and the arena is held up: (at, seconds)."""
    bob = Player("bob", then=act("take 1", "end"))
    async with trio.open_nursery() as nursery:
        for at, seconds in hold_ups:
            nursery.start_soon(hold_up, clock, at, seconds)
        return await Table(nursery, ann, bob, control=control).play(pile=2)


async def test_an_answer_that_came_during_a_hold_up_is_not_charged_for_it(autojump_clock: MockClock) -> None:
    ann = Player("ann", act("take 1", after=1.0), act("end", after=0.5))
    played = await play(autojump_clock, ann, TimeControl(move=2), (0.25, 5.0))
    assert played.faults() == {}
    assert [line.ms for line in played.of(ActionLine)][:2] == [250.0, 500.0]
    assert [turn.clock.left_ms for turn in ann.told(Turn)] == [2000, 1750]


async def test_who_thinks_on_after_a_hold_up_has_the_time_that_it_took(autojump_clock: MockClock) -> None:
    ann = Player("ann", act("take 1", "end", after=6.5))
    played = await play(autojump_clock, ann, TimeControl(bank=2), (0.25, 5.0))
    assert played.faults() == {}
    assert [line.ms for line in played.of(ActionLine)][:1] == [1500.0]


async def test_no_answer_within_the_time_and_the_hold_up_is_a_timeout(autojump_clock: MockClock) -> None:
    played = await play(autojump_clock, Player("ann", SILENCE), TimeControl(move=2), (0.25, 5.0), (5.5, 1.0))
    assert played.faults() == {0: "timeout"}
    assert trio.current_time() == pytest.approx(8.0)
    assert played.result.used_ms == [2000.0, 0.0]


async def test_a_hold_up_at_the_very_limit_is_none_of_the_bots(autojump_clock: MockClock) -> None:
    ann = Player("ann", act("take 1", "end", after=2.75))
    played = await play(autojump_clock, ann, TimeControl(move=2), (1.95, 3.0))
    assert played.faults() == {}


async def test_a_hold_up_while_seats_get_ready(autojump_clock: MockClock) -> None:
    ann = Player("ann", act("take 1", "end"), on={Start: ready(after=14.0)})
    played = await play(autojump_clock, ann, TimeControl(move=2), (1.0, 5.0))
    assert played.faults() == {}


async def test_a_hold_up_while_a_question_is_read(autojump_clock: MockClock) -> None:
    ann = Player("ann", act("take 1", "end"), reading=6.5)
    played = await play(autojump_clock, ann, TimeControl(move=2), (14.0, 5.0))
    assert played.faults() == {}


async def test_jitter_is_the_bots_own(autojump_clock: MockClock) -> None:
    """A gap that is no hold-up: the answer that lies there counts, and is charged."""
    ann = Player("ann", act("take 1", "end", after=0.5))
    played = await play(autojump_clock, ann, TimeControl(move=2), (0.45, HELD_UP - 0.001))
    assert [line.ms for line in played.of(ActionLine)][:1] == [599.0]


async def test_how_often_and_how_long_stands_with_the_latency(autojump_clock: MockClock) -> None:
    ann = Player("ann", act("take 1", after=1.0), act("end", after=7.0))
    played = await play(autojump_clock, ann, TimeControl(move=6), (0.25, 5.0), (6.0, 1.0), (8.0, 1.0))
    assert played.result.latency is not None
    assert (played.result.latency.held_up, played.result.latency.held_up_ms) == (2, 7000)


async def test_what_lies_between_two_questions_is_not_given_to_the_second(autojump_clock: MockClock) -> None:
    noted: list[float] = []
    with Patience(10.0, noted.append):
        await trio.sleep(1.0)
    autojump_clock.jump(5.0)
    with Patience(10.0, noted.append) as patience:
        await trio.sleep(1.0)
        assert patience.used() == 1.0
    assert noted == []


async def test_time_without_limit_is_not_watched(autojump_clock: MockClock) -> None:
    """A person may think for days."""
    noted: list[float] = []
    with Patience(None, noted.append) as patience:
        await trio.sleep(1e9)
        assert patience.used() == 1e9
    assert noted == []


async def test_two_whose_time_runs_are_both_spared(autojump_clock: MockClock) -> None:
    noted: list[float] = []
    with Patience(10.0, noted.append), Patience(10.0, noted.append):
        await trio.sleep(0)
        autojump_clock.jump(5.0)
    assert noted == [5.0, 5.0]


async def test_a_loop_has_one_heart(autojump_clock: MockClock) -> None:
    assert heartbeat() is heartbeat()


async def test_a_bot_that_computes_in_the_loop_pays_for_what_it_holds_up(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ScriptedChannel, "computes_here", InProcessChannel.computes_here)
    ann = Player("ann", act("take 1", "end", after=1.0))
    played = await play(autojump_clock, ann, TimeControl(move=9), (0.25, 5.0))
    assert [line.ms for line in played.of(ActionLine)][:1] == [5250.0]
