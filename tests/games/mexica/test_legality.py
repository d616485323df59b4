"""Codes of refusal that the readings' tests don't meet; and that the list of codes in the documentation is whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games.mexica_kit import code, do, game, position

from mexica_cli.games.game import Illegal
from mexica_cli.games.mexica import actions as act

ROOT = Path(__file__).parents[3]


def test_phases() -> None:
    state = game().start(3, game().deal(3, 1))
    assert code(state, "end") == "wrong_phase"
    assert code(state, "place a3") == "not_a_start"
    do(state, "place h6")
    assert code(state, "place h6") == "occupied"
    do(state, "place i7", "place g7")
    assert code(state, "place h8") == "wrong_phase"
    assert code(state, "agree") == "wrong_phase"


def test_money() -> None:
    state = position(game(), pawns="h6/i7", ap=0)
    for text in ("canal d5", "bridge o6 h", "temple 1 d5", "walk h5", "teleport d5", "take"):
        assert code(state, text) == "no_ap"
    assert code(position(game(), pawns="h6/i7", ap=4), "teleport d5") == "no_ap"


def test_temples_run_out() -> None:
    state = position(game(), pawns="h6/i7", temples="d5:4/-/-")
    assert code(state, "temple 4 d6") == "no_temple"
    assert code(state, "temple 5 d6") == "no_such_level"
    assert code(state, "temple 1 o6") == "not_land"


@pytest.mark.parametrize(
    "action",
    [
        -1,
        act.END | 1 << 4,
        act.END | 1 << act.CELL_SHIFT,
        act.encode(15),
        act.encode(act.WALK, 140, 1),
        act.encode(act.CANAL, 140, 0),
        act.encode(act.CANAL, 140, 1, act.V),
        act.encode(act.CANAL, 140, 3),
        act.encode(act.TAKE, 0, 1),
        2**200,
    ],
)
def test_numbers_that_are_no_action(action: int) -> None:
    state = position(game(), pawns="h6/i7")
    verdict = state.why_illegal(action)
    assert isinstance(verdict, Illegal)
    assert verdict.code == "no_such_action"
    assert not state.is_legal(action)


@pytest.mark.parametrize("cell", [0, 21, 351, 352, act.CELL_MASK])
def test_cells_off_the_board_are_refused_like_others(cell: int) -> None:
    state = position(game(), pawns="h6/i7")
    for kind, extra in ((act.WALK, 0), (act.BRIDGE, 0), (act.TELEPORT, 0), (act.TEMPLE, 1), (act.CANAL, 1)):
        verdict = state.why_illegal(act.encode(kind, cell, extra))
        assert verdict is not None
        assert "a cell off the board" in verdict.reason


def test_every_code_is_documented() -> None:
    documented = set(re.findall(r"`(\w+)`", section("Why an action is refused")))
    sources = [ROOT / "mexica_cli/games/mexica" / name for name in ("legality.py", "action_text.py")]
    raised = {name for path in sources for name in re.findall(r'(?:Illegal|BadAction)\(\s*"(\w+)"', path.read_text())}
    assert len(raised) > 30
    assert documented - {"reject", "code", "reason", "place", "turn", "vote", "h", "v"} == raised


def section(title: str) -> str:
    text = (ROOT / "protocol/NOTATION.md").read_text()
    return text.split(f"## {title}\n")[1].split("\n## ")[0]
