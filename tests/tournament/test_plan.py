"""How many games a tournament has, and what its summary says that only the file knows."""

from __future__ import annotations

from typing import Any

import pytest
from tournament.staged import Stage, run, tournament

from mexica_cli.tournament.config import Tournament
from mexica_cli.tournament.directory import Directory
from mexica_cli.tournament.plan import WORDS, planned_games, summary_of
from mexica_cli.tournament.sprt import Decision
from mexica_cli.tournament.summary import Order, Summary

pytestmark = pytest.mark.usefixtures("nim")


def summary(plan: Tournament, directory: Directory) -> Summary:
    header = directory.header()
    assert header is not None
    return summary_of(plan, str(directory.log), "cup", header, directory.played())


@pytest.mark.parametrize(
    ("fields", "games"),
    [
        ({"games": 5}, 5),
        ({"games": 500}, 500),
        ({"format": "gauntlet", "games": 5}, 5),
        ({"format": "teams", "games": 7}, 7),
        ({"format": "swiss", "rounds": 2}, None),
        ({"format": "knockout"}, None),
    ],
)
def test_the_number_of_games_is_known_where_it_does_not_depend_on_results(
    fields: dict[str, Any], games: int | None
) -> None:
    assert planned_games(tournament("a", "b", "c", **fields)) == games


def test_a_sequential_test_ends_nobody_knows_when() -> None:
    assert planned_games(tournament("a", "b", games=500, sprt={"elo0": 0, "elo1": 5})) is None


@pytest.mark.parametrize(
    ("fields", "order"),
    [
        ({"games": 6}, Order.WINS),
        ({"games": 6, "format": "gauntlet"}, Order.RATING),
        ({"games": 6, "format": "teams"}, Order.WINS),
        ({"games": 6, "format": "mixed-teams"}, Order.WINS),
        ({"rounds": 2, "format": "swiss"}, Order.TABLE),
        ({"format": "knockout"}, Order.TABLE),
    ],
)
def test_what_a_format_is_called_and_ordered_by(fields: dict[str, Any], order: Order, directory: Directory) -> None:
    plan = tournament("a", "b", "c", **fields)
    run(plan, directory)
    settings = summary(plan, directory).settings
    assert settings.title == "cup"
    assert settings.format == WORDS[fields.get("format", "round-robin")]
    assert settings.order is order


def test_bots_that_are_out_are_named_with_the_reason(directory: Directory) -> None:
    plan = tournament("crash", "absent", "a", "b", games=60)
    run(plan, directory)
    done = summary(plan, directory)
    assert done.settings.withdrawn == {
        "crash": "it failed in 5 games in a row",
        "absent": "it did not start: no licence",
    }
    assert {bot.standing.bot for bot in done.bots[:2]} == {"a", "b"}
    assert done.bots[2].standing.bot == "crash"


def test_the_swiss_table_is_that_of_the_last_round_that_is_over(directory: Directory) -> None:
    plan = tournament("a", "b", "strong", "d", format="swiss", rounds=3)
    for begun, rounds in ((0, 0), (4, 1), (6, 1), (9, 2), (99, 3)):
        run(plan, directory, Stage(), lambda: len(directory.played()) >= begun)  # noqa: B023
        rows = summary(plan, directory).settings.swiss
        assert sum(row.score for row in rows) == 2 * rounds
    assert [bot.standing.bot for bot in summary(plan, directory).bots] == [row.bot for row in rows]


def test_the_matches_of_a_knockout_and_its_winner(directory: Directory) -> None:
    plan = tournament("a", "b", "strong", "d", format="knockout", blocks=2)
    run(plan, directory)
    done = summary(plan, directory)
    assert [match.stage for match in done.settings.knockout] == [0, 0, 1]
    assert done.settings.knockout[-1].winner == done.bots[0].standing.bot


def test_a_sequential_test_is_named_after_the_bots_of_the_file(directory: Directory) -> None:
    plan = tournament("strong", "a", games=400, sprt={"elo0": 0, "elo1": 100, "model": "logistic"})
    run(plan, directory)
    report = summary(plan, directory).sprt
    assert report is not None
    assert (report.match.bot, report.match.other) == ("strong", "a")
    assert report.state.decision is Decision.H1
