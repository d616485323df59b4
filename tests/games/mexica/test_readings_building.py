"""Readings of the rules: canals, bridges, temples and foundings (1 to 6).

Each test fails where the rule is read the other way. Boards are drawn small: a canal drawn with = was dug
before the game, so that districts need no history.
"""

from __future__ import annotations

from typing import ClassVar

from games.mexica_kit import FIELD, ISLANDS, code, do, game, game_on, position, texts


class TestDistricts:
    """Reading 1."""

    def test_water_touching_at_a_corner_closes_a_district(self) -> None:
        state = position(game_on(ISLANDS), pawns="a2/f2")
        assert sorted(mask.bit_count() for mask in state.unfounded) == [10, 11]

    def test_pawns_temples_and_ramps_count_and_bridges_dont(self) -> None:
        on = game_on(ISLANDS, calpulli="10,11", first_calpulli="1")
        state = position(on, pawns="f3/e1", bridges="d1:h", temples="f1:1/-/g1:2")
        assert code(state, "found 10 h1") is None

    def test_the_palace_counts(self) -> None:
        on = game_on(ISLANDS, calpulli="11,10", first_calpulli="1")
        state = position(on, pawns="a2/f2", display="11", later="10")
        assert code(state, "found 11 d3") is None


class TestCanal:
    """Reading 2."""

    def test_it_needs_no_water_and_singles_need_not_wait(self) -> None:
        state = position(game(), pawns="h6/i7")
        assert [code(state, text) for text in ("canal d5", "canal d5 e5", "canal d5 d6")] == [None] * 3

    def test_pawns_temples_and_palace_are_kept(self) -> None:
        state = position(game_on(FIELD), pawns="a3/d2", temples="b3:1/-/c3:1")
        for cell in ("a3", "d2", "b3", "c3"):
            assert code(state, f"canal {cell}") == "occupied"
        assert code(state, "canal b2 b3") == "occupied"
        assert code(state, "canal a1") == "palace"
        assert code(state, "canal e1") == "not_land"

    def test_a_ramp_is_kept(self) -> None:
        state = position(game_on(FIELD), pawns="a1/c1", bridges="e2:h")
        assert code(state, "canal d2") == "bridge_ramp"
        assert code(state, "canal f2 g2") == "bridge_ramp"
        assert code(state, "canal d1") is None

    def test_a_founded_district_is_kept(self) -> None:
        on = game_on(FIELD, calpulli="12,3", first_calpulli="1")
        state = position(on, pawns="a1/c1", tokens="f1:12", display="-", later="3")
        assert code(state, "canal g2") == "founded_district"
        assert code(state, "canal d2") is None

    def test_tiles_run_out_by_length(self) -> None:
        state = position(game_on(FIELD, canal_tiles="1,1"), pawns="a1/c1")
        do(state, "canal h1 h2")
        assert code(state, "canal b2 b3") == "no_tile"
        do(state, "canal b3")
        assert code(state, "canal d3") == "no_tile"


class TestBridge:
    """Reading 3."""

    BOARD = """
        SCS#.###
        #=##.#=#
        ####.###
        """

    def test_the_builder_says_which_way(self) -> None:
        state = position(game_on(self.BOARD), pawns="a1/c1")
        assert texts(state, "bridge") == ["bridge b2 h", "bridge b2 v", "bridge g2 h", "bridge g2 v"]

    def test_its_ends_may_be_occupied_or_palace(self) -> None:
        state = position(game_on(self.BOARD), pawns="a2/c2", temples="b3:1/-/-")
        assert code(state, "bridge b2 h") is None
        assert code(state, "bridge b2 v") is None

    def test_one_a_space_and_none_on_lake_or_land(self) -> None:
        state = position(game_on(self.BOARD), pawns="a1/c1", bridges="b2:h")
        assert code(state, "bridge b2 v") == "occupied"
        assert code(state, "bridge e2 h") == "not_canal"
        assert code(state, "bridge c2 h") == "not_canal"

    def test_dug_spaces_carry_bridges_across_tile_joints(self) -> None:
        state = position(game(), pawns="h6/i7", canals="d4,e4", tiles="6,34")
        assert {"bridge d4 v", "bridge e4 v", "bridge o7 h"} <= {*texts(state, "bridge")}
        assert code(state, "bridge d4 h") == "no_ramp"
        assert code(state, "bridge o6 v") == "no_ramp"


