"""What lies on the table in one position, and nothing derived from it that isn't needed at every step.

All fields are ints or tuples that are replaced, never changed: a copy is a copy of references.
"""

from __future__ import annotations

from typing import TypeVar

from mexica_cli.games.mexica.variant import Variant

PLACING, TURN, VOTE, OVER = range(4)
PHASES = ("place", "turn", "vote", "over")

NOBODY = -1
"""Cell of a pawn that isn't placed yet."""

AnyTable = TypeVar("AnyTable", bound="Table")


class Table:
    """One position. Masks are sets of cells as in `bits`; seats count from 0."""

    __slots__ = (
        "action_tokens",  # held, by seat
        "ap",  # left in this turn
        "bridges_h",  # mask of bridges crossed east-west
        "bridges_v",
        "built",  # by owner (seats, then the neutral colour), by level: mask of temples
        "busy",  # this round saw a canal, temple, founding or retirement
        "calpulli",  # mask of the cells of tokens on the board
        "canals",  # mask, with and without bridge
        "display",  # sizes of the tokens on display, ascending
        "founded",  # masks of the founded districts, in order of founding
        "founded_land",  # their union
        "hands",  # by seat, by level: temples left
        "kept",  # by seat: AP kept for the next turn
        "land",  # mask
        "later",  # sizes of the tokens of the period to come, ascending
        "pawn_cells",  # mask
        "pawns",  # cell by seat
        "period",
        "phase",
        "players",
        "proposal",  # size of the token that is voted on; 0 outside of a vote
        "proposed",  # sizes proposed in this turn, ascending
        "quiet",  # rounds in a row without progress before this one
        "ramps",  # mask of the land at the ends of bridges
        "round",
        "scored",  # points by seat
        "seat",  # whose turn it is
        "taken",  # action tokens taken in this turn
        "temples",  # mask
        "tiles",  # canal tiles left, by length
        "turn",  # ordinal, from 0
        "unfounded",  # masks of the districts not yet founded
        "variant",
        "voter",  # who is asked in a vote; elsewhere, whose turn it is
    )

    action_tokens: tuple[int, ...]
    ap: int
    bridges_h: int
    bridges_v: int
    built: tuple[tuple[int, ...], ...]
    busy: bool
    calpulli: int
    canals: int
    display: tuple[int, ...]
    founded: tuple[int, ...]
    founded_land: int
    hands: tuple[tuple[int, ...], ...]
    kept: tuple[int, ...]
    land: int
    later: tuple[int, ...]
    pawn_cells: int
    pawns: tuple[int, ...]
    period: int
    phase: int
    players: int
    proposal: int
    proposed: tuple[int, ...]
    quiet: int
    ramps: int
    round: int
    scored: tuple[int, ...]
    seat: int
    taken: int
    temples: int
    tiles: tuple[int, ...]
    turn: int
    unfounded: tuple[int, ...]
    variant: Variant
    voter: int

    def copy(self: AnyTable) -> AnyTable:
        """An independent copy."""
        new = object.__new__(type(self))
        new.variant, new.players, new.phase, new.seat = self.variant, self.players, self.phase, self.seat
        new.voter, new.proposal, new.proposed, new.turn = self.voter, self.proposal, self.proposed, self.turn
        new.period, new.round, new.quiet, new.busy = self.period, self.round, self.quiet, self.busy
        new.ap, new.taken, new.kept, new.scored = self.ap, self.taken, self.kept, self.scored
        new.action_tokens, new.hands, new.built, new.tiles = self.action_tokens, self.hands, self.built, self.tiles
        new.land, new.canals, new.temples, new.calpulli = self.land, self.canals, self.temples, self.calpulli
        new.bridges_h, new.bridges_v, new.ramps = self.bridges_h, self.bridges_v, self.ramps
        new.pawns, new.pawn_cells, new.display, new.later = self.pawns, self.pawn_cells, self.display, self.later
        new.unfounded, new.founded, new.founded_land = self.unfounded, self.founded, self.founded_land
        return new

    @property
    def bridge_supply(self) -> int:
        """Bridges not on the board."""
        return self.variant.rules.bridges - self.bridges_h.bit_count() - self.bridges_v.bit_count()

    @property
    def token_supply(self) -> int:
        """Action tokens that nobody holds."""
        return self.variant.rules.action_tokens - sum(self.action_tokens)


def district_of(table: Table, cell: int) -> int:
    """Mask of the district that a land cell belongs to, founded or not; 0 for water."""
    for district in table.unfounded:
        if district >> cell & 1:
            return district
    for district in table.founded:
        if district >> cell & 1:
            return district
    return 0


def with_entry(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The tuple with one entry replaced."""
    return (*values[:place], value, *values[place + 1 :])
