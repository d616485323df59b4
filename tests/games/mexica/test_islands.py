"""The generator of boards: what comes out follows from the seed, is as wished, and is fair."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica import bits
from mexica_cli.games.mexica.board import Board, drawn, parse_board
from mexica_cli.games.mexica.islands import UNFAIRNESS, Wish, make_island
from mexica_cli.games.mexica.rule_files import shipped_rules
from mexica_cli.games.mexica.setup import neutral_room
from mexica_cli.games.mexica.variant import Variant

WISHES = st.builds(
    Wish,
    rows=st.integers(14, 30),
    columns=st.integers(14, 26),
    size=st.integers(50, 150),
    starts=st.integers(1, 8),
    palace=st.just("square"),
    neutral=st.just(False),
)


def distances(board: Board, start: int) -> int:
    """The steps from a space to every other, added up; reckoned space by space."""
    steps = {start: 0}
    queue = [start]
    for cell in queue:
        for other in (cell - 1, cell + 1, cell - board.stride, cell + board.stride):
            if board.land >> other & 1 and other not in steps:
                steps[other] = steps[cell] + 1
                queue.append(other)
    assert len(steps) == board.land.bit_count()
    return sum(steps.values())


@settings(max_examples=25)
@given(wish=WISHES, seed=st.integers(0, 2**32))
def test_an_island_is_as_wished(wish: Wish, seed: int) -> None:
    board = make_island(wish, seed, "island")
    assert (len(board.rows), len(board.rows[0])) == (wish.rows, wish.columns)
    assert board.land.bit_count() == wish.size
    assert (board.starts.bit_count(), board.palace.bit_count()) == (wish.starts, 9)
    assert parse_board(drawn(board), "island", "island").rows == board.rows


@settings(max_examples=25)
@given(wish=WISHES, seed=st.integers(0, 2**32))
def test_an_island_is_whole_and_fair(wish: Wish, seed: int) -> None:
    board = make_island(wish, seed, "island")
    assert len(list(bits.regions(board.land, board.stride))) == 1
    assert len(board.lakes) == 1
    for cell in bits.cells(board.land):
        assert (bits.beside(1 << cell, board.stride) & board.land).bit_count() >= 2
    sums = sorted(distances(board, start) for start in bits.cells(board.starts))
    assert sums[-1] - sums[0] <= UNFAIRNESS * sums[0]
    rim = bits.beside(board.palace, board.stride) & ~board.palace
    assert rim & board.land == rim


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_the_usual_island_has_room_for_two_players(seed: int) -> None:
    board = make_island(Wish(), seed, "island")
    assert board.texts(board.palace) != []
    assert neutral_room(Variant("official", shipped_rules("official"), board), Chance(seed), 400) > 0


def test_islands_of_different_seeds_differ() -> None:
    islands = [make_island(Wish(), seed, "island").rows for seed in range(6)]
    assert all(a != b for a, b in pairwise(islands))
    assert islands == [make_island(Wish(), seed, "island").rows for seed in range(6)]


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (Wish(starts=5), "starts: a palace of the form cross has 1 to 4 starting spaces"),
        (Wish(starts=0), "starts: .* has 1 to 4"),
        (Wish(size=300), "size: 14 rows of 21 have only 294 spaces; give a smaller size or more of them"),
        (Wish(size=70), "no island came out in .* with room for neutral temples"),
        (Wish(size=12, neutral=False), "no island came out in .* that has 12 spaces"),
    ],
)
def test_a_wish_that_cant_be_granted(wish: Wish, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        make_island(wish, 1, "island")
