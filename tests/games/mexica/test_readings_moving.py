"""Readings of the rules: moves, action tokens and penning (7 to 11).

Each test fails where the rule is read the other way. Boards are drawn small: a canal drawn with = was dug
before the game, so that districts need no history.
"""

from __future__ import annotations

import pytest
from games.mexica_kit import ISLANDS, code, do, game_on, position, texts


class TestWalk:
    """Reading 7."""

    def test_onto_nothing_that_stands(self) -> None:
        on = game_on(ISLANDS, calpulli="11,3", first_calpulli="1")
        state = position(on, pawns="b2/c2", temples="b3:1/-/-", tokens="a2:11", display="-", later="3")
        assert [code(state, f"walk {cell}") for cell in ("c2", "b3", "a2")] == ["occupied"] * 3
        assert code(state, "walk b1") is None

    def test_one_orthogonal_step(self) -> None:
        state = position(game_on(ISLANDS), pawns="b2/c2")
        assert code(state, "walk a3") == "too_far"
        assert code(state, "walk b2") == "too_far"

    def test_on_and_off_a_bridge_along_its_axis(self) -> None:
        on = game_on("SCS#### #=##### #######")
        state = position(on, pawns="a2/c1", bridges="b2:h")
        do(state, "walk b2")
        assert texts(state, "walk") == ["walk a2", "walk c2"]
        state = position(on, pawns="a2/c1", bridges="b2:v")
        assert code(state, "walk b2") == "bridge_axis"

    def test_never_from_bridge_to_bridge(self) -> None:
        on = game_on("SCS#### #==#### #######")
        state = position(on, pawns="b2/a1", bridges="b2:v,c2:v")
        assert texts(state, "walk") == ["walk b1", "walk b3"]
        assert code(state, "walk c2") == "bridge_to_bridge"

    def test_a_bridge_with_a_pawn_is_taken_and_water_is_water(self) -> None:
        state = position(game_on(ISLANDS), pawns="c1/d1", bridges="d1:h")
        assert code(state, "walk d1") == "occupied"
        state = position(game_on(ISLANDS), pawns="c1/a1")
        assert code(state, "walk d1") == "water"


class TestBoat:
    """Reading 8."""

    ROW = """
        SCS####
        #=====#
        #######
        """
    THROUGH = """
        #SCS#####
        =========
        #########
        """

    def test_each_bridge_reached_or_passed_costs(self) -> None:
        state = position(game_on(self.ROW), pawns="b2/a1", bridges="b2:v,d2:v,f2:v")
        do(state, "boat f2")
        assert state.ap == 4
        do(state, "boat d2")
        assert state.ap == 3

    def test_a_pawn_on_the_way_neither_stops_nor_spares(self) -> None:
        state = position(game_on(self.ROW), pawns="b2/d2", bridges="b2:v,d2:v,f2:v", ap=2)
        assert texts(state, "boat") == ["boat f2"]
        assert code(state, "boat d2") == "occupied"
        do(state, "boat f2")
        assert state.ap == 0

    def test_what_ap_allow(self) -> None:
        state = position(game_on(self.ROW), pawns="b2/a1", bridges="b2:v,d2:v,f2:v", ap=1)
        assert texts(state, "boat") == ["boat d2"]
        assert code(state, "boat f2") == "no_ap"

    def test_the_lake_is_one_water_and_the_cost_the_least(self) -> None:
        bridges = "a2:v,c2:v,e2:v,g2:v,i2:v"
        for goal, cost in (("i2", 1), ("c2", 1), ("e2", 2), ("g2", 2)):
            state = position(game_on(self.THROUGH), pawns="a2/b1", bridges=bridges)
            do(state, f"boat {goal}")
            assert state.ap == 6 - cost

    def test_no_way_round_a_corner_and_none_from_land(self) -> None:
        on = game_on("SCS### #=#### ##=### ######")
        state = position(on, pawns="b2/a1", bridges="b2:h,c3:h")
        assert code(state, "boat c3") == "no_waterway"
        state = position(on, pawns="a2/a1", bridges="b2:h,c3:h")
        assert code(state, "boat b2") == "not_on_bridge"

    def test_help_one_ap_whatever_lies_between(self) -> None:
        state = position(game_on(self.ROW, "help"), pawns="b2/d2", bridges="b2:v,d2:v,f2:v", ap=1)
        do(state, "boat f2")
        assert state.ap == 0


