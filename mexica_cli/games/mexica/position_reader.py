"""Reading a position line: every field is checked, by itself and against the others, before a state is made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TypeVar

from mexica_cli.games.mexica import bits
from mexica_cli.games.mexica.actions import AXES, H, V
from mexica_cli.games.mexica.notation import FIELDS, write
from mexica_cli.games.mexica.places import bridge_places, ramps
from mexica_cli.games.mexica.setup import MOST_PLAYERS, Setup, check_players, lay_out
from mexica_cli.games.mexica.table import NOBODY, OVER, PHASES, PLACING, VOTE, AnyTable, Table
from mexica_cli.games.mexica.variant import Variant
from mexica_cli.games.position_fields import items_of, number_of, parts_of, split_fields, wrong

T = TypeVar("T")


def read(table: AnyTable, variant: Variant, line: str) -> AnyTable:
    """Fill a new table from a position line. Raises RuleError that names the field and what is wrong with it."""
    fields = _Fields(variant, line)
    players = fields.number("players", 2, MOST_PLAYERS)
    check_players(variant, players)
    lay_out(table, variant, players, Setup([[], []]))
    _read_moment(fields, table)
    _read_canals(fields, table)
    _read_bridges(fields, table)
    _read_temples(fields, table)
    _read_districts(fields, table)
    _read_tokens(fields, table)
    _read_pawns(fields, table)
    _read_seats(fields, table)
    _check_moment(table)
    return table


class _Fields:
    """The texts of the fields, and how to read them."""

    def __init__(self, variant: Variant, line: str) -> None:
        self.texts = split_fields("mexica", FIELDS, line)
        self.variant = variant
        self._expect_name("rules", variant.rules_name)
        self._expect_name("board", variant.board.name)

    def _expect_name(self, field: str, name: str) -> None:
        if self.texts[field] != name:
            raise wrong(field, f"the position is of {self.texts[field]!r}, this game's {field} is {name!r}")

    def number(self, field: str, least: int, most: int) -> int:
        """A field that is one number."""
        return number_of(field, self.texts[field], least, most)

    def numbers(self, field: str, least: int, most: int) -> list[int]:
        """A field that is a list of numbers."""
        return [number_of(field, item, least, most) for item in self.items(field)]

    def items(self, field: str) -> list[str]:
        """A field that is a list."""
        return items_of(self.texts[field])

    def seats(self, field: str, number: int) -> list[str]:
        """A field that has a part for each seat."""
        return parts_of(field, self.texts[field], number)

    def seat_numbers(self, field: str, players: int, most: int) -> tuple[int, ...]:
        """A field that has a number for each seat."""
        return tuple(number_of(field, part, 0, most) for part in self.seats(field, players))

    def cell(self, field: str, text: str) -> int:
        """A cell of the board."""
        cell = self.variant.board.numbers.get(text)
        if cell is None:
            raise wrong(field, f"{text!r} is no cell of the board {self.variant.board.name}")
        return cell

    def marked_cells(self, field: str, text: str, mark: Callable[[str], T]) -> list[tuple[int, T]]:
        """A list of `cell:mark`, no cell twice."""
        pairs = []
        for item in items_of(text):
            name, _, rest = item.partition(":")
            pairs.append((self.cell(field, name), mark(rest)))
        if len({cell for cell, _ in pairs}) < len(pairs):
            raise wrong(field, "a cell is named twice")
        return pairs


def _choice(field: str, text: str, choices: Sequence[str]) -> int:
    if text not in choices:
        raise wrong(field, f"{text!r} is none of {', '.join(choices)}")
    return choices.index(text)


def _read_moment(fields: _Fields, table: Table) -> None:
    rules = fields.variant.rules
    table.phase = _choice("phase", fields.texts["phase"], PHASES)
    table.period = fields.number("period", 1, 2)
    table.round = fields.number("round", 1, 99999)
    table.turn = fields.number("turn", 0, 999999)
    table.seat = table.voter = fields.number("seat", 0, table.players - 1)
    table.ap = fields.number("ap", 0, rules.most_ap)
    table.taken = fields.number("taken", 0, rules.tokens_per_turn)
    table.quiet = fields.number("quiet", 0, rules.stall_rounds)
    table.busy = bool(fields.number("busy", 0, 1))
    table.proposed = tuple(sorted(fields.numbers("proposed", 1, max(rules.calpulli))))
    if fields.texts["vote"] != "-":
        size, _, voter = fields.texts["vote"].partition(":")
        table.proposal = number_of("vote", size, 1, max(rules.calpulli))
        table.voter = number_of("vote", voter, 0, table.players - 1)


def _read_canals(fields: _Fields, table: Table) -> None:
    board, rules = fields.variant.board, fields.variant.rules
    for item in fields.items("canals"):
        bit = 1 << fields.cell("canals", item)
        if not bit & table.land & ~board.palace:
            raise wrong("canals", f"{item} is no land outside the palace, or is named twice")
        table.land ^= bit
        table.canals |= bit
    tiles = fields.numbers("tiles", 0, max(rules.canal_tiles))
    used = [start - left for start, left in zip_longest(rules.canal_tiles, tiles, fillvalue=0)]
    if len(tiles) != rules.longest_tile or min(used) < 0:
        raise wrong("tiles", f"there must be {rules.longest_tile} numbers, at most {rules.canal_tiles}")
    dug = (table.canals & ~board.canals).bit_count()
    if sum(length * number for length, number in enumerate(used, 1)) != dug:
        raise wrong("tiles", f"the tiles that are gone don't make the {dug} spaces listed in canals")
    table.tiles = tuple(tiles)


def _read_bridges(fields: _Fields, table: Table) -> None:
    places = bridge_places(table)
    masks = [0, 0]
    for cell, axis in fields.marked_cells(
        "bridges", fields.texts["bridges"], lambda text: _choice("bridges", text, AXES)
    ):
        if not places[axis] >> cell & 1:
            name = fields.variant.board.text(cell)
            raise wrong("bridges", f"on {name} no bridge can lie that way: it needs a canal, and land at both ends")
        masks[axis] |= 1 << cell
    table.bridges_h, table.bridges_v = masks[H], masks[V]
    table.ramps = ramps(table)
    if table.bridge_supply < 0:
        raise wrong("bridges", f"there are only {fields.variant.rules.bridges} bridges")


def _read_temples(fields: _Fields, table: Table) -> None:
    levels = fields.variant.rules.levels
    owners = len(table.built)
    built = [[0] * levels for _ in range(owners)]
    for owner, part in enumerate(fields.seats("temples", owners)):
        for cell, level in fields.marked_cells("temples", part, lambda text: number_of("temples", text, 1, levels)):
            _put(fields, table, "temples", cell)
            table.temples |= 1 << cell
            built[owner][level - 1] |= 1 << cell
    table.built = tuple(map(tuple, built))
    table.hands = tuple(_hand(table, seat) for seat in range(table.players))


def _put(fields: _Fields, table: Table, field: str, cell: int) -> None:
    """Refuse a cell where nothing can be built."""
    if not (table.land & ~(fields.variant.board.palace | table.temples)) >> cell & 1:
        name = fields.variant.board.text(cell)
        raise wrong(field, f"{name} is no land outside the palace, or holds something already")


def _hand(table: Table, seat: int) -> tuple[int, ...]:
    given = table.variant.rules.temples[: table.period]
    hand = [sum(column) - mask.bit_count() for *column, mask in zip(*given, table.built[seat], strict=True)]
    if min(hand) < 0:
        raise wrong("temples", f"seat {seat} has built more temples of level {hand.index(min(hand)) + 1} than it got")
    return tuple(hand)


def _read_districts(fields: _Fields, table: Table) -> None:
    stride = fields.variant.board.stride
    most = max(fields.variant.rules.calpulli)
    founded = []
    for cell, size in fields.marked_cells(
        "tokens", fields.texts["tokens"], lambda text: number_of("tokens", text, 1, most)
    ):
        _put(fields, table, "tokens", cell)
        name, district = fields.variant.board.text(cell), bits.flood(1 << cell, table.land, stride)
        if district & table.founded_land or district.bit_count() != size:
            raise wrong("tokens", f"{name} isn't the only token in a district of {size} spaces")
        founded.append(district)
        table.calpulli |= 1 << cell
        table.founded_land |= district
    table.founded = tuple(founded)
    table.unfounded = tuple(bits.regions(table.land & ~table.founded_land, stride))


def _read_tokens(fields: _Fields, table: Table) -> None:
    rules = fields.variant.rules
    table.display = tuple(sorted(fields.numbers("display", 1, max(rules.calpulli))))
    table.later = tuple(sorted(fields.numbers("later", 1, max(rules.calpulli))))
    left = list(rules.calpulli)
    for size in (*table.display, *table.later, *(mask.bit_count() for mask in table.founded)):
        if size not in left:
            raise wrong("display", f"with later and tokens, there are more tokens of {size} than the rules have")
        left.remove(size)
    coming = len(rules.calpulli) - rules.first_calpulli if table.period == 1 else 0
    if len(table.later) != coming:
        raise wrong("later", f"in period {table.period} there must be {coming} tokens still to come")


def _read_pawns(fields: _Fields, table: Table) -> None:
    pawns = []
    for seat, part in enumerate(fields.seats("pawns", table.players)):
        cell = NOBODY if part == "-" else fields.cell("pawns", part)
        pawns.append(cell)
        if cell == NOBODY:
            continue
        if not _may_stand(table, seat, 1 << cell):
            raise wrong("pawns", f"seat {seat} can't stand on {part}")
        table.pawn_cells |= 1 << cell
    table.pawns = tuple(pawns)


def _may_stand(table: Table, seat: int, cell: int) -> bool:
    taken = table.temples | table.calpulli | table.pawn_cells
    if table.variant.rules.temple_reach == "adjacent":
        for temples in table.built[seat]:
            taken &= ~temples
    return bool(cell & (table.land | table.bridges_h | table.bridges_v) & ~taken)


def _read_seats(fields: _Fields, table: Table) -> None:
    rules = fields.variant.rules
    table.kept = fields.seat_numbers("kept", table.players, rules.kept_points)
    table.scored = fields.seat_numbers("scores", table.players, 99999)
    table.action_tokens = fields.seat_numbers("action_tokens", table.players, rules.action_tokens)
    if table.token_supply < 0:
        raise wrong("action_tokens", f"there are only {rules.action_tokens}")


def _check_moment(table: Table) -> None:
    """Refuse fields that don't go with the phase."""
    if (table.phase == VOTE) != (table.proposal > 0):
        raise wrong("vote", "it must be given in the phase vote, and be - in every other one")
    if table.phase == PLACING:
        _check_placing(table)
        return
    if NOBODY in table.pawns:
        raise wrong("pawns", "all must be placed in this phase")
    _check_turn_number(table)
    _check_proposals(table)
    if table.phase == OVER and table.period != 2:
        raise wrong("period", "a game is over in period 2")
    if table.phase != OVER and table.kept[table.seat]:
        raise wrong("kept", f"seat {table.seat} has got its AP for this turn")
    if table.phase != OVER and table.quiet and table.quiet == table.variant.rules.stall_rounds:
        raise wrong("quiet", "so many quiet rounds end the period")


