"""Sets of cells, against the plain way of doing it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.games.mexica import bits

COLUMNS, ROWS = 6, 5
STRIDE = COLUMNS + 1
GRID = [(row + 1) * STRIDE + column for row in range(ROWS) for column in range(COLUMNS)]

AREAS = st.sets(st.sampled_from(GRID)).map(lambda cells: sum(1 << cell for cell in cells))


def plain_flood(start: int, area: set[int]) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        near = {cell + 1, cell - 1, cell + STRIDE, cell - STRIDE} & area - seen
        seen |= near
        waiting += near
    return seen


@given(AREAS)
def test_cells_and_first_cell(area: int) -> None:
    listed = list(bits.cells(area))
    assert listed == [cell for cell in range(area.bit_length()) if area >> cell & 1]
    assert not listed or bits.first_cell(area) == listed[0]


@given(AREAS)
def test_regions_part_an_area_as_plain_flooding_does(area: int) -> None:
    left = set(bits.cells(area))
    for region in bits.regions(area, STRIDE):
        expected = plain_flood(min(left), left)
        assert set(bits.cells(region)) == expected
        left -= expected
    assert not left


@given(AREAS, AREAS)
def test_joined(area: int, some: int) -> None:
    wanted = area & some
    if wanted:
        parts = [region for region in bits.regions(area, STRIDE) if region & wanted]
        assert bits.joined(wanted, area, STRIDE) == (len(parts) == 1)


@given(AREAS)
def test_picking(area: int) -> None:
    picker = bits.Picker(STRIDE * (ROWS + 2), lambda cell: cell * 10)
    for _ in range(2):
        assert picker(area) == [cell * 10 for cell in bits.cells(area)]
