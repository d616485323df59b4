"""The starter bots, each in its language: built and run by its README, and faultless by PROTOCOL.md."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mexica_cli.cli.main import run

BOTS = Path(__file__).parents[2] / "bots"

TOOLS = {
    "starter-js": ["node"],
    "starter-cpp": ["make", "g++"],
    "starter-rust": ["cargo"],
    "starter-sh": ["jq"],
}
"""By starter, what it takes to build and run it."""

CHOOSE = {
    "starter-js": "choose.js",
    "starter-cpp": "choose.hpp",
    "starter-rust": "choose.rs",
    "starter-sh": "choose.jq",
}


class Starter:
    """A starter bot in a folder of its own, built as its README says."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.readme = (BOTS / name / "README.md").read_text()
        [block] = re.findall(r"^```sh\n(.*?)^```$", self.readme, re.MULTILINE | re.DOTALL)
        *self.build, match = block.splitlines()
        self.match = shlex.split(match)
        """The command that lets it play."""

    @property
    def bot(self) -> str:
        """The command line of the bot, as a BOT of `mexica match`."""
        return self.match[2]

    def make(self) -> None:
        """Copy its files and build it, without a network."""
        built_here = shutil.ignore_patterns("bot", "target")
        shutil.copytree(BOTS / self.name, self.folder / "bots" / self.name, ignore=built_here)
        environment = {**os.environ, "CARGO_NET_OFFLINE": "true"}
        for command in self.build:
            subprocess.run(shlex.split(command), cwd=self.folder, env=environment, check=True, capture_output=True)

    def hears(self, *messages: dict[str, Any] | str) -> list[dict[str, Any]]:
        """What the bot answers to these lines, after which its input ends. It must then end in order."""
        lines = [message if isinstance(message, str) else json.dumps(message) for message in messages]
        done = subprocess.run(
            shlex.split(self.bot.partition("=")[2]),
            cwd=self.folder,
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Starter]:
    """Starters by name, each built once."""
    ready: dict[str, Starter] = {}

    def get(name: str) -> Starter:
        missing = [tool for tool in TOOLS[name] if shutil.which(tool) is None]
        if missing:
            pytest.skip(f"{name}: {', '.join(missing)} is not on this machine")
        if name not in ready:
            starter = Starter(name, tmp_path_factory.mktemp(name))
            starter.make()
            ready[name] = starter
        return ready[name]

    return get


@pytest.fixture(params=sorted(TOOLS))
def starter(request: pytest.FixtureRequest, workshop: Callable[[str], Starter]) -> Starter:
    return workshop(request.param)


def test_every_starter_is_tested() -> None:
    assert {path.name for path in BOTS.glob("starter-*")} == set(TOOLS)


# ---- whole games -----------------------------------------------------------------------------------------------------


Played = list[dict[str, Any]]


def play(starter: Starter, log: Path, *words: str) -> Played:
    """Let bots play from the starter's folder; the lines of the log."""
    here = Path.cwd()
    os.chdir(starter.folder)
    try:
        assert run(["match", *words, "--seed", "1", "--move-time", "60s", "--startup", "60s", "--log", str(log)]) == 0
    finally:
        os.chdir(here)
    return [json.loads(line) for line in log.read_text().splitlines()]


def assert_faultless(played: Played, games: int) -> None:
    """All games were finished, and no line of a bot was refused or dropped."""
    results = [line for line in played if line["type"] == "result"]
    assert [line["outcome"] for line in results] == ["finished"] * games
    assert {count for line in results for count in line["stale"]} == {0}
    assert {line["type"] for line in played} <= {"log", "game", "action", "result"}


def test_it_plays_and_beats_chance_as_its_readme_lets_it(starter: Starter, tmp_path: Path) -> None:
    assert starter.match[:2] == ["scripts/mexica", "match"]
    played = play(starter, tmp_path / "games.jsonl", *starter.match[2:])
    assert_faultless(played, games=4)
    seats = [line["seats"].index(starter.bot.partition("=")[0]) for line in played if line["type"] == "game"]
    scores = [line["scores"] for line in played if line["type"] == "result"]
    own = sum(points[seat] for seat, points in zip(seats, scores, strict=True))
    assert own > sum(map(sum, scores)) - own


@pytest.mark.parametrize(("players", "rules"), [(2, "help"), (4, "summary")])
def test_it_plays_against_itself(starter: Starter, tmp_path: Path, players: int, rules: str) -> None:
    bots = [starter.bot] * players
    played = play(starter, tmp_path / "games.jsonl", *bots, "--rules", rules, "--games", "1")
    assert_faultless(played, games=1)


def test_the_one_in_javascript_plays_moctezuma(workshop: Callable[[str], Starter], tmp_path: Path) -> None:
    starter = workshop("starter-js")
    words = ["--game", "moctezuma", "--option", "difficulty=easy", "--games", "6"]
    played = play(starter, tmp_path / "games.jsonl", *[starter.bot] * 3, *words)
    assert_faultless(played, games=6)
    scores = [line["scores"][0] for line in played if line["type"] == "result"]
    assert sum(scores) > 6 * 1000  # that is more than a part of Quetzalcoatl a game; chance invokes hardly any


# ---- the protocol ----------------------------------------------------------------------------------------------------

