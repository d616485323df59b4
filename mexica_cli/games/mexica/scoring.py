"""Points: for founding, and for spiritual grandeur at the end of a period (rulebook 5, reading 16)."""

from __future__ import annotations

from mexica_cli.games.game import JsonDict
from mexica_cli.games.mexica.bits import first_cell
from mexica_cli.games.mexica.table import Table


def values(size: int) -> tuple[int, int, int]:
    """The three numbers of a token of that size: for the first, for the founder or second, for a bystander or third."""
    second = (size + 1) // 2
    return size, second, (second + 1) // 2


def district_points(size: int, grandeur: list[int], players: int) -> list[int]:
    """Points by seat for a district. `grandeur` is by owner; one beyond the players, neutral, only takes places."""
    prizes = values(size)
    points = [0] * players
    for seat, own in enumerate(grandeur[:players]):
        place = sum(other > own for other in grandeur)
        if own and place < len(prizes):
            points[seat] = prizes[place]
    return points


def grandeur(table: Table, district: int) -> list[int]:
    """Sum of temple levels in a district, by owner (seats, then the neutral colour)."""
    return [
        sum(level * (temples & district).bit_count() for level, temples in enumerate(by_level, 1))
        for by_level in table.built
    ]


def award(table: Table, seat: int, points: int, reason: str, **details: object) -> JsonDict:
    """Give points to a seat; returns the entry that tells of it."""
    scores = list(table.scored)
    scores[seat] += points
    table.scored = tuple(scores)
    return {"what": "points", "seat": seat, "points": points, "for": reason, **details}


def score_founding(table: Table, district: int, token_cell: int) -> list[JsonDict]:
    """Points of the seat whose turn it is for founding a district, and of every other pawn in it."""
    size = district.bit_count()
    _, founder, bystander = values(size)
    details = {"size": size, "cell": table.variant.board.text(token_cell)}
    entries = [award(table, table.seat, founder, "founding", **details)]
    for seat, cell in enumerate(table.pawns):
        if seat != table.seat and district >> cell & 1:
            entries.append(award(table, seat, bystander, "bystander", **details))
    return entries


def score_period(table: Table) -> list[JsonDict]:
    """Points at the end of a period: one entry that tells how they came about, then one for each seat that got any."""
    districts = [_district(table, mask, True) for mask in table.founded]
    if table.period == 2:
        districts += [_district(table, mask, False) for mask in sorted(table.unfounded, key=first_cell)]
    districts = [district for district in districts if any(district["points"])]
    bonus = table.variant.rules.start_bonus
    palace = [bonus if table.variant.board.starts >> cell & 1 else 0 for cell in table.pawns]
    totals = [sum(column) for column in zip(palace, *(district["points"] for district in districts), strict=True)]
    story = {"what": "scored", "period": table.period, "districts": districts, "palace": palace}
    return [story] + [
        award(table, seat, points, "scoring", period=table.period) for seat, points in enumerate(totals) if points
    ]


def _district(table: Table, mask: int, founded: bool) -> JsonDict:
    cell = first_cell(mask & table.calpulli if founded else mask)
    levels = grandeur(table, mask)
    return {
        "cell": table.variant.board.text(cell),
        "size": mask.bit_count(),
        "founded": founded,
        "grandeur": levels,
        "points": district_points(mask.bit_count(), levels, table.players),
    }


def ranking(table: Table) -> list[int]:
    """Place by seat: points, then action tokens held, then shared (reading 17)."""
    results = list(zip(table.scored, table.action_tokens, strict=True))
    return [1 + sum(other > own for other in results) for own in results]
