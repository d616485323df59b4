"""Ways of the pawn, against the rules: each can be done, ends where it says, and costs what it says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from games.mexica_kit import FIELD, do, game, game_on, position, walk

from mexica_cli.games.mexica import State
from mexica_cli.games.mexica.bits import cells
from mexica_cli.games.mexica.table import TURN
from mexica_cli.tactics.mexica.plans import tried
from mexica_cli.tactics.mexica.ways import Reach, Way


def texts(state: State, way: Way | None) -> list[str]:
    assert way is not None
    return [state.text(action) for action in way.actions]


def into(state: State, cell: str, budget: int = 6) -> Way | None:
    return Reach(state, state.seat, budget).way(1 << state.variant.board.numbers[cell])


def test_on_foot() -> None:
    state = position(game_on(FIELD), pawns="a3/i3")
    assert texts(state, into(state, "c2")) == ["walk a2", "walk b2", "walk c2"]


def test_where_the_pawn_stands_it_is_already() -> None:
    state = position(game_on(FIELD), pawns="a3/i3")
    assert into(state, "a3") == Way(0, state.pawns[0], ())


def test_over_a_bridge_built_on_the_way() -> None:
    state = position(game_on(FIELD), pawns="d3/i3")
    assert texts(state, into(state, "f3")) == ["bridge e3 h", "walk e3", "walk f3"]


def test_over_a_bridge_that_is_there() -> None:
    state = position(game_on(FIELD), pawns="d2/i3", bridges="e3:h")
    assert texts(state, into(state, "f3")) == ["walk d3", "walk e3", "walk f3"]


def test_by_boat_under_a_bridge_that_is_taken() -> None:
    """On e3 stands another pawn: the boat passes and pays for it, and goes straight on."""
    three = "SSS###### #C##=#### ####=#### ####=#### #########"
    bridges, temples = "e2:h,e3:h,e4:h", "f2:1,f3:1/d2:1/-"
    state = position(game_on(three), players=3, pawns="e2/e3/a3", bridges=bridges, temples=temples)
    way = into(state, "f4", 3)
    assert texts(state, way) == ["boat e4", "walk f4"]
    assert way is not None
    assert way.cost == 3


def test_by_teleport_where_that_is_cheaper() -> None:
    state = position(game_on(FIELD), pawns="a3/i3")
    assert texts(state, into(state, "i1")) == ["teleport i1"]
    assert into(state, "i1", 4) is None


def test_what_is_out_of_reach_has_no_way() -> None:
    reach = Reach(position(game_on(FIELD), pawns="a1/i3"), 0, 2)
    far = 1 << game_on(FIELD).variant.board.numbers["d3"]
    assert (reach.way(far), reach.cost(far)) == (None, None)


def positions(rules: str) -> Iterator[State]:
    """Starts of turns in random games, with bridges and canals about."""
    turn = 0
    for state, _ in walk(game(rules), 3, seed=5):
        if state.phase == TURN and state.turn != turn and state.round % 3 == 0:
            turn = state.turn
            yield state.copy()


@pytest.mark.parametrize("rules", ["official", "help", "summary"])
def test_every_way_can_be_done_for_its_cost(rules: str) -> None:
    judged = failed = 0
    for state in positions(rules):
        reach = Reach(state, state.seat, 6)
        for cell, cost in reach.costs().items():
            way = reach.way(1 << cell)
            assert way is not None
            assert (way.cost, way.cell) == (cost, cell)
            plan = tried(state, way.actions)
            judged += 1
            # A bridge that moves may be missing further on, and reading 11 is not looked at.
            if plan is None:
                failed += 1
                continue
            means = state.ap + state.action_tokens[state.seat] - plan.state.ap - plan.state.action_tokens[state.seat]
            assert (means, plan.state.pawns[state.seat]) == (cost, cell)
    assert judged > 300
    assert failed < judged / 50


def test_land_of_the_first_round_is_not_forgotten() -> None:
    state = game().start(3, game().deal(3, 1))
    do(state, "place h6", "place h8", "place g7")
    assert isinstance(state, State)
    costs = Reach(state, 0, 3).costs()
    assert {costs[cell] for cell in cells(1 << state.pawns[0])} == {0}
    assert max(costs.values()) == 3
