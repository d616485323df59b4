"""The greedy bot: legal whatever happens, much better than chance, and decent company."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest

from mexica_cli.client import Bot, Turn
from mexica_cli.games import load_game
from mexica_cli.games.mexica import State
from mexica_cli.games.mexica import actions as act
from mexica_cli.wire.messages import Clock

Make = Callable[[Sequence[str]], Bot]


@pytest.fixture(scope="module")
def company(play_match: Any, make_greedy: Make) -> list[Any]:
    """Games of the bot among its like: 2, 3 and 4 seats."""
    return [play_match([make_greedy([]) for _ in range(players)], seed=7) for players in (2, 3, 4)]


# ---- whole games -----------------------------------------------------------------------------------------------------


def test_it_founds_most_tokens_and_never_stalls(company: list[Any]) -> None:
    for match in company:
        followed = [entry["what"] for _, _, entries in match.done for entry in entries]
        assert len(match.state.founded) >= 12
        assert "stalled" not in followed
        assert match.state.round <= 30


def test_it_uses_its_action_points(company: list[Any]) -> None:
    """Until nobody has a temple left to build, hardly a turn ends with AP that could have become a token."""
    for match in company:
        state = first_state(match)
        wasted = turns = 0
        for _, text, _ in match.done:
            action = state.parse(text)
            if text == "end" and any(map(any, state.hands)):
                turns += 1
                wasted += state.is_legal(state.parse("take"))
            state.apply(action)
        assert wasted <= turns / 20


@pytest.mark.parametrize(("players", "rules"), [(2, "help"), (4, "help"), (2, "summary"), (3, "summary")])
def test_it_is_legal_under_every_rule_set(play_match: Any, make_greedy: Make, players: int, rules: str) -> None:
    match = play_match([make_greedy([]) for _ in range(players)], seed=3, rules=rules)
    assert max(match.state.scored) > 40


def test_it_stops_where_its_action_ends_the_game(play_match: Any, make_greedy: Make, make_random: Make) -> None:
    match = play_match([make_random([]), make_greedy([])], seed=2, rules="summary")
    seat, action, followed = match.done[-1]
    assert (seat, action.split()[0]) == (1, "found")
    assert followed[-1]["what"] == "over"


def test_it_beats_chance_from_either_seat(play_match: Any, make_greedy: Make, make_random: Make) -> None:
    for seed in range(3):
        for seat in (0, 1):
            bots = [make_random([]), make_random([])]
            bots[seat] = make_greedy([])
            assert play_match(bots, seed).ranking[seat] == 1


def test_it_plays_among_chance_with_four(play_match: Any, make_greedy: Make, make_random: Make) -> None:
    match = play_match([make_random([]), make_greedy([]), make_random([]), make_random([])], seed=2)
    assert match.ranking[1] == 1


def test_the_same_match_is_played_the_same_way_again(play_match: Any, make_greedy: Make, company: list[Any]) -> None:
    again = play_match([make_greedy([]) for _ in range(2)], seed=7)
    assert [text for _, text, _ in again.done] == [text for _, text, _ in company[0].done]


def first_state(match: Any) -> State:
    state = load_game("mexica").start(match.state.players, match.setup)
    assert isinstance(state, State)
    return state


# ---- single decisions ------------------------------------------------------------------------------------------------


def started(players: int = 2, seed: int = 7) -> State:
    game = load_game("mexica")
    state = game.start(players, game.deal(players, seed))
    assert isinstance(state, State)
    return state


def played(state: State, *texts: str) -> State:
    for text in texts:
        action = state.parse(text)
        assert state.why_illegal(action) is None
        state.apply(action)
    return state


def turn_of(greedy: ModuleType, state: State, until: float = float("inf")) -> list[str]:
    return [state.text(action) for action in greedy.whole_turn(state, state.to_act, until)]


def test_out_of_time_it_still_ends_its_turn(greedy: ModuleType) -> None:
    state = played(started(), "place h6", "place h8")
    answer = turn_of(greedy, state, until=time.monotonic())
    played(state, *answer)
    assert state.to_act == 1


def test_the_deadline_is_well_within_the_clock(greedy: ModuleType) -> None:
    def turn(left: int | None) -> Turn:
        return Turn(match="m", id=1, seat=0, clock=Clock(left_ms=left))

    now = time.monotonic()
    assert now < greedy.deadline(turn(1000)) < now + 0.9
    assert greedy.deadline(turn(None)) == float("inf")


def test_a_way_costs_what_its_actions_cost(greedy: ModuleType, company: list[Any]) -> None:
    """Ways by foot, new bridges, boats and teleport, in positions of real games, against the rules."""
    tried = 0
    for match in company:
        state = first_state(match)
        for _, text, _ in match.done:
            for way in greedy.ways(state, 6) if state.ap == 6 else ():
                # A bridge that moves may be missing on the way, or spare the boat a toll: such a way is a guess.
                if not any(act.kind(action) == act.RELOCATE for action in way.actions):
                    tried += 1
                    plan = greedy.tried(state, way.actions)
                    assert (6 - plan.state.ap, plan.state.pawns[state.seat]) == (way.cost, way.cell)
            state.apply(state.parse(text))
    assert tried > 1000


def test_a_carved_shape_can_be_founded_for_its_cost(greedy: ModuleType) -> None:
    state = played(started(), "place h6", "place h8", "walk h5", "walk h4", "end", "end")
    shapes = greedy.shapes(state, greedy.ways(state, 6), 6)
    assert shapes
    for shape in shapes:
        plan = greedy.tried(state, shape.way.actions + shape.canals)
        assert plan is not None
        assert state.ap - plan.state.ap == shape.cost
        assert shape.mask in plan.state.unfounded
        assert plan.state.pawns[0] == shape.way.cell
        assert shape.mask.bit_count() in state.display
