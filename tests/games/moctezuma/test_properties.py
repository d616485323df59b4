"""What holds in every game, whatever is played."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from games.moctezuma.kit import DECKS, DIFFICULTIES, game, walk
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.moctezuma import State
from mexica_cli.games.moctezuma.actions import KINDS
from mexica_cli.games.moctezuma.rules import MOST_ROUNDS
from mexica_cli.games.moctezuma.table import KIND_MASK, KIND_SHIFT
from mexica_cli.games.moctezuma.variant import NONE

RANDOM_GAMES = given(
    deck=st.sampled_from(DECKS),
    difficulty=st.sampled_from(DIFFICULTIES),
    players=st.integers(1, 5),
    seed=st.integers(0, 2**32),
)
RANDOM_STATES = given(
    deck=st.sampled_from(DECKS), players=st.integers(1, 5), seed=st.integers(0, 60), share=st.floats(0, 1)
)


def played_to(deck: str, players: int, seed: int, share: float) -> State:
    """A state of a random game, that share of the way through it."""
    states = [state.copy() for state in walk(game(deck), players, seed)]
    return states[int(share * (len(states) - 1))]


@settings(max_examples=40)
@RANDOM_GAMES
def test_every_card_is_in_one_place(deck: str, difficulty: str, players: int, seed: int) -> None:
    on = game(deck, difficulty)
    variant = on.variant
    for state in walk(on, players, seed):
        held = [entry >> KIND_SHIFT for zone in (*state.hands, *state.picks, state.deck) for entry in zone]
        mexica = Counter([*held, *state.mictlan, *state.removed, *state.eagles])
        mexica.update(unit & KIND_MASK for unit in state.field)
        eagles = variant.all_of("eagle") if mexica[variant.all_of("eagle")[0]] else ()
        assert mexica == Counter([*variant.all_of("warrior", "moctezuma", "priest"), *eagles])
        facing = [entry >> KIND_SHIFT for entry in (*state.line, *state.siege_deck)]
        assert Counter([*facing, *state.reserve, *state.box]) == Counter(variant.all_of("conquistador", "cortes"))


@settings(max_examples=40)
@RANDOM_GAMES
def test_gods_and_parts_keep_their_bounds(deck: str, difficulty: str, players: int, seed: int) -> None:
    on = game(deck, difficulty)
    parts = 4
    for state in walk(on, players, seed):
        for kind, left, first in zip(state.gods, state.fortress, on.variant.first_fortress, strict=True):
            assert 0 <= left <= first
            assert kind != NONE or left == 0
        view = state.observation(None).invocation
        assert view.markers < view.value or (view.open is None and view.markers == 0)
        assert len(state.parts) <= parts
        parts = len(state.parts)
        for unit in state.observation(None).battlefield:
            assert unit.damage < unit.resistance


@settings(max_examples=40)
@RANDOM_GAMES
def test_a_game_ends(deck: str, difficulty: str, players: int, seed: int) -> None:
    *_, state = walk(game(deck, difficulty), players, seed)
    assert state.to_act is None
    assert state.legal_actions() == []
    assert state.round < MOST_ROUNDS
    result = state.observation(None).result
    assert result is not None
    assert state.ranking() == [1 if result.won else 2] * players
    assert len(set(state.scores())) == 1
    assert (state.scores()[0] >= 10_000) == result.won


@settings(max_examples=30)
@RANDOM_GAMES
def test_verdicts_agree_with_the_list(deck: str, difficulty: str, players: int, seed: int) -> None:
    chance = random.Random(seed)
    for state in walk(game(deck, difficulty), players, seed):
        actions = state.legal_actions()
        legal = set(actions)
        assert len(legal) == len(actions)
        assert all(map(state.is_legal, actions))
        for text in map(state.text, actions):
            assert state.text(state.parse(text)) == text
            assert state.parse(text) in legal
        if actions:
            assert state.neutral_action() in legal
        for action in [chance.randrange(2**20) for _ in range(5)] + [
            a ^ 1 << chance.randrange(16) for a in actions[:5]
        ]:
            assert state.is_legal(action) == (action in legal) == (state.why_illegal(action) is None)


@settings(max_examples=50)
@RANDOM_STATES
def test_a_copy_is_independent(deck: str, players: int, seed: int, share: float) -> None:
    state = played_to(deck, players, seed, share)
    line, digest, view = state.position(), state.digest(), state.observation(0)
    copy = state.copy()
    assert (copy.position(), copy.digest(), copy.legal_actions()) == (line, digest, state.legal_actions())
    while copy.to_act is not None:
        copy.apply(copy.legal_actions()[0])
    assert (state.position(), state.digest(), state.observation(0)) == (line, digest, view)


@settings(max_examples=50)
@RANDOM_STATES
def test_a_position_comes_back_whole(deck: str, players: int, seed: int, share: float) -> None:
    state = played_to(deck, players, seed, share)
    other = game(deck).from_position(state.position())
    chance = random.Random(seed)
    while True:
        assert other.digest() == state.digest()
        assert [other.observation(seat) for seat in range(players)] == [state.observation(s) for s in range(players)]
        assert other.legal_actions() == state.legal_actions()
        assert (other.turn, other.to_act) == (state.turn, state.to_act)
        if not state.options:
            break
        action = chance.choice(state.options)
        assert other.apply(action) == state.apply(action)


@settings(max_examples=25)
@RANDOM_GAMES
def test_every_state_on_the_way_comes_back(deck: str, difficulty: str, players: int, seed: int) -> None:
    on = game(deck, difficulty)
    for state in walk(on, players, seed):
        assert on.from_position(state.position()).position() == state.position()


@pytest.mark.parametrize("siege_end", ["last", "first"])
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_random_games_see_every_kind_of_action(players: int, siege_end: str) -> None:
    seen: set[str] = set()
    for seed in range(60):
        for state in walk(game("advanced", "easy", siege_end), players, seed):
            seen.update(state.text(action).split(" ")[0] for action in state.legal_actions())
    assert seen == set(KINDS) - ({"seat"} if players == 1 else set())


def test_random_teams_hardly_ever_win() -> None:
    games = [list(walk(game(), players, seed))[-1] for players in (1, 3, 5) for seed in range(60)]
    assert sum(bool(state.won) for state in games) < 0.05 * len(games)
