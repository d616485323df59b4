"""The rule set `summary` where it is another game."""

from __future__ import annotations

import pytest
from games.mexica_kit import ISLANDS, code, do, game, game_on, position, texts


def test_pawns_start_on_any_free_land() -> None:
    state = game("summary").start(3, game("summary").deal(3, 1))
    do(state, "place h7")
    assert code(state, "place h7") == "occupied"
    assert code(state, "place a3") is None
    assert code(state, "place a1") == "not_land"


def test_two_ap_at_most_are_kept_for_the_next_turn() -> None:
    state = position(game("summary"), pawns="h6/i7")
    do(state, "walk h5", "walk h4", "end", "walk i6", "walk i5", "walk i4", "walk i3", "walk i2", "end")
    assert (state.ap, state.kept) == (8, (0, 1))
    do(state, "end")
    assert (state.ap, state.kept) == (7, (2, 0))


def test_no_action_tokens_and_no_teleport() -> None:
    state = position(game("summary"), pawns="h6/i7")
    assert code(state, "take") == "no_action_token"
    assert code(state, "spend") == "no_action_token"
    assert code(state, "teleport d4") == "no_teleport"


class TestCanals:
    def test_a_tile_costs_its_length(self) -> None:
        state = position(game("summary"), pawns="h6/i7")
        do(state, "canal a3 a4")
        assert state.ap == 4
        assert code(state, "canal a11 e11") == "no_ap"
        do(state, "canal b5 b8")
        assert (state.ap, state.tiles) == (0, (16, 15, 16, 11, 12))

    def test_one_space_touches_water_orthogonally(self) -> None:
        state = position(game("summary"), pawns="h6/i7")
        assert code(state, "canal e5 e8") == "no_water"
        assert code(state, "canal b5 e5") is None
        do(state, "canal b5 c5")
        assert code(state, "canal d5 d8") is None
        assert code(state, "canal d6 d8") == "no_water"

    def test_the_longest_has_five_spaces(self) -> None:
        state = position(game("summary"), pawns="h6/i7")
        with pytest.raises(Exception, match="no canal tile is 6 spaces long, the longest is 5"):
            state.parse("canal a10 f10")


def test_a_boat_costs_five_wherever_it_goes() -> None:
    on = game_on("SCS#### #=====# #######", "summary")
    state = position(on, pawns="b2/a1", bridges="b2:v,d2:v,f2:v")
    do(state, "boat f2")
    assert state.ap == 1
    assert code(state, "boat d2") == "no_ap"


def test_founding_costs_one() -> None:
    on = game_on(ISLANDS, "summary", calpulli="10,11,3", first_calpulli="2")
    assert code(position(on, pawns="f2/a2", ap=0), "found 10 h3") == "no_ap"
    state = position(on, pawns="f2/a2", display="10,11", later="3")
    do(state, "found 10 h3")
    assert state.ap == 5


class TestTemples:
    def test_beside_the_pawn_or_under_it(self) -> None:
        state = position(game_on(ISLANDS, "summary"), pawns="b2/a2")
        assert texts(state, "temple")[:3] == ["temple 1 b2", "temple 1 b3", "temple 1 c2"]
        assert code(state, "temple 1 d2") == "out_of_reach"
        assert code(state, "temple 1 b1") == "palace"
        assert code(state, "temple 1 a2") == "occupied"

    def test_the_pawn_stays_on_top_and_never_comes_back(self) -> None:
        state = position(game_on(ISLANDS, "summary"), pawns="b2/a2")
        do(state, "temple 1 b2")
        assert code(state, "temple 1 b2") == "occupied"
        assert game_on(ISLANDS, "summary").from_position(state.position()).digest() == state.digest()
        do(state, "walk c2")
        assert code(state, "walk b2") == "occupied"

    def test_not_from_a_bridge(self) -> None:
        state = position(game_on(ISLANDS, "summary"), pawns="d1/a2", bridges="d1:h")
        assert code(state, "temple 1 e1") == "not_on_land"


class TestEndOfPeriod:
    def test_at_once_when_the_display_is_empty(self) -> None:
        on = game_on(ISLANDS, "summary", calpulli="10,11,11", first_calpulli="1")
        state = position(on, players=2, seat=1, pawns="a2/f2", display="10", later="11,11", kept="2/0")
        do(state, "found 10 h3")
        assert (state.period, state.seat, state.ap, state.kept, state.round) == (2, 0, 8, (0, 0), 3)

    def test_the_interrupted_turns_ap_are_lost_and_others_kept_stay(self) -> None:
        on = game_on(ISLANDS, "summary", calpulli="10,11,11", first_calpulli="1")
        state = position(on, seat=0, pawns="f2/a2", display="10", later="11,11", kept="0/1")
        do(state, "found 10 h3")
        assert (state.period, state.seat, state.ap, state.kept, state.turn) == (2, 0, 6, (0, 1), 5)

    def test_at_once_when_somebody_has_no_temple_left(self) -> None:
        options = {"temples": "[[1],[1]]", "neutral_temples": "", "calpulli": "10,11,3", "first_calpulli": "1"}
        state = position(game_on(ISLANDS, "summary", **options), pawns="f2/a2", display="10", later="3,11")
        assert do(state, "temple 1 f3")[0] == {"what": "retired", "size": 10, "by": "end"}
        assert (state.period, state.display, state.hands) == (2, (3, 11), ((1,), (2,)))

    def test_at_once_by_a_vote(self) -> None:
        on = game_on(ISLANDS, "summary", calpulli="10,11,3", first_calpulli="2")
        state = position(on, period=2, pawns="f2/a2", display="3")
        do(state, "retire 3", "agree")
        assert state.to_act is None

    def test_at_the_start_of_a_period_nothing_may_be_left(self) -> None:
        on = game_on(ISLANDS, "summary", calpulli="10,19,20", first_calpulli="1")
        state = position(on, pawns="f2/a2", display="10", later="19,20")
        followed = do(state, "found 10 h3")
        assert [entry["what"] for entry in followed if entry["what"] != "points"] == [
            "scored", "period", "retired", "retired", "scored", "over",
        ]  # fmt: skip


def test_a_stall_ends_a_period_here_too() -> None:
    state = position(game_on(ISLANDS, "summary"), pawns="f2/a2", display="3", later="4,5,6,7,8,9,10", quiet=2)
    do(state, "end", "end")
    assert (state.period, state.kept, state.ap) == (2, (0, 2), 8)
