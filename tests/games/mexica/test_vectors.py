"""Whole games that another program computed, step by step."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from games.mexica_kit import game

from mexica_cli.games.mexica import State

LINES = (Path(__file__).parents[2] / "data" / "vectors" / "mexica.jsonl").read_text().splitlines()


def fingerprint(state: State) -> str:
    joined = "\n".join(sorted(map(state.text, state.legal_actions())))
    return hashlib.sha256(joined.encode()).hexdigest()[:12]


@pytest.mark.parametrize("n", range(len(LINES)))
def test_game(n: int) -> None:
    vector: dict[str, Any] = json.loads(LINES[n])
    state = game(vector["rules"]).start(vector["players"], vector["setup"])
    for step, (text, count, expected, scores) in enumerate(vector["steps"]):
        found = (len(state.legal_actions()), fingerprint(state), state.scores())
        assert found == (count, expected, scores), (step, text, state.position())
        action = state.parse(text)
        assert state.is_legal(action)
        state.apply(action)
    assert state.to_act is None
    assert not state.legal_actions()
    assert vector["final"] == {
        "scores": state.scores(),
        "action_tokens": list(state.action_tokens),
        "ranking": state.ranking(),
        "founded": state.observation(None).tokens,
        "rounds": state.round,
    }


def test_all_rule_sets_are_there() -> None:
    assert {json.loads(line)["rules"] for line in LINES} == {"official", "help", "summary"}
    assert len(LINES) == 11
