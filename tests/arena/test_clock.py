"""Clocks: the accounting by itself, against a simple model, and in whole matches."""

from __future__ import annotations

import pytest
import trio
from arena.scripted import Answer, Played, Player, Table, act
from hypothesis import given
from hypothesis import strategies as st
from toygame import NimGame, NimState
from trio.testing import MockClock

from mexica_cli.arena.clock import SeatClock, TimeControl
from mexica_cli.games.game import Game, JsonDict, State
from mexica_cli.record.lines import ActionLine, ClockSetting
from mexica_cli.wire.messages import Clock, Start, Turn

# ---- the accounting --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "setting"),
    [
        (TimeControl(), ClockSetting()),
        (TimeControl(move=2.5), ClockSetting(move_ms=2500)),
        (TimeControl(bank=60), ClockSetting(bank_ms=60000, increment_ms=0)),
        (
            TimeControl(move=1.001, bank=2.007, increment=0.029),
            ClockSetting(move_ms=1001, bank_ms=2007, increment_ms=29),
        ),
    ],
)
def test_the_log_says_the_control_in_milliseconds(control: TimeControl, setting: ClockSetting) -> None:
    assert control.setting() == setting


@given(st.integers(0, 10_000_000))
def test_no_millisecond_is_lost_to_floating_point(milliseconds: int) -> None:
    clock = SeatClock(TimeControl(move=milliseconds / 1000))
    assert clock.view() == Clock(left_ms=milliseconds, move_ms=milliseconds)


def test_less_than_a_millisecond_is_not_promised() -> None:
    clock = SeatClock(TimeControl(move=1.0))
    clock.begin(0)
    clock.charge(0.0001)
    assert clock.view() == Clock(left_ms=999, move_ms=1000, last_ms=0.1)


def test_without_limits_time_is_counted_all_the_same() -> None:
    clock = SeatClock(TimeControl())
    clock.begin(0)
    clock.charge(1e6)
    clock.end_turn()
    assert clock.left() is None
    assert clock.used == 1e6
    assert clock.view() == Clock(last_ms=1e9)


def test_the_view_before_and_after_an_answer() -> None:
    clock = SeatClock(TimeControl(move=5, bank=60, increment=0.5))
    clock.begin(0)
    assert clock.view() == Clock(left_ms=5000, move_ms=5000, bank_ms=60000, increment_ms=500)
    clock.charge(1.25)
    assert clock.view() == Clock(left_ms=3750, move_ms=5000, bank_ms=58750, increment_ms=500, last_ms=1250.0)
    clock.end_turn()
    clock.begin(1)
    assert clock.view() == Clock(left_ms=5000, move_ms=5000, bank_ms=59250, increment_ms=500, last_ms=1250.0)


def test_a_bank_below_the_move_time_is_what_is_left() -> None:
    clock = SeatClock(TimeControl(move=5, bank=3))
    clock.begin(0)
    assert clock.left() == 3
    clock.charge(1)
    assert clock.left() == 2


def test_an_answer_that_came_late_leaves_nothing_and_no_debt() -> None:
    clock = SeatClock(TimeControl(move=1, bank=1, increment=0.25))
    clock.begin(0)
    clock.charge(1.5)
    assert clock.left() == 0
    clock.end_turn()
    clock.begin(1)
    assert clock.left() == 0.25
    assert clock.used == 1.5


@pytest.mark.parametrize(
    ("control", "sentence"),
    [
        (TimeControl(move=2), "no answer within the 2 s of a turn"),
        (TimeControl(bank=2.5), "the bank of 2.5 s ran out"),
        (TimeControl(move=2, bank=3), "no answer within the 2 s of a turn"),
        (TimeControl(move=3, bank=2), "the bank of 2 s ran out"),
        (TimeControl(move=2, bank=2), "the bank of 2 s ran out"),
    ],
)
def test_which_time_ran_out(control: TimeControl, sentence: str) -> None:
    clock = SeatClock(control)
    clock.begin(0)
    clock.charge(clock.left() or 0)
    assert clock.exhausted() == sentence


