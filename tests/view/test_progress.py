"""The live line: there on a terminal, and nowhere else."""

from __future__ import annotations

import io
import re
import sys

import pytest
from terminalkit import Terminal, set_terminal

from mexica_cli.record.lines import ActionLine, FaultLine, GameLine, Line, ResultLine
from mexica_cli.view.progress import ACTIONS_SHOWN, live_line


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A wide terminal."""
    set_terminal(monkeypatch, columns=120)
    return Terminal()


def game(match: str = "3-1") -> GameLine:
    return GameLine(match=match, seats=["ann", "bob"], setup={})


def action(n: int) -> ActionLine:
    return ActionLine(match="3-1", n=n, seat=0, action="end")


def result(outcome: str = "finished") -> ResultLine:
    return ResultLine(
        match="3-1",
        outcome=outcome,
        ranking=[],
        scores=[],
        reasons=[],
        actions=1,
        digest="",
        stale=[],
        stderr=[],
    )


def shown(terminal: Terminal, *lines: Line, done: int = 0) -> str:
    """What the live line said at last, once these lines had been seen."""
    with live_line(terminal, 8, done) as live:
        assert live is not None
        for line in lines:
            live.see(line)
    colourless = re.sub(r"\x1b\[[\d;]*m", "", terminal.getvalue())
    return [text for text in re.split(r"\x1b\[\??\d*[A-Za-z]|\r|\n", colourless) if "/8" in text][-1]


def test_in_a_pipe_there_is_none() -> None:
    stream = io.StringIO()
    with live_line(stream, 8, 0) as live:
        assert live is None
    assert stream.getvalue() == ""


def test_it_says_which_game_is_played_and_how_far_it_is(terminal: Terminal) -> None:
    line = shown(terminal, game(), action(1), action(ACTIONS_SHOWN), action(ACTIONS_SHOWN + 1), done=2)
    assert "2/8" in line
    assert "3-1  ann : bob" in line
    assert f"action {ACTIONS_SHOWN}" in line


def test_a_game_is_counted_when_it_has_ended(terminal: Terminal) -> None:
    assert "1/8" in shown(terminal, game(), action(1), result())


def test_a_void_game_is_not_counted(terminal: Terminal) -> None:
    assert "0/8" in shown(terminal, game(), result("void"))


def test_a_new_game_begins_without_actions(terminal: Terminal) -> None:
    line = shown(terminal, game(), action(ACTIONS_SHOWN), result(), game("3-2"))
    assert "3-2  ann : bob" in line
    assert "action" not in line


def test_other_lines_change_nothing(terminal: Terminal) -> None:
    fault = FaultLine(match="3-1", n=1, seat=0, kind="crash", reason="it fell")
    assert "0/8" in shown(terminal, game(), fault)


def test_it_leaves_nothing_behind(terminal: Terminal) -> None:
    with live_line(terminal, 8, 0):
        pass
    assert terminal.getvalue().endswith("\x1b[2K")


def test_standard_output_stays_what_it_is(terminal: Terminal) -> None:
    """The results go there, while the line moves on standard error."""
    before = sys.stdout
    with live_line(terminal, 8, 0):
        assert sys.stdout is before
