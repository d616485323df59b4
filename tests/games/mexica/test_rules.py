"""Rule sets: the shipped ones, files, overrides, and what is said of those that can't be used."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from games.mexica_kit import RULE_SETS, game

from mexica_cli.games import load_game
from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica.rule_files import override, read_rules, rules_from, shipped_rules
from mexica_cli.games.mexica.rules import RuleSet


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_help_differs_where_its_document_does() -> None:
    official, helped = (msgspec.to_builtins(shipped_rules(name)) for name in ("official", "help"))
    differing = {field: value for field, value in helped.items() if official[field] != value}
    assert differing == {"boat_toll": "trip", "teleport": "land", "penning_temples": False}


def test_a_file_names_its_base_and_what_differs(tmp_path: Path) -> None:
    file = read_rules(write(tmp_path, 'extends = "help"\nstall_rounds = 0\n'))
    assert file.rules == msgspec.structs.replace(shipped_rules("help"), stall_rounds=0)


def test_a_file_may_say_everything(tmp_path: Path) -> None:
    text = Path(__file__).parents[3].joinpath("mexica_cli/games/mexica/data/official.toml").read_text()
    assert read_rules(write(tmp_path, text)).rules == shipped_rules("official")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('extends = "official"\n\nbridges = = 3\n', r"mine\.toml:3: this is not TOML: .*"),
        (
            'extends = "offical"\n',
            r"mine\.toml:1: extends: 'offical' is none of official, help, summary, and no file beside this one; .*",
        ),
        (
            'extends = "help"\n# more\nbridgs = 3\n',
            r"mine\.toml:3: bridgs: there is no such field; did you mean bridges\?",
        ),
        (
            'extends = "help"\nzzz = 3\n',
            r"mine\.toml:2: zzz: there is no such field; known fields: action_points, kept_.*",
        ),
        (
            'extends = "help"\nbridges = -1\n',
            r"mine\.toml:2: bridges: expected `int` >= 0; give a whole number from 0 to 999",
        ),
        (
            'extends = "help"\nbridges = "x"\n',
            r"mine\.toml:2: bridges: expected `int`, got `str`; give a whole .*",
        ),
        ('extends = "help"\nteleport = "up"\n', r'mine\.toml:2: teleport: .*; give one of "anywhere", "land", "off"'),
        ('extends = "help"\nstart_anywhere = 1\n', r"mine\.toml:2: start_anywhere: .*; give true or false"),
        (
            'extends = "help"\ntemples = [[3, 3], [-1, 2]]\n',
            r"mine\.toml:2: temples: .*; give a list of 2 to 2 .*",
        ),
        (
            'extends = "help"\ntemples = [[3, 3], [1]]\n',
            r"mine\.toml:2: temples: both periods must list the same levels.*",
        ),
        ('extends = "help"\ntemples = [[0], [1]]\n', r"mine\.toml:2: temples: the first period must have .*"),
        (
            'extends = "help"\nneutral_temples = [1, 1, 1, 1, 1]\n',
            r"mine\.toml:2: neutral_temples: there are only 4 levels; .*",
        ),
        (
            'extends = "help"\nfirst_calpulli = 15\n',
            r"mine\.toml:2: first_calpulli: with 15 tokens in `calpulli`, give at most 14",
        ),
        ("bridges = 11\n", r"mine\.toml: action_points: this field is missing; give .*, or `extends` to take it from"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(RuleError, match=message):
        read_rules(path)


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="there is no rule set or file 'offical'; there is official, help, summary"):
        load_game("mexica", "offical")
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(RuleError, match="the rule set can't be read"):
        load_game("mexica", str(path))


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("stall_rounds", "off", 0),
        ("stall_rounds", "5", 5),
        ("automatic_retirement", "off", False),
        ("penning_temples", "yes", True),
        ("teleport", "off", "off"),
        ("neutral_temples", "5,3,2,1", [5, 3, 2, 1]),
        ("neutral_temples", "", []),
        ("temples", "[[1, 1], [2, 2]]", [[1, 1], [2, 2]]),
    ],
)
def test_single_fields_are_given_as_text(field: str, text: str, value: object) -> None:
    options = {field: text} if field != "temples" else {field: text, "neutral_temples": "1,1"}
    assert getattr(override(shipped_rules("official"), options), field) == value


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("stall", "off", r"there is no rule 'stall'; did you mean stall_rounds\?"),
        ("stall_rounds", "three", r"stall_rounds: expected `int`, got `str`; give a whole number from 0 to 99"),
        ("stall_rounds", "100", r"stall_rounds: expected `int` <= 99; give a whole number from 0 to 99"),
        ("automatic_retirement", "maybe", r"automatic_retirement: .*; give true or false"),
        ("temples", "[" * 100000, r"temples: .*; give a list"),
    ],
)
def test_an_override_that_cant_be_used(field: str, text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        load_game("mexica", options={field: text})


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_field_survives_json(name: str) -> None:
    rules = shipped_rules(name)
    assert rules_from(msgspec.json.decode(msgspec.json.encode(rules))) == rules


def test_every_field_counts_for_the_digest() -> None:
    """A digest tells rules apart that only one field sets apart."""
    setup = game().deal(3, 1)
    digests = {game().start(3, setup).digest()}
    changes = {"automatic_retirement": "off", "stall_rounds": "4", "boat_cost": "2", "temple_reach": "adjacent"}
    for field, text in changes.items():
        digests.add(load_game("mexica", options={field: text}).start(3, setup).digest())
    assert len(digests) == 1 + len(changes)


def test_every_field_is_documented() -> None:
    documented = Path(__file__).parents[3].joinpath("protocol/NOTATION.md").read_text()
    for field in msgspec.structs.fields(RuleSet):
        assert f"| `{field.name}` |" in documented
