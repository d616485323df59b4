"""The latency meter against sorted lists."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.arena.latency import LatencyMeter
from mexica_cli.record.lines import Latency

MICROSECONDS = st.lists(st.integers(0, 5000), min_size=1, max_size=300)


def meter(values: list[int]) -> LatencyMeter:
    """A meter that has seen so many microseconds, each in the middle of its own."""
    result = LatencyMeter()
    for value in values:
        result.add((value + 0.5) / 1e6)
    return result


def quantile(values: list[int], share: Fraction) -> int:
    """The least value that at least `share` of the values don't exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1]


def test_without_decisions_there_is_nothing_to_say() -> None:
    assert LatencyMeter().summary() is None


def test_a_few() -> None:
    assert meter([7, 3, 9]).summary() == Latency(decisions=3, median_us=7, p99_us=9, max_us=9)


def test_one_in_a_hundred_is_not_the_99th_percentile() -> None:
    assert meter([5] * 99 + [5000]).summary() == Latency(decisions=100, median_us=5, p99_us=5, max_us=5000)


def test_hold_ups_are_counted_and_added_up() -> None:
    some, others = meter([5]), meter([7])
    some.hold_up(1.5)
    others.hold_up(0.25)
    others.hold_up(0.125)
    some.merge(others)
    summary = some.summary()
    assert summary is not None
    assert (summary.held_up, summary.held_up_ms) == (3, 1875)


@given(MICROSECONDS)
def test_quantiles_are_those_of_the_sorted_list(values: list[int]) -> None:
    assert meter(values).summary() == Latency(
        decisions=len(values),
        median_us=quantile(values, Fraction(1, 2)),
        p99_us=quantile(values, Fraction(99, 100)),
        max_us=max(values),
    )


@given(MICROSECONDS, st.lists(st.integers(0, 5000), max_size=300))
def test_merging_is_seeing_all_of_both(some: list[int], others: list[int]) -> None:
    merged = meter(some)
    merged.merge(meter(others))
    assert merged.summary() == meter(some + others).summary()
