"""What a seat sees, as the object that goes over the wire. Mexica hides nothing: everybody sees the same."""

from __future__ import annotations

from typing import Literal

import msgspec

from mexica_cli.games.mexica import notation, scoring
from mexica_cli.games.mexica.actions import AXES
from mexica_cli.games.mexica.table import NOBODY, OVER, PHASES, VOTE, Table

Cell = str
"""Column letter and row number, like `h7`."""


class Supply(msgspec.Struct, frozen=True, kw_only=True):
    """What lies beside the board, for everybody."""

    canals: list[int]
    """Canal tiles of 1 space, of 2 spaces and so on."""
    bridges: int
    action_tokens: int


class Temple(msgspec.Struct, frozen=True, kw_only=True):
    """A temple on the board."""

    seat: int | None
    """Its owner; null for the neutral colour."""
    level: int


class Vote(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal to retire a token. The seats are asked in turn order, from the one after the proposer."""

    size: int
    by: int
    """The seat that proposed it, whose turn it is."""
    asked: int
    """The seat that must answer now."""


class MexicaState(msgspec.Struct, frozen=True, kw_only=True):
    """A position of Mexica. Seats are numbered from 0; lists by seat have one entry a seat."""

    game: Literal["mexica"] = "mexica"
    phase: Literal["place", "turn", "vote", "over"]
    """`place`: pawns are set; `turn`: a seat's turn; `vote`: a seat answers a proposal; `over`: the game has ended."""
    to_act: int | None
    """The seat that must choose an action; null once the game is over."""
    seat: int
    """The seat whose turn it is: in a vote the proposer, once over the last one."""
    period: int
    """1 or 2."""
    round: int
    """From 1, through both periods."""
    turn: int
    """From 0; placing a pawn counts as a turn."""
    ap: int
    """Action points left in this turn."""
    taken: int
    """Action tokens taken in this turn."""
    kept: list[int]
    """By seat: action points kept for the next turn (always 0 where the rules keep none)."""
    vote: Vote | None
    """The vote under way, if any."""
    proposed: list[int]
    """Sizes whose retirement was proposed in this turn; they can't be proposed again in it."""
    scores: list[int]
    """Points by seat."""
    action_tokens: list[int]
    """Action tokens held, by seat."""
    pawns: list[Cell | None]
    """By seat: where the pawn stands; null before it is placed."""
    hands: list[list[int]]
    """By seat: temples left to build, of level 1, of level 2 and so on."""
    display: list[int]
    """Sizes of the calpulli tokens on display, ascending."""
    later: list[int]
    """Sizes of the tokens of the second period, ascending; empty once it has begun."""
    supply: Supply
    canals: list[Cell]
    """All canal spaces, those dug before the game included, with or without a bridge."""
    bridges: dict[Cell, Literal["h", "v"]]
    """`h` is crossed east-west, `v` north-south."""
    temples: dict[Cell, Temple]
    tokens: dict[Cell, int]
    """Founded districts: the token's cell to the district's size, in order of founding."""
    quiet: int
    """Rounds in a row, before this one, without canal, temple, founding or retirement."""
    busy: bool
    """Whether this round had one of those."""
    ranking: list[int] | None
    """Once over, the place of each seat: 1 is best, ties share; null before."""
    position: str
    """All of the above in one line."""


def observe(table: Table) -> MexicaState:
    """The observation of a table, the same for all."""
    names = table.variant.board.names
    over = table.phase == OVER
    return MexicaState(
        phase=PHASES[table.phase],  # type: ignore[arg-type]
        to_act=None if over else table.voter,
        seat=table.seat,
        period=table.period,
        round=table.round,
        turn=table.turn,
        ap=table.ap,
        taken=table.taken,
        kept=list(table.kept),
        vote=Vote(size=table.proposal, by=table.seat, asked=table.voter) if table.phase == VOTE else None,
        proposed=list(table.proposed),
        scores=list(table.scored),
        action_tokens=list(table.action_tokens),
        pawns=[None if cell == NOBODY else names[cell] for cell in table.pawns],
        hands=[list(hand) for hand in table.hands],
        display=list(table.display),
        later=list(table.later),
        supply=Supply(canals=list(table.tiles), bridges=table.bridge_supply, action_tokens=table.token_supply),
        canals=table.variant.board.texts(table.canals),
        bridges={names[cell]: AXES[axis] for cell, axis in notation.bridges(table)},  # type: ignore[misc]
        temples=dict(_temples(table)),
        tokens={names[cell]: size for cell, size in notation.tokens(table)},
        quiet=table.quiet,
        busy=table.busy,
        ranking=scoring.ranking(table) if over else None,
        position=notation.write(table),
    )


def _temples(table: Table) -> list[tuple[Cell, Temple]]:
    names = table.variant.board.names
    return [
        (names[cell], Temple(seat=owner if owner < table.players else None, level=level))
        for owner, by_level in enumerate(table.built)
        for cell, level in notation.temples(by_level)
    ]
