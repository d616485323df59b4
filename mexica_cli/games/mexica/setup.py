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
from mexica_cli.games.mexica.consistency import neutral_temples
from mexica_cli.games.mexica.table import NOBODY, PLACING, AnyTable
from mexica_cli.games.mexica.variant import Variant

LEAST_PLAYERS, MOST_PLAYERS = 2, 4
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


def check_board(variant: Variant) -> None:
    """Refuse a board on which nothing can be played under these rules. Raises RuleError."""
    board, rules = variant.board, variant.rules
    if most_players(variant) < LEAST_PLAYERS:
        thing = "land spaces" if rules.start_anywhere else "starting spaces"
        raise RuleError(f"the board {board.name} has too few {thing} for {LEAST_PLAYERS} players; draw more of them")
    sizes = {district.bit_count() for district in bits.regions(board.land, board.stride)}
    if not any(rules.canal_tiles) and not sizes & set(rules.calpulli):
        raise RuleError(
            f"canal_tiles: without canals no district of the board {board.name} ever has the size of one of the"
            " calpulli; give some tiles, or a board with districts of those sizes"
        )


def check_players(variant: Variant, players: int) -> None:
    """Refuse a number of players that the game or the board doesn't take."""
    if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
        raise RuleError(f"Mexica is played by {LEAST_PLAYERS} to {MOST_PLAYERS}, not by {players}")
    most = most_players(variant)
    if players > most:
        name = variant.board.name
        raise RuleError(f"the board {name} has {most} starting spaces, too few for {players} players")


def most_players(variant: Variant) -> int:
    """The greatest number of players that board and rules have room for."""
    room = variant.board.land if variant.rules.start_anywhere else variant.board.starts
    return min(MOST_PLAYERS, room.bit_count())


def _draw_neutral(variant: Variant, chance: Chance) -> dict[str, int]:
    """Neutral temples (reading 18): cells drawn one by one, all again until they fit."""
    levels = neutral_levels(variant)
    for cells in _draws(variant, chance, len(levels), _DRAWS):
        if cells is not None:
            return {variant.board.text(cell): level for cell, level in zip(cells, levels, strict=True)}
    raise RuleError(
        f"the board {variant.board.name} has no room for {len(levels)} neutral temples {variant.rules.neutral_distance}"
        " apart; give smaller neutral_temples, neutral_levels or neutral_distance, or a larger board"
    )


def neutral_levels(variant: Variant) -> list[int]:
    """The levels of the neutral temples, ascending."""
    temples = neutral_temples(variant.rules)
    assert temples is not None, "rules in which they can't be made up are refused"
    return [level for level, number in enumerate(temples, 1) for _ in range(number)]


def neutral_room(variant: Variant, chance: Chance, draws: int) -> int:
    """In how many of so many draws the neutral temples fit the board."""
    number = len(neutral_levels(variant))
    return sum(cells is not None for cells in _draws(variant, chance, number, draws))


def _draws(variant: Variant, chance: Chance, number: int, draws: int) -> Iterator[list[int] | None]:
    """So many tries to find cells for so many temples; None is a try in which they don't fit."""
    board, distance = variant.board, variant.rules.neutral_distance
    inland = list(bits.cells(board.land & ~board.palace & ~near_lake(board)))
    for _ in range(draws):
        chosen = _spread_out(chance.shuffled(inland), board, distance, number)
        yield chosen if len(chosen) == number else None


def _spread_out(cells: Iterable[int], board: Board, distance: int, number: int) -> list[int]:
    """Those of the cells, taken in order, that are far enough from all taken before; at most so many."""
    taken: list[tuple[int, int]] = []
    for cell in cells:
        if len(taken) == number:
            break
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
    if variant.rules.start_anywhere and variant.board.land.bit_count() < len(read.neutral) + players:
        raise RuleError("setup: neutral: so many temples leave no land for the pawns; give fewer")
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
