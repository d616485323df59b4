"""Readings of the rules: the course of a game, scoring and set-up (12 to 19).

Each test fails where the rule is read the other way. Boards are drawn small: a canal drawn with = was dug
before the game, so that districts need no history.
"""

from __future__ import annotations

from typing import ClassVar

import pytest
from games.mexica_kit import FIELD, ISLANDS, code, do, game, game_on, position

from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica.board import near_lake


class TestRetirementByVote:
    """Reading 12."""

    def test_all_are_asked_in_turn_order(self) -> None:
        state = position(game(), players=3, period=2, seat=1, pawns="h6/i7/g7", ap=3)
        do(state, "retire 13")
        assert (state.to_act, state.turn) == (2, 7)
        do(state, "agree")
        assert state.to_act == 0
        assert do(state, "agree") == [{"what": "retired", "size": 13, "by": "vote"}]
        assert (state.to_act, state.ap, state.turn, state.display) == (1, 3, 7, (7, 8, 9, 10, 11, 12))

    def test_the_first_refusal_ends_it_and_once_a_turn(self) -> None:
        state = position(game(), players=3, period=2, pawns="h6/i7/g7")
        do(state, "retire 13", "refuse")
        assert (state.to_act, 13 in state.display) == (0, True)
        assert code(state, "retire 13") == "proposed_already"
        do(state, "retire 12", "agree", "refuse", "end")
        assert code(state, "retire 13") is None

    def test_one_token_of_two_leaves(self) -> None:
        state = position(game(), period=2, pawns="h6/i7", display="6,6")
        do(state, "retire 6", "agree")
        assert state.display == (6,)
        assert code(state, "retire 6") == "proposed_already"

    def test_in_the_second_period_only(self) -> None:
        state = position(game(), pawns="h6/i7")
        assert code(state, "retire 3") == "wrong_period"

    def test_nothing_but_an_answer_in_a_vote(self) -> None:
        state = position(game(), period=2, pawns="h6/i7")
        do(state, "retire 13")
        assert sorted(map(state.text, state.legal_actions())) == ["agree", "refuse"]
        assert code(state, "end") == "wrong_phase"


class TestAutomaticRetirement:
    """Reading 13."""

    def test_while_tiles_remain_what_is_larger_than_all_goes(self) -> None:
        on = game_on(ISLANDS, calpulli="11,11,9,3", first_calpulli="3")
        state = position(on, pawns="a2/f2", display="9,11,11", later="3")
        followed = do(state, "canal b3")
        assert followed == [{"what": "retired", "size": 11, "by": "automatic"}] * 2
        assert state.display == (9,)

    def test_founding_the_largest_counts_too(self) -> None:
        on = game_on(ISLANDS, calpulli="11,11,10,3", first_calpulli="3")
        state = position(on, pawns="a2/f2", display="10,11,11", later="3")
        do(state, "found 11 d3")
        assert state.display == (10,)

    def test_without_tiles_one_token_a_district_of_just_that_size(self) -> None:
        on = game_on(ISLANDS, calpulli="10,10,10,9,3", first_calpulli="4", canal_tiles="1")
        state = position(on, pawns="a2/f2", display="9,10,10,10", later="3")
        do(state, "canal b3")
        assert state.display == (10, 10)

    def test_two_spaces_must_be_free_of_temples(self) -> None:
        on = game_on("SCS=###", calpulli="3,3,7", first_calpulli="2", canal_tiles="0")
        state = position(on, pawns="g1/a1", display="3", later="7")
        assert do(state, "temple 1 e1") == []
        assert do(state, "temple 1 f1") == [{"what": "retired", "size": 3, "by": "automatic"}]

    def test_and_one_of_them_no_palace(self) -> None:
        on = game_on("SCS=###=##", calpulli="3,3,7", first_calpulli="2", canal_tiles="0")
        state = position(on, pawns="g1/a1", display="3,3", later="7")
        do(state, "temple 1 e1")
        assert state.display == (3,)

    def test_at_the_start_of_a_period(self) -> None:
        on = game_on(ISLANDS, calpulli="11,12,13", first_calpulli="2")
        state = on.start(2, {"calpulli": [[11, 13], [12]]})
        do(state, "place a1")
        assert do(state, "place c1") == [{"what": "retired", "size": 13, "by": "automatic"}]
        do(state, *["end"] * 8)
        assert (state.period, state.display) == (2, ())

    def test_it_can_be_switched_off(self) -> None:
        on = game_on(ISLANDS, calpulli="11,9,3", first_calpulli="2", automatic_retirement="off")
        state = position(on, pawns="a2/f2", display="9,11", later="3")
        do(state, "canal b3")
        assert state.display == (9, 11)


