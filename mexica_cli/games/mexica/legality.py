"""The verdict on one action, without listing all: None, or a stable code and a sentence.

Each rule is asked in the same masks that `movegen` lists from. Only where a mask says no is it worked out why.
"""

from __future__ import annotations

from collections.abc import Callable

from mexica_cli.games.game import Illegal
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica import bits, places
from mexica_cli.games.mexica.boats import fare, harbours
from mexica_cli.games.mexica.penning import guarded_kinds, pens, rivals_at_risk
from mexica_cli.games.mexica.table import OVER, PLACING, TURN, VOTE, Table

Verdict = Illegal | None

_KIND_BITS = (1 << act.AXIS_SHIFT) - 1
_AXIS = 1 << act.AXIS_SHIFT
_CELL = act.CELL_MASK << act.CELL_SHIFT
_EXTRA = -1 << act.EXTRA_SHIFT


def why_illegal(table: Table, action: int) -> Verdict:
    """None for a legal action, else the rule that forbids it. Any int may be asked about."""
    kind = action & _KIND_BITS
    if kind >= len(_JUDGES) or action < 0:
        return Illegal("no_such_action", "this number is no action")
    fields, phase, judge = _JUDGES[kind]
    if action & ~fields:
        return Illegal("no_such_action", f"this number is no action: {act.KINDS[kind]!r} doesn't use all of its fields")
    if phase != table.phase:
        return _wrong_phase(table)
    return judge(table, action)


def _wrong_phase(table: Table) -> Illegal:
    if table.phase == OVER:
        return Illegal("game_over", "the game is over")
    if table.phase == PLACING:
        return Illegal("wrong_phase", "pawns are being placed: only place is possible")
    if table.phase == VOTE:
        return Illegal("wrong_phase", f"the retirement of {table.proposal} is being voted on: answer agree or refuse")
    return Illegal("wrong_phase", "this is a turn: placing is over, and no vote is under way")


def _place(table: Table, action: int) -> Verdict:
    cell = act.cell(action)
    if places.placements(table) >> cell & 1:
        return None
    if not table.variant.rules.start_anywhere and not table.variant.board.starts >> cell & 1:
        return Illegal("not_a_start", f"{_name(table, cell)} is no starting space")
    return _not_free(table, cell)


def _canal(table: Table, action: int) -> Verdict:
    length, axis = act.extra(action), act.axis(action)
    if not 0 < length <= len(table.tiles) or (length == 1 and axis):
        return Illegal("no_such_action", "this number is no action: there is no canal tile of that shape")
    if not table.tiles[length - 1]:
        return Illegal("no_tile", f"no canal tile of {length} is left")
    if verdict := _short_of_ap(table, length if table.variant.rules.canal_cost == "space" else 1):
        return verdict
    ground = places.canal_ground(table)
    if not places.tile_starts(table, ground, length, axis) >> act.cell(action) & 1:
        return _why_no_canal(table, action, ground)
    return _penning(table, action)


def _why_no_canal(table: Table, action: int, ground: int) -> Illegal:
    board = table.variant.board
    dug = act.canal_mask(action, board.stride)
    wrong = dug & ~ground
    if not wrong:
        return Illegal("no_water", "one space of the canal must touch lake or canal orthogonally")
    cell = bits.first_cell(wrong)
    bit, name = 1 << cell, _name(table, cell)
    if not bit & table.land:
        return Illegal("not_land", f"{name} is water; a canal is dug in land")
    if bit & board.palace:
        return Illegal("palace", f"{name} belongs to the palace, which stays as it is")
    if bit & table.founded_land:
        return Illegal("founded_district", f"{name} lies in a founded district, whose size is settled")
    if bit & table.ramps:
        return Illegal("bridge_ramp", f"{name} holds up a bridge")
    return _not_free(table, cell)


def _bridge(table: Table, action: int) -> Verdict:
    if not table.bridge_supply:
        return Illegal("no_bridge", "no bridge is left in the supply; relocate one")
    return _short_of_ap(table, 1) or _bridge_place(table, action)


def _relocate(table: Table, action: int) -> Verdict:
    if table.bridge_supply:
        return Illegal("bridges_left", "bridges move only once none is left in the supply; build one")
    origin = act.extra(action)
    if not (table.bridges_h | table.bridges_v) >> origin & 1:
        return Illegal("not_a_bridge", f"there is no bridge on {_name(table, origin)}")
    if table.pawn_cells >> origin & 1:
        return Illegal("occupied", f"a pawn stands on the bridge on {_name(table, origin)}")
    return _short_of_ap(table, 1) or _bridge_place(table, action)


