"""Budgets: states, time, parts of both, and the clock that they come from."""

from __future__ import annotations

import pytest

from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.pace import Pace
from mexica_cli.wire.messages import Clock


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def drain(budget: Budget) -> int:
    taken = 0
    while taken < 1000 and budget.take():
        taken += 1
    return taken


def test_states_are_counted() -> None:
    budget = Budget(nodes=5)
    assert (drain(budget), budget.spent, budget.lasts) == (5, 5, False)


def test_time_runs_out() -> None:
    hands = Hands()
    budget = Budget(seconds=2, clock=hands)
    taken = 0
    while budget.take():
        hands.now += 0.125
        taken += 1
    assert taken == budget.spent == 15


def test_after_a_long_pause_it_stops_in_time_for_another() -> None:
    hands = Hands()
    budget = Budget(seconds=2, clock=hands)
    hands.now += 0.9
    assert budget.take()
    hands.now += 0.25
    assert not budget.take()


def test_a_part_is_paid_by_the_whole() -> None:
    budget = Budget(nodes=10)
    assert drain(budget.part(0.3)) == 3
    assert drain(budget.part(1)) == 7
    assert not budget.lasts


def test_a_part_of_the_time() -> None:
    hands = Hands()
    whole = Budget(seconds=10, clock=hands)
    part = whole.part(0.5)
    for _ in range(6):
        hands.now += 1
        lasting = part.lasts, whole.lasts
    assert lasting == (False, True)


def test_without_limits_it_lasts() -> None:
    assert drain(Budget()) == drain(Budget().part(0.1)) == 1000


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (Clock(), None),
        (Clock(left_ms=1000, move_ms=1000), 0.6),
        (Clock(left_ms=60, move_ms=1000), 0.02),
        (Clock(left_ms=30, move_ms=1000), 0.0),
        (Clock(left_ms=0), 0.0),
        (Clock(left_ms=18_000, bank_ms=18_000), 0.6),
        (Clock(left_ms=1800, bank_ms=1800, increment_ms=500), 0.3),
        (Clock(left_ms=200, bank_ms=90_000, move_ms=200), 0.12),
    ],
)
def test_the_time_to_think(clock: Clock, seconds: float | None) -> None:
    assert Pace(0.6).seconds(clock) == (None if seconds is None else pytest.approx(seconds))


def test_a_bank_lasts_for_any_number_of_turns() -> None:
    bank, pace = 10_000.0, Pace(1.0)
    for _ in range(500):
        used = pace.seconds(Clock(left_ms=int(bank), bank_ms=int(bank)))
        assert used is not None
        bank -= used * 1000 + 5  # and the way to the arena
        bank = max(bank, 0)
        assert used == 0 or bank > 0


def test_delays_are_kept_in_reserve() -> None:
    """An answer that was thought about for 600 ms took 800: the next one is to be done 400 ms and some earlier."""
    pace, clock = Pace(0.6), Clock(left_ms=1000)
    pace.asked(clock)
    assert pace.seconds(clock) == 0.6
    late = Clock(left_ms=1000, last_ms=800)
    pace.asked(late)
    assert pace.seconds(late) == pytest.approx(0.56)
    pace.asked(Clock(left_ms=1000, last_ms=1060))
    assert pace.seconds(late) == 0.0


def test_delays_are_forgotten_slowly() -> None:
    pace, clock = Pace(0.9), Clock(left_ms=1000)
    pace.asked(Clock(left_ms=1000, last_ms=100))
    assert pace.seconds(clock) == pytest.approx(0.76)
    pace.asked(Clock(left_ms=1000, last_ms=760))
    assert pace.seconds(clock) == pytest.approx(0.78)


def test_an_answer_without_thought_has_no_plan() -> None:
    pace = Pace(0.6)
    pace.seconds(Clock(left_ms=1000))
    for _ in range(2):
        pace.asked(Clock(left_ms=1000, last_ms=2))
    assert pace.seconds(Clock(left_ms=100)) == pytest.approx(0.056)
