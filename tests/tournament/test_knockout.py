"""The knockout."""

from __future__ import annotations

import random
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.simulate import Players, names, play_all, result

from mexica_cli.tournament.formats import FormatError
from mexica_cli.tournament.knockout import Knockout, KnockoutMatch
from mexica_cli.tournament.results import GameResult, Results, Unplayed


def in_order(bots: list[str]) -> Players:
    """Players of whom the better seed always wins."""
    return Players({bot: -20.0 * index for index, bot in enumerate(bots)}, random.Random(1))


def first_blocks(knockout: Knockout) -> list[tuple[str, ...]]:
    return [block.bots for block in knockout.round(0, Results([])) or []]


@given(st.integers(2, 20), st.integers(0, 1000))
def test_winners_play_on_and_losers_do_not(bots: int, seed: int) -> None:
    knockout = Knockout(names(bots))
    equal = Players(dict.fromkeys(names(bots), 0.0), random.Random(seed), ties=0.5)
    played = play_all(knockout, equal)
    matches = knockout.matches(Results(chain.from_iterable(played)))
    assert len(matches) == bots - 1
    assert {match.loser for match in matches} | {matches[-1].winner} == set(names(bots))
    assert len({match.loser for match in matches}) == bots - 1
    for match in matches:
        later = {bot for other in matches if other.stage > match.stage for bot in (other.winner, other.loser)}
        assert match.loser not in later
        assert match.winner in later or match is matches[-1]


@given(st.integers(2, 33))
def test_seeds_meet_as_late_as_can_be(bots: int) -> None:
    knockout = Knockout(names(bots))
    matches = knockout.matches(Results(chain.from_iterable(play_all(knockout, in_order(names(bots))))))
    stages = matches[-1].stage + 1
    assert (matches[-1].winner, matches[-1].loser) == ("bot00", "bot01")
    for stage in range(stages):
        left = {match.winner for match in matches if match.stage >= stage}
        left |= {match.loser for match in matches if match.stage > stage}
        assert left == set(names(2 ** (stages - stage - 1)))


def test_byes_go_to_the_first_seeds() -> None:
    assert first_blocks(Knockout(names(5))) == [("bot03", "bot04")]
    assert first_blocks(Knockout(names(6))) == [("bot03", "bot04"), ("bot02", "bot05")]
    assert first_blocks(Knockout(names(8))) == [
        ("bot00", "bot07"),
        ("bot03", "bot04"),
        ("bot01", "bot06"),
        ("bot02", "bot05"),
    ]


def play_round(knockout: Knockout, games: list[GameResult], number: int, first_wins: float) -> list[str]:
    """Play a round in which the first by name wins so many of the two games of each block; the ids of its blocks."""
    blocks = knockout.round(number, Results(games))
    assert blocks is not None
    for block in blocks:
        for game, fixture in enumerate(block.fixtures()):
            wins = game < first_wins
            places = (1, 2) if wins == (fixture.seats[0] == block.bots[0]) else (2, 1)
            games.append(result(fixture, places, [50 if place == 1 else 10 * game for place in places]))
    return [block.id for block in blocks]


def test_a_tie_is_decided_by_further_blocks_then_scores() -> None:
    knockout = Knockout(["a", "b", "c", "d"], blocks=2, extra=2)
    games: list[GameResult] = []
    assert play_round(knockout, games, 0, 1) == ["a+d.1", "b+c.1", "a+d.2", "b+c.2"]
    assert play_round(knockout, games, 1, 1) == ["a+d.3", "b+c.3"]
    assert knockout.matches(Results(games)) == []
    assert play_round(knockout, games, 2, 1) == ["a+d.4", "b+c.4"]
    # Game 1 of a block: the first wins, 50 to 0; game 2: the other wins, 50 to 10.
    assert knockout.matches(Results(games)) == [
        KnockoutMatch(0, "a", "d", "scores"),
        KnockoutMatch(0, "b", "c", "scores"),
    ]
    assert play_round(knockout, games, 3, 2) == ["a+b.1", "a+b.2"]
    assert knockout.round(4, Results(games)) is None
    assert knockout.matches(Results(games))[-1] == KnockoutMatch(1, "a", "b", "points")


def test_only_who_is_tied_plays_on() -> None:
    knockout = Knockout(["a", "b", "c", "d"])
    blocks = knockout.round(0, Results([]))
    assert blocks is not None
    games = [result(fixture, (1, 1)) for fixture in blocks[0].fixtures()]
    games += [result(fixture, (1, 2) if fixture.seats[0] == "b" else (2, 1)) for fixture in blocks[1].fixtures()]
    assert [block.id for block in knockout.round(1, Results(games)) or []] == ["a+d.2"]


def test_the_better_seed_wins_what_nothing_else_decides() -> None:
    knockout = Knockout(["z", "a"], extra=0)
    blocks = knockout.round(0, Results([])) or []
    games = [result(fixture, (1, 1)) for block in blocks for fixture in block.fixtures()]
    assert knockout.matches(Results(games)) == [KnockoutMatch(0, "z", "a", "seed")]
    assert knockout.round(1, Results(games)) is None


def test_who_withdrew_is_out() -> None:
    knockout = Knockout(["a", "b", "c"])
    results = Results([], withdrawn=["b"])
    assert knockout.matches(results) == [KnockoutMatch(0, "c", "b", "points")]
    assert [block.id for block in knockout.round(1, results) or []] == ["a+c.1"]


def test_a_round_waits_for_the_one_before() -> None:
    with pytest.raises(Unplayed, match="4 games"):
        Knockout(names(4)).round(1, Results([]))


@pytest.mark.parametrize(("bots", "blocks", "extra"), [(1, 1, 1), (2, 0, 1), (2, 1, -1)])
def test_what_can_not_be(bots: int, blocks: int, extra: int) -> None:
    with pytest.raises(FormatError):
        Knockout(names(bots), blocks, extra)