def _bridge_place(table: Table, action: int) -> Verdict:
    cell, axis = act.cell(action), act.axis(action)
    name = _name(table, cell)
    if places.bridge_places(table)[axis] >> cell & 1:
        return None
    if not table.canals >> cell & 1:
        return Illegal("not_canal", f"{name} is no canal; a bridge lies on one")
    if (table.bridges_h | table.bridges_v) >> cell & 1:
        return Illegal("occupied", f"a bridge lies on {name} already")
    ends = "east and west" if axis == act.H else "north and south"
    return Illegal("no_ramp", f"the bridge on {name} needs land {ends} of it")


def _temple(table: Table, action: int) -> Verdict:
    level, cell = act.extra(action), act.cell(action)
    hand = table.hands[table.seat]
    if not 0 < level <= len(hand):
        return Illegal("no_such_level", f"there is no temple of level {level}; levels go from 1 to {len(hand)}")
    if not hand[level - 1]:
        return Illegal("no_temple", f"you have no temple of level {level} left")
    if verdict := _short_of_ap(table, level):
        return verdict
    if not places.temple_sites(table) >> cell & 1:
        return _why_no_temple(table, cell)
    return _penning(table, action)


def _why_no_temple(table: Table, cell: int) -> Illegal:
    pawn = table.pawns[table.seat]
    if not table.land >> pawn & 1:
        return Illegal("not_on_land", "your pawn stands on a bridge, in no district; it must stand on land")
    if (table.variant.board.palace & table.land) >> cell & 1:
        return Illegal("palace", f"{_name(table, cell)} belongs to the palace, which stays as it is")
    if table.variant.rules.temple_reach == "district" and places.free_land(table) >> cell & 1:
        return Illegal("not_your_district", f"{_name(table, cell)} lies in another district than your pawn")
    if places.free_land(table) >> cell & 1:
        return Illegal("out_of_reach", f"{_name(table, cell)} is neither next to your pawn nor under it")
    return _not_free(table, cell)


def _walk(table: Table, action: int) -> Verdict:
    cell = act.cell(action)
    if verdict := _short_of_ap(table, 1):
        return verdict
    if not places.steps(table, table.seat) >> cell & 1:
        return _why_no_step(table, cell)
    return _penning(table, action)


def _why_no_step(table: Table, cell: int) -> Illegal:
    pawn, stride = table.pawns[table.seat], table.variant.board.stride
    bridges = table.bridges_h | table.bridges_v
    if not bits.beside(1 << pawn, stride) >> cell & 1:
        return Illegal("too_far", f"{_name(table, cell)} isn't orthogonally next to your pawn on {_name(table, pawn)}")
    if not (table.land | bridges) >> cell & 1:
        return Illegal("water", f"{_name(table, cell)} is water without a bridge")
    if not (places.free_land(table) | places.free_bridges(table)) >> cell & 1:
        return _not_free(table, cell)
    if bridges >> cell & 1 and bridges >> pawn & 1:
        return Illegal("bridge_to_bridge", "nobody walks from bridge to bridge; there are boats")
    return Illegal("bridge_axis", "a bridge is walked on and off along its axis only")


def _boat(table: Table, action: int) -> Verdict:
    pawn, cell = table.pawns[table.seat], act.cell(action)
    if table.land >> pawn & 1:
        return Illegal("not_on_bridge", "a boat is taken from a bridge; your pawn stands on land")
    if not (table.bridges_h | table.bridges_v) >> cell & 1:
        return Illegal("not_a_bridge", f"a boat goes to a bridge; there is none on {_name(table, cell)}")
    if table.pawn_cells >> cell & 1:
        return Illegal("occupied", f"a pawn stands on the bridge on {_name(table, cell)}")
    if fare(table, pawn, cell, table.ap) is not None:
        return _penning(table, action)
    if not harbours(table, pawn) >> cell & 1:
        return Illegal("no_waterway", f"no water joins {_name(table, pawn)} and {_name(table, cell)}")
    return Illegal("no_ap", f"you have {table.ap} AP; the boat to {_name(table, cell)} costs more")


def _teleport(table: Table, action: int) -> Verdict:
    rules, cell = table.variant.rules, act.cell(action)
    if rules.teleport == "off":
        return Illegal("no_teleport", "these rules have no teleport")
    if verdict := _short_of_ap(table, rules.teleport_cost):
        return verdict
    if places.teleports(table) >> cell & 1:
        return _penning(table, action)
    if rules.teleport == "land" and places.free_bridges(table) >> cell & 1:
        return Illegal("not_land", "these rules let nobody teleport to a bridge")
    return _not_free(table, cell)


