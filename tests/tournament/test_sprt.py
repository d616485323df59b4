"""The sequential test against published log-likelihood ratios, and its error rates.

Sources: [MT] a page of raw statistics of montytest (the software of fishtest), test 69d3c8dc7c5b3724e29d2712; [SF] the
tests that Stockfish's pull request 4644 reports; [FC] the tests of fastchess, app/tests/sprt_test.cpp. Those of [FC] in
which all games ended alike are left out: it treats results that never came differently.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import isfinite, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.simulate import Players

from mexica_cli.tournament.blocks import block
from mexica_cli.tournament.elo import ELO
from mexica_cli.tournament.sprt import Decision, EloModel, Sprt

LOGISTIC, NORMALISED = EloModel.LOGISTIC, EloModel.NORMALISED
counts = st.lists(st.integers(0, 500), min_size=5, max_size=5) | st.lists(st.integers(0, 500), min_size=3, max_size=3)


@pytest.mark.parametrize(
    ("model", "elo0", "elo1", "found", "llr"),
    [
        (NORMALISED, 0, 4, (13, 37, 50, 25, 3), -0.54912),  # [MT]
        (NORMALISED, 0, 2, (310, 13250, 33553, 13686, 305), 2.98),  # [SF] STC
        (NORMALISED, 0.5, 2.5, (54, 13691, 44552, 14197, 52), 2.94),  # [SF] LTC
        (NORMALISED, 0, 2, (365, 16618, 36029 + 200, 16974, 390), 2.25),  # [FC] from here on
        (NORMALISED, -1.75, 0.25, (127, 4883, 10311 + 401, 5150, 104), 3.01),
        (LOGISTIC, 0.5, 2.5, (223, 9863, 20279 + 1000, 10037, 246), -3.07),
        (LOGISTIC, 0, 2, (871, 26175, 55003 + 980, 26678, 821), -4.98),
        (NORMALISED, 0, 2, (36027, 68692, 36433), 0.92),
        (NORMALISED, -1.75, 0.25, (10650, 20431, 10871), 2.30),
        (LOGISTIC, 0.5, 2.5, (21184, 40708, 21404), -1.57),
        (LOGISTIC, 0, 2, (57030, 106593, 57433), -2.59),
    ],
)
def test_ratios_as_published(model: EloModel, elo0: float, elo1: float, found: Sequence[int], llr: float) -> None:
    assert Sprt(elo0=elo0, elo1=elo1, model=model).llr(found) == pytest.approx(llr, abs=0.0055)


def test_a_ratio_as_published_to_five_places() -> None:
    """[MT], exact values of both models; the logistic bound is only given as 2.716."""
    found = (13, 37, 50, 25, 3)
    assert Sprt(elo0=0, elo1=4, model=NORMALISED).llr(found) == pytest.approx(-0.54912, abs=6e-6)
    assert Sprt(elo0=0, elo1=2.716, model=LOGISTIC).llr(found) == pytest.approx(-0.53772, abs=2e-4)


def test_bounds_are_walds() -> None:
    state = Sprt(elo0=0, elo1=5).state((0, 0, 0, 0, 0))
    assert [state.lower, state.upper] == pytest.approx([-2.9444, 2.9444], abs=1e-4)
    state = Sprt(elo0=0, elo1=5, alpha=0.01, beta=0.1).state((0, 0, 0, 0, 0))
    assert (state.lower, state.upper) == (log(0.1 / 0.99), log(0.9 / 0.01))
    assert (state.llr, state.decision) == (0, Decision.CONTINUE)


@pytest.mark.parametrize("model", EloModel)
def test_it_decides_for_the_hypothesis_that_is_plain(model: EloModel) -> None:
    test = Sprt(elo0=0, elo1=20, model=model)
    assert test.state((20, 60, 100, 300, 200)).decision == Decision.H1
    assert test.state((200, 300, 100, 60, 20)).decision == Decision.H0
    assert test.state((1, 2, 4, 3, 1)).decision == Decision.CONTINUE


@pytest.mark.parametrize("model", EloModel)
@pytest.mark.parametrize("always", range(5))
def test_it_ends_when_all_pairs_are_alike(model: EloModel, always: int) -> None:
    test = Sprt(elo0=0, elo1=20, model=model)
    decisions = [
        test.state([pairs * (result == always) for result in range(5)]).decision for pairs in range(0, 2000, 10)
    ]
    assert decisions[0] == Decision.CONTINUE
    assert decisions[-1] == (Decision.H1 if always > 2 else Decision.H0)


@given(counts, st.floats(-200, 200), st.floats(0.5, 200), st.sampled_from(EloModel))
def test_it_is_finite_and_fair_to_both_bots(found: list[int], elo0: float, more: float, model: EloModel) -> None:
    elo1 = elo0 + more
    llr = Sprt(elo0=elo0, elo1=elo1, model=model).llr(found)
    mirror = Sprt(elo0=-elo1, elo1=-elo0, model=model).llr(found[::-1])
    assert isfinite(llr)
    assert llr == pytest.approx(-mirror, rel=1e-6, abs=1e-6)


@given(counts, st.floats(-100, 100), st.floats(0.5, 50), st.floats(0.5, 50), st.sampled_from(EloModel))
def test_ratios_add_up(found: list[int], elo: float, more: float, yet_more: float, model: EloModel) -> None:
    """Against a third hypothesis in between, it is the sum of both."""
    ends = [elo, elo + more, elo + more + yet_more]
    first, second, both = (
        Sprt(elo0=low, elo1=high, model=model).llr(found)
        for low, high in ((ends[0], ends[1]), (ends[1], ends[2]), (ends[0], ends[2]))
    )
    assert first + second == pytest.approx(both, rel=1e-6, abs=1e-6)


def error_rate(test: Sprt, strength: float, wrong: Decision, runs: int) -> float:
    """How often the test ends wrong at a true strength (natural units), of pairs with ties and alike games."""
    errors = 0
    for seed in range(runs):
        players = Players({"a": strength, "b": 0.0}, random.Random(seed), ties=0.3, alike=0.2)
        found = [0] * 5
        number = 0
        while (decision := test.state(found).decision) == Decision.CONTINUE:
            number += 1
            games = players.play([block(["a", "b"], number)])
            found[sum(game.half_points(game.seats.index("a")) for game in games)] += 1
        errors += decision == wrong
    return errors / runs


def test_error_rates_of_the_logistic_test() -> None:
    """200 runs each: an error rate of 0.05 would be seen as 0.05 with a standard deviation of 0.015."""
    test = Sprt(elo0=0, elo1=80, model=LOGISTIC)
    assert error_rate(test, 0.0, Decision.H1, 200) <= 0.09
    assert error_rate(test, 80 / ELO, Decision.H0, 200) <= 0.09


def test_error_rates_of_the_normalised_test() -> None:
    """At equal strength normalised Elo is 0 whatever the luck."""
    test = Sprt(elo0=0, elo1=90, model=NORMALISED)
    assert error_rate(test, 0.0, Decision.H1, 120) <= 0.11
    assert error_rate(Sprt(elo0=-90, elo1=0, model=NORMALISED), 0.0, Decision.H0, 120) <= 0.11


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta", "message"),
    [
        (5, 5, 0.05, 0.05, "elo0 must be less than elo1, not 5 and 5"),
        (0, 5, 0, 0.05, "alpha and beta are between 0 and 0.5, not 0 and 0.05"),
        (0, 5, 0.05, 0.5, "alpha and beta are between 0 and 0.5, not 0.05 and 0.5"),
    ],
)
def test_what_is_no_test(elo0: float, elo1: float, alpha: float, beta: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)


def test_what_it_takes() -> None:
    with pytest.raises(ValueError, match="five counts of pairs or three of games, not 4"):
        Sprt(elo0=0, elo1=5).llr((1, 2, 3, 4))
