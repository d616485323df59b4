"""The set-up: what chance decides, and the table at the start of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import JsonDict, RuleError
from mexica_cli.games.mexica import bits
from mexica_cli.games.mexica.board import Board, near_lake
from mexica_cli.games.mexica.table import NOBODY, PLACING, AnyTable
from mexica_cli.games.mexica.variant import Variant

MOST_PLAYERS = 4
_DRAWS = 2000
"""Tries to fit the neutral temples before the board is called too small. On the standard board seven in ten fit."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The random part of the set-up."""

    calpulli: Annotated[list[list[int]], Meta(min_length=2, max_length=2)]
    """Sizes of the tokens of each period."""
    neutral: dict[str, Annotated[int, Meta(ge=1)]] = {}
    """Neutral temples of a game of two players: cell to level."""


def deal(variant: Variant, players: int, seed: int) -> Setup:
    """Draw tokens and, for two players, neutral temples. Raises RuleError where they don't fit the board."""
    check_players(variant, players)
    chance = Chance(seed)
    tokens = chance.shuffled(variant.rules.calpulli)
    first = variant.rules.first_calpulli
    neutral = _draw_neutral(variant, chance) if players == 2 else {}
    return Setup([tokens[:first], tokens[first:]], neutral)


def check_players(variant: Variant, players: int) -> None:
    """Refuse a number of players that the game or the board doesn't take."""
    if not 2 <= players <= MOST_PLAYERS:
        raise RuleError(f"Mexica is played by 2 to {MOST_PLAYERS}, not by {players}")
    most = most_players(variant)
    if players > most:
        name = variant.board.name
        raise RuleError(f"the board {name} has {most} starting spaces, too few for {players} players")


def most_players(variant: Variant) -> int:
    """The greatest number of players that board and rules have room for."""
    if variant.rules.start_anywhere:
        return MOST_PLAYERS
    return min(MOST_PLAYERS, variant.board.starts.bit_count())


def _draw_neutral(variant: Variant, chance: Chance) -> dict[str, int]:
    """Neutral temples (reading 18): cells drawn one by one, all again until they fit."""
    board, rules = variant.board, variant.rules
    levels = [level for level, number in enumerate(rules.neutral_temples, 1) for _ in range(number)]
    inland = list(bits.cells(board.land & ~board.palace & ~near_lake(board)))
    for _ in range(_DRAWS):
        chosen = _spread_out(chance.shuffled(inland), board, rules.neutral_distance)[: len(levels)]
        if len(chosen) == len(levels):
            return {board.text(cell): level for cell, level in zip(chosen, levels, strict=True)}
    raise RuleError(
        f"the board {board.name} has no room for {len(levels)} neutral temples {rules.neutral_distance} apart;"
        " give smaller neutral_temples or neutral_distance"
    )


def _spread_out(cells: Iterable[int], board: Board, distance: int) -> list[int]:
    """Those of the cells, taken in order, that are far enough from all taken before."""
    taken: list[tuple[int, int]] = []
    for cell in cells:
        row, column = divmod(cell, board.stride)
        if all(abs(row - r) + abs(column - c) >= distance for r, c in taken):
            taken.append((row, column))
    return [row * board.stride + column for row, column in taken]


def read_setup(variant: Variant, players: int, setup: JsonDict) -> Setup:
    """The set-up that a JSON object describes. Raises RuleError.

    The tokens must be the rule set's. Neutral temples may be any, on land that isn't palace.
    """
    try:
        read = msgspec.convert(setup, Setup)
    except msgspec.ValidationError as error:
        raise RuleError(f"setup: {error}") from None
    _check_tokens(variant, read)
    if read.neutral and players != 2:
        raise RuleError(f"setup: neutral: neutral temples belong to games of two players, not of {players}")
    for cell, level in read.neutral.items():
        _check_neutral(variant, cell, level)
    return read


def _check_tokens(variant: Variant, setup: Setup) -> None:
    rules = variant.rules
    first, second = setup.calpulli
    if len(first) != rules.first_calpulli:
        raise RuleError(f"setup: calpulli: the first period has {rules.first_calpulli} tokens, not {len(first)}")
    if sorted(first + second) != sorted(rules.calpulli):
        raise RuleError(f"setup: calpulli: both periods together must be the tokens {sorted(rules.calpulli)}")


def _check_neutral(variant: Variant, name: str, level: int) -> None:
    cell = variant.board.numbers.get(name)
    if cell is None or not (variant.board.land & ~variant.board.palace) >> cell & 1:
        raise RuleError(f"setup: neutral: {name!r} is no land space outside the palace")
    if level > variant.rules.levels:
        raise RuleError(f"setup: neutral: {name} has level {level}; levels go from 1 to {variant.rules.levels}")


def lay_out(table: AnyTable, variant: Variant, players: int, setup: Setup) -> AnyTable:
    """Fill a new table with the first position: no pawn placed yet, seat 0 to act."""
    rules, board = variant.rules, variant.board
    table.variant, table.players, table.phase = variant, players, PLACING
    table.seat = table.voter = table.turn = table.ap = table.taken = table.quiet = table.proposal = 0
    table.period = table.round = 1
    table.busy, table.proposed = False, ()
    table.kept = table.scored = table.action_tokens = (0,) * players
    table.hands = (tuple(rules.temples[0]),) * players
    table.built = tuple(_built(variant, players, setup.neutral))
    table.temples = _union(mask for owner in table.built for mask in owner)
    table.tiles = tuple(rules.canal_tiles)
    table.land, table.canals = board.land, board.canals
    table.bridges_h = table.bridges_v = table.ramps = table.calpulli = table.pawn_cells = table.founded_land = 0
    table.pawns = (NOBODY,) * players
    first, later = setup.calpulli
    table.display, table.later = tuple(sorted(first)), tuple(sorted(later))
    table.unfounded, table.founded = tuple(bits.regions(board.land, board.stride)), ()
    return table


def _built(variant: Variant, players: int, neutral: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    yield from ((0,) * variant.rules.levels,) * players
    if players == 2:
        levels = [0] * variant.rules.levels
        for cell, level in neutral.items():
            levels[level - 1] |= 1 << variant.board.numbers[cell]
        yield tuple(levels)


def _union(masks: Iterable[int]) -> int:
    together = 0
    for mask in masks:
        together |= mask
    return together
