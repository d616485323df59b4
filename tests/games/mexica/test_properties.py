"""What holds in every game, whatever is played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from games.conservation import assert_districts, assert_stock
from games.mexica_kit import RULE_SETS, game, walk
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.game import JsonDict
from mexica_cli.games.mexica import State
from mexica_cli.games.mexica import actions as act

RANDOM_GAMES = given(rules=st.sampled_from(RULE_SETS), players=st.integers(2, 4), seed=st.integers(0, 2**32))


def played_to(rules: str, players: int, seed: int, share: float) -> tuple[State, int]:
    """A state of a random game, that share of the way through it, and an action that is legal there."""
    states = [(state.copy(), action) for state, action in walk(game(rules), players, seed)]
    return states[int(share * (len(states) - 1))]


RANDOM_STATES = given(
    rules=st.sampled_from(RULE_SETS), players=st.integers(2, 4), seed=st.integers(0, 40), share=st.floats(0, 1)
)


@settings(max_examples=25)
@RANDOM_GAMES
def test_a_game_ends_and_its_points_add_up(rules: str, players: int, seed: int) -> None:
    state = game(rules).start(players, game(rules).deal(players, seed))
    chance = random.Random(seed)
    totals = [0] * players
    last: JsonDict = {}
    while state.to_act is not None:
        for last in state.apply(chance.choice(chance.choice(list(state.legal_by_kind().values())))):
            if last["what"] == "points":
                totals[last["seat"]] += last["points"]
    assert totals == state.scores()
    assert last == {"what": "over", "ranking": state.ranking()}
    assert state.period == 2


@settings(max_examples=15)
@RANDOM_GAMES
def test_uniform_play_ends(rules: str, players: int, seed: int) -> None:
    state = game(rules).start(players, game(rules).deal(players, seed))
    chance = random.Random(seed)
    while actions := state.legal_actions():
        state.apply(chance.choice(actions))
    assert min(state.ranking() or []) == 1


@settings(max_examples=12)
@RANDOM_GAMES
def test_nothing_is_lost_and_nothing_appears(rules: str, players: int, seed: int) -> None:
    retired: Counter[object] = Counter()
    state = game(rules).start(players, game(rules).deal(players, seed))
    chance = random.Random(seed)
    while state.to_act is not None:
        assert_stock(game(rules), state)
        assert_districts(state)
        sizes = Counter[object]((*state.display, *state.later, *(mask.bit_count() for mask in state.founded)))
        assert sizes + retired == Counter(game(rules).variant.rules.calpulli)
        followed = state.apply(chance.choice(chance.choice(list(state.legal_by_kind().values()))))
        retired.update(entry["size"] for entry in followed if entry["what"] == "retired")


@settings(max_examples=12)
@RANDOM_GAMES
def test_a_founded_district_keeps_its_size(rules: str, players: int, seed: int) -> None:
    sizes: dict[str, int] = {}
    for state, _ in walk(game(rules), players, seed):
        tokens = state.observation(None).tokens
        assert tokens | sizes == tokens
        sizes = tokens


@settings(max_examples=10)
@RANDOM_GAMES
def test_verdicts_agree_with_the_list(rules: str, players: int, seed: int) -> None:
    chance = random.Random(seed)
    for state, _ in walk(game(rules), players, seed):
        actions = state.legal_actions()
        legal = set(actions)
        assert len(legal) == len(actions)
        assert state.neutral_action() in legal
        assert all(map(state.is_legal, chance.sample(actions, min(len(actions), 10))))
        for action in candidates(state, actions, chance):
            assert state.is_legal(action) == (action in legal), (action, state.position())
            assert (state.why_illegal(action) is None) == (action in legal)


def candidates(state: State, actions: list[int], chance: random.Random) -> Iterable[int]:
    """Ints near the legal ones, and from anywhere in the space that can be encoded, and beyond."""
    cells = sorted(state.variant.board.names)
    for _ in range(6):
        yield chance.choice(actions) ^ 1 << chance.randrange(40)
        extra = chance.choice([0, 0, 1, 2, 3, 4, 5, 6, 13, chance.choice(cells)])
        yield act.encode(chance.randrange(16), chance.choice([0, *cells]), extra, chance.randrange(2))
        yield chance.randrange(-(2**40), 2**40)


@settings(max_examples=40)
@RANDOM_STATES
def test_a_copy_is_independent(rules: str, players: int, seed: int, share: float) -> None:
    state, action = played_to(rules, players, seed, share)
    line, digest = state.position(), state.digest()
    copy = state.copy()
    assert (copy.position(), copy.digest(), copy.legal_actions()) == (line, digest, state.legal_actions())
    copy.apply(action)
    assert (state.position(), state.digest()) == (line, digest)
    assert copy.digest() != digest


@settings(max_examples=60)
@RANDOM_STATES
def test_a_position_comes_back_whole(rules: str, players: int, seed: int, share: float) -> None:
    state, _ = played_to(rules, players, seed, share)
    other = game(rules).from_position(state.position())
    chance = random.Random(seed)
    for _ in range(60):
        assert other.digest() == state.digest()
        assert other.observation(0) == state.observation(0)
        actions = sorted(state.legal_actions())
        assert sorted(other.legal_actions()) == actions
        if not actions:
            break
        action = chance.choice(actions)
        assert other.apply(action) == state.apply(action)


@settings(max_examples=10)
@RANDOM_GAMES
def test_the_last_position_comes_back_too(rules: str, players: int, seed: int) -> None:
    *_, (state, action) = walk(game(rules), players, seed)
    assert state.to_act is None, action
    other = game(rules).from_position(state.position())
    assert (other.digest(), other.ranking(), other.legal_actions()) == (state.digest(), state.ranking(), [])


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_passing_all_the_time_ends_a_game(rules: str, players: int) -> None:
    state = game(rules).start(players, game(rules).deal(players, 0))
    while state.to_act is not None:
        state.apply(state.neutral_action())
    assert state.round == 2 * game(rules).variant.rules.stall_rounds
