"""What everybody sees."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from games.mexica_kit import RULE_SETS, do, game, position, walk

from mexica_cli.games.mexica import MexicaState


def seen(**fields: str | int) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(position(game(), **fields).observation(0))
    return plain


def test_the_board() -> None:
    state = seen(pawns="h6/o7", canals="a3,b3", bridges="o7:h", tiles="6,34", temples="d4:1/e4:2/f5:4")
    assert state["canals"] == ["a3", "b3", "o6", "o7", "o8", "o9"]
    assert state["bridges"] == {"o7": "h"}
    assert state["temples"] == {
        "d4": {"seat": 0, "level": 1},
        "e4": {"seat": 1, "level": 2},
        "f5": {"seat": None, "level": 4},
    }
    assert state["pawns"] == ["h6", "o7"]
    assert state["hands"] == [[2, 3, 2, 1], [3, 2, 2, 1]]
    assert state["supply"] == {"canals": [6, 34], "bridges": 10, "action_tokens": 12}


def test_before_pawns_are_placed() -> None:
    state = game().start(3, game().deal(3, 1)).observation(None)
    assert (state.phase, state.to_act, state.pawns, state.turn, state.round) == ("place", 0, [None] * 3, 0, 1)


def test_a_vote() -> None:
    state = position(game(), players=3, period=2, seat=1, pawns="h6/i7/g7")
    do(state, "retire 13", "agree")
    view = state.observation(0)
    assert (view.phase, view.to_act, view.seat, view.proposed) == ("vote", 0, 1, [13])
    assert msgspec.to_builtins(view.vote) == {"size": 13, "by": 1, "asked": 0}


def test_the_end() -> None:
    *_, (state, _) = walk(game(), 2, 1)
    view = state.observation(1)
    assert (view.phase, view.to_act, view.ranking) == ("over", None, state.ranking())


@pytest.mark.parametrize("rules", RULE_SETS)
def test_json_is_whole_and_the_position_in_it_makes_the_same_state(rules: str) -> None:
    for state, _ in walk(game(rules), 3, 5):
        view = state.observation(0)
        again = msgspec.json.decode(msgspec.json.encode(view), type=MexicaState)
        assert again == view
        if state.ap == 0:
            assert game(rules).from_position(view.position).digest() == state.digest()
