"""`mexica rules`: what it prints, and what it says of files that can't be used."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mexica_cli.cli.main import run
from mexica_cli.games.mexica.rule_files import SHIPPED, shipped_rules
from mexica_cli.games.mexica.rules import RuleSet

Outcome = tuple[int, str, str]
Mexica = Callable[..., Outcome]

FIELDS = [field.name for field in msgspec.structs.fields(RuleSet)]

MINE = """\
extends = "help"
about = "The club's"
stall_rounds = 0
boat_cost = 2

[sources]
boat_cost = {stated = "club rules 3", house = "also for whole trips"}
"""


@pytest.fixture
def mexica(capsysbinary: pytest.CaptureFixture[bytes]) -> Mexica:
    """Runs `mexica rules ...`: exit code, standard output, standard error."""

    def call(*arguments: str) -> Outcome:
        code = run(["rules", *arguments])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return call


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A rule file in the current directory."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(MINE)
    return "mine.toml"


def json_lines(outcome: Outcome) -> list[dict[str, Any]]:
    code, out, err = outcome
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


# ---- list ------------------------------------------------------------------------------------------------------------


def test_list_names_all_rule_sets(mexica: Mexica) -> None:
    code, out, _ = mexica("list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["rules", *SHIPPED]


def test_list_for_programs(mexica: Mexica) -> None:
    lines = json_lines(mexica("list", "--format", "jsonl"))
    assert [(line["type"], line["version"], line["name"]) for line in lines] == [
        ("rule_set", 1, name) for name in SHIPPED
    ]
    assert [line["own"] for line in lines] == [len(FIELDS), 3, 13]
    assert all(line["house"] for line in lines)


# ---- show ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_show_has_every_field_with_meaning_and_source(mexica: Mexica, name: str) -> None:
    rules = json_lines(mexica("show", name, "--format", "jsonl"))
    assert [rule["field"] for rule in rules] == FIELDS
    assert {rule["field"]: rule["value"] for rule in rules} == msgspec.to_builtins(shipped_rules(name))
    assert all(rule["meaning"] and (rule["stated"] or rule["house"]) for rule in rules)
    assert all(rule["stated"] != "own" for rule in rules)


def test_show_marks_what_is_ours(mexica: Mexica) -> None:
    _, out, _ = mexica("show", "official")
    row = {line.split()[0]: line for line in out.splitlines()}
    assert "[house: " in row["stall_rounds"]
    assert "rulebook 7: four spaces between [house: counted as rows plus columns]" in row["neutral_distance"]
    assert "[house: " not in row["bridges"]
    assert "[6, 35]" in row["canal_tiles"]


def test_show_a_file(mexica: Mexica, mine: str) -> None:
    rules = {rule["field"]: rule for rule in json_lines(mexica("show", mine, "--format", "jsonl"))}
    picked = {field: (rules[field]["value"], rules[field]["stated"], rules[field]["set_by"]) for field in rules}
    assert picked["boat_cost"] == (2, "club rules 3", "mine")
    assert picked["stall_rounds"] == (0, "own", "mine")
    assert picked["teleport"] == ("land", "help page: no word of bridges", "help")
    assert picked["bridges"] == (11, "rulebook 2", "official")
    code, out, _ = mexica("show", mine)
    assert (code, out.splitlines()[0]) == (0, "mine (extends help): The club's")


# ---- diff ------------------------------------------------------------------------------------------------------------


def test_diff(mexica: Mexica, mine: str) -> None:
    lines = json_lines(mexica("diff", "help", mine, "--format", "jsonl"))
    assert {line["field"]: line["values"] for line in lines} == {"boat_cost": [1, 2], "stall_rounds": [3, 0]}
    assert lines[0]["rules"] == ["help", "mine"]
    code, out, _ = mexica("diff", "help", mine)
    assert code == 0
    assert [line.split()[:3] for line in out.splitlines()] == [
        ["field", "help", "mine"],
        ["boat_cost", "1", "2"],
        ["stall_rounds", "3", "0"],
    ]


def test_diff_of_the_same(mexica: Mexica) -> None:
    assert mexica("diff", "help", "help") == (0, "help and help say the same\n", "")
    assert mexica("diff", "help", "help", "--format", "jsonl") == (0, "", "")


# ---- check -----------------------------------------------------------------------------------------------------------


def test_check(mexica: Mexica, mine: str) -> None:
    assert mexica("check", mine) == (0, "ok: mine.toml: 2 fields that differ from help\n", "")


def test_check_looks_at_every_file(mexica: Mexica, mine: str) -> None:
    Path("bad.toml").write_text("extends = 1\n")
    code, out, err = mexica("check", "bad.toml", mine, "nosuch.toml")
    assert (code, out.count("\n"), err.count("\n")) == (2, 1, 2)
    code, out, err = mexica("check", "bad.toml", mine, "--format", "jsonl")
    assert (code, err) == (2, "")
    assert [(line["file"], line["ok"]) for line in map(json.loads, out.splitlines())] == [
        ("bad.toml", False),
        (mine, True),
    ]


BROKEN = {
    "not TOML": ("boats\n", r":1: this is not TOML: "),
    "a value that isn't there": ('extends = "help"\nbridges =\n', r":2: this is not TOML: "),
    "a field given twice": ('extends = "help"\nbridges = 1\nbridges = 2\n', r":3: this is not TOML: "),
    "brackets without end": ("bridges = " + "[" * 100_000, r": this is not TOML that can be read: "),
    "a number without end": ("bridges = " + "9" * 10_000, r": this is not TOML that can be read: "),
    "a number too large": ('extends = "help"\nbridges = ' + "9" * 30, r":2: bridges: .*whole number from 0 to 999"),
    "a fraction": ('extends = "help"\nbridges = 1.5\n', r":2: bridges: .*whole number from 0 to 999"),
    "no number": ('extends = "help"\nbridges = nan\n', r":2: bridges: .*whole number from 0 to 999"),
    "a date": ('extends = "help"\nbridges = 2026-01-01\n', r":2: bridges: .*whole number from 0 to 999"),
    "a table": ('extends = "help"\n[bridges]\nn = 1\n', r":2: bridges: .*whole number from 0 to 999"),
    "an unknown field": ('extends = "help"\nboats = 1\n', r":2: boats: there is no such field; did you mean boat_"),
    "nothing at all": ("", r": action_points: this field is missing; .* or `extends` to take it from"),
    "an extended file that isn't there": ('extends = "x.toml"\n', r":1: extends: 'x.toml' is none of official"),
    "an extended folder": ('extends = "."\n', r":1: extends: '\.' is none of official"),
    "an impossible path": ('extends = "a\\u0000b"\n', r":1: extends: 'a\\x00b' is none of official"),
    "a path too long": (f'extends = "{"x" * 5000}"\n', r":1: extends: 'xxx"),
    "something else extended": ("extends = 3\n", r":1: extends: this is no text; write it in quotes"),
    "itself extended": ('extends = "bad.toml"\n', r":1: extends: .* circle: bad\.toml extends bad\.toml; "),
    "about a number": ('extends = "help"\nabout = 3\n', r":2: about: this is no text"),
    "sources of nothing": ('extends = "help"\nsources = 3\n', r":2: sources: this is no table"),
    "a source of no rule": (
        'extends = "help"\n[sources]\nbridges = {stated = "x"}\n',
        r":3: sources\.bridges: this file",
    ),
    "a rule among the sources": (
        'extends = "help"\n[sources]\nbridges = 3\n',
        r":3: sources\.bridges: .*above \[sources",
    ),
    "a misspelt source": (
        'extends = "help"\nbridges = 3\n[sources]\nbridges = {hous = "x"}\n',
        r":4: sources\.bridges\.hous: there is no such field; did you mean house\?",
    ),
    "no temples": ('extends = "help"\ntemples = [[0, 0], [1, 1]]\n', r":2: temples: the first period must have"),
    "no temples listed": ('extends = "help"\ntemples = [[], []]\n', r":2: temples: "),
    "temples nobody can pay": (
        'extends = "summary"\ntemples = [[1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1]]\n',
        r":2: temples: a temple of level 9 costs 9 AP, and a turn never has more than 8; give lower",
    ),
    "no tokens": ('extends = "help"\ncalpulli = []\n', r":2: calpulli: .*a list of 2 to 99 entries"),
    "tokens of one space": ('extends = "help"\ncalpulli = [1, 3]\n', r":2: calpulli: .*from 2 to 999"),
    "no token left for later": ('extends = "help"\nfirst_calpulli = 15\n', r":2: first_calpulli: .* give at most 14"),
    "founding nobody can pay": ('extends = "summary"\nfound_cost = 9\n', r":2: found_cost: nobody .* more than 8 AP"),
    "tiles nobody can pay": (
        'extends = "summary"\ncanal_tiles = [1, 0, 0, 0, 0, 0, 0, 0, 1]\n',
        r":2: canal_tiles: a tile of 9 spaces costs 9 AP, and a turn never has more than 8; give shorter",
    ),
    "action tokens nobody can take": ('extends = "help"\ntokens_per_turn = 0\n', r":2: tokens_per_turn: nobody could"),
    "a teleport nobody can pay": (
        'extends = "help"\nteleport_cost = 19\n',
        r":2: teleport_cost: a turn never has more than 18 AP; give at most that, or teleport",
    ),
    "a game without end": (
        'extends = "help"\nstall_rounds = 0\nround_limit = 0\n',
        r":3: round_limit: with stall_rounds = 0 too, a game might never end; give one of them 1 or more",
    ),
    "too few neutral levels": ('extends = "help"\nneutral_levels = 19\n', r":2: neutral_levels: .* 20 levels; give 20"),
    "too many neutral levels": (
        'extends = "help"\nneutral_levels = 41\n',
        r":2: neutral_levels: 2 of level 1, .* the 21 levels that are missing; give another total, of at most 40",
    ),
    "neutral levels that don't exist": (
        'extends = "help"\nneutral_temples = [1, 1, 1, 1, 1]\n',
        r":2: neutral_temples: there are only 4 levels",
    ),
}
"""What is in `bad.toml`, and what must be said of it after its name."""


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("command", [["rules", "check"], ["match", "random", "random", "--inside", "--rules"]])
def test_a_wrong_file_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    command: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    content, message = BROKEN[kind]
    Path("bad.toml").write_text(content)
    assert run([*command, "bad.toml"]) == 2
    assert_one_line(capsys, "Error: bad.toml", message)


def assert_one_line(capsys: pytest.CaptureFixture[str], start: str, message: str) -> None:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert re.match(re.escape(start) + message, err), err


def test_a_circle_of_files(mexica: Mexica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path("a.toml").write_text('extends = "sub/b.toml"\n')
    Path("sub/b.toml").write_text('extends = "../a.toml"\n')
    code, _, err = mexica("check", "a.toml")
    assert code == 2
    assert err.startswith(
        "Error: sub/b.toml:1: extends: the files go round in a circle: a.toml extends b.toml extends a."
    )


def test_a_tower_of_files(mexica: Mexica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("0.toml").write_text('extends = "official"\n')
    for n in range(1, 30):
        Path(f"{n}.toml").write_text(f'extends = "{n - 1}.toml"\n')
    assert mexica("check", "19.toml")[0] == 0
    code, _, err = mexica("check", "29.toml")
    assert (code, err.count("\n")) == (2, 1)
    assert "more than 20 files extend each other" in err


def test_what_is_wrong_in_an_extended_file_is_said_of_that_file(mexica: Mexica, mine: str) -> None:
    Path("top.toml").write_text('extends = "mine.toml"\n')
    Path(mine).write_text('extends = "help"\n\nbridges = -1\n')
    code, _, err = mexica("check", "top.toml")
    assert (code, err[:24]) == (2, "Error: mine.toml:3: brid")


@pytest.mark.parametrize("path", ["nosuch.toml", ".", "/dev/null", "a\0b", "x" * 5000, "mine.toml/deeper", ""])
def test_what_is_no_file(mexica: Mexica, mine: str, path: str) -> None:
    code, out, err = mexica("show", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "there is no rule set or file" in err


def test_a_file_that_isnt_text(mexica: Mexica, mine: str) -> None:
    Path(mine).write_bytes(b"bridges = \xff")
    code, _, err = mexica("check", mine)
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("Error: mine.toml: the rule set can't be read: this is no text in UTF-8\n")