class TestEndOfPeriod:
    """Reading 14."""

    RULES: ClassVar = {"calpulli": "10,11,3", "first_calpulli": "2", "temples": "[[1],[1]]", "neutral_temples": ""}

    def test_an_empty_display_and_an_empty_hand_at_the_end_of_a_round(self) -> None:
        state = position(game_on(ISLANDS, **self.RULES), pawns="a2/f2", display="-", later="3")
        do(state, "temple 1 d3")
        assert state.period == 1
        do(state, "end")
        assert state.period == 1
        do(state, "end")
        assert (state.period, state.display, state.hands) == (2, (3,), ((1,), (2,)))

    @pytest.mark.parametrize(("display", "temples"), [("10", "d3:1/-/-"), ("-", "-/-/-")])
    def test_either_alone_ends_nothing(self, display: str, temples: str) -> None:
        state = position(game_on(ISLANDS, **self.RULES), pawns="a2/f2", display=display, later="3", temples=temples)
        do(state, "canal b3", "end", "end")
        assert state.period == 1

    def test_the_game_ends_like_the_first_period(self) -> None:
        fields = {"pawns": "a2/f2", "display": "-", "temples": "d3:1,d2:1/-/-"}
        state = position(game_on(ISLANDS, **self.RULES), period=2, seat=1, **fields)
        *_, last = do(state, "end")
        assert last == {"what": "over", "ranking": [1, 2]}
        assert code(state, "end") == "game_over"


class TestStall:
    """Reading 15."""

    def passes(self, rounds: int, **options: str) -> tuple[int, int]:
        state = position(game_on(FIELD, **options), pawns="a1/c1", display="3")
        do(state, *["end", "end"] * rounds)
        return state.period, len(state.display)

    def test_three_quiet_rounds_end_a_period(self) -> None:
        assert self.passes(2) == (1, 1)
        state = position(game_on(FIELD), pawns="a1/c1", display="3", later="4,5,6,7,8,9,10")
        followed = do(state, *["end"] * 6)
        assert followed[:2] == [{"what": "stalled", "rounds": 3}, {"what": "retired", "size": 3, "by": "end"}]
        assert (state.period, 3 in state.display) == (2, False)

    def test_never_when_switched_off(self) -> None:
        assert self.passes(50, stall_rounds="off") == (1, 1)

    @pytest.mark.parametrize("progress", ["canal b3", "temple 1 b3", "found 12 b3"])
    def test_progress_starts_the_count_afresh(self, progress: str) -> None:
        on = game_on(FIELD, calpulli="12,12,3", first_calpulli="2")
        state = position(on, pawns="a1/c1", display="12,12", later="3", quiet=2)
        do(state, progress, "end", "end")
        assert (state.period, state.quiet) == (1, 0)

    def test_bridges_and_walking_are_no_progress(self) -> None:
        state = position(game_on(FIELD), pawns="a1/c1", display="3", later="4,5,6,7,8,9,10", quiet=2)
        do(state, "bridge e2 h", "walk a2", "take", "end", "end")
        assert state.period == 2

    def test_a_vote_is_progress_if_all_agree(self) -> None:
        for answer, period_over in (("agree", False), ("refuse", True)):
            state = position(game_on(FIELD), period=2, pawns="a1/c1", display="9,10", quiet=2)
            do(state, "retire 10", answer, "end", "end")
            assert (state.to_act is None) == period_over

    def test_a_retirement_at_the_start_counts_for_the_first_round(self) -> None:
        on = game_on(ISLANDS, calpulli="11,12,13", first_calpulli="1")
        state = position(on, pawns="a1/c1", display="11", later="12,13", quiet=2)
        do(state, "end", "end")
        assert state.period == 2
        do(state, *["end"] * 6)
        assert state.to_act is not None
        do(state, "end", "end")
        assert state.to_act is None