def _found(table: Table, action: int) -> Verdict:
    size, cell = act.extra(action), act.cell(action)
    district = places.district_to_found(table)
    if not district:
        return _why_no_founding(table)
    if district.bit_count() != size:
        return Illegal("wrong_size", f"your pawn's district has {district.bit_count()} spaces, not {size}")
    if size not in table.display:
        return Illegal("no_token", f"no token of {size} is on display")
    if verdict := _short_of_ap(table, table.variant.rules.found_cost):
        return verdict
    if places.token_sites(table, district) >> cell & 1:
        return _penning(table, action)
    if not district >> cell & 1:
        return Illegal("not_your_district", f"{_name(table, cell)} isn't in your pawn's district")
    if table.variant.board.palace >> cell & 1:
        return Illegal("palace", f"{_name(table, cell)} belongs to the palace, which stays as it is")
    return _not_free(table, cell)


def _why_no_founding(table: Table) -> Illegal:
    if not table.land >> table.pawns[table.seat] & 1:
        return Illegal("not_on_land", "your pawn stands on a bridge, in no district; it must stand on land")
    return Illegal("founded_district", "your pawn's district is founded already")


def _take(table: Table, _: int) -> Verdict:
    most = table.variant.rules.tokens_per_turn
    if not table.token_supply:
        return Illegal("no_action_token", "no action token is left in the supply")
    if table.taken >= most:
        return Illegal("too_many_tokens", f"at most {most} action tokens may be taken in a turn")
    return _short_of_ap(table, 1)


def _spend(table: Table, _: int) -> Verdict:
    if table.action_tokens[table.seat]:
        return None
    return Illegal("no_action_token", "you have no action token")


def _retire(table: Table, action: int) -> Verdict:
    size = act.extra(action)
    if table.period != 2:
        return Illegal("wrong_period", "tokens are retired in the second period only")
    if size not in table.display:
        return Illegal("no_token", f"no token of {size} is on display")
    if size in table.proposed:
        return Illegal("proposed_already", f"you proposed to retire a {size} in this turn already")
    return None


def _always(_table: Table, _: int) -> Verdict:
    return None


def _short_of_ap(table: Table, cost: int) -> Verdict:
    return None if cost <= table.ap else Illegal("no_ap", f"this costs {cost} AP, you have {table.ap}")


def _penning(table: Table, action: int) -> Verdict:
    if act.kind(action) not in guarded_kinds(table) or not pens(table, action, rivals_at_risk(table)):
        return None
    when = "in the first round" if table.round == 1 else "by a temple"
    return Illegal("penning", f"this would pen another player's pawn, which is forbidden {when}")


def _not_free(table: Table, cell: int) -> Illegal:
    """Why a cell can't be stood or built on."""
    name, bit = _name(table, cell), 1 << cell
    for mask, thing in ((table.pawn_cells, "pawn"), (table.temples, "temple"), (table.calpulli, "calpulli token")):
        if mask & bit:
            return Illegal("occupied", f"a {thing} stands on {name}")
    return Illegal("not_land", f"{name} is no land")


def _name(table: Table, cell: int) -> str:
    return table.variant.board.names.get(cell, "a cell off the board")


_JUDGES: tuple[tuple[int, int, Callable[[Table, int], Verdict]], ...] = (
    (_KIND_BITS | _CELL, PLACING, _place),
    (_KIND_BITS | _AXIS | _CELL | _EXTRA, TURN, _canal),
    (_KIND_BITS | _AXIS | _CELL, TURN, _bridge),
    (_KIND_BITS | _AXIS | _CELL | _EXTRA, TURN, _relocate),
    (_KIND_BITS | _CELL | _EXTRA, TURN, _temple),
    (_KIND_BITS | _CELL, TURN, _walk),
    (_KIND_BITS | _CELL, TURN, _boat),
    (_KIND_BITS | _CELL, TURN, _teleport),
    (_KIND_BITS | _CELL | _EXTRA, TURN, _found),
    (_KIND_BITS, TURN, _take),
    (_KIND_BITS, TURN, _spend),
    (_KIND_BITS | _EXTRA, TURN, _retire),
    (_KIND_BITS, VOTE, _always),
    (_KIND_BITS, VOTE, _always),
    (_KIND_BITS, TURN, _always),
)
"""By kind: the bits an action of it may have, the phase it belongs to, and who judges it."""
