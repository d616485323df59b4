"""A position as one line of text: see protocol/NOTATION.md for the format, `position_reader` for the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mexica_cli.games.mexica import bits
from mexica_cli.games.mexica.actions import AXES, H, V
from mexica_cli.games.mexica.table import NOBODY, PHASES, VOTE, Table

FIELDS = (
    "rules",
    "board",
    "players",
    "phase",
    "period",
    "round",
    "turn",
    "seat",
    "vote",
    "proposed",
    "ap",
    "taken",
    "kept",
    "quiet",
    "busy",
    "scores",
    "action_tokens",
    "pawns",
    "display",
    "later",
    "tiles",
    "canals",
    "bridges",
    "tokens",
    "temples",
)
"""The fields of a line, in order."""


def write(table: Table) -> str:
    """The position line of a table."""
    values = [*_moment(table), *_stock(table), *_map(table)]
    return " ".join(["mexica", *(f"{field}={value}" for field, value in zip(FIELDS, values, strict=True))])


def _moment(table: Table) -> Iterator[str | int]:
    """Where the game stands: rules to busy."""
    yield from (table.variant.rules_name, table.variant.board.name)
    yield from (table.players, PHASES[table.phase], table.period, table.round, table.turn, table.seat)
    yield f"{table.proposal}:{table.voter}" if table.phase == VOTE else "-"
    yield _list(table.proposed)
    yield from (table.ap, table.taken, _seats(table.kept), table.quiet, int(table.busy))


def _stock(table: Table) -> Iterator[str]:
    """What the seats have and what is left: scores to tiles."""
    names = table.variant.board.names
    yield from (_seats(table.scored), _seats(table.action_tokens))
    yield _seats("-" if cell == NOBODY else names[cell] for cell in table.pawns)
    yield from (_list(table.display), _list(table.later), _list(table.tiles))


def _map(table: Table) -> Iterator[str]:
    """What lies on the board: canals to temples."""
    names = table.variant.board.names
    yield _list(table.variant.board.texts(table.canals & ~table.variant.board.canals))
    yield _list(f"{names[cell]}:{AXES[axis]}" for cell, axis in bridges(table))
    yield _list(f"{names[cell]}:{size}" for cell, size in tokens(table))
    yield _seats(
        _list(f"{names[cell]}:{level}" for cell, level in sorted(temples(by_level))) for by_level in table.built
    )


def bridges(table: Table) -> list[tuple[int, int]]:
    """Cell and axis of every bridge, in reading order."""
    both = [(cell, H) for cell in bits.cells(table.bridges_h)] + [(cell, V) for cell in bits.cells(table.bridges_v)]
    return sorted(both)


def tokens(table: Table) -> Iterator[tuple[int, int]]:
    """Cell and size of every token on the board, in order of founding."""
    for district in table.founded:
        yield bits.first_cell(district & table.calpulli), district.bit_count()


def temples(by_level: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Cell and level of an owner's temples, by level."""
    for level, mask in enumerate(by_level, 1):
        for cell in bits.cells(mask):
            yield cell, level


def _list(items: Iterable[object]) -> str:
    return ",".join(map(str, items)) or "-"


def _seats(items: Iterable[object]) -> str:
    return "/".join(map(str, items))
