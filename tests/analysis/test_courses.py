"""What is counted along from action texts is what the rules say."""

from __future__ import annotations

import pytest
from analysis.playing import game_line, random_game
from games.mexica_kit import game as mexica
from games.mexica_kit import game_on
from games.moctezuma.kit import game as moctezuma
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mexica_cli.analysis.mexica_course import MexicaCourses
from mexica_cli.analysis.moctezuma_course import MoctezumaCourse
from mexica_cli.games.game import BadAction
from mexica_cli.games.mexica import MexicaGame, State
from mexica_cli.games.mexica.table import PHASES
from mexica_cli.games.moctezuma import State as MoctezumaState
from mexica_cli.games.moctezuma.table import PHASES as MOCTEZUMA_PHASES
from mexica_cli.record.lines import ActionLine

BOARD = """
    ########
    #SSS=###
    ####=#.#
    ##=##=##
    ##=##=##
    ########
    """
SMALL = {"bridges": "3", "calpulli": "3,3,4,5", "first_calpulli": "2", "neutral_temples": "1", "neutral_distance": "1"}
RULES = {
    "boat_toll": ["bridge", "trip"],
    "boat_cost": ["1", "2"],
    "canal_cost": ["tile", "space"],
    "found_cost": ["0", "1"],
    "kept_points": ["0", "3"],
    "period_end": ["round", "at_once"],
    "period_end_needs": ["both", "either"],
    "stall_rounds": ["1", "3"],
    "teleport_cost": ["3", "5"],
}


def games() -> st.SearchStrategy[MexicaGame]:
    """Mexica on a small board with many boats, under all kinds of rules."""
    fields = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in RULES.items()})
    return fields.map(lambda options: game_on(BOARD, **SMALL, **options))


def check(game: MexicaGame, players: int, seed: int, most: int) -> None:
    """Play a game, and compare its course with every state."""
    course = MexicaCourses(game).begin(game_line(game, players, seed))
    turns = [0] * players
    unused = [0] * players
    for before, line, after in random_game(game, players, seed, most):
        assert isinstance(before, State)
        assert isinstance(after, State)
        moment = course.take(line)
        assert moment.verb == line.action.split(" ")[0]
        assert (moment.turn, moment.round, moment.period) == (before.turn, before.round, before.period)
        assert moment.phase == PHASES[before.phase]
        if moment.phase != "place" and after.turn == before.turn:
            assert moment.ap_left == after.ap
            assert moment.ap == before.ap - after.ap + (moment.verb == "spend")
        if moment.verb == "end":
            assert (moment.ap, moment.ap_left) == (0, before.ap)
            turns[before.seat] += 1
            unused[before.seat] += before.ap
        assert (course.ending is not None) == (after.ranking() is not None)
        assert course.unused == unused
    assert sum(course.turns) - sum(turns) <= 1 + (game.variant.rules.period_end == "at_once")
    assert all(have >= ended for have, ended in zip(course.turns, turns, strict=True))


@settings(max_examples=40)
@given(games(), st.integers(2, 3), st.integers(0, 2**32))
def test_any_rules(game: MexicaGame, players: int, seed: int) -> None:
    check(game, players, seed, most=120)


@pytest.mark.parametrize("rules", ["official", "help", "summary"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_shipped_rules_on_the_usual_board(rules: str, players: int) -> None:
    check(mexica(rules), players, seed=players, most=120)


def test_boats_are_sailed_in_these_games() -> None:
    """Otherwise the price of boats would be tested nowhere."""
    game = game_on(BOARD, **SMALL, stall_rounds="3")
    prices = set()
    for seed in range(12):
        course = MexicaCourses(game).begin(game_line(game, 2, seed))
        moments = [course.take(line) for _, line, _ in random_game(game, 2, seed, 150)]
        prices |= {moment.ap for moment in moments if moment.verb == "boat"}
    assert {1, 2} <= prices


@pytest.mark.parametrize(
    ("text", "verb", "size", "ap"),
    [
        ("canal a3", "canal", 1, 1),
        ("canal a3 b3", "canal", 2, 1),
        ("bridge o6 h", "bridge", None, 1),
        ("temple 3 f5", "temple", 3, 3),
        ("found 13 h3", "found", 13, 0),
        ("retire 4", "retire", 4, 0),
        ("teleport b2", "teleport", None, 5),
        ("end", "end", None, 0),
    ],
)
def test_what_a_text_says(text: str, verb: str, size: int | None, ap: int) -> None:
    course = MexicaCourses(mexica()).begin(game_line(mexica(), 2, 1))
    moment = course.take(ActionLine(match="1-1", n=1, seat=0, action=text))
    assert (moment.verb, moment.size, moment.ap) == (verb, size, ap)


def test_a_text_that_is_none() -> None:
    course = MexicaCourses(mexica()).begin(game_line(mexica(), 2, 1))
    with pytest.raises(BadAction):
        course.take(ActionLine(match="1-1", n=1, seat=0, action="jump a1"))


@pytest.mark.parametrize(("entry", "ending"), [("stalled", "stalled"), ("round_limit", "round_limit")])
def test_how_it_ended(entry: str, ending: str) -> None:
    line = ActionLine(match="1-1", n=1, seat=0, action="end", followed=[{"what": "over", "ranking": [1, 1]}])
    course = MexicaCourses(mexica()).begin(game_line(mexica(), 2, 1))
    course.take(line)
    assert course.ending == "completed"
    course.take(replace(line, followed=[{"what": entry}, *line.followed]))
    assert course.ending == ending


@settings(max_examples=20)
@given(st.integers(1, 5), st.integers(0, 2**32))
def test_moctezuma(players: int, seed: int) -> None:
    course = MoctezumaCourse()
    for before, line, _ in random_game(moctezuma(), players, seed, most=100):
        assert isinstance(before, MoctezumaState)
        moment = course.take(line)
        assert (moment.round, moment.phase) == (before.round, MOCTEZUMA_PHASES[before.phase])
        words = line.action.split(" ")
        assert moment.card == (words[1] if words[0] in {"use", "sacrifice", "play"} else None)
        over = [entry for entry in line.followed if entry["what"] == "over"]
        assert course.ending == (over[0]["reason"] if over else None)
