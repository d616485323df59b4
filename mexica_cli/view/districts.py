"""The districts of a position of Mexica: their size, who holds them, and what they are worth now."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mexica_cli.games.mexica import MexicaState, bits
from mexica_cli.games.mexica.board import Board
from mexica_cli.games.mexica.scoring import district_points


class District(msgspec.Struct, frozen=True, kw_only=True):
    """Land within water. One that is neither founded nor built on is left out."""

    size: int
    founded: bool
    grandeur: list[int]
    """Sum of temple levels by owner: the seats, then the neutral colour where there is one."""
    points: list[int]
    """What it would bring each seat if it were scored now."""

    @property
    def holders(self) -> list[int]:
        """The owners with the greatest sum; none where there is no temple."""
        most = max(self.grandeur)
        return [owner for owner, sum_ in enumerate(self.grandeur) if sum_ == most > 0]


def districts(board: Board, state: MexicaState) -> dict[str, District]:
    """By the cell of the token, or the first one: founded districts, and land within water that is built on."""
    return dict(_districts(board, state))


def _districts(board: Board, state: MexicaState) -> Iterator[tuple[str, District]]:
    numbers, texts = board.numbers, board.texts
    canals, tokens = (sum(1 << numbers[cell] for cell in cells) for cells in (state.canals, state.tokens))
    for mask in bits.regions(board.land & ~canals, board.stride):
        cells = texts(mask)
        grandeur = _grandeur(state, set(cells))
        if mask & tokens or any(grandeur):
            token = next((cell for cell in state.tokens if mask >> numbers[cell] & 1), None)
            points = district_points(len(cells), grandeur, len(state.scores))
            yield (
                token or cells[0],
                District(size=len(cells), founded=token is not None, grandeur=grandeur, points=points),
            )


def _grandeur(state: MexicaState, cells: set[str]) -> list[int]:
    players = len(state.scores)
    neutral = any(temple.seat is None for temple in state.temples.values())
    sums = [0] * (players + neutral)
    for cell, temple in state.temples.items():
        if cell in cells:
            sums[players if temple.seat is None else temple.seat] += temple.level
    return sums
