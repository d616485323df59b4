"""What could be worth doing: nothing that can't be done may crowd out what can."""

from __future__ import annotations

import pytest
from games.mexica_kit import FIELD, game, game_on, position, walk

from mexica_cli.games.mexica import State
from mexica_cli.games.mexica.table import TURN
from mexica_cli.tactics.mexica.outlook import Outlook, nears_end
from mexica_cli.tactics.mexica.plans import Option, Options
from mexica_cli.tactics.mexica.thinker import AHEAD, Thinker

NO_SINGLES = (
    "mexica rules=official board=standard players=2 phase=turn period=2 round=17 turn=35 seat=1 vote=- proposed=- ap=6 "
    "taken=0 kept=0/0 quiet=2 busy=0 scores=57/56 action_tokens=6/6 pawns=b8/h6 display=3,5,5,6,9,11 later=- tiles=0,5 "
    "canals=g1,h1,i1,d2,g2,i2,d3,f3,g3,j3,k3,b4,c4,f4,h4,i4,j4,l4,d5,e5,k5,n5,d6,e6,k6,b7,c7,d7,j7,k7,m7,s7,d8,i8,k8,"
    "m8,p8,q8,r8,s8,t8,u8,e9,i9,l9,m9,q9,r9,e10,h10,i10,m10,n10,o10,p10,q10,d11,e11,j11,k11,c12,d12,l12,m12,b13,c13 "
    "bridges=d2:h,g2:h,f4:h,k6:h,o6:h,b7:v,o7:h,k8:h,l9:v,o9:h "
    "tokens=n4:12,j9:10,o5:8,a3:7,f1:6,h3:3,c5:4,u6:4,c9:13 "
    "temples=f2:2,a4:1,q6:3,l7:4,q7:1,r7:1,n8:2,d9:2,k9:2/b1:1,e3:3,m4:2,l5:4,p5:2,r6:2,j8:1,l8:3,j10:1/"
    "j2:4,d4:1,h5:2,n6:2,t7:1,c8:2,g9:1,p9:3,e12:1,k12:3"
)
"""Hundreds of shapes look good, and there are no tiles to cut them out with."""


def test_shapes_without_tiles_do_not_crowd_out_the_rest() -> None:
    state = game().from_position(NO_SINGLES)
    thinker = Thinker(Outlook())
    options = Options(state, thinker.outlook, thinker.shapes(state))
    plans = [options.plan(option) for option in options.best(12)]
    assert len(plans) == 12
    assert all(plans)


def empty_handed(period: int, pawns: str = "a2/c2") -> State:
    """A position with a token on display that nobody may be able to use, and no temple left in anybody's hand."""
    on = game_on(FIELD, temples="[[1, 0, 0, 0], [0, 0, 0, 0]]", neutral_temples="[]")
    return position(on, pawns=pawns, display="5", period=period, temples="d1:1/f1:1/-")


def homes(state: State) -> list[Option]:
    """Ways home that are listed."""
    thinker, starts = Thinker(Outlook()), state.variant.board.starts
    options = Options(state, thinker.outlook, thinker.shapes(state)).best(99)
    return [option for option in options if option.into == starts]


@pytest.mark.parametrize(("period", "time_to_go"), [(1, False), (2, True)])
def test_without_temples_it_is_time_to_go_home_though_a_token_is_left(period: int, time_to_go: bool) -> None:
    """Whoever stayed away until the token was gone lost the points: the others refused to let it go."""
    state, outlook = empty_handed(period), Outlook()
    assert nears_end(state) == bool(homes(state)) == time_to_go
    at_home = empty_handed(period, pawns="a1/c2")
    gained = outlook.values(at_home)[0] - outlook.values(state)[0]
    assert gained == pytest.approx(5 * outlook.weights.bonus if time_to_go else 0)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_listed_for_a_shape_has_its_tiles_and_ap(seed: int) -> None:
    """Also where AP of the next turn are counted on."""
    thinker, seen = Thinker(Outlook()), 0
    for number, (state, _) in enumerate(walk(game(), 2, seed)):
        if number % 40 or state.to_act is None or state.phase != TURN:
            continue
        for budget in (None, AHEAD):
            options = Options(state, thinker.outlook, thinker.shapes(state), budget)
            for option in options.best(30):
                actions = options.approach(option)
                assert actions is not None
                canals = [action for action in actions if state.text(action).startswith("canal")]
                assert len(canals) <= min(sum(state.tiles), options.budget)
                seen += bool(option.rim)
    assert seen