class Model:
    """The rules of time, once more and more simply: whole numbers, and nothing but sums over the whole past."""

    def __init__(self, move: int | None, bank: int | None, increment: int) -> None:
        self.move, self.bank, self.increment = move, bank, increment
        self.charges: list[tuple[int, int]] = []
        """Turn and time of every answer."""
        self.own_turns = 0

    def left(self, turn: int) -> int | None:
        limits = []
        if self.move is not None:
            limits.append(self.move - sum(time for when, time in self.charges if when == turn))
        if self.bank is not None:
            limits.append(self.bank + self.own_turns * self.increment - sum(time for _, time in self.charges))
        return min(limits, default=None)


LIMIT = st.none() | st.integers(1, 10_000)


@given(LIMIT, LIMIT, st.integers(0, 500), st.lists(st.tuples(st.booleans(), st.floats(0, 1)), max_size=30))
def test_any_run_of_answers_and_turns_is_accounted_as_in_the_model(
    move: int | None, bank: int | None, increment: int, steps: list[tuple[bool, float]]
) -> None:
    """A step: whether a turn of one's own ended before it, and which share of the time left the answer took."""
    model = Model(move, bank, increment)
    clock = SeatClock(TimeControl(move=_seconds(move), bank=_seconds(bank), increment=increment / 1000))
    turn = 0
    for ended, share in steps:
        if ended:
            clock.end_turn()
            model.own_turns += 1
            turn += 1
        clock.begin(turn)
        left = model.left(turn)
        assert clock.view().left_ms == left
        answer = int(share * (1000 if left is None else left))
        clock.charge(answer / 1000)
        model.charges.append((turn, answer))
        assert clock.view().last_ms == answer
    assert round(clock.used * 1000, 6) == sum(time for _, time in model.charges)


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


# ---- in a match ------------------------------------------------------------------------------------------------------


def clocks(player: Player) -> list[Clock]:
    """What the player was told of its clock, request by request."""
    return [turn.clock for turn in player.told(Turn)]


