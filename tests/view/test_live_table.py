"""The table that follows a run."""

from __future__ import annotations

import io

import pytest
from terminalkit import Terminal
from tournament.reported import result

from mexica_cli.arena.tally import Tally
from mexica_cli.view import live_table as module
from mexica_cli.view.live_table import live_table


def play(tally: Tally, number: int) -> None:
    tally.add(["ann", "bob"], result(f"ann+bob.{number}-1", [3, 1]))


@pytest.fixture
def tally() -> Tally:
    return Tally(["ann", "bob"])


def test_in_a_pipe_there_is_none(tally: Tally) -> None:
    stream = io.StringIO()
    with live_table(stream, tally, 4) as update:
        play(tally, 1)
        update()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("planned", "said"), [(4, "2 of 4 games, "), (None, "2 games, ")])
def test_it_shows_how_far_the_run_is(
    planned: int | None, said: str, tally: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS", 0)
    terminal = Terminal()
    with live_table(terminal, tally, planned) as update:
        for number in (1, 2):
            play(tally, number)
            update()
        shown = terminal.getvalue()
    assert "0 games" in shown or "0 of 4 games" in shown
    assert said in shown
    assert "ann" in shown
    assert "a minute" in shown


def test_it_is_not_drawn_for_every_game(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    terminal = Terminal()
    with live_table(terminal, tally, None) as update:
        lengths = []
        for number in range(1, 5):
            play(tally, number)
            update()
            lengths.append(len(terminal.getvalue()))
        now += module.SECONDS
        update()
        lengths.append(len(terminal.getvalue()))
    assert lengths[0] == lengths[3] < lengths[4]


def test_games_of_an_earlier_run_don_t_count_for_the_rate(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    for number in range(1, 61):
        play(tally, number)
    terminal = Terminal()
    with live_table(terminal, tally, 100) as update:
        play(tally, 61)
        now += 10
        update()
    assert "61 of 100 games, 6.0 a minute" in terminal.getvalue()