HELLO = {
    "type": "hello",
    "protocol": [1],
    "server": "test",
    "games": [],
    "limits": {},
    "tomorrow": {"text": 'a "quoted" \\ line\nof Δ', "list": [1, -2.5e3, True, False, None, [], {}]},
}
START = {
    "type": "start",
    "match": 'a "1"',
    "game": "mexica",
    "rules": "official",
    "options": {},
    "seat": 0,
    "seats": ["ann", "bob"],
    "seed": 2**53 - 1,
    "state": {},
    "clock": {},
}
LEGAL = ["canal a3", "canal a3 b3", "end", "take", "walk h5", "walk h7"]
TURN = {"type": "turn", "match": 'a "1"', "id": 7, "seat": 0, "clock": {"left_ms": 100}, "legal": LEGAL}


def test_it_joins_and_gets_ready(starter: Starter) -> None:
    join, ready = starter.hears(HELLO, {"type": "welcome", "bot": "x", "session": ""}, START)
    assert (join["type"], join["protocol"], join["name"]) == ("join", 1, starter.name)
    assert join["want"] == ["legal"]
    assert "mexica" in join["games"]
    assert ready == {"type": "ready", "match": 'a "1"'}


@pytest.mark.parametrize(
    ("legal", "actions"),
    [
        (["end", "found 13 b2", "found 3 b2", "found 9 b2", "temple 4 b2"], {"found 13 b2"}),
        (["canal a3", "end", "temple 1 b2", "temple 2 c3", "temple 2 c4"], {"temple 2 c3", "temple 2 c4"}),
        (["end", "take", "walk h5", "walk h6"], {"walk h5", "walk h6"}),
        (["agree", "refuse"], {"agree", "refuse"}),
        (["end", "retire 13"], {"end"}),
        (["end"], {"end"}),
    ],
)
def test_it_founds_builds_or_goes_about(starter: Starter, legal: list[str], actions: set[str]) -> None:
    turns = [{**TURN, "id": n, "legal": legal} for n in range(30)]
    answers = starter.hears(HELLO, START, *turns)[2:]
    assert [(answer["type"], answer["id"]) for answer in answers] == [("play", n) for n in range(30)]
    assert {text for answer in answers for text in answer["actions"]} == actions
    assert all(len(answer["actions"]) == 1 for answer in answers)


def test_the_same_seed_gives_the_same_match_and_another_seed_another(starter: Starter) -> None:
    turns = [{**TURN, "id": n} for n in range(20)]
    once = starter.hears(HELLO, START, *turns, START, *turns)[1:]
    assert once[:21] == once[21:]
    assert starter.hears(HELLO, {**START, "seed": 0}, *turns)[1:] != once[:21]


def test_it_answers_a_rejection_with_something_else(starter: Starter) -> None:
    first = starter.hears(HELLO, START, TURN)[-1]["actions"][0]
    reject = {"type": "reject", "match": 'a "1"', "id": 7, "index": 0, "action": first, "code": "x", "reason": "y"}
    again = starter.hears(HELLO, START, TURN, *[{**reject, "strikes_left": 2}] * 5)[3:]
    assert [answer["id"] for answer in again] == [7] * 5
    assert {answer["actions"][0] for answer in again} <= set(LEGAL) - {first}


def test_it_leaves_a_rejection_alone_that_needs_no_answer(starter: Starter) -> None:
    reject = {"type": "reject", "match": 'a "1"', "id": 7, "index": 1, "action": "end", "reason": "y"}
    over = {**reject, "code": "turn_over", "strikes_left": 2}
    lost = {**reject, "code": "no_ap", "strikes_left": 0}
    answers = starter.hears(HELLO, START, TURN, over, lost, {"type": "ping", "id": 12})
    assert [answer["type"] for answer in answers] == ["join", "ready", "play", "pong"]
    assert answers[-1]["id"] == 12


def test_it_passes_over_what_it_does_not_know(starter: Starter) -> None:
    event = {"type": "event", "match": 'a "1"', "n": 1, "seat": 0, "action": "end"}
    result = {"type": "result", "match": 'a "1"', "outcome": "void", "ranking": [], "scores": [], "reasons": []}
    odd = ["", " ", json.dumps({"type": "tomorrow", "id": 1}), json.dumps(event), json.dumps(result)]
    answers = starter.hears(HELLO, *odd, f"{json.dumps(START)}\r", *odd, TURN)
    assert [answer["type"] for answer in answers] == ["join", "ready", "play"]


@pytest.mark.parametrize("lines", [[], [HELLO], [HELLO, START, TURN, {"type": "bye", "reason": "the arena closes"}]])
def test_it_ends_at_the_end_of_input(starter: Starter, lines: list[dict[str, Any]]) -> None:
    assert len(starter.hears(*lines)) == min(3, len(lines))


# ---- one layout ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_its_readme_names_its_files_and_what_to_change(name: str) -> None:
    readme = (BOTS / name / "README.md").read_text()
    rows = dict(re.findall(r"^\| `(.*?)` \| (.*?) \|$", readme, re.MULTILINE))
    files = {path.name for path in (BOTS / name).iterdir() if path.is_file()}
    assert files - {"README.md", "Makefile", "Cargo.toml", "Cargo.lock", "bot"} == set(rows)
    assert [file for file, use in rows.items() if "**change this**" in use] == [CHOOSE[name]]
    assert len(readme.splitlines()) < 25
