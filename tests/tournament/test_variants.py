"""A tournament may be played under several rule sets and boards."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from tournament.staged import Stage, at_random, lines_of, run, seats_of, tournament

from mexica_cli.games.tomlfile import FileError
from mexica_cli.record.lines import GameLine
from mexica_cli.record.reader import LogError, LogReader, games, open_log
from mexica_cli.record.verify import verify
from mexica_cli.tournament import config
from mexica_cli.tournament.blocks import number_of
from mexica_cli.tournament.config import Tournament, read_tournament
from mexica_cli.tournament.directory import Directory
from mexica_cli.tournament.report_text import conditions
from mexica_cli.tournament.runner import RunFailed

VARIANTS = [{"name": "short", "options": {"most": 2}}, {"name": "rich", "options": {"last": 50}}]


pytestmark = pytest.mark.usefixtures("nim")


def played_under(directory: Directory) -> list[tuple[str, str | None]]:
    """Ids of games and variants, in the order of the log."""
    with open_log(str(directory.log)) as reader:
        lines: list[GameLine] = [game.game for game in games(reader)]
    return [(line.match, line.variant) for line in lines]


def test_the_deals_of_the_same_bots_take_turns(tmp_path: Path) -> None:
    plan, directory = tournament("ann", "bob", "cyd", games=24, variants=VARIANTS), Directory(tmp_path)
    assert run(plan, directory)
    for match, variant in played_under(directory):
        number = int(match.rpartition(".")[2].partition("-")[0])
        assert variant == (None, "short", "rich")[(number - 1) % 3]
    with open_log(str(directory.log)) as reader:
        assert verify(reader).games == 24


def test_the_log_is_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    plan = tournament("ann", "bob", games=12, variants=VARIANTS)
    one, many = Directory(tmp_path / "one"), Directory(tmp_path / "many")
    assert run(plan, one)
    assert run(plan, many, Stage(4, at_random(3)))
    assert lines_of(one) == lines_of(many)


def test_a_longer_run_goes_on_and_other_variants_are_refused(tmp_path: Path) -> None:
    directory = Directory(tmp_path)
    assert run(tournament("ann", "bob", games=4, variants=VARIANTS), directory)
    assert run(tournament("ann", "bob", games=8, variants=VARIANTS), directory)
    assert [variant for _, variant in played_under(directory)][::2] == [None, "short", "rich", None]
    with pytest.raises(LogError, match="variants"):
        run(tournament("ann", "bob", games=8, variants=VARIANTS[:1]), directory)


def test_with_three_seats_every_variant_comes_with_every_order(tmp_path: Path) -> None:
    directory = Directory(tmp_path)
    assert run(tournament("ann", "bob", "cyd", seats=3, games=12, variants=VARIANTS[:1]), directory)
    assert [variant for _, variant in played_under(directory)][::3] == [None, "short", "short", None]
    orders = ["".join(name[0] for name in seats) for seats in seats_of(directory)][::3]
    assert orders == ["abc", "acb", "abc", "acb"]


def test_a_tournament_of_another_schedule_is_refused_where_the_two_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plan(blocks: int) -> Tournament:
        return tournament("ann", "bob", "cyd", seats=3, games=3 * blocks, variants=VARIANTS[:1])

    short, long = Directory(tmp_path / "short"), Directory(tmp_path / "long")
    monkeypatch.setattr(config, "turn_of", lambda block, rule_sets, _: (number_of(block) - 1) % rule_sets)
    assert run(plan(2), short)
    assert run(plan(3), long)
    monkeypatch.undo()
    assert run(plan(4), short)
    before = long.log.read_bytes()
    with pytest.raises(RunFailed, match=r"3-1 is in the log as played under the file's own rules, .* variant 'short'"):
        run(plan(4), long)
    assert long.log.read_bytes() == before


def test_the_log_is_read_no_more_often_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = 0

    def counted(path: str) -> AbstractContextManager[LogReader]:
        nonlocal opened
        opened += 1
        return open_log(path)

    monkeypatch.setattr("mexica_cli.tournament.directory.open_log", counted)
    times = []
    for name, variants in (("plain", []), ("varied", VARIANTS)):
        plan, directory = tournament("ann", "bob", games=4, variants=variants), Directory(tmp_path / name)
        assert run(plan, directory)
        opened = 0
        assert run(plan, directory)
        times.append(opened)
    assert times[0] == times[1] > 0


HEAD = 'seed = 1\ngames = 4\n[[bots]]\nname = "a"\ncommand = "random"\n[[bots]]\nname = "b"\ncommand = "random"\n'


def test_a_board_and_rules_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(HEAD + '[[variants]]\nname = "little"\nrules = "help"\nboard = "small"\n')
    plan = read_tournament(file)
    assert plan.variants["little"].rules == "help"
    assert plan.header().variants["little"].options["board"]["name"] == "small"
    assert plan.game.options()["board"]["name"] == "standard"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[[variants]]\n", "cup.toml:9: variants[0].name: this field is missing; give a text"),
        ('[[variants]]\nname = "x"\nrule = 1\n', "cup.toml:11: variants[0].rule: there is no such field"),
        ('[[variants]]\nname = "x"\nboard = "none"\n', "cup.toml:11: variants[0].board: there is no board"),
        ('[[variants]]\nname = "x"\nrules = "none"\n', "cup.toml:11: variants[0].rules: there is no rule set"),
        ('[[variants]]\nname = "x"\n[[variants]]\nname = "x"\n', "cup.toml:12: variants[1].name: two variants are"),
    ],
)
def test_variants_that_are_wrong(tmp_path: Path, text: str, error: str) -> None:
    (tmp_path / "cup.toml").write_text(HEAD + text)
    with pytest.raises(FileError) as caught:
        read_tournament(tmp_path / "cup.toml")
    assert error in str(caught.value)


def test_a_report_names_them(tmp_path: Path) -> None:
    plan = tournament("ann", "bob", games=2, variants=VARIANTS)
    said = [value for name, value in conditions(plan.header()) if name == "by turns"]
    assert said == ["short (rules plain)", "rich (rules plain)"]
