"""Means and rates with intervals."""

from __future__ import annotations

import random
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.tournament.intervals import Cluster, Estimate, Z, mean_of, rate_of, student

sums = st.integers(1, 4).flatmap(lambda size: st.tuples(st.integers(0, size * 2).map(lambda n: n / 2), st.just(size)))


@pytest.mark.parametrize(
    ("freedom", "factor"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_student_as_tabled(freedom: int, factor: float) -> None:
    """The table of any textbook."""
    assert student(freedom) == pytest.approx(factor, abs=6e-4)


def test_student_goes_to_the_normal_distribution() -> None:
    assert Z < student(10**6) == student(1000) < Z + 0.003


def test_mean_by_hand() -> None:
    """Sums 1, 3, 5 of one game each: mean 3, standard deviation 2, so 4.303 * 2 / sqrt(3) either way."""
    estimate = mean_of([(1, 1), (3, 1), (5, 1)])
    assert estimate.value == 3
    assert estimate.error == pytest.approx(4.969, abs=1e-3)
    assert estimate.high - 3 == 3 - estimate.low


def test_clusters_of_one_size_are_like_their_means() -> None:
    one, two = mean_of([(1, 1), (3, 1), (5, 1)]), mean_of([(2, 2), (6, 2), (10, 2)])
    assert (one.value, one.low, one.high) == pytest.approx((two.value, two.low, two.high))


def test_a_single_cluster_tells_a_mean_but_not_how_sure_it_is() -> None:
    assert mean_of([(10, 4)]) == Estimate(2.5, -inf, inf)


def test_rate_by_hand() -> None:
    """20 won and 20 lost games, one a cluster: a variance of 0.25 (1 + 1/40), so 39.02 games; Wilson with t(40)."""
    estimate = rate_of([(1, 1), (0, 1)] * 20)
    games, t = 40 / (1 + 1 / 40), 2.0211
    half = t / (1 + t * t / games) * (0.25 / games + t * t / (4 * games * games)) ** 0.5
    assert estimate.value == 0.5
    assert estimate.error == pytest.approx(half, abs=1e-4)


@pytest.mark.parametrize(("value", "edge"), [(1.0, "low"), (0.0, "high")])
def test_all_won_is_no_certainty(value: float, edge: str) -> None:
    few, many = (rate_of([(2 * value, 2)] * clusters) for clusters in (5, 100))
    assert few.value == value
    assert abs(getattr(few, edge) - value) > 0.3
    assert 0.03 < abs(getattr(many, edge) - value) < 0.05


@given(st.lists(sums, min_size=1, max_size=30))
def test_rates_and_their_intervals_are_between_0_and_1(clusters: list[Cluster]) -> None:
    estimate = rate_of(clusters)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert estimate.low < estimate.high


@given(st.lists(sums, min_size=2, max_size=10), st.randoms(use_true_random=False))
def test_the_order_of_clusters_does_not_matter(clusters: list[Cluster], chance: random.Random) -> None:
    other = chance.sample(clusters, len(clusters))
    assert rate_of(clusters) == rate_of(other)
    assert mean_of(clusters) == mean_of(other)


def win_sums(p: float, alike: float, clusters: int, chance: random.Random) -> list[Cluster]:
    """Pairs of games, the second of which ends like the first with probability `alike`."""
    found = []
    for _ in range(clusters):
        first = chance.random() < p
        second = first if chance.random() < alike else chance.random() < p
        found.append((float(first + second), 2))
    return found


@pytest.mark.parametrize("alike", [0.0, 0.6])
@pytest.mark.parametrize(("p", "clusters"), [(0.5, 10), (0.5, 60), (0.9, 20), (0.97, 100)])
def test_intervals_of_rates_hold_the_truth_95_times_in_100(p: float, clusters: int, alike: float) -> None:
    chance = random.Random(f"{p} {clusters} {alike}")
    estimates = [rate_of(win_sums(p, alike, clusters, chance)) for _ in range(400)]
    inside = sum(estimate.low <= p <= estimate.high for estimate in estimates) / 400
    assert 0.92 <= inside <= 0.995


def test_games_of_a_cluster_are_not_independent() -> None:
    """Were they, pairs that always end alike would look twice as sure as they are."""
    chance = random.Random(1)
    clusters = win_sums(0.5, 1.0, 200, chance)
    games = [(total / 2, 1) for total, _ in clusters for _ in range(2)]
    assert rate_of(clusters).error > 1.35 * rate_of(games).error


@pytest.mark.parametrize("clusters", [3, 10, 50])
def test_intervals_of_means_hold_the_truth_95_times_in_100(clusters: int) -> None:
    chance = random.Random(clusters)
    inside = 0
    for _ in range(400):
        deals = [(size, chance.gauss(100, 20)) for size in chance.choices([3, 4], k=clusters)]
        estimate = mean_of([(sum(chance.gauss(luck, 10) for _ in range(size)), size) for size, luck in deals])
        inside += estimate.low <= 100 <= estimate.high
    assert 0.92 <= inside / 400 <= 0.98