class TestRelocation:
    """Reading 4."""

    BOARD = """
        SCS##
        #=#=#
        #####
        """

    def test_only_with_an_empty_supply(self) -> None:
        state = position(game_on(self.BOARD), pawns="a1/c1", bridges="b2:h")
        assert code(state, "relocate b2 d2 h") == "bridges_left"
        assert code(state, "bridge d2 h") is None

    def test_to_another_space_for_turning_is_no_move(self) -> None:
        state = position(game_on(self.BOARD, bridges="1"), pawns="a1/c1", bridges="b2:h")
        assert texts(state, "relocate") == ["relocate b2 d2 h", "relocate b2 d2 v"]
        assert code(state, "relocate b2 b2 v") == "occupied"
        assert code(state, "bridge d2 h") == "no_bridge"
        do(state, "relocate b2 d2 v")
        assert state.observation(0).bridges == {"d2": "v"}
        assert code(state, "canal a2") is None

    def test_not_with_a_pawn_on_it(self) -> None:
        state = position(game_on(self.BOARD, bridges="1"), pawns="a1/b2", bridges="b2:h")
        assert code(state, "relocate b2 d2 h") == "occupied"
        assert code(state, "relocate d2 b2 h") == "not_a_bridge"


class TestTemple:
    """Reading 5."""

    def test_it_goes_into_the_pawns_district(self) -> None:
        state = position(game_on(ISLANDS), pawns="a2/f2")
        assert code(state, "temple 1 d3") is None
        assert code(state, "temple 1 h3") == "not_your_district"

    def test_not_where_something_stands_nor_on_the_palace(self) -> None:
        state = position(game_on(ISLANDS), pawns="a2/b2", temples="c2:1/-/-")
        assert [code(state, f"temple 1 {cell}") for cell in ("a2", "b2", "c2")] == ["occupied"] * 3
        assert code(state, "temple 1 b1") == "palace"

    def test_a_pawn_on_a_bridge_is_in_no_district(self) -> None:
        state = position(game_on(ISLANDS), pawns="d1/f2", bridges="d1:h")
        assert code(state, "temple 1 d2") == "not_on_land"

    def test_a_founded_district_will_do(self) -> None:
        on = game_on(ISLANDS, calpulli="10,3", first_calpulli="1")
        state = position(on, pawns="f2/a2", tokens="h1:10", display="-", later="3")
        assert code(state, "temple 1 h3") is None
        assert code(state, "temple 1 h1") == "occupied"

    def test_it_costs_its_level(self) -> None:
        state = position(game_on(ISLANDS), pawns="a2/f2", ap=4)
        do(state, "temple 3 d3")
        assert (state.ap, state.hands[0]) == (1, (3, 3, 1, 1))
        assert code(state, "temple 2 d2") == "no_ap"


class TestFounding:
    """Reading 6."""

    TWO: ClassVar = {"calpulli": "10,11,3", "first_calpulli": "2"}

    def test_points_for_the_founder_and_the_pawns_beside(self) -> None:
        state = position(game_on(ISLANDS, **self.TWO), pawns="f2/h2", display="10,11", later="3", ap=0)
        do(state, "found 10 h3")
        assert state.scores() == [5, 3]
        assert state.display == (11,)

    def test_a_pawn_on_a_bridge_gets_nothing(self) -> None:
        on = game_on(ISLANDS, **self.TWO)
        state = position(on, pawns="f2/d1", bridges="d1:h", display="10,11", later="3")
        do(state, "found 10 h3")
        assert state.scores() == [5, 0]

    def test_nor_can_it_found(self) -> None:
        on = game_on(ISLANDS, **self.TWO)
        state = position(on, pawns="d1/f2", bridges="d1:h", display="10,11", later="3")
        assert code(state, "found 10 h3") == "not_on_land"

    def test_where_the_token_goes(self) -> None:
        on = game_on(ISLANDS, **self.TWO)
        state = position(on, pawns="a2/c2", temples="d2:1/-/-", display="10,11", later="3")
        assert [code(state, f"found 11 {cell}") for cell in ("a2", "c2", "d2")] == ["occupied"] * 3
        assert code(state, "found 11 b1") == "palace"
        assert code(state, "found 11 h3") == "not_your_district"
        assert code(state, "found 10 d3") == "wrong_size"
        assert code(state, "found 11 d3") is None

    def test_a_token_of_that_size_must_be_on_display(self) -> None:
        state = position(game_on(ISLANDS, **self.TWO), pawns="a2/f2", display="10", later="3")
        assert code(state, "found 11 d3") == "no_token"

    def test_no_space_for_the_token_no_founding(self) -> None:
        on = game_on("SCS#=##", calpulli="4,3", first_calpulli="1")
        state = position(on, pawns="d1/f1", display="4", later="3")
        assert texts(state, "found") == []
        do(state, "walk c1")
        assert texts(state, "found") == ["found 4 d1"]

    def test_no_second_founding(self) -> None:
        on = game_on(ISLANDS, calpulli="10,10,3", first_calpulli="2")
        state = position(on, pawns="f2/a2", tokens="h1:10", display="10", later="3")
        assert code(state, "found 10 h3") == "founded_district"
