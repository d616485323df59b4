"""One seat: what its bot says, when, and which of it is an answer."""

from __future__ import annotations

import math

import pytest
import trio
from arena.scripted import SILENCE, Answer, Player, Reply, act, fail, ready, say, take_in
from trio.testing import MockClock

from mexica_cli.arena.clock import SeatClock, TimeControl
from mexica_cli.arena.faults import FaultKind, SeatFault
from mexica_cli.arena.latency import LatencyMeter
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.seat import Seat
from mexica_cli.wire.framing import LineTooLong, encode
from mexica_cli.wire.messages import (
    ArenaMessage,
    Bye,
    Clock,
    Error,
    Event,
    Join,
    Play,
    Pong,
    Quit,
    Ready,
    Reject,
    Say,
    Start,
    Turn,
)

LIMITS = Limits(ready=2.0, messages=5)


async def sit(
    nursery: trio.Nursery, *answers: Answer, control: TimeControl | None = None, on: Answer | None = None
) -> tuple[Seat, Player]:
    """A seat whose bot has joined and heard nothing yet; `on`: what it answers to `start`."""
    player = Player("ann", *answers, then=SILENCE, on=None if on is None else {Start: on})
    (bot,) = take_in(nursery, [player], LIMITS)
    await bot.start()
    player.heard.clear()
    return Seat(0, bot, SeatClock(control or TimeControl()), refuse_to_hear, LatencyMeter()), player


def refuse_to_hear(seat: Seat, said: Say) -> Error:
    """What a referee says to talk where there is no team."""
    return Error(code="no_talk", reason=f"nobody hears {said.text}")


def start() -> Start:
    return Start(match="1-1", game="nim", rules="plain", options={}, seat=0, seats=[], seed=1, state={}, clock=Clock())


def turn(number: int = 1) -> Turn:
    return Turn(match="1-1", id=number, seat=0, clock=Clock())


def reject(number: int = 1) -> Reject:
    return Reject(match="1-1", id=number, index=0, action="", code="", reason="", strikes_left=1)


async def fault_of(seat: Seat, request: Turn | Reject | Start) -> SeatFault:
    """The fault with which a request ends."""
    with pytest.raises(SeatFault) as caught:
        await (seat.prepare(request) if isinstance(request, Start) else seat.ask(request))
    return caught.value


# ---- getting ready ---------------------------------------------------------------------------------------------------


async def test_ready_at_the_limit_is_ready(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery, on=ready(after=2.0))
    await seat.prepare(start())
    assert player.told(Start) == [start()]
    assert seat.clock.used == 0


