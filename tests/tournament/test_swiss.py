"""The Swiss system."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.simulate import Players, names, play_all, result

from mexica_cli.tournament.formats import FormatError
from mexica_cli.tournament.results import GameResult, Results, Unplayed
from mexica_cli.tournament.swiss import Swiss


def players(bots: list[str], seed: int) -> Players:
    return Players({bot: -0.5 * index for index, bot in enumerate(bots)}, random.Random(seed), ties=0.4)


def pairs_of(games: list[GameResult]) -> set[frozenset[str]]:
    return {frozenset(game.seats) for game in games}


@given(st.integers(2, 12), st.integers(1, 12), st.integers(0, 1000))
def test_nobody_meets_twice_while_it_can_be_avoided(bots: int, rounds: int, seed: int) -> None:
    """It can for as many rounds as half the bots: a graph of so many edges left has a perfect matching (Dirac)."""
    entries = names(bots)
    played = play_all(Swiss(entries, rounds), players(entries, seed))
    assert len(played) == rounds
    meetings = Counter(pair for games in played[: max(1, bots // 2)] for pair in pairs_of(games))
    assert set(meetings.values()) == {1}
    for games in played:
        busy = Counter(chain.from_iterable(pairs_of(games)))
        assert set(busy.values()) == {1}
        assert len(busy) == bots - bots % 2
        assert len(games) == bots // 2 * 2


@given(st.integers(1, 5), st.integers(1, 11), st.integers(0, 1000))
def test_nobody_has_a_second_bye_before_all_had_one(half: int, rounds: int, seed: int) -> None:
    entries = names(2 * half + 1)
    swiss = Swiss(entries, rounds)
    games = list(chain.from_iterable(play_all(swiss, players(entries, seed))))
    byes = {row.bot: row.byes for row in swiss.table(rounds, Results(games))}
    assert sum(byes.values()) == rounds
    assert max(byes.values()) - min(byes.values()) <= 1


@given(st.integers(0, 1000))
def test_the_bye_goes_to_the_lowest_without_one(seed: int) -> None:
    entries = names(7)
    swiss = Swiss(entries, 4)
    played = play_all(swiss, players(entries, seed))
    had: set[str] = set()
    for number, games in enumerate(played):
        (bye,) = set(entries) - {bot for game in games for bot in game.seats}
        table = swiss.table(number, Results(chain.from_iterable(played[:number])))
        without = [row.score for row in table if row.bot not in had]
        assert next(row.score for row in table if row.bot == bye) == min(without)
        had.add(bye)


def test_the_first_round_pairs_the_upper_half_with_the_lower() -> None:
    blocks = Swiss(names(6), 3).round(0, Results([]))
    assert blocks is not None
    assert [block.bots for block in blocks] == [("bot00", "bot03"), ("bot01", "bot04"), ("bot02", "bot05")]


def test_winners_meet_winners() -> None:
    swiss = Swiss(names(8), 3)
    (first, second, _) = play_all(swiss, Players({bot: -9.0 * i for i, bot in enumerate(names(8))}, random.Random(1)))
    winners = {game.seats[game.ranking.index(1)] for game in first}
    assert winners == set(names(4))
    assert pairs_of(second) == {frozenset(pair) for pair in (("bot00", "bot02"), ("bot01", "bot03"))} | {
        frozenset(pair) for pair in (("bot04", "bot06"), ("bot05", "bot07"))
    }


def test_matches_of_several_blocks_take_turns_and_go_on_counting() -> None:
    swiss = Swiss(["a", "b", "c", "d"], 4, blocks=2)
    played = play_all(swiss, players(["a", "b", "c", "d"], 1))
    assert [game.id for game in played[0]] == [
        *("a+c.1-1", "a+c.1-2", "b+d.1-1", "b+d.1-2"),
        *("a+c.2-1", "a+c.2-2", "b+d.2-1", "b+d.2-2"),
    ]
    again = {game.block for game in played[3]}
    assert {block.rpartition(".")[2] for block in again} == {"3", "4"}


def test_the_table_has_buchholz_and_sonneborn_berger() -> None:
    swiss = Swiss(["a", "b", "c"], 3)
    outcomes = {"a": (1, 2), "b": (1, 1), "c": (2, 1)}  # by the first of a pair in the order of names
    games: list[GameResult] = []
    for number in range(3):
        for block in swiss.round(number, Results(games)) or []:
            for fixture in block.fixtures():
                places = outcomes[block.bots[0]]
                games.append(result(fixture, places if fixture.seats[0] == block.bots[0] else places[::-1]))
    a, b, c = (next(row for row in swiss.table(3, Results(games)) if row.bot == bot) for bot in "abc")
    assert [a.score, b.score, c.score] == [Fraction(3), Fraction(3, 2), Fraction(3, 2)]
    assert (a.byes, b.byes, c.byes) == (1, 1, 1)
    assert a.buchholz == b.score + c.score + a.score
    assert b.buchholz == a.score + c.score + b.score
    assert a.sonneborn == b.score + c.score + a.score
    assert b.sonneborn == c.score / 2 + b.score
    assert [row.bot for row in swiss.table(3, Results(games))] == ["a", "b", "c"]
    assert [row.score for row in swiss.table(0, Results([]))] == [0, 0, 0]


def test_the_better_bots_come_out_on_top() -> None:
    entries = names(16)
    shuffled = random.Random(3).sample(entries, 16)
    swiss = Swiss(shuffled, 6, blocks=2)
    strong = Players({bot: -1.0 * index for index, bot in enumerate(entries)}, random.Random(4))
    games = list(chain.from_iterable(play_all(swiss, strong)))
    table = [row.bot for row in swiss.table(6, Results(games))]
    assert set(table[:3]) <= set(entries[:5])
    assert set(table[-3:]) <= set(entries[-5:])


def test_a_round_waits_for_the_one_before() -> None:
    swiss = Swiss(names(4), 3)
    (first, *_) = play_all(swiss, players(names(4), 1))
    with pytest.raises(Unplayed, match="1 games"):
        swiss.round(1, Results(first[:-1]))
    assert swiss.round(3, Results([])) is None


def test_who_withdrew_loses_without_playing() -> None:
    swiss = Swiss(["a", "b", "c", "d"], 2)
    games = [game for game in play_all(swiss, players(["a", "b", "c", "d"], 1))[0] if "a" not in game.seats]
    results = Results(games, withdrawn=["a"])
    table = {row.bot: row.score for row in swiss.table(1, results)}
    assert [table["a"], table["c"]] == [Fraction(0), Fraction(1)]
    blocks = swiss.round(1, results)
    assert blocks is not None
    assert "a" not in {bot for fixture in results.open(blocks) for bot in fixture.seats}


@pytest.mark.parametrize(("bots", "rounds", "blocks"), [(1, 1, 1), (4, 0, 1), (4, 1, 0)])
def test_what_can_not_be(bots: int, rounds: int, blocks: int) -> None:
    with pytest.raises(FormatError):
        Swiss(names(bots), rounds, blocks)
