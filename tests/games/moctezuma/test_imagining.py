"""A state imagined from an observation looks like the one observed, can be played on, and knows nothing more."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest
from games.moctezuma.kit import DECKS, game, position, walk
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import JsonDict, RuleError
from mexica_cli.games.moctezuma import State

RANDOM_GAMES = given(deck=st.sampled_from(DECKS), players=st.integers(1, 5), seed=st.integers(0, 2**32))


def seen(state: State, seat: int | None) -> JsonDict:
    """An observation as it comes over the wire."""
    view: JsonDict = msgspec.json.decode(msgspec.json.encode(state.observation(seat)))
    return view


@settings(max_examples=15)
@RANDOM_GAMES
def test_it_looks_the_same_to_that_seat(deck: str, players: int, seed: int) -> None:
    on, chance, differed = game(deck), Chance(seed), 0
    for state in walk(on, players, seed):
        for seat in (*range(players), None):
            view = seen(state, seat)
            other = on.imagine(view, seat, chance)
            assert seen(other, seat) == view
            assert other.to_act == state.to_act
            if state.to_act == seat:
                assert sorted(other.legal_actions()) == sorted(state.legal_actions())
            differed += other.digest() != state.digest()
    assert differed > 0


@settings(max_examples=10)
@RANDOM_GAMES
def test_it_is_a_state_of_this_game_and_can_be_played_to_its_end(deck: str, players: int, seed: int) -> None:
    on, chance, choose = game(deck, "easy"), Chance(seed), random.Random(seed)
    states = [state.copy() for state in walk(on, players, seed)]
    for state in choose.sample(states, 10):
        other = on.imagine(seen(state, 0), 0, chance)
        assert on.from_position(other.position()).digest() == other.digest()
        while other.to_act is not None:
            other.apply(choose.choice(other.legal_actions()))
        assert other.ranking() is not None


@settings(max_examples=10)
@RANDOM_GAMES
def test_it_depends_on_nothing_hidden(deck: str, players: int, seed: int) -> None:
    """Two states that differ only in what a seat can't see are imagined equal by it, with the same chance."""
    on, chance, differed = game(deck), Chance(seed), 0
    for state in walk(on, players, seed):
        seat = seed % players
        other = state.sample_hidden(seat, chance)
        differed += other.digest() != state.digest()
        imagined = [on.imagine(seen(each, seat), seat, Chance(7)).digest() for each in (state, other)]
        assert imagined[0] == imagined[1]
    assert differed > 0


@settings(max_examples=10)
@RANDOM_GAMES
def test_drawing_the_hidden_anew_leaves_nothing_of_what_was_imagined(deck: str, players: int, seed: int) -> None:
    """`sample_hidden` of an imagined state is drawn from as much as that of the real one: the same cards."""
    on = game(deck)
    *_, state = (each.copy() for each, _ in zip(walk(on, players, seed), range(12), strict=False))
    samples = [state.sample_hidden(0, Chance(n)) for n in range(6)]
    samples += [on.imagine(seen(state, 0), 0, Chance(n)).sample_hidden(0, Chance(n)) for n in range(6)]
    zones = [(each.deck, *each.hands, *each.picks) for each in samples]
    assert len({tuple(sorted(entry >> 2 for zone in state for entry in zone)) for state in zones}) == 1


def test_every_possibility_is_as_likely() -> None:
    on = game("advanced")
    state = on.start(2, on.deal(2, 4))
    view, draws = seen(state, 0), 2000
    samples = [on.imagine(view, 0, Chance(n)) for n in range(draws)]
    unseen = Counter([*state.deck, *state.hands[1]])
    tops, held = Counter(each.deck[-1] for each in samples), Counter(each.hands[1][0] for each in samples)
    for entry, copies in unseen.items():
        share = copies / unseen.total()
        assert abs(tops[entry] / draws - share) < 5 * (share / draws) ** 0.5
    assert len(held) > 10
    assert not any(on.variant.cortes in each.box for each in samples)


def test_a_known_card_that_is_chosen_in_planning_stays_known() -> None:
    state = position(game(), phase="planning", hands="macehual,macehual?/tequihua", line="cura!")
    state.apply(state.parse("play macehual"))
    other = game().imagine(seen(state, 0), 0, Chance(1))
    assert (other.hands[0], other.picks[0]) == (state.hands[0], state.picks[0])
    other = game().imagine(seen(state, 1), 1, Chance(1))
    assert sum(entry & 1 for entry in (*other.hands[0], *other.picks[0])) == 1


def test_an_ability_under_way_goes_on_as_it_would() -> None:
    """Its steps, what comes after it (Xiuhtecuhtli), and whose turn it is then."""
    state = position(
        game(),
        phase="defence",
        gods="xiuhtecuhtli/tezcatlipoca/-/quetzalcoatl",
        field="ticitl,tequihua",
        mictlan="cuachic,devoto",
    )
    for text in ("use ticitl", "take mictlan devoto"):
        state.apply(state.parse(text))
    other = game().imagine(seen(state, 0), 0, Chance(3))
    assert (other.stack, other.recovered, other.seat) == (state.stack, True, 1)
    for each in (state, other):
        each.apply(each.parse("done"))
    assert seen(other, 1)["gods"] == seen(state, 1)["gods"]
    assert sorted(map(other.text, other.options)) == sorted(map(state.text, state.options))
    assert state.text(state.options[0]) == "god main"


def test_eagle_warriors_that_nobody_sees_are_known_by_their_number() -> None:
    eagles = "cuauhtli,cuauhtli,cuauhtli,cuauhpilli,cuauhpilli,tlacateccatl"
    state = position(game(), phase="planning", hands="macehual/tequihua", line="cura!", deck=eagles)
    other = game().imagine(seen(state, 0), 0, Chance(1))
    hidden = [entry >> 2 for entry in (*other.deck, *other.hands[1])]
    assert sum(kind in other.variant.eagles for kind in hidden) == 6


def another_effect(view: JsonDict) -> None:
    view["resolving"] = [{"card": "cura", "seat": 0, "step": "attack", "done": 0, "effect": 999, "at": 0}]


def changed(**fields: object) -> Callable[[JsonDict], None]:
    return lambda view: view.update(fields)


def less_of_a_deck(view: JsonDict) -> None:
    view["deck"]["cards"] -= 1


def more_conquistadors(view: JsonDict) -> None:
    view["siege_deck"]["cards"] += 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (changed(phase="lunch"), "state: Invalid enum value 'lunch' - at `$.phase`"),
        (changed(mictlan=["jaguar"]), "state: there is no card 'jaguar' in this card set"),
        (changed(mictlan=["macehual"] * 5), "state: 'macehual' is there more often than the game has it"),
        (changed(hands=[]), "state: hands: there are 0"),
        (changed(seat=1), "state: it is what seat 1 sees, not seat 0"),
        (less_of_a_deck, "state: 1 cards lie nowhere"),
        (another_effect, "state: resolving: there is no step 0 of effect 999 in this card set"),
        (more_conquistadors, "state: there are more face-down cards than the game has"),
    ],
)
def test_what_is_no_observation_is_refused(change: Callable[[JsonDict], None], says: str) -> None:
    view = seen(position(game(), phase="planning", hands="macehual/tequihua", line="cura!"), 0)
    change(view)
    with pytest.raises(RuleError) as refused:
        game().imagine(view, 0, Chance(1))
    assert str(refused.value).startswith(says)