async def test_all_answers_of_a_turn_share_the_move_time(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1", after=0.5), act("take 1", after=0.25), act("end", after=0.25))
    bob = Player("bob", then=act("take 1", "end"))
    played = await Table(nursery, ann, bob, control=TimeControl(move=1)).play(pile=4)
    assert [clock.left_ms for clock in clocks(ann)[:4]] == [1000, 500, 250, 1000]
    assert played.faults() == {}


async def test_a_turn_longer_than_the_move_time_in_all_forfeits(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    ann = Player("ann", act("take 1", after=0.5), act("take 1", after=0.375), act("end", after=0.126))
    played = await Table(nursery, ann, Player("bob"), control=TimeControl(move=1)).play(pile=6)
    assert played.faults() == {0: "timeout"}
    assert played.result.used_ms == [1000.0, 0.0]
    assert trio.current_time() == 1.0
    (fault,) = [fault for fault in played.result.reasons if fault]
    assert fault.reason == "no answer within the 1 s of a turn"


async def test_an_answer_at_the_very_limit_counts(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1", "end", after=1.0), act("take 1", "end", after=1.001))
    bob = Player("bob", then=act("take 1", "end"))
    played = await Table(nursery, ann, bob, control=TimeControl(move=1)).play(pile=9)
    assert played.faults() == {0: "timeout"}
    assert [line.action for line in played.of(ActionLine)] == ["take 1", "end", "take 1", "end"]
    assert trio.current_time() == 2.0


async def test_the_increment_comes_at_the_end_of_each_own_turn_and_not_before(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    ann = Player("ann", act("take 1", after=0.5), act("end", after=0.5), act("take 1", "end", after=1.0))
    bob = Player("bob", act("take 1", "end", after=2.0), then=act("take 1", "end"))
    control = TimeControl(bank=10, increment=0.25)
    await Table(nursery, ann, bob, control=control).play(pile=6)
    assert [clock.bank_ms for clock in clocks(ann)] == [10000, 9500, 9250, 8500]
    assert [clock.bank_ms for clock in clocks(bob)] == [10000, 8250, 8500]
    assert [start.clock for start in ann.told(Start)] == [Clock(left_ms=10000, bank_ms=10000, increment_ms=250)]


async def test_no_increment_saves_the_first_turn(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1", after=0.75), act("end", after=0.5))
    played = await Table(nursery, ann, Player("bob"), control=TimeControl(bank=1, increment=5)).play(pile=6)
    assert played.faults() == {0: "timeout"}
    (fault,) = [fault for fault in played.result.reasons if fault]
    assert fault.reason == "the bank of 1 s ran out"


async def test_a_bank_spent_to_the_last_goes_on_with_the_increment(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    ann = Player("ann", act("take 1", "end", after=1.0), act("take 1", "end", after=0.5), then=act("end", after=0.125))
    bob = Player("bob", then=act("take 1", "end"))
    played = await Table(nursery, ann, bob, control=TimeControl(bank=1, increment=0.5)).play(pile=5)
    assert [clock.left_ms for clock in clocks(ann)] == [1000, 500, 500]
    assert played.faults() == {}


async def test_move_time_and_bank_both_hold(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1", "end", after=0.75), act("take 1", "end", after=0.75), then=act("end", after=0.75))
    bob = Player("bob", then=act("take 1", "end"))
    control = TimeControl(move=1, bank=1.5, increment=0.25)
    played = await Table(nursery, ann, bob, control=control).play(pile=9)
    assert [clock.left_ms for clock in clocks(ann)] == [1000, 1000, 500]
    assert played.faults() == {0: "timeout"}
    assert played.result.used_ms == [2000.0, 0.0]


async def test_what_was_measured_is_told_with_the_next_turn(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1", after=0.123456789), act("end", after=0.5), then=act("take 1", "end"))
    bob = Player("bob", then=act("take 1", "end", after=3.0))
    played = await Table(nursery, ann, bob).play(pile=4)
    assert [clock.last_ms for clock in clocks(ann)] == [None, 123.457, 500.0]
    assert [line.ms for line in played.of(ActionLine)] == [123.457, 500.0, 3000.0, None, 0.0, None, 3000.0]
    assert played.result.used_ms == [623.457, 6000.0]


async def test_nothing_but_the_wait_for_an_answer_is_charged(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    """The arena's own work takes time here, and the bot reads late: neither is the bot's thinking."""

    class Slow(NimState):
        def apply(self, action: int) -> list[JsonDict]:
            autojump_clock.jump(0.75)
            return super().apply(action)

        def legal_actions(self) -> list[int]:
            autojump_clock.jump(0.75)
            return super().legal_actions()

    class SlowGame(NimGame):
        def start(self, players: int, setup: JsonDict) -> State:
            return Slow(self, setup["pile"], [0] * players)

    ann = Player("ann", then=act("take 1", "end", after=0.5), want=["legal"], reading=0.25)
    bob = Player("bob", then=act("take 1", "end"))
    played = await Table(nursery, ann, bob, game=SlowGame(), control=TimeControl(move=1, bank=1)).play(pile=3)
    assert played.result.used_ms == [1000.0, 0.0]
    assert played.faults() == {}
    assert [clock.left_ms for clock in clocks(ann)] == [1000, 500]


class Vote(NimState):
    """Nim in which all others must agree, with `end`, to every `take 2`."""

    voters: tuple[int, ...] = ()

    @property
    def to_act(self) -> int | None:
        return self.voters[0] if self.voters else super().to_act

    def apply(self, action: int) -> list[JsonDict]:
        if self.voters:
            self.voters = self.voters[1:]
            return []
        actor, followed = self._actor, super().apply(action)
        self.voters = tuple((actor + k) % self.players for k in range(1, self.players)) if action == 2 else ()
        return followed


class VoteGame(NimGame):
    def start(self, players: int, setup: JsonDict) -> State:
        return Vote(self, setup["pile"], [0] * players)


@pytest.fixture
def voting() -> Game:
    return VoteGame()


async def test_votes_of_others_do_not_renew_the_move_time(
    autojump_clock: MockClock, nursery: trio.Nursery, voting: Game
) -> None:
    ann = Player("ann", act("take 2", after=0.75), act("end", after=0.25))
    bob = Player("bob", act("end", after=1.0), act("take 2", after=0.5), act("take 1", "end", after=0.25))
    played = await Table(nursery, ann, bob, game=voting, control=TimeControl(move=1)).play(pile=6)
    assert [clock.left_ms for clock in clocks(ann)] == [1000, 250, 1000, 1000]
    assert [clock.left_ms for clock in clocks(bob)] == [1000, 1000, 500]
    assert played.faults() == {}


async def test_a_vote_earns_no_increment(autojump_clock: MockClock, nursery: trio.Nursery, voting: Game) -> None:
    ann = Player("ann", act("take 2", after=0.5), act("end", after=0.5), then=act("take 1", "end"))
    bob = Player("bob", act("end", after=2.0), act("take 1", "end", after=1.0), then=act("take 1", "end"))
    await Table(nursery, ann, bob, game=voting, control=TimeControl(bank=10, increment=0.25)).play(pile=6)
    assert [clock.bank_ms for clock in clocks(ann)] == [10000, 9500, 9250, 9500]
    assert [clock.bank_ms for clock in clocks(bob)] == [10000, 8000, 7250]


async def test_a_rejection_goes_on_with_the_same_clock(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    ann = Player("ann", act("jump", after=0.5), act("take 1", "take 9", after=0.25), act("end", after=0.251))
    played = await Table(nursery, ann, Player("bob"), control=TimeControl(move=1)).play(pile=6)
    assert played.faults() == {0: "timeout"}
    assert trio.current_time() == 1.0
    assert [line.action for line in played.of(ActionLine)] == ["take 1"]


# ---- any match, against the model ------------------------------------------------------------------------------------

TICK = 1 / 1024
"""Seconds: times in whole ticks are exact as floats, so that the very limit can be hit."""
TICKS = st.none() | st.integers(1, 3000)
THINKING = st.lists(st.integers(0, 1200), min_size=1, max_size=6)


@given(TICKS, TICKS, st.integers(0, 300), THINKING, THINKING)
def test_any_match_ends_as_the_model_says(
    move: int | None, bank: int | None, increment: int, ann: list[int], bob: list[int]
) -> None:
    """Both take one stone a turn and think, answer by answer, as long as drawn. All times in ticks."""
    players = [Player(name, *_thinking(times)) for name, times in (("ann", ann), ("bob", bob))]
    control = TimeControl(
        move=None if move is None else move * TICK,
        bank=None if bank is None else bank * TICK,
        increment=increment * TICK,
    )

    async def match() -> Played:
        async with trio.open_nursery() as nursery:
            return await Table(nursery, *players, control=control).play(pile=6)

    played = trio.run(match, clock=MockClock(autojump_threshold=0))
    models = [Model(move, bank, increment), Model(move, bank, increment)]
    assert played.faults() == _expected(models, [ann, bob])
    used = [sum(ticks for _, ticks in model.charges) for model in models]
    assert played.result.used_ms == [round(ticks * TICK * 1000, 3) for ticks in used]


def _thinking(times: list[int]) -> list[Answer]:
    return [act("take 1", "end", after=ticks * TICK) for ticks in times]


def _expected(models: list[Model], thinking: list[list[int]]) -> dict[int, str]:
    """The faults of six turns in which `thinking` is the time for each answer, 0 where it says no more."""
    for turn in range(6):
        seat, k = turn % 2, turn // 2
        ticks = thinking[seat][k] if k < len(thinking[seat]) else 0
        left = models[seat].left(turn)
        if left is not None and ticks > left:
            models[seat].charges.append((turn, left))
            return {seat: "timeout"}
        models[seat].charges.append((turn, ticks))
        models[seat].own_turns += 1
    return {}