def _check_placing(table: Table) -> None:
    placed = table.pawns[: table.seat]
    if NOBODY in placed or set(table.pawns[table.seat :]) != {NOBODY}:
        raise wrong("pawns", f"while seat {table.seat} is placing, exactly those before it have placed")
    start = lay_out(Table(), table.variant, table.players, Setup([list(table.display), list(table.later)]))
    start.pawns, start.pawn_cells = table.pawns, table.pawn_cells
    start.seat = start.voter = start.turn = table.seat
    if table.players == 2:
        start.built = (*start.built[:2], table.built[2])
    if write(start) != write(table):
        raise wrong("phase", "while pawns are placed, all but pawns and neutral temples must be as at the start")


def _check_turn_number(table: Table) -> None:
    """Placing is a turn of each seat, and so is every round but one that a period's end has cut short."""
    cut_short = table.players * table.round + table.seat - table.turn
    at_once = table.variant.rules.period_end == "at_once" and table.period == 2
    if not 0 <= cut_short <= (table.players - 1 if at_once else 0):
        raise wrong("turn", f"seat {table.seat}'s turn in round {table.round} has another number")


def _check_proposals(table: Table) -> None:
    if len(set(table.proposed)) < len(table.proposed) or (table.proposed and table.period != 2):
        raise wrong("proposed", "in period 2 each size is proposed once a turn, in period 1 none is")
    if table.phase != VOTE:
        return
    if table.proposal not in table.proposed or table.proposal not in table.display:
        raise wrong("vote", f"{table.proposal} must be on display, and among those proposed")
    if table.voter == table.seat:
        raise wrong("vote", "the seat that proposed isn't asked")
