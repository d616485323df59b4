"""Results of games, and what formats ask of them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tournament.simulate import result, void

from mexica_cli.record.lines import ResultLine
from mexica_cli.tournament.blocks import Fixture, block, team_block
from mexica_cli.tournament.results import Results, Unplayed, game_result, team_results
from mexica_cli.wire.messages import Fault

MATCH = block(["a", "b"], 1)
FIRST, SECOND = MATCH.fixtures()


def line(match: str, **fields: object) -> ResultLine:
    values = {
        "match": match,
        "outcome": "finished",
        "ranking": [2, 1],
        "scores": [10, 20],
        "reasons": [None, None],
        "actions": 9,
        "digest": "",
        "stale": [0, 0],
        "stderr": [None, None],
        **fields,
    }
    return ResultLine(**values)  # type: ignore[arg-type]


def test_a_result_is_made_of_a_log_line() -> None:
    fault = Fault(kind="timeout", reason="no answer")
    made = game_result(["b", "a"], line("a+b.1-2", outcome="forfeit", reasons=[fault, None], used_ms=[1.5, 2.5]))
    assert made.id == SECOND.id
    assert made.block == made.deal == "a+b.1"
    assert made.seats == ("b", "a")
    assert made.ranking == (2, 1)
    assert list(made.scores) == [10, 20]
    assert list(made.faults) == ["timeout", None]
    assert made.used_ms == (1.5, 2.5)
    assert made.counts


def test_a_log_without_times_has_results() -> None:
    assert game_result(["a", "b"], line("1-1")).used_ms == (0.0, 0.0)


def test_results_of_several_logs_are_kept_apart() -> None:
    one, other = (game_result(["a", "a"], line("a@3-1"), log) for log in ("", "old.jsonl:"))
    assert (one.id, one.block, one.deal) == ("a@3-1", "a@3", "3")
    assert (other.id, other.block, other.deal) == ("old.jsonl:a@3-1", "old.jsonl:a@3", "old.jsonl:3")


def test_what_is_no_match_id() -> None:
    with pytest.raises(ValueError, match="is no match id"):
        game_result(["a", "b"], line("12"))


@pytest.mark.parametrize(
    ("ranking", "won", "beaten"),
    [
        ([1, 2], [1, 0], [1, 0]),
        ([1, 1], [0.5, 0.5], [0.5, 0.5]),
        ([3, 1, 2], [0, 1, 0], [0, 1, 0.5]),
        ([1, 3, 1], [0.5, 0, 0.5], [0.75, 0, 0.75]),
        ([1, 2, 2, 4], [1, 0, 0, 0], [1, 0.5, 0.5, 0]),
        ([1, 1, 1, 1], [0.25] * 4, [0.5] * 4),
        ([1], [1], [0.5]),
    ],
)
def test_what_a_place_is_worth(ranking: list[int], won: list[float], beaten: list[float]) -> None:
    game = result(Fixture("1-1", tuple("abcd"[: len(ranking)])), ranking)
    assert [game.won(seat) for seat in range(len(ranking))] == won
    assert [game.beaten(seat) for seat in range(len(ranking))] == beaten


def test_points_of_a_match_do_not_depend_on_seats() -> None:
    results = Results([result(FIRST, [1, 2], [30, 20]), result(SECOND, [1, 1], [25, 25])])
    assert results.open([MATCH]) == []
    assert results.points([MATCH], "a") == Fraction(3, 4)
    assert results.points([MATCH], "b") == Fraction(1, 4)
    assert results.scores([MATCH], "a") == 55


def test_void_games_are_still_to_be_played() -> None:
    results = Results([void(FIRST), result(SECOND, [1, 2])])
    assert results.open([MATCH]) == [FIRST]
    with pytest.raises(Unplayed, match=r"1 games of earlier rounds are not played yet: a\+b.1-1") as caught:
        results.points([MATCH], "a")
    assert caught.value.games == [FIRST.id]


def test_a_void_game_does_not_undo_the_one_that_counts() -> None:
    results = Results([result(FIRST, [1, 2]), result(SECOND, [2, 1]), void(FIRST)])
    assert results.points([MATCH], "a") == 1


def test_who_withdrew_loses_what_is_missing() -> None:
    results = Results([result(FIRST, [2, 1])], withdrawn=["a"])
    assert results.open([MATCH]) == []
    assert results.points([MATCH], "a") == 0
    assert results.points([MATCH], "b") == 1
    assert results.scores([MATCH], "b") == 1


def test_if_both_withdrew_neither_has_points() -> None:
    results = Results([], withdrawn=["a", "b"])
    assert results.points([MATCH], "a") == results.points([MATCH], "b") == 0


def test_teams_are_compared_deal_by_deal() -> None:
    blocks = [team_block(["x"], 1, 2), team_block(["y"], 1, 2), team_block(["x", "y"], 1, 2), team_block(["x"], 2, 2)]
    scores = {"x@1-1": 5, "y@1-1": 7, "x+y@1-1": 7, "x+y@1-2": 3, "x@2-1": 9}
    games = [
        result(fixture, [1, 1], [scores[fixture.id]] * 2, block.id) for block in blocks for fixture in block.fixtures()
    ]
    (contest,) = team_results([*games, void(Fixture("y@2-1", ("y", "y")))])
    assert contest.id == contest.deal == "1"
    assert contest.seats == ("x", "x+y", "y")
    assert list(contest.scores) == [5, 5, 7]
    assert contest.ranking == (2, 2, 1)
    assert contest.used_ms == (2.0, 4.0, 2.0)
