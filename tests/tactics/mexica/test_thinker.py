"""Whole turns: what must be seen in positions that leave no doubt."""

from __future__ import annotations

from games.mexica_kit import FIELD, game, game_on, position

from mexica_cli.games.mexica import State
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.thinker import Thinker


def best(state: State) -> list[str]:
    thinker = Thinker()
    line = thinker.turns(state, thinker.shapes(state), Budget(nodes=150), width=4, tries=10)[0]
    return [state.text(action) for action in line.actions]


def test_every_line_can_be_done() -> None:
    state = position(game(), players=3, pawns="g4/h8/g7", canals="c5,d5", tiles="6,34", temples="d4:1/e4:2/f5:4")
    thinker = Thinker()
    for line in thinker.turns(state, thinker.shapes(state), Budget(nodes=80), width=4, tries=10):
        after = state.copy()
        for action in line.actions:
            assert after.why_illegal(action) is None
            after.apply(action)
        assert after.position() == line.state.position()


def test_orders_of_the_same_actions_are_one_turn() -> None:
    fields: dict[str, str | int] = {"tokens": "i3:12", "display": "3,4", "period": 2, "action_tokens": "3/0"}
    state = position(game_on(FIELD), pawns="f1/a3", **fields)
    thinker = Thinker()
    lines = thinker.turns(state, thinker.shapes(state), Budget(nodes=400), width=12, tries=12)
    assert len({line.state.position() for line in lines}) == len(lines) > 10


def test_a_district_is_cut_out_and_founded() -> None:
    actions = best(position(game_on(FIELD), pawns="f1/a3", display="6"))
    assert {text.split()[0] for text in actions} >= {"canal", "found"}


def test_guesses_end_with_the_budget() -> None:
    state = position(game(), players=3, pawns="g4/h8/g7")
    thinker, budget = Thinker(), Budget(nodes=3)
    assert thinker.ahead(state, 0, thinker.shapes(state), budget) is None
    assert budget.spent == 3


def test_everybody_has_a_turn_up_to_that_seat() -> None:
    state = position(game(), players=3, pawns="g4/h8/g7", seat=1)
    thinker = Thinker()
    later = thinker.ahead(state, 0, thinker.shapes(state), Budget())
    assert later is not None
    assert (later.turn, later.seat) == (state.turn + 3, 1)


def test_ap_are_stored_and_the_turn_ended() -> None:
    state = position(game(), players=3, pawns="g4/h8/g7")
    thinker = Thinker()
    (whole,) = thinker.complete(thinker.line((), state, 0), {})
    assert [state.text(action) for action in whole.actions] == ["take", "take", "end"]


def test_ap_left_over_go_into_the_next_plan() -> None:
    state = position(game(), players=3, pawns="g4/h8/g7")
    thinker = Thinker()
    lines = thinker.complete(thinker.line((), state, 0), thinker.shapes(state), 3)
    assert len(lines) == len({line.state.position() for line in lines}) > 1
    assert all(line.state.turn == state.turn + 1 for line in lines)
