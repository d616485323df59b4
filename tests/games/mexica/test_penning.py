"""The short cuts of the rule against penning, against doing every action and looking."""

from __future__ import annotations

import random

from games.mexica_kit import game_on, position
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.mexica import State
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.board import Board
from mexica_cli.games.mexica.penning import is_penned
from mexica_cli.games.mexica.places import bridge_places

MOVES_AND_BUILDING = {act.CANAL, act.TEMPLE, act.FOUND, act.WALK, act.BOAT, act.TELEPORT}


def crowded(seed: int, rules: str, penning: str) -> State:
    """Three players in the first round on a tiny board full of water, temples and bridges."""
    chance = random.Random(seed)
    rows = ["SCS" + drawn(chance, 3), "S" + drawn(chance, 5), drawn(chance, 4) + "#" + drawn(chance, 1)]
    options = {"penning_first_round": penning, "penning_temples": "yes", "bridges": chance.choice(["2", "11"])}
    on = game_on("\n".join(rows), rules, **options)
    board = on.variant.board
    empty = position(on, players=3, pawns="/".join(board.texts(board.starts)))
    bridges = dict(
        pair for mask, axis in zip(bridge_places(empty), "hv", strict=True) for pair in axes(board, mask, axis)
    )
    bridges = dict(list(bridges.items())[:2])
    land = board.texts(board.land & ~board.palace)
    chance.shuffle(land)
    temples, rest = land[:4], [*land[4:], *board.texts(board.palace), *bridges]
    return position(
        on,
        players=3,
        round=1,
        pawns="/".join(chance.sample(rest, 3)),
        bridges=",".join(f"{cell}:{axis}" for cell, axis in bridges.items()) or "-",
        temples="/".join([",".join(f"{cell}:{1 + n // 3}" for n, cell in enumerate(temples)) or "-", "-", "-"]),
    )


def axes(board: Board, mask: int, axis: str) -> list[tuple[str, str]]:
    return [(cell, axis) for cell in board.texts(mask)]


def drawn(chance: random.Random, length: int) -> str:
    return "".join(chance.choice("####==.") for _ in range(length))


@settings(max_examples=400)
@given(st.integers(0, 2**32), st.sampled_from(["official", "help"]))
def test_what_pens_is_what_is_found_penned_afterwards(seed: int, rules: str) -> None:
    state, freely = (crowded(seed, rules, penning) for penning in ("no", "yes"))
    others = [seat for seat in (1, 2) if not is_penned(freely, seat)]
    expected = set()
    for action in freely.legal_actions():
        after = freely.copy()
        after.apply(action)
        penned = any(is_penned(after, seat) for seat in others)
        if not penned or act.kind(action) not in MOVES_AND_BUILDING:
            expected.add(action)
    assert set(state.legal_actions()) == expected


def test_many_of_these_boards_have_something_to_forbid() -> None:
    pairs = [[crowded(seed, "official", penning) for penning in ("no", "yes")] for seed in range(100)]
    assert sum(len(strict.legal_actions()) < len(free.legal_actions()) for strict, free in pairs) > 30