async def test_ready_after_the_limit_is_a_timeout(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, _ = await sit(nursery, on=ready(after=2.001))
    fault = await fault_of(seat, start())
    assert (fault.kind, fault.reason) == (FaultKind.TIMEOUT, "no `ready` within 2 s")
    assert trio.current_time() == 2.0


async def test_only_the_ready_of_this_match_counts(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, _ = await sit(nursery, on=[say(Ready(match="0-9")), ready(after=1.0)])
    await seat.prepare(start())
    assert trio.current_time() == 1.0


async def test_an_answer_of_the_last_match_is_stale_and_not_ready(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    seat, player = await sit(nursery, on=[say(Play(id=9, actions=["end"])), ready(after=1.0)])
    await seat.prepare(start())
    assert seat.stale == 1
    (error,) = player.told(Error)
    assert (error.code, error.fatal) == ("stale", False)
    assert error.reason.endswith("now it is 1-1")


async def test_messages_are_limited_while_getting_ready_too(nursery: trio.Nursery) -> None:
    seat, _ = await sit(nursery, on=[say(Pong(id=0))] * 6)
    fault = await fault_of(seat, start())
    assert (fault.kind, fault.reason) == (FaultKind.PROTOCOL, "more than 5 messages for one request")


# ---- answers ---------------------------------------------------------------------------------------------------------


async def test_an_answer_is_timed_from_the_request_to_its_arrival(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    seat, player = await sit(nursery, act("end", after=0.375, note="hm"))
    play = await seat.ask(turn(7))
    assert play == Play(id=7, actions=["end"], note="hm")
    assert player.told(Turn) == [turn(7)]
    assert (seat.answered, seat.took, seat.clock.used) == (0.375, 0.375, 0.375)


async def test_without_a_limit_it_may_take_for_ever(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, _ = await sit(nursery, act("end", after=1e6))
    await seat.ask(turn())
    assert seat.clock.used == 1e6


async def test_no_answer_is_charged_in_full(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, _ = await sit(nursery, SILENCE, control=TimeControl(move=1.5))
    fault = await fault_of(seat, turn())
    assert (fault.kind, fault.reason) == (FaultKind.TIMEOUT, "no answer within the 1.5 s of a turn")
    assert seat.clock.used == 1.5


async def test_half_a_line_is_mentioned(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery, SILENCE, SILENCE, control=TimeControl(bank=1), on=SILENCE)
    player.channels[0].torn = 17
    assert (
        await fault_of(seat, start())
    ).reason == "no `ready` within 2 s; 17 bytes came without a line feed after them"
    assert (await fault_of(seat, turn())).reason.endswith(
        "the bank of 1 s ran out; 17 bytes came without a line feed after them"
    )


async def test_an_answer_that_lay_there_when_the_arena_looked_too_late_counts(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    """The arena was busy from before the answer until after the limit, but too short a time for a hold-up."""
    seat, _ = await sit(nursery, [say(Pong(id=1), after=0.5), act("end", after=0.475)], control=TimeControl(move=1))
    nursery.start_soon(_busy, autojump_clock, 0.96, 0.08)
    play = await seat.ask(turn())
    assert play.actions == ["end"]
    assert seat.clock.left() == 0


async def _busy(clock: MockClock, begin: float, seconds: float) -> None:
    """Hold the arena up: time passes, and nothing else happens."""
    await trio.sleep_until(begin)
    clock.jump(seconds)


async def test_what_lies_there_too_late_must_still_be_the_answer(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    replies = [act("end", after=0.5, behind=1), say(b'{"type":"sing"}')]
    seat, player = await sit(nursery, replies, control=TimeControl(move=1))
    nursery.start_soon(_busy, autojump_clock, 0.25, 3.0)
    assert (await fault_of(seat, turn(4))).kind is FaultKind.TIMEOUT
    assert seat.stale == 1
    assert [error.code for error in player.told(Error)] == ["stale", "unknown_type"]


async def test_stale_answers_are_dropped_and_counted(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery, [act("take 1", behind=2), act("take 2", behind=1), act("take 3", after=0.5)])
    assert (await seat.ask(turn(5))).actions == ["take 3"]
    assert seat.stale == 2
    assert [(error.code, error.fatal) for error in player.told(Error)] == [("stale", False)] * 2
    assert player.told(Error)[0].reason == ("that `play` answers another `turn` and is dropped; now it is turn 5")


async def test_an_answer_to_a_later_request_is_no_answer_either(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    seat, _ = await sit(nursery, act("end", behind=-1), control=TimeControl(move=1))
    assert (await fault_of(seat, turn())).kind is FaultKind.TIMEOUT
    assert seat.stale == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (say(Join(protocol=1, name="ann")), "already_joined"),
        (say(Say(match="1-1", text="hello")), "no_talk"),
        (say(b'{"type":"sing"}'), "unknown_type"),
        (say(Pong(id=1)), None),
        (say(Ready(match="1-1")), None),
    ],
)
async def test_what_is_no_answer_is_dealt_with_and_the_clock_goes_on(
    autojump_clock: MockClock, nursery: trio.Nursery, line: Reply, code: str | None
) -> None:
    seat, player = await sit(nursery, [line, act("end", after=0.5)], control=TimeControl(move=1))
    assert (await seat.ask(turn())).actions == ["end"]
    assert [error.code for error in player.told(Error)] == ([code] if code else [])
    assert not any(error.fatal for error in player.told(Error))
    assert seat.clock.used == 0.5
    assert seat.stale == 0


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (say(b"hello"), FaultKind.PROTOCOL, "hello"),
        (say(b'{"type":"play","id":1}'), FaultKind.PROTOCOL, "`actions` is missing"),
        (say(b'{"type":"play","id":1,"actions":[]}'), FaultKind.PROTOCOL, "`actions`"),
        (say(b"\xff"), FaultKind.PROTOCOL, "UTF-8"),
        (say(Quit()), FaultKind.DISCONNECT, "quit"),
        (fail(LineTooLong(10, "xxxx")), FaultKind.OVERSIZE, "10 bytes"),
        (fail(SeatFault(FaultKind.CRASH, "it fell")), FaultKind.CRASH, "it fell"),
        (fail(SeatFault(FaultKind.MEMORY, "it grew")), FaultKind.MEMORY, "it grew"),
    ],
)
async def test_faults(
    autojump_clock: MockClock, nursery: trio.Nursery, reply: Reply, kind: FaultKind, words: str
) -> None:
    seat, _ = await sit(nursery, reply, on=reply)
    for request in (start(), turn()):
        fault = await fault_of(seat, request)
        assert fault.kind is kind
        assert words in fault.reason


async def test_messages_are_limited_for_each_turn(nursery: trio.Nursery) -> None:
    four = [say(Pong(id=1))] * 4
    seat, _ = await sit(nursery, [*four, act("end")], [*four, act("end")], [*four, say(Pong(id=1)), act("end")])
    await seat.ask(turn(1))
    await seat.ask(turn(2))
    fault = await fault_of(seat, turn(3))
    assert (fault.kind, fault.reason) == (FaultKind.PROTOCOL, "more than 5 messages for one request")


async def test_unknown_and_stale_messages_count_against_the_limit(nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery, [*[say(b'{"type":"sing"}')] * 3, *[act("end", behind=1)] * 3])
    assert (await fault_of(seat, turn(2))).kind is FaultKind.PROTOCOL
    assert [error.code for error in player.told(Error)] == ["unknown_type"] * 3 + ["stale"] * 2


async def test_a_rejection_gives_no_new_messages(nursery: trio.Nursery) -> None:
    two = [say(Pong(id=1))] * 2
    seat, _ = await sit(nursery, [*two, act("jump")], [*two, act("jump")])
    await seat.ask(turn())
    assert (await fault_of(seat, reject())).kind is FaultKind.PROTOCOL


async def test_what_was_said_out_of_turn_waits_and_counts_with_the_next_turn(nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery, act("take 1"), act("take 2"))
    player.channels[-1].say([say(Pong(id=1))] * 4)
    assert (await seat.ask(turn(1))).actions == ["take 1"]
    player.channels[-1].say([say(Pong(id=1))] * 5)
    assert (await fault_of(seat, turn(2))).kind is FaultKind.PROTOCOL


# ---- telling ---------------------------------------------------------------------------------------------------------


def event(number: int) -> Event:
    return Event(match="1-1", n=number, seat=1, action="end")


async def test_events_wait_for_delivery_and_keep_their_order(nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery)
    for number in (1, 2):
        seat.keep(encode(event(number)))
    assert player.heard == []
    seat.deliver()
    seat.deliver()
    assert player.told(Event) == [event(1), event(2)]


async def test_events_go_out_before_the_request_that_follows(nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery, act("end"))
    seat.keep(encode(event(1)))
    await seat.ask(turn())
    seat.deliver()
    heard: list[ArenaMessage] = [message for _, message in player.heard]
    assert heard == [event(1), turn()]


async def test_nothing_is_kept_for_a_bot_that_has_gone(nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery)
    seat.keep(encode(event(1)))
    seat.bot.drop(Error(code="timeout", reason="too slow", fatal=True), "forfeited")
    seat.deliver()
    await seat.bot.start()
    seat.deliver()
    assert player.told(Event) == []
    assert [bye.reason for bye in player.told(Bye)] == ["forfeited"]


async def test_who_has_left_cannot_be_asked(nursery: trio.Nursery) -> None:
    seat, _ = await sit(nursery)
    await seat.bot.stop("tired")
    for request in (start(), turn()):
        assert (await fault_of(seat, request)).kind is FaultKind.DISCONNECT


# ---- a bot that doesn't read -----------------------------------------------------------------------------------------


async def test_the_time_until_it_reads_is_not_charged(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery, act("end", after=0.75), control=TimeControl(move=1))
    player.reading = 0.5
    await seat.ask(turn())
    assert (seat.answered, seat.took, seat.clock.used) == (1.25, 0.75, 0.75)


@pytest.mark.parametrize("reading", [1.001, math.inf])
async def test_who_does_not_read_within_its_time_forfeits(
    autojump_clock: MockClock, nursery: trio.Nursery, reading: float
) -> None:
    seat, player = await sit(nursery, control=TimeControl(move=1))
    player.reading = reading
    fault = await fault_of(seat, turn())
    assert (fault.kind, fault.reason) == (FaultKind.TIMEOUT, "it did not read what it was sent within 1 s")
    assert trio.current_time() == 1.0


async def test_who_does_not_read_the_start_forfeits(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    seat, player = await sit(nursery)
    player.reading = math.inf
    fault = await fault_of(seat, start())
    assert (fault.kind, fault.reason) == (FaultKind.TIMEOUT, "it did not read what it was sent within 2 s")
    assert trio.current_time() == 2.0
