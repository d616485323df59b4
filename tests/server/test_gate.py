"""Who gets in, and how much each may say."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from mexica_cli.server.gate import BURST, Gate, Meter, TooMany


def test_no_more_than_so_many_in_all() -> None:
    gate = Gate(2, 2)
    with gate.let_in("a"), gate.let_in("b"):
        assert gate.inside == 2
        with pytest.raises(TooMany, match="all 2 connections of this server"), gate.let_in("c"):
            pass
    with gate.let_in("c"):
        assert gate.inside == 1


def test_no_more_than_so_many_from_one_address() -> None:
    gate = Gate(10, 2)
    with ExitStack() as inside:
        for _ in range(2):
            inside.enter_context(gate.let_in("a"))
        with pytest.raises(TooMany, match="one address"), gate.let_in("a"):
            pass
        inside.enter_context(gate.let_in("b"))
    with gate.let_in("a"):
        assert gate.inside == 1


def test_one_who_leaves_by_an_exception_makes_room() -> None:
    gate = Gate(1, 1)
    with pytest.raises(ValueError, match="oops"), gate.let_in("a"):
        raise ValueError("oops")
    assert gate.inside == 0


def test_a_rate_is_meant_over_some_seconds() -> None:
    meter = Meter(10)
    assert meter.take(int(10 * BURST), now=100.0)
    assert not meter.take(1, now=100.0)
    assert meter.take(9, now=101.0)
    assert not meter.take(20, now=102.0)


def test_silence_saves_up_no_more_than_the_burst() -> None:
    meter = Meter(10)
    assert not meter.take(int(10 * BURST) + 1, now=1e6)
