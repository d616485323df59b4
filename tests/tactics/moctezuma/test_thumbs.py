"""The rules of thumb: from what the seat sees alone, sound in plain cases, and good enough to win."""

from __future__ import annotations

import pytest
from games.moctezuma.kit import DECKS, MOCTEZUMA, blank_game, game, position
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.chance import Chance
from mexica_cli.games.moctezuma import State
from mexica_cli.tactics.moctezuma.outlook import Outlook
from mexica_cli.tactics.moctezuma.reckoning import Blow, Reckoning
from mexica_cli.tactics.moctezuma.thumbs import best, choose


def chosen(state: State) -> str:
    return state.text(choose(Reckoning(state.variant), state))


def play_out(state: State) -> State:
    reckoning = Reckoning(state.variant)
    while state.options:
        state.apply(choose(reckoning, state))
    return state


# ---- what they rest on -----------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(deck=st.sampled_from(DECKS), players=st.integers(1, 5), seed=st.integers(0, 2**32))
def test_they_look_at_nothing_that_the_seat_cant_see(deck: str, players: int, seed: int) -> None:
    on, chance = game(deck), Chance(seed)
    reckoning = Reckoning(on.variant)
    state = on.start(players, on.deal(players, seed))
    while state.to_act is not None:
        other = state.sample_hidden(state.to_act, chance)
        action = choose(reckoning, state)
        assert state.is_legal(action)
        assert choose(reckoning, other) == action
        assert Outlook(reckoning, other).chance() == Outlook(reckoning, state).chance()
        state.apply(action)


def test_blows_are_read_off_the_cards() -> None:
    variant = game().variant
    blows = Reckoning(variant).blows
    found = {
        name: tuple(blows[variant.numbers[name]]) for name in ("jinete", "cura", "artillero", "ballestero", "lengua")
    }
    assert found == {
        "jinete": (3, 0, 0),
        "cura": (0, 1, 0),
        "artillero": (0, 0, 3),
        "ballestero": (1, 2, 0),
        "lengua": (0, 0, 0),
    }
    assert blows[variant.numbers["bergantin"]].gods == 3
    assert blows[variant.numbers["hernan_cortes"]].warriors > blows[variant.numbers["hernan_cortes"]].priests >= 1
    assert blows[variant.numbers["refuerzo_doble"]].points == 2 * blows[variant.numbers["refuerzo_simple"]].points > 2


def test_the_mean_blow_is_that_of_the_deck_in_play() -> None:
    beginner, advanced = (Reckoning(game(deck).variant) for deck in DECKS)
    assert 1 < beginner.mean.points < 3
    assert beginner.mean != advanced.mean
    assert Reckoning(blank_game(special=False).variant).mean == Blow()


def test_a_team_is_better_off_with_more_fortress_fewer_attacks_and_more_markers() -> None:
    def chance(**fields: str | int) -> float:
        state = position(game(), phase="planning", hands="macehual/tequihua", **fields)
        return Outlook(Reckoning(state.variant), state).chance()

    even = chance(line="cura!")
    assert 0.02 < even < 0.98
    assert chance(line="cura!", fortress="4/5/0/4") < even
    assert chance(line="cura!,jinete!") < even
    assert chance(line="cura!", parts="part_south") > even


# ---- plain cases -----------------------------------------------------------------------------------------------------


def test_a_priest_is_sacrificed_to_quetzalcoatl() -> None:
    assert chosen(position(game(), phase="defence", field="tonalpouhqui", line="cura!")) == (
        "sacrifice tonalpouhqui quetzalcoatl"
    )


def test_with_the_gods_near_their_end_a_priest_is_for_tlaloc() -> None:
    gods = "tlaloc/mictlantecuhtli/-/quetzalcoatl"
    fields = {"phase": "defence", "field": "tonalpouhqui", "line": "artillero!,jinete!", "gods": gods}
    assert chosen(position(game(), fortress="2/1/0/1", parts="part_south", markers=1, **fields)) == (
        "sacrifice tonalpouhqui main"
    )
    assert chosen(position(game(), fortress="2/1/0/1", parts="part_south", markers=3, **fields)) == (
        "sacrifice tonalpouhqui quetzalcoatl"
    )


def test_damage_goes_where_it_costs_nothing() -> None:
    assert chosen(position(game(), field="macehual,otomitl", line="rodelero!")) == "hit otomitl"


def test_the_last_fortress_point_is_not_given_away() -> None:
    state = position(
        game(), field="cuachic:1", line="rodelero!", gods="-/-/-/quetzalcoatl", fortress="0/0/0/1", players=2
    )
    assert chosen(state) == "hit cuachic:1"


@pytest.mark.parametrize("players", [1, 3])
def test_moctezuma_stays_in_the_hand(players: int) -> None:
    hands = "/".join([f"macehual,{MOCTEZUMA}", "tequihua", "tequihua"][:players])
    assert chosen(position(game(), phase="planning", players=players, hands=hands, line="cura!")) == "play macehual"
    state = game().start(players, game().deal(players, 3))
    options = best(Reckoning(state.variant), state, 20)
    assert len(options) == min(20, len(state.options))


def test_others_fall_before_moctezuma() -> None:
    state = position(game(), field=f"{MOCTEZUMA}:2,cuachic:1", line="rodelero!")
    assert chosen(state) == "hit cuachic:1"
    assert chosen(position(game(), field=f"{MOCTEZUMA},cuachic:1", line="rodelero!")) == f"hit {MOCTEZUMA}"


def test_moctezuma_is_never_exchanged() -> None:
    on, found = game(), 0
    for seed in range(40):
        state = on.start(5, on.deal(5, seed))
        while state.phase == 0:
            found += any(state.variant.ids[entry >> 2] == MOCTEZUMA for entry in state.hands[state.asked])
            assert MOCTEZUMA not in chosen(state)
            state.apply(choose(Reckoning(state.variant), state))
    assert found > 3


def test_moctezuma_is_fetched_from_mictlan_while_it_is_time() -> None:
    fields = {"phase": "reflection", "field": "yaoquizqui,tequihua", "line": "cura!"}
    state = position(game(), mictlan=MOCTEZUMA, **fields)
    assert chosen(state) == "use yaoquizqui"
    state.apply(choose(Reckoning(state.variant), state))
    assert state.variant.moctezuma in {entry >> 2 for hand in state.hands for entry in hand} or (
        chosen(state) == f"take mictlan {MOCTEZUMA}"
    )
    assert chosen(position(game(), mictlan="devoto", **fields)) == "pass"


# ---- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_they_win_about_as_often_as_the_page_says(players: int) -> None:
    """Roughly: 25 games a cell, always the same ones."""

    def won(difficulty: str) -> int:
        on = game("beginner", difficulty)
        return sum(bool(play_out(on.start(players, on.deal(players, seed))).won) for seed in range(25))

    assert won("easy") >= 12 > won("critical")


def test_they_play_any_cards_to_the_end() -> None:
    on = blank_game(special=True, difficulty="easy")
    for players in (1, 3, 5):
        assert play_out(on.start(players, on.deal(players, 1))).to_act is None
