"""A match set up again from its log is where it was left, wherever that is."""

from __future__ import annotations

import pytest
import trio
from arena.scripted import Player, Table, act, fail, timeless
from trio.testing import MockClock

from mexica_cli.arena.clock import SeatClock, TimeControl
from mexica_cli.arena.faults import FaultKind, SeatFault
from mexica_cli.arena.latency import LatencyMeter
from mexica_cli.arena.referee import MatchPlan, Referee
from mexica_cli.arena.restore import restore
from mexica_cli.arena.seat import Seat
from mexica_cli.games.game import Game
from mexica_cli.record.lines import ActionLine, Line

CONTROL = TimeControl(move=10, bank=60, increment=2)
SETUP = {"pile": 9}


def players() -> list[Player]:
    """Three: one with an illegal action, one that falls, one that is in order; all take their time."""
    ann = Player("ann", act("take 1", after=1), act("take 9", after=0.5), act("end", after=2), then=act("end", after=1))
    bob = Player("bob", act("end", after=1), then=fail(SeatFault(FaultKind.CRASH, "it fell"), after=1))
    cyd = Player("cyd", then=act("end", after=3))
    return [ann, bob, cyd]


def seats_of(table: Table) -> list[Seat]:
    return [
        Seat(number, bot, SeatClock(CONTROL), lambda seat, say: None, LatencyMeter())
        for number, bot in enumerate(table.bots)
    ]


async def played(nursery: trio.Nursery, nim: Game) -> tuple[Table, list[Line]]:
    table = Table(nursery, *players(), game=nim, control=CONTROL)
    match = await table.play(pile=SETUP["pile"])
    return table, match.lines


async def test_every_beginning_of_a_log_gives_its_state(nim: Game, clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        table, lines = await played(nursery, nim)
    assert {line.__struct_config__.tag for line in lines} == {"game", "action", "reject", "fault", "result"}
    for length in range(1, len(lines)):
        state = nim.start(3, SETUP)
        for line in lines[1:length]:
            if isinstance(line, ActionLine):
                state.apply(state.parse(line.action))
        again, seats = nim.start(3, SETUP), seats_of(table)
        past = restore(again, seats, lines[:length])
        assert again.digest() == state.digest()
        assert past.actions == sum(isinstance(line, ActionLine) for line in lines[:length])
        strikes = sum(line.__struct_config__.tag == "reject" for line in lines[:length])
        assert [seat.strikes for seat in seats] == [strikes, 0, 0]
        fell = any(line.__struct_config__.tag == "fault" for line in lines[:length])
        assert past.forfeits == ([[1]] if fell else [])
        assert (seats[1].fault is not None) == fell


async def test_clocks_stand_where_they_stood(nim: Game, clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        table, lines = await played(nursery, nim)
    seats = seats_of(table)
    restore(nim.start(3, SETUP), seats, lines[:-1])
    ends = [
        sum(
            isinstance(line, ActionLine) and not line.auto and line.seat == seat and line.action == "end"
            for line in lines
        )
        for seat in range(3)
    ]
    thought = [
        sum(line.ms or 0 for line in lines if isinstance(line, ActionLine) and line.seat == seat) for seat in range(3)
    ]
    for seat in (0, 2):
        assert seats[seat].clock.view().bank_ms == 60_000 - thought[seat] + 2000 * ends[seat]


@pytest.mark.parametrize("length", range(1, 12))
async def test_gone_on_with_it_ends_as_if_nothing_had_been(nim: Game, clock: MockClock, length: int) -> None:
    """Bots that answer by the state alone play the same match, cut short or not."""

    def steady() -> list[Player]:
        return [Player(name, then=act("end", after=1)) for name in ("ann", "bob")]

    async with trio.open_nursery() as nursery:
        table = Table(nursery, *steady(), game=nim, control=CONTROL)
        whole = (await table.play(pile=12)).lines
        other = Table(nursery, *steady(), game=nim, control=CONTROL)
        for bot in other.bots:
            await bot.start()
        lines = list(whole[:length])
        plan = MatchPlan(id="1-1", setup={"pile": 12}, control=CONTROL)
        await Referee(nim, plan, other.bots, lines.append, past=whole[:length]).run()
    assert timeless(lines) == timeless(whole)


@pytest.fixture
def clock() -> MockClock:
    return MockClock(autojump_threshold=0)
