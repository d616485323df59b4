"""The bot that searches the tree of turns: its tree, its budget and clock, and whole games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest
from games.mexica_kit import FIELD, do, game, game_on, position

from mexica_cli.client import Bot, Turn
from mexica_cli.games.mexica import State
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.thinker import Thinker
from mexica_cli.wire.messages import Clock

Make = Callable[[Sequence[str]], Bot]


def test_it_plays_a_game_legally(play_match: Any, make_mcts: Make) -> None:
    match = play_match([make_mcts(["--iterations", "2"]) for _ in range(2)], seed=7)
    assert max(match.state.scored) > 50


def test_the_same_match_is_played_the_same_way_again(play_match: Any, make_mcts: Make) -> None:
    def actions(*argv: str) -> list[str]:
        bots = [make_mcts(["--iterations", "1", *argv]) for _ in range(2)]
        return [text for _, text, _ in play_match(bots, seed=5, rules="summary").done]

    assert actions() == actions()


# ---- the tree --------------------------------------------------------------------------------------------------------


def grown(mcts: ModuleType, state: State, iterations: int) -> Any:
    tree = mcts.Tree(Thinker(), state, Budget(), 4.0)
    tree.search(iterations)
    return tree


@pytest.fixture(scope="module")
def tree(mcts: ModuleType) -> Any:
    """A tree of 24 iterations for three seats."""
    return grown(mcts, position(game(), players=3, pawns="h8/g4/g7", seat=1), 24)


def nodes(node: Any) -> list[Any]:
    below = [inner for branch in node.branches if branch.node for inner in nodes(branch.node)]
    return [node, *below]


def test_a_node_has_the_visits_of_its_branches(tree: Any) -> None:
    assert tree.root.visits == 24
    assert len(nodes(tree.root)) > 3
    for node in nodes(tree.root):
        assert node.visits == sum(branch.visits for branch in node.branches)


def test_a_branch_has_the_mean_of_what_lies_below(tree: Any) -> None:
    """Its first visit was its own, all others went on into its node."""
    for node in nodes(tree.root):
        for branch in node.branches:
            if branch.node and branch.node.visits:
                assert branch.visits == branch.node.visits + 1
                assert len(branch.mean) == 3


def test_branches_open_with_the_square_root_of_visits(tree: Any) -> None:
    for node in nodes(tree.root):
        visited = [branch for branch in node.branches if branch.visits]
        assert len(visited) <= node.visits**0.5 + 1
        assert visited == node.branches[: len(visited)]


def test_seats_take_turns_going_down(tree: Any) -> None:
    assert tree.root.state.seat == 1
    for node in nodes(tree.root):
        for branch in node.branches:
            if branch.node:
                assert branch.node.state.seat == (node.state.seat + 1) % 3


def test_it_founds_what_it_stands_in(mcts: ModuleType) -> None:
    state = position(game_on(FIELD), pawns="f1/a3", display="12", period=2)
    do(state, *map(state.text, grown(mcts, state, 12).best.line.actions))
    assert state.scored[0] == 6


def test_the_last_turn_of_a_game_is_counted_out(mcts: ModuleType) -> None:
    """Nothing comes after it; three levels would share the first place, four have it alone."""
    on = game_on(FIELD, temples="[[3, 0, 0, 1], [0, 0, 0, 0]]", neutral_temples="[]")
    fields: dict[str, str | int] = {"period": 2, "display": "-", "later": "-", "seat": 1, "tokens": "i3:12"}
    state = position(on, pawns="d3/f1", temples="f2:1,g2:1,h2:1,d1:4/-/-", **fields)
    do(state, *map(state.text, grown(mcts, state, 60).best.line.actions))
    assert state.to_act is None
    assert state.built[1][3]


# ---- budget and clock ------------------------------------------------------------------------------------------------


def test_no_iteration_is_a_legal_turn_too(mcts: ModuleType) -> None:
    state = position(game_on(FIELD), pawns="f1/a3", display="3,4")
    tree = grown(mcts, state, 0)
    assert tree.root.visits == 0
    do(state, *map(state.text, tree.best.line.actions))


class Ticking:
    """A clock by which every look at it takes a millisecond, as on a slow machine."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.mark.parametrize(("left", "most"), [(500, 0.35), (50, 0.05), (1, 0.02)])
def test_it_stays_within_its_clock(make_mcts: Make, left: int, most: float) -> None:
    bot: Any = make_mcts([])
    bot.clock = ticking = Ticking()
    bot.state = position(game_on(FIELD), pawns="f1/a3", display="3,4")
    answer = bot.play(Turn(match="m", id=1, seat=0, clock=Clock(left_ms=left, move_ms=left)))
    assert answer[-1] == "end"
    assert 0 < ticking.now <= most
