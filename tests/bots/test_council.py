"""The council: legal with any number of seats, deterministic by tries, in time by the clock, blind to hidden cards."""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

import pytest
from games.moctezuma.kit import game, position

from mexica_cli.games.chance import Chance
from mexica_cli.games.moctezuma import State
from mexica_cli.tactics.moctezuma.reckoning import Reckoning
from mexica_cli.tactics.moctezuma.thumbs import choose
from mexica_cli.wire.messages import Clock


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_it_plays_whole_games(play_match: Any, council: ModuleType, players: int) -> None:
    bots = [council.make(["--playouts", "2"]) for _ in range(players)]
    match = play_match(bots, 3, game="moctezuma", options={"deck": "advanced"})
    assert match.state.won is not None


def test_with_a_number_of_tries_the_same_match_is_played_the_same_way_again(
    play_match: Any, council: ModuleType
) -> None:
    def actions(*argv: str) -> list[str]:
        bot = council.make(["--playouts", "24", *argv])
        match = play_match([bot], 4, game="moctezuma", options={"difficulty": "critical"})
        return [text for _, text, _ in match.done]

    first = actions()
    assert actions() == first
    assert actions("--seed", "5") != first


# ---- the search ------------------------------------------------------------------------------------------------------


def debate(council: ModuleType, state: State, tries: int, seed: int = 1) -> Any:
    assert state.to_act is not None
    held = council.Debate(Reckoning(state.variant), state, state.to_act, Chance(seed))
    held.hold(lambda tried: tried < tries)
    return held


def test_it_decides_by_what_its_seat_sees(council: ModuleType) -> None:
    on, differed = game("advanced"), 0
    state = on.start(3, on.deal(3, 8))
    for _ in range(12):
        assert state.to_act is not None
        other = state.sample_hidden(state.to_act, Chance(7))
        differed += other.digest() != state.digest()
        held = [debate(council, each, 30) for each in (state, other)]
        assert held[0].chosen() == held[1].chosen()
        assert held[0].results == held[1].results
        state.apply(held[0].chosen())
    assert differed == 12


def test_it_takes_the_victory_that_the_rules_of_thumb_see_too(council: ModuleType) -> None:
    state = position(game(), phase="defence", field="tonalpouhqui", line="cura!", parts="part_east", markers=1)
    held = debate(council, state, 24)
    assert (state.text(held.chosen()), held.promise()) == ("sacrifice tonalpouhqui quetzalcoatl", 1.0)


def test_without_tries_it_plays_by_the_rules_of_thumb(council: ModuleType) -> None:
    on = game()
    state = on.start(2, on.deal(2, 8))
    held = debate(council, state, 0)
    assert held.tried == 0
    assert held.chosen() == choose(Reckoning(on.variant), state)


def test_a_better_choice_is_taken_if_it_is_clearly_better(council: ModuleType) -> None:
    on = game()
    held = debate(council, on.start(2, on.deal(2, 8)), 0)
    first, second, *others = held.results
    for other in others:
        del held.results[other]
    for ahead, chosen in (([0.6, 0.5, 0.7, 0.6], second), ([0.9, 0.1, 0.7, 0.4], first), ([0.5] * 4, first)):
        held.results = {first: [0.5] * 4, second: ahead}
        assert held.chosen() == chosen


def test_a_choice_that_is_clearly_behind_is_given_up(council: ModuleType) -> None:
    on = game()
    held = debate(council, on.start(2, on.deal(2, 8)), 0)
    first, second, third, *_ = held.results
    held.results = {first: [0.5, 0.6, 0.5, 0.6], second: [0.1, 0.2, 0.2, 0.1], third: [0.9, 0.2, 0.6, 0.4]}
    held._give_up()
    assert list(held.results) == [first, third]


def test_a_choice_that_comes_to_the_same_is_given_up(council: ModuleType) -> None:
    on = game()
    held = debate(council, on.start(2, on.deal(2, 8)), 0)
    first, second, third, *_ = held.results
    held.results = {first: [0.5, 0.9, 0.3], second: [0.5, 0.9, 0.3], third: [0.9, 0.5, 0.3]}
    held._give_up()
    assert list(held.results) == [first, third]


@pytest.mark.parametrize(("playouts", "choices"), [(None, 6), (0, 2), (12, 3), (23, 5), (300, 6)])
def test_few_tries_go_to_few_choices(council: ModuleType, playouts: int | None, choices: int) -> None:
    assert council.choices_for(playouts) == choices
    on = game()
    state = on.start(2, on.deal(2, 8))
    assert len(council.Debate(Reckoning(on.variant), state, 0, Chance(1), choices).results) == choices


# ---- the clock -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (Clock(), None),
        (Clock(left_ms=1000, move_ms=1000), 0.2),
        (Clock(left_ms=60_000, bank_ms=60_000), 1.0),
        (Clock(left_ms=500, move_ms=500, bank_ms=60_000), 0.1),
    ],
)
def test_an_answer_takes_a_share_of_the_time_left(council: ModuleType, clock: Clock, seconds: float | None) -> None:
    assert council.time_for(clock) == seconds


def test_it_goes_on_until_its_time_is_over(council: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    go_on = council.patience(Clock(left_ms=1000), None)
    assert go_on(10**6)
    now[0] += 0.21
    assert not go_on(1)


def test_a_number_of_tries_goes_before_the_clock(council: ModuleType) -> None:
    go_on = council.patience(Clock(left_ms=1), 50)
    assert go_on(49)
    assert not go_on(50)
    assert not council.patience(Clock(), None)(council.UNTIMED)


def test_each_world_is_the_same_for_all_choices(council: ModuleType) -> None:
    """As many results for each choice, and different worlds."""
    on = game("beginner", "critical")
    state = on.start(2, on.deal(2, 8))
    held = debate(council, state, 24)
    lengths = {len(results) for results in held.results.values()}
    assert lengths == {4}
    assert any(len(set(results)) > 1 for results in held.results.values())