class TestTeleport:
    """Reading 9."""

    def test_palace_founded_districts_and_free_bridges(self) -> None:
        on = game_on(ISLANDS, calpulli="10,3", first_calpulli="1")
        fields = {"pawns": "a2/c1", "bridges": "d1:h", "tokens": "h1:10", "display": "-", "later": "3"}
        state = position(on, **fields)
        assert [code(state, f"teleport {cell}") for cell in ("b1", "h3", "d1")] == [None] * 3
        assert [code(state, f"teleport {cell}") for cell in ("a2", "c1", "h1")] == ["occupied"] * 3
        do(state, "teleport h3")
        assert state.ap == 1
        assert code(state, "teleport h2") == "no_ap"

    def test_help_no_bridge(self) -> None:
        state = position(game_on(ISLANDS, "help"), pawns="a2/c1", bridges="d1:h")
        assert code(state, "teleport d1") == "not_land"
        assert code(state, "teleport b1") is None


class TestActionTokens:
    """Reading 10."""

    def test_two_a_turn_spendable_at_once(self) -> None:
        state = position(game_on(ISLANDS), pawns="a2/f2")
        do(state, "take", "take")
        assert code(state, "take") == "too_many_tokens"
        do(state, "spend")
        assert (state.ap, state.action_tokens, state.token_supply) == (5, (1, 0), 11)
        assert code(state, "take") == "too_many_tokens"

    def test_while_the_supply_lasts(self) -> None:
        state = position(game_on(ISLANDS), pawns="a2/f2", action_tokens="0/12")
        assert code(state, "take") == "no_action_token"
        assert code(state, "spend") == "no_action_token"

    def test_they_stay_across_the_periods(self) -> None:
        state = position(game_on(ISLANDS, stall_rounds="1"), pawns="a2/f2", action_tokens="2/1", ap=0)
        do(state, "end", "end")
        assert (state.period, state.action_tokens) == (2, (2, 1))


class TestPenning:
    """Reading 11."""

    ALLEY = "SCS####"
    """A pawn on g1 has one way out, f1."""

    @pytest.mark.parametrize("action", ["temple 1 f1", "canal e1 f1", "walk f1", "teleport f1"])
    def test_not_in_the_first_round(self, action: str) -> None:
        fields = {"pawns": "e1/g1"} if action == "walk f1" else {"pawns": "d1/g1"}
        assert code(position(game_on(self.ALLEY), round=1, **fields), action) == "penning"
        assert code(position(game_on(self.ALLEY), round=2, **fields), action) is None

    def test_nor_by_a_token(self) -> None:
        on = game_on(self.ALLEY, calpulli="7,3", first_calpulli="1")
        fields = {"pawns": "d1/g1", "display": "7", "later": "3"}
        assert code(position(on, round=1, **fields), "found 7 f1") == "penning"
        assert code(position(on, round=1, **fields), "found 7 e1") is None
        assert code(position(on, round=2, **fields), "found 7 f1") is None

    def test_who_could_build_a_bridge_isnt_penned(self) -> None:
        state = position(game_on(self.ALLEY), round=1, pawns="d1/g1")
        assert code(state, "canal f1") is None
        state = position(game_on(self.ALLEY, bridges="0"), round=1, pawns="d1/g1")
        assert code(state, "canal f1") == "penning"

    def test_who_was_penned_before_doesnt_count(self) -> None:
        state = position(game_on(self.ALLEY), round=1, pawns="d1/g1", temples="f1:1/-/-")
        assert code(state, "temple 1 e1") is None
        assert code(state, "canal e1") is None

    def test_a_bridge_that_could_be_moved_is_a_way_out(self) -> None:
        fields = {"pawns": "e1/h1", "bridges": "d1:h", "round": "1"}
        assert code(position(game_on("SCS=##=#", bridges="1"), **fields), "walk d1") == "penning"
        assert code(position(game_on("SCS=##=#", bridges="2"), **fields), "walk d1") is None

    def test_on_a_bridge_a_boat_is_a_way_out(self) -> None:
        on = game_on("SCSS# #===# #####")
        fields = {"players": "3", "pawns": "d1/b2/b1", "temples": "b3:1/-/-", "round": "1"}
        assert code(position(on, bridges="b2:v,d2:v", **fields), "walk d2") == "penning"
        assert code(position(on, bridges="b2:v,c2:v,d2:v", **fields), "walk d2") is None

    def test_help_never_by_a_temple(self) -> None:
        for round_ in (1, 2):
            state = position(game_on(self.ALLEY, "help"), round=round_, pawns="d1/g1")
            assert code(state, "temple 1 f1") == "penning"
        assert code(state, "canal e1 f1") is None
        assert code(state, "teleport f1") is None

    def test_as_an_option(self) -> None:
        state = position(game_on(self.ALLEY, penning_first_round="yes"), round=1, pawns="d1/g1")
        assert code(state, "temple 1 f1") is None
