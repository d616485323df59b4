"""Blocks, their ids and their seatings."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.simulate import names

from mexica_cli.record.seeds import block_of, deal_of, deal_seed
from mexica_cli.tournament.blocks import Block, Seating, Seatings, block, numbered, seatings, team_block, turn_of

bot_names = st.text(min_size=1, max_size=8)


def followers(games: tuple[Seating, ...]) -> Counter[tuple[str, str]]:
    """How often every bot sits behind every other, round the table."""
    return Counter((bots[seat - 1], bots[seat]) for bots in games for seat in range(len(bots)))


def test_ids_are_made_of_names_and_a_number() -> None:
    made = block(["random", "greedy"], 3)
    assert made.id == "greedy+random.3"
    assert made.bots == ("greedy", "random")
    assert [(game.id, game.seats) for game in made.fixtures()] == [
        ("greedy+random.3-1", ("greedy", "random")),
        ("greedy+random.3-2", ("random", "greedy")),
    ]


def test_names_that_are_no_file_names_are_encoded() -> None:
    assert block(["random#2", "a/b", "x+y"], 1).id == "a%2Fb+random%232+x%2By.1"


@given(st.lists(bot_names, min_size=1, max_size=4), st.integers(1, 10**6))
def test_ids_are_safe_and_do_not_depend_on_the_order(bots: list[str], number: int) -> None:
    made = block(bots, number)
    assert block(bots[::-1], number) == made
    assert re.fullmatch(r"[\w.~%+-]+", made.id, re.ASCII)
    assert all(block_of(game.id) == made.id for game in made.fixtures())


@given(st.lists(st.tuples(bot_names, bot_names, st.integers(1, 20)), max_size=20))
def test_different_blocks_have_different_ids(blocks: list[tuple[str, str, int]]) -> None:
    keys = {(min(one, other), max(one, other), number) for one, other, number in blocks}
    ids = {block([one, other], number).id for one, other, number in keys}
    ids |= {team_block([one], number, 2).id for one, _, number in keys}
    assert len(ids) == len(keys) + len({(one, number) for one, _, number in keys})


@given(st.integers(1, 5), st.integers(1, 100))
def test_everyone_sits_everywhere_once(seats: int, number: int) -> None:
    games = seatings(names(seats), number, Seatings.ROTATED)
    assert len(games) == seats
    assert all(sorted(bots) == names(seats) for bots in games)
    assert all(len({bots[seat] for bots in games}) == seats for seat in range(seats))


@pytest.mark.parametrize(("seats", "blocks"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_over_a_few_blocks_everyone_sits_behind_everyone_equally_often(seats: int, blocks: int) -> None:
    for first in range(1, 10):
        games = sum((seatings(names(seats), first + more, Seatings.ROTATED) for more in range(blocks)), ())
        counts = followers(games)
        assert len(counts) == seats * (seats - 1)
        assert len(set(counts.values())) == 1


def test_four_follow_each_other_once_or_twice_in_a_block() -> None:
    for number in range(1, 4):
        counts = followers(seatings(names(4), number, Seatings.ROTATED))
        assert set(counts) == set(permutations(names(4), 2))
        assert set(counts.values()) == {1, 2}


@pytest.mark.parametrize(("seats", "games"), [(1, 1), (2, 2), (3, 6), (4, 24)])
def test_all_seatings(seats: int, games: int) -> None:
    assert set(block(names(seats), 1, Seatings.ALL).seatings) == set(permutations(names(seats)))
    assert len(block(names(seats), 1, Seatings.ALL).seatings) == games


@pytest.mark.parametrize("kind", Seatings)
def test_a_bot_may_sit_several_times(kind: Seatings) -> None:
    made = block(["planner", "greedy", "greedy", "greedy"], 1, kind)
    assert made.id == "greedy+greedy+greedy+planner.1"
    assert made.bots == ("greedy", "planner")
    assert sorted(game.seats.index("planner") for game in made.fixtures()) == [0, 1, 2, 3]


def test_teams_share_their_deals() -> None:
    assert team_block(["council"], 3, 4) == Block("council@3", (("council",) * 4,))
    mixed = team_block(["steward", "council"], 3, 2)
    assert mixed == Block("council+steward@3", (("council", "steward"), ("steward", "council")))
    assert deal_of("council@3") == deal_of(mixed.id) == "3"
    assert deal_seed(7, "council@3-1") == deal_seed(7, mixed.fixtures()[1].id) != deal_seed(7, "council@4-1")
    assert deal_of("greedy+random.3") == "greedy+random.3"
    assert deal_of(team_block(["at@2"], 3, 1).id) == "3"


def test_a_set_is_numbered_whatever_its_order() -> None:
    sets = [("b", "a"), ("a", "c"), ("a", "b")]
    assert [number for _, number in numbered(sets)] == [1, 1, 2]


# ---- rule sets take turns --------------------------------------------------------------------------------------------


@given(
    st.lists(bot_names, min_size=1, max_size=5, unique=True),
    st.integers(1, 6),
    st.sampled_from(Seatings),
    st.integers(0, 20),
)
def test_rule_sets_and_orders_round_the_table_are_independent(
    bots: list[str], rule_sets: int, kind: Seatings, cycle: int
) -> None:
    ways = 1 if kind is Seatings.ALL else {3: 2, 4: 3, 5: 4}.get(len(bots), 1)
    pairs = rule_sets * ways
    blocks = [block(bots, cycle * pairs + number, kind) for number in range(1, pairs + 1)]
    turns = [turn_of(one.id, rule_sets, kind) for one in blocks]
    assert len({(turn, one.seatings) for turn, one in zip(turns, blocks, strict=True)}) == pairs
    assert all(len(set(turns[begun : begun + rule_sets])) == rule_sets for begun in range(0, pairs, rule_sets))


@pytest.mark.parametrize("rule_sets", [2, 3, 4, 5])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_under_every_rule_set_everyone_sits_everywhere_and_behind_everyone_equally_often(
    seats: int, rule_sets: int
) -> None:
    places: Counter[tuple[int, str, int]] = Counter()
    behind: Counter[tuple[int, tuple[str, str]]] = Counter()
    for number in range(1, 1 + rule_sets * 12):
        made = block(names(seats), number)
        turn = turn_of(made.id, rule_sets)
        places.update((turn, bot, seat) for bots in made.seatings for seat, bot in enumerate(bots))
        behind.update((turn, pair) for pair in followers(made.seatings).elements())
    assert (len(places), len(set(places.values()))) == (rule_sets * seats * seats, 1)
    assert (len(behind), len(set(behind.values()))) == (rule_sets * seats * (seats - 1), 1)


@pytest.mark.parametrize(("rule_sets", "turns"), [(1, [0] * 8), (2, [0, 1, 1, 0, 0, 1, 1, 0]), (3, [0, 1, 2] * 3)])
def test_whose_turn_it_is_with_three_seats(rule_sets: int, turns: list[int]) -> None:
    assert [turn_of(f"a+b+c.{number}", rule_sets) for number in range(1, len(turns) + 1)] == turns


def test_where_there_is_one_way_to_sit_they_simply_take_turns() -> None:
    assert [turn_of(team_block(["council"], deal, 3).id, 2) for deal in range(1, 7)] == [0, 1] * 3
    assert [turn_of(f"a+b+c.{number}", 2, Seatings.ALL) for number in range(1, 7)] == [0, 1] * 3