class TestScoring:
    """Reading 16; places and ties are in test_scoring."""

    def scored(self, period: int, **fields: str) -> list[int]:
        options = {"calpulli": "10,11,3", "first_calpulli": "2", "temples": "[[3,1],[1,0]]", "neutral_temples": "1"}
        on = game_on(ISLANDS, stall_rounds="1", **options)
        display = {"display": "-", "later": "3" if period == 1 else "-"}
        state = position(on, period=period, seat=1, **({"pawns": "a2/f2"} | display | fields))
        do(state, "end")
        return state.scores()

    def test_founded_districts_in_both_periods_others_in_the_second(self) -> None:
        temples = "f1:1,d3:1/g1:2/-"
        assert self.scored(1, tokens="h3:10", temples=temples) == [5, 10]
        assert self.scored(2, tokens="h3:10", temples=temples) == [5 + 11, 10]

    def test_five_points_on_a_starting_space_not_on_the_centre(self) -> None:
        for period in (1, 2):
            assert self.scored(period, pawns="a1/b1") == [5, 0]

    def test_the_neutral_colour_takes_places(self) -> None:
        assert self.scored(1, tokens="h3:10", temples="f1:1/g1:1,g2:1/f3:1") == [5, 10]
        assert self.scored(1, tokens="h3:10", temples="f1:1/-/f3:2") == [5, 0]
        assert self.scored(1, tokens="h3:10", temples="f1:2/g1:1/f3:2") == [10, 3]


class TestRanking:
    """Reading 17."""

    @pytest.mark.parametrize(
        ("scores", "tokens", "expected"),
        [("9/7/8", "0/0/0", [1, 3, 2]), ("9/9/8", "1/2/0", [2, 1, 3]), ("9/9/9", "1/2/2", [3, 1, 1])],
    )
    def test_points_then_action_tokens_then_shared(self, scores: str, tokens: str, expected: list[int]) -> None:
        fields = {"pawns": "d4/e4/f4", "scores": scores, "action_tokens": tokens}
        state = position(game(), players=3, seat=2, period=2, quiet=2, **fields)
        assert state.ranking() is None
        do(state, "end")
        assert state.ranking() == expected


class TestNeutralTemples:
    """Reading 18."""

    def test_where_they_are_drawn(self) -> None:
        board = game().variant.board
        for seed in range(30):
            neutral = game().deal(2, seed)["neutral"]
            assert sorted(neutral.values()) == [1, 1, 1, 1, 2, 2, 2, 3, 3, 4]
            cells = [board.numbers[name] for name in neutral]
            for cell in cells:
                assert (board.land & ~board.palace & ~near_lake(board)) >> cell & 1
            spots = [divmod(cell, board.stride) for cell in cells]
            gaps = [abs(r - s) + abs(c - d) for n, (r, c) in enumerate(spots) for s, d in spots[:n]]
            assert min(gaps) >= 5

    def test_they_come_with_two_players_only(self) -> None:
        assert game().deal(3, 1)["neutral"] == {}

    def test_a_board_without_room_is_named(self) -> None:
        on = game_on(ISLANDS)
        with pytest.raises(RuleError, match="has no room for 10 neutral temples 5 apart"):
            on.deal(2, 1)

    def test_they_block_like_any_other(self) -> None:
        state = position(game_on(ISLANDS), pawns="a2/f2", temples="-/-/a3:1")
        assert code(state, "canal a3") == "occupied"
        assert code(state, "walk a3") == "occupied"

    def test_a_user_may_have_more_levels(self) -> None:
        on = game_on("\n".join(game().variant.board.rows), neutral_temples="2,2,3,3")
        assert sum(on.deal(2, 5)["neutral"].values()) == 27


class TestOrder:
    """Reading 19."""

    def test_the_first_player_starts_both_periods(self) -> None:
        state = game().start(3, game().deal(3, 1))
        do(state, "place h6", "place g7", "place i7")
        turns = []
        while state.to_act is not None:
            turns.append((state.period, state.round, state.to_act))
            do(state, "end")
        assert turns == [(1 + (n > 3), n, seat) for n in range(1, 7) for seat in range(3)]
