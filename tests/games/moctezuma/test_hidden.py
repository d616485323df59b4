"""Hidden information: what a seat sees gives away nothing, and what it imagines fits what it sees."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from games.moctezuma.kit import DECKS, do, game, position, walk
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.chance import Chance
from mexica_cli.games.moctezuma import State

RANDOM_GAMES = given(deck=st.sampled_from(DECKS), players=st.integers(1, 5), seed=st.integers(0, 2**32))


def bytes_for(state: State, seat: int | None) -> bytes:
    """What goes over the wire to a seat: its view, and, if it is to act, what it may do."""
    legal = sorted(map(state.text, state.legal_actions())) if state.to_act == seat else []
    return msgspec.json.encode([state.observation(seat), legal])


@settings(max_examples=15)
@RANDOM_GAMES
def test_what_a_seat_cant_see_changes_nothing_it_sees(deck: str, players: int, seed: int) -> None:
    chance, differed = Chance(seed), 0
    for state in walk(game(deck), players, seed):
        for seat in (*range(players), None):
            other = state.sample_hidden(seat, chance)
            assert bytes_for(other, seat) == bytes_for(state, seat)
            assert other.to_act == state.to_act
            differed += other.digest() != state.digest()
    assert differed > 0


@settings(max_examples=15)
@RANDOM_GAMES
def test_the_same_actions_look_the_same_until_something_hidden_comes_up(deck: str, players: int, seed: int) -> None:
    """Two games that differ only in what a seat can't see go on looking equal to it, through others' actions too."""
    chance, choose = Chance(seed), random.Random(seed)
    on, seat = game(deck), seed % players
    for state in walk(on, players, seed):
        other = state.sample_hidden(seat, chance)
        both = sorted(set(state.legal_actions()) & set(other.legal_actions()))
        if not both:
            continue
        one, action, by = state.copy(), choose.choice(both), state.to_act
        assert by is not None
        shown = [each.shown_text(action, by, seat) for each in (one, other)]
        assert shown[0] == shown[1]
        came = [[each.shown(entry, seat) for entry in each.apply(action)] for each in (one, other)]
        if came[0] == came[1]:
            assert bytes_for(one, seat) == bytes_for(other, seat)
        else:
            assert reveals(came[0], came[1], seat), came


def reveals(one: list[dict[str, object]], other: list[dict[str, object]], seat: int) -> bool:
    """Whether the first entries that differ show a card that was hidden before."""
    first, second = next((a, b) for a, b in zip(one, other, strict=False) if a != b)
    if first["what"] == second["what"] == "drawn":
        return first["seat"] == seat
    return first["what"] == second["what"] and first["what"] in {"shown", "moved", "siege_line", "invoked"}


@settings(max_examples=10)
@RANDOM_GAMES
def test_what_is_imagined_is_a_state_of_this_game(deck: str, players: int, seed: int) -> None:
    chance = Chance(seed)
    for state in walk(game(deck), players, seed):
        other = state.sample_hidden(0, chance)
        assert game(deck).from_position(other.position()).digest() == other.digest()
        assert other.hands[0] == state.hands[0]


@settings(max_examples=10)
@RANDOM_GAMES
def test_what_is_imagined_follows_from_what_is_seen_and_chance_alone(deck: str, players: int, seed: int) -> None:
    chance, seat = Chance(seed), seed % players
    for state in walk(game(deck), players, seed):
        other = state.sample_hidden(seat, chance)
        assert other.sample_hidden(seat, Chance(7)).digest() == state.sample_hidden(seat, Chance(7)).digest()


def test_every_possibility_is_as_likely() -> None:
    on = game("advanced")
    state = on.start(2, on.deal(2, 4))
    chance, draws = Chance(1), 2000
    samples = [state.sample_hidden(0, chance) for _ in range(draws)]
    tops = Counter(sample.deck[-1] for sample in samples)
    unseen = Counter([*state.deck, *state.hands[1]])
    for entry, copies in unseen.items():
        share = copies / unseen.total()
        assert abs(tops[entry] / draws - share) < 5 * (share / draws) ** 0.5
    cortes = on.variant.cortes
    assert not any(cortes in sample.box for sample in samples)
    places = Counter(sample.line[1] >> 2 == cortes for sample in samples)
    known = 1 if state.line[0] >> 2 != cortes else 0
    assert abs(places[True] / draws - known / 26) < 0.02


def test_a_choice_in_planning_is_hidden_till_all_have_chosen() -> None:
    state = position(game(), phase="planning", hands="macehual,devoto/tequihua", line="cura!")
    action = state.parse("play devoto")
    assert [state.shown_text(action, 0, seat) for seat in (0, 1, None)] == ["play devoto", "play ?", "play ?"]
    other = state.copy()
    assert state.apply(action) == other.apply(state.parse("play macehual")) == []
    assert bytes_for(state, 1) == bytes_for(other, 1)
    assert bytes_for(state, None) == bytes_for(other, None)
    assert state.observation(0).chosen == ["devoto"]
    assert state.observation(1).hands[0].chosen == 1


def test_a_drawn_card_is_shown_to_its_seat_only() -> None:
    state = position(game(), phase="defence", field="macehual,tlenamacac", deck="cuachic")
    drawn = next(entry for entry in do(state, "use macehual") if entry["what"] == "drawn")
    assert [state.shown(drawn, seat)["card"] for seat in (0, 1, None)] == ["cuachic", None, None]


def test_a_drawn_card_that_all_know_is_shown_to_all() -> None:
    state = position(game(), phase="defence", field="macehual,tlenamacac", deck="cuachic?")
    drawn = next(entry for entry in do(state, "use macehual") if entry["what"] == "drawn")
    assert state.shown(drawn, 1)["card"] == "cuachic"


def test_known_cards_stay_where_they_are_in_what_is_imagined() -> None:
    state = position(
        game(),
        phase="planning",
        hands="macehual?,devoto/tequihua,cuachic",
        line="cura!,jinete?",
        siege_deck="artillero?",
    )
    for seed in range(30):
        other = state.sample_hidden(1, Chance(seed))
        assert other.observation(1) == state.observation(1)
        assert other.observation(1).hands[0].known == ["macehual"]
        assert other.observation(None).siege_deck.known == {"0": "artillero"}
        assert other.observation(None).line[1].card == "jinete"


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_seed_of_later_shuffles_is_imagined_too(seat: int | None) -> None:
    state = position(game(), phase="planning", hands="macehual/tequihua", line="cura!")
    assert len({state.sample_hidden(seat, Chance(seed)).chance for seed in range(20)}) == 20


def test_the_covered_parts_are_imagined_and_the_open_one_is_not() -> None:
    state = position(game(), phase="planning", hands="macehual/tequihua", line="cura!")
    parts = {state.sample_hidden(0, Chance(seed)).parts for seed in range(60)}
    assert {order[0] for order in parts} == {state.parts[0]}
    assert len(parts) == 6


def test_no_view_holds_the_position_or_a_seed() -> None:
    state = position(game(), phase="planning", hands="macehual/tequihua", line="cura!", chance=123456789)
    for seat in (0, 1, None):
        assert b"123456789" not in bytes_for(state, seat)
        assert not hasattr(state.observation(seat), "position")


def test_copies_of_a_card_are_played_known_ones_first() -> None:
    state = position(game(), phase="planning", hands="macehual,macehual?/tequihua", line="cura!")
    do(state, "play macehual")
    # Others still know of one that may be in the hand or on the table.
    assert state.observation(1).hands[0].known == ["macehual"]
    do(state, "play tequihua")
    assert state.observation(1).hands[0].known == []


def test_copies_of_a_card_are_imagined_as_played_known_ones_first() -> None:
    state = position(game(), phase="planning", hands="macehual?,macehual,macehual/tequihua", line="cura!")
    do(state, "play macehual")
    for seed in range(100):
        other = state.sample_hidden(1, Chance(seed))
        macehual = other.variant.numbers["macehual"] << 2
        assert not (macehual in other.picks[0] and macehual | 1 in other.hands[0])


def test_turns_count_up_with_every_change_of_seat_or_phase() -> None:
    for before, after in pairwise((s.to_act, s.phase, s.round, s.turn) for s in walk(game(), 3, 5)):
        assert after[3] >= before[3]
        if after[0] is not None and before[:3] != after[:3]:
            assert after[3] > before[3]
