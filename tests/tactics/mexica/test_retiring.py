"""Tokens that nobody can use: proposed, let go or kept by what that does to the rest of the game."""

from __future__ import annotations

import pytest
from games.mexica_kit import FIELD, do, game_on, position

from mexica_cli.games.mexica import State
from mexica_cli.games.mexica.table import VOTE
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.retiring import agrees, all_agree, retirement, unusable
from mexica_cli.tactics.mexica.thinker import Thinker

FIVE = 5
"""A size that can't be cut out with two canals, of one space and of two."""


def last_token(built: str, seat: int, tiles: str = "1,1", pawns: str = "a1/c2", **rules: str) -> State:
    """A turn late in a game, of the last seat or the one before, with one token left; each seat has one temple of 4."""
    on = game_on(FIELD, canal_tiles=f"[{tiles}]", temples="[[0, 0, 0, 1], [0, 0, 0, 0]]", neutral_temples="[]", **rules)
    where = {"pawns": pawns, "tokens": "i3:12", "display": str(FIVE), "later": "-"}
    return position(on, period=2, round=9, seat=seat, ap=0, temples=f"{built}/-", **where)


def proposal(state: State, budget: Budget) -> str | None:
    size = unusable(state)
    assert size == FIVE
    action = retirement(Thinker(), state, size, budget)
    return None if action is None else state.text(action)


def test_a_token_that_nobody_can_use() -> None:
    state = position(game_on(FIELD, canal_tiles="[1, 1]"), pawns="f1/a3", display="3,13", period=2)
    assert unusable(state) == 13


@pytest.mark.parametrize("period", [1, 2])
def test_tokens_that_fit(period: int) -> None:
    assert unusable(position(game_on(FIELD), pawns="f1/a3", display="3,4", period=period)) is None


def test_it_is_proposed_only_once_a_turn() -> None:
    state = last_token("-/d1:4", 1)
    do(state, f"retire {FIVE}", "refuse")
    assert unusable(state) is None


def test_whoever_leads_ends_the_game() -> None:
    assert proposal(last_token("-/d1:4", 1), Budget(nodes=500)) == f"retire {FIVE}"


def test_whoever_can_still_come_up_does_not() -> None:
    assert proposal(last_token("d1:4/-", 1), Budget(nodes=500)) is None


@pytest.mark.parametrize("built", ["d1:4/f1:4", "f1:4/d1:4"])
def test_where_nothing_is_left_to_do_the_game_may_end(built: str) -> None:
    """Land that nobody founded counts in the end, whoever built there: to hope for a canal is no reason to go on."""
    state = last_token(built, 1, pawns="a1/c1", stall_rounds="0")
    assert proposal(state, Budget(nodes=500)) == f"retire {FIVE}"
    do(state, f"retire {FIVE}")
    assert agrees(Thinker(), state, Budget(nodes=500))


def test_whoever_is_not_at_home_yet_goes_there_first() -> None:
    assert proposal(last_token("d1:4/f1:4", 1, stall_rounds="0"), Budget(nodes=500)) is None


def test_next_to_nothing_is_no_reason_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    state = last_token("-/d1:4", 1)
    do(state, f"retire {FIVE}")
    assert not agrees(Thinker(), state, Budget(nodes=500))
    monkeypatch.setattr("mexica_cli.tactics.mexica.retiring.EVEN", 30.0)
    assert agrees(Thinker(), state, Budget(nodes=500))


def test_no_time_means_no_proposal() -> None:
    assert proposal(last_token("-/d1:4", 1), Budget(nodes=0)) is None


def test_whoever_can_still_come_up_refuses() -> None:
    state = last_token("-/d1:4", 1)
    do(state, f"retire {FIVE}")
    assert not agrees(Thinker(), state, Budget(nodes=500))


def test_whoever_leads_agrees() -> None:
    state = last_token("d1:4/-", 1)
    do(state, f"retire {FIVE}")
    assert agrees(Thinker(), state, Budget(nodes=500))


@pytest.mark.parametrize(("tiles", "agreed"), [("1,1", True), ("6,35", False)])
def test_without_time_only_what_nobody_can_use_is_let_go(tiles: str, agreed: bool) -> None:
    state = last_token("-/d1:4", 1, tiles)
    do(state, f"retire {FIVE}")
    assert agrees(Thinker(), state, Budget(nodes=0)) is agreed


def test_the_other_voters_are_thought_to_agree() -> None:
    state = position(
        game_on(FIELD.replace("#=####", "S=####", 1), temples="[[0, 0, 0, 1], [0, 0, 0, 0]]"), players=3,
        pawns="d3/c2/b2", display="12", later="-", period=2, seat=2,
    )  # fmt: skip
    do(state, "retire 12")
    assert all_agree(state).display == ()
    assert state.phase == VOTE
