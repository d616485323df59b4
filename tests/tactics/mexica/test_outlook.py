"""What a position is worth: exact at the end, and on the right side before it."""

from __future__ import annotations

import pytest
from games.mexica_kit import FIELD, do, game, game_on, position, walk

from mexica_cli.tactics.mexica.outlook import DUEL, Outlook, Weights, most, room


def test_the_most_that_a_hand_can_put_on_spaces() -> None:
    assert [most((3, 3, 2, 1), spaces) for spaces in (0, 1, 2, 3, 4, 99)] == [0, 4, 7, 10, 12, 19]


def test_room_leaves_a_space_for_whoever_builds() -> None:
    on = game_on(FIELD)
    state = position(on, pawns="f1/a3")
    east, west = sorted(state.unfounded, key=lambda mask: mask >> on.variant.board.numbers["f1"] & 1, reverse=True)
    assert room(state, east) == 11
    assert room(state, west) == 9  # the palace is three of the twelve, and there the pawn may stand


def test_over_it_is_the_result() -> None:
    for state, _ in walk(game(), 2, seed=3):
        last = state
    assert last.to_act is None
    assert Outlook().values(last) == pytest.approx(last.scores(), abs=0.2)


def test_a_longer_lead_is_worth_more() -> None:
    def utility(temples: str) -> float:
        state = position(game_on(FIELD), pawns="b3/i1", tokens="i3:12", temples=temples, display="5", period=2)
        outlook = Outlook()
        district = outlook.district(state, state.founded[0])
        return outlook.utility(outlook.expect(state, district), 0)

    assert utility("f1:4/f2:1/-") > utility("f1:2/f2:1/-") > utility("f1:1/f2:1/-") == 0 > utility("f1:1/f2:2/-")


def test_a_full_district_is_safe() -> None:
    def points(temples: str) -> float:
        on = game_on("SCS=####")
        state = position(on, pawns="a1/c1", tokens="h1:4", temples=temples, display="3", period=2)
        outlook = Outlook()
        return outlook.expect(state, outlook.district(state, state.founded[0]))[0]

    assert points("e1:1,f1:1/g1:1/-") == 4 > points("e1:2/-/-")


def test_more_points_are_better_for_whoever_has_them() -> None:
    outlook = Outlook()
    ahead = outlook.values(position(game(), players=3, pawns="h6/h8/g7", scores="9/0/0"))
    even = outlook.values(position(game(), players=3, pawns="h6/h8/g7"))
    assert outlook.utility(ahead, 0) == pytest.approx(outlook.utility(even, 0) + 9)
    assert outlook.utility(ahead, 1) == pytest.approx(outlook.utility(even, 1) - 4.5)


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_looks_on_would_like_to_see_tokens_founded(seat: int) -> None:
    outlook = Outlook()
    before = position(game_on(FIELD), pawns="f1/a3", display="5,12", period=2)
    after = position(game_on(FIELD), pawns="f1/a3", tokens="i3:12", display="5", period=2)
    lost = position(game_on(FIELD), pawns="f1/a3", display="5", period=2)
    gained, cost = outlook.weights.founding, outlook.weights.kept
    assert outlook.view(after, seat) == pytest.approx(outlook.view(before, seat) + gained)
    assert outlook.view(lost, seat) == pytest.approx(outlook.view(before, seat) - cost)


@pytest.mark.parametrize("seat", [0, 1])
def test_tokens_left_at_the_end_are_lost(seat: int) -> None:
    outlook = Outlook()
    left = position(game_on(FIELD), pawns="f1/a3", display="5", period=2, phase="over")
    none = position(game_on(FIELD), pawns="f1/a3", display="-", period=2, phase="over")
    assert outlook.view(left, seat) == pytest.approx(outlook.view(none, seat))


def test_whoever_looks_on_would_like_to_see_the_second_period() -> None:
    outlook = Outlook(Weights(stages=(DUEL.stages[0],) * 7))
    first = position(game_on(FIELD), pawns="f1/a3", display="5", period=1)
    second = position(game_on(FIELD), pawns="f1/a3", display="5", period=2)
    kept = outlook.weights.kept * len(first.later)
    assert outlook.view(second, 0) == pytest.approx(outlook.view(first, 0) - kept + outlook.weights.onward)


def test_a_judgement_does_not_depend_on_what_was_judged_before() -> None:
    """The same temples in one district and in two of it: what is remembered must not be mixed up."""
    on = game_on(FIELD)
    state = position(on, pawns="f1/a3", temples="g2:1/i2:1/-", display="3,4")
    outlook = Outlook()
    outlook.values(state)
    do(state, "canal h1", "canal h2 h3")
    assert outlook.values(state) == Outlook().values(state)
