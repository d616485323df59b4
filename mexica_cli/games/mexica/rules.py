"""A rule set: every number and choice in which rule sets of Mexica differ."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=0, le=999)]
Points = Annotated[int, Meta(ge=0, le=99)]
Level = Annotated[int, Meta(ge=0, le=99)]


class RuleSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules in force. Costs are in action points (AP); "reading n" are the numbered readings of the rules."""

    action_points: Annotated[int, Meta(ge=1, le=99)]
    """AP of a turn."""
    kept_points: Points
    """Unspent AP that a seat keeps, at most, for its next turn."""
    action_tokens: Points
    """Action tokens in the game."""
    tokens_per_turn: Points
    """Action tokens that a seat may take in a turn (reading 10)."""

    canal_tiles: Annotated[list[Count], Meta(min_length=1, max_length=26)]
    """Number of canal tiles of 1 space, of 2 spaces and so on. Tiles are straight."""
    canal_cost: Literal["tile", "space"]
    """Laying a tile costs 1 AP, or 1 AP for each of its spaces."""
    canal_touches_water: bool
    """Whether one space of a tile must touch water orthogonally before it is laid (reading 2)."""
    bridges: Count
    """Bridges in the game."""

    boat_cost: Annotated[int, Meta(ge=1, le=99)]
    """AP for going by boat (reading 8); more than a turn ever has: no boats."""
    boat_toll: Literal["bridge", "trip"]
    """Whether the cost is due for every bridge reached or passed under, or once for the whole trip."""
    teleport: Literal["off", "land", "anywhere"]
    """Where one may teleport to: nowhere, land, or land and bridges (reading 9)."""
    teleport_cost: Annotated[int, Meta(ge=1, le=99)]
    """AP for a teleport."""

    temples: Annotated[list[Annotated[list[Level], Meta(min_length=1, max_length=9)]], Meta(min_length=2, max_length=2)]
    """For each period, the temples a player gets: number of level 1, of level 2 and so on. A level costs 1 AP."""
    temple_reach: Literal["district", "adjacent"]
    """A temple goes anywhere in the pawn's district, or on a space next to the pawn or under it (reading 5)."""
    neutral_temples: Annotated[list[Level], Meta(max_length=9)]
    """Neutral temples of a game of two players, by level (reading 18)."""
    neutral_levels: Count
    """Total levels of the neutral temples: what `neutral_temples` lack is made up from the rest of a colour's temples,
    the highest that fit first. 0 for what `neutral_temples` make (reading 18)."""
    neutral_distance: Annotated[int, Meta(ge=1, le=99)]
    """Least distance of two neutral temples, rows plus columns."""

    calpulli: Annotated[list[Annotated[int, Meta(ge=2, le=999)]], Meta(min_length=2, max_length=99)]
    """Sizes of all calpulli tokens. A district of one space has no room for a token and the pawn that founds it."""
    first_calpulli: Annotated[int, Meta(ge=1, le=98)]
    """How many of them are drawn for the first period; the others are the second period's."""
    found_cost: Points
    """AP for founding a district."""
    start_bonus: Points
    """Points for a pawn on a starting space when a period is scored."""
    start_anywhere: bool
    """Pawns are placed on any free land, not only on starting spaces."""

    period_end: Literal["round", "at_once"]
    """When the end of a period is looked at: after the last seat's turn, or after every action (reading 14)."""
    period_end_needs: Literal["both", "either"]
    """Whether no token on display and a player without temples must both be so, or one of them."""
    penning_first_round: bool
    """Whether a pawn may be penned in the first round (reading 11)."""
    penning_temples: bool
    """Whether a temple may pen a pawn in later rounds."""
    automatic_retirement: bool
    """Whether tokens that no district can fit any more leave the display by themselves (reading 13)."""
    stall_rounds: Points
    """Rounds in a row without canal, temple, founding or retirement that end the period; 0 for never (reading 15)."""
    round_limit: Count
    """The first period ends with this round at the latest, the game with twice as many; 0 for no limit."""

    @property
    def longest_tile(self) -> int:
        """Length of the longest canal tile, in spaces."""
        return len(self.canal_tiles)

    @property
    def levels(self) -> int:
        """The highest level of a temple."""
        return len(self.temples[0])

    @property
    def most_ap(self) -> int:
        """The most AP that a seat can ever have for one turn: unspent ones and action tokens included."""
        return self.action_points + self.kept_points + (self.action_tokens if self.tokens_per_turn else 0)
