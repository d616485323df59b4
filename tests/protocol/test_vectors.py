"""protocol/vectors: the games are up to date, our rules agree with them, and their page tells the truth."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import generate_vectors
import msgspec
import pytest

from mexica_cli.games import load_game
from mexica_cli.games.game import State
from mexica_cli.games.mexica.actions import KINDS as MEXICA_KINDS
from mexica_cli.games.moctezuma.actions import KINDS as MOCTEZUMA_KINDS
from mexica_cli.games.perft import MoveCounter

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "protocol" / "vectors"
COMMAND = ".venv/bin/python scripts/generate_vectors.py"

Vector = dict[str, Any]


@cache
def lines(name: str) -> list[bytes]:
    """The lines of a file."""
    return (VECTORS / name).read_bytes().splitlines(keepends=True)


@cache
def stale(name: str) -> list[str]:
    """The games of a generated file that come out otherwise today, and where they stand. Cards are rules, too."""
    there = zip(lines(name), generate_vectors.FILES[name](), strict=False)
    return [f"line {n}: {plan.label}" for n, (line, plan) in enumerate(there, 1) if line != generate_vectors.line(plan)]


def vectors(name: str) -> list[Vector]:
    """The games of a file. One that is stale is tested for nothing else."""
    if name in generate_vectors.FILES and stale(name):
        pytest.skip(f"protocol/vectors/{name} is stale")
    return [json.loads(line) for line in lines(name)]


# ---- the generated files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", generate_vectors.FILES)
def test_the_file_is_up_to_date(name: str) -> None:
    """Told anew by the rules of today, each game is the line on file."""
    if games := stale(name):
        pytest.fail(
            f"protocol/vectors/{name} is stale, as its rules or cards have changed. If that was meant, renew it with:\n"
            f"    {COMMAND}\nIf it wasn't, these games are played otherwise now:\n    " + "\n    ".join(games),
            pytrace=False,
        )


@pytest.mark.parametrize("name", generate_vectors.FILES)
def test_no_game_is_left_over(name: str) -> None:
    assert len(lines(name)) == len(list(generate_vectors.FILES[name]()))


def test_they_have_every_kind_of_action() -> None:
    """So that there is something to learn from them about every rule."""

    def kinds(name: str) -> set[str]:
        return {step[0].partition(" ")[0] for vector in vectors(name) for step in vector["steps"]}

    assert kinds("mexica.jsonl") == set(MEXICA_KINDS)
    assert kinds("moctezuma.jsonl") == set(MOCTEZUMA_KINDS)


def test_they_are_of_modest_size() -> None:
    assert sum(path.stat().st_size for path in VECTORS.iterdir()) < 3_000_000


# ---- what their page says of them ------------------------------------------------------------------------------------


def first_state(vector: Vector) -> State:
    game = load_game(vector["game"], vector["rules"], vector.get("board"), vector.get("options"))
    return game.start(vector["players"], vector["setup"])


def check(vector: Vector) -> None:
    """Play a game as the page explains it, and compare everything that is told."""
    state = first_state(vector)
    positions = dict(vector.get("positions", []))
    counts = {n: (depth, count) for n, depth, count in vector.get("perft", [])}
    for n, (text, *told) in enumerate(vector["steps"]):
        check_place(state, positions.get(n), counts.get(n))
        legal = sorted(map(state.text, state.legal_actions()))
        fingerprint = hashlib.sha256("\n".join(legal).encode()).hexdigest()[:12]
        assert [len(legal), fingerprint, state.scores()] == told, (n, text, state.position())
        action = state.parse(text)
        assert state.is_legal(action)
        state.apply(action)
    check_place(state, positions.get(len(vector["steps"])), None)
    assert state.to_act is None
    assert not state.legal_actions()
    last = msgspec.to_builtins(state.observation(None))
    assert vector["final"] == {field: last[field] for field in vector["final"]}


def check_place(state: State, position: str | None, count: tuple[int, int] | None) -> None:
    assert position is None or state.position() == position
    assert count is None or MoveCounter(1000).count(state, count[0]) == count[1]


@pytest.mark.parametrize("n", range(11))
def test_our_rules_agree_with_the_second_program(n: int) -> None:
    check(vectors("mexica-independent.jsonl")[n])


def test_the_second_program_knows_all_rule_sets() -> None:
    games = vectors("mexica-independent.jsonl")
    assert {vector["rules"] for vector in games} == {"official", "help", "summary"}
    assert len(games) == 11


@pytest.mark.parametrize(("name", "n"), [("mexica.jsonl", 6), ("moctezuma.jsonl", 0), ("moctezuma.jsonl", 19)])
def test_a_generated_game_reads_as_the_page_says(name: str, n: int) -> None:
    check(vectors(name)[n])


def test_the_page_names_every_field_and_file() -> None:
    page = (VECTORS / "README.md").read_text()
    fields = {field for path in VECTORS.glob("*.jsonl") for vector in vectors(path.name) for field in vector}
    rows = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    assert {word for row in rows for word in re.findall(r"`(\w+)`", row)} == fields
    assert set(re.findall(r"^\| \[(.*?)\]", page, re.MULTILINE)) == {path.name for path in VECTORS.glob("*.jsonl")}
    assert COMMAND in page


def test_after_a_shuffle_there_is_the_position() -> None:
    """Nobody else has our chance, so the game goes on from a position that is told."""
    for vector in vectors("moctezuma.jsonl"):
        state, told = first_state(vector), dict(vector["positions"])
        for n, (text, *_) in enumerate(vector["steps"], 1):
            before = chance(state)
            state.apply(state.parse(text))
            assert chance(state) == before or n in told


def chance(state: State) -> str:
    return state.position().rpartition("chance=")[2]


# ---- the example -----------------------------------------------------------------------------------------------------

RULES_JS = """
// The engine in the place of somebody's own rules: asked for a whole game at once, its replies then given one by one.
const { spawnSync } = require("node:child_process");
const [python, spoil] = [process.env.PYTHON, Number(process.env.SPOIL)];
let replies = [];
let state;
exports.start = ({ steps, positions, perft, final, ...setup }) => {
  const asked = steps.flatMap(([action]) => [{ cmd: "legal" }, { cmd: "apply", actions: [action] }]);
  const input = [{ cmd: "new", ...setup }, ...asked].map((request) => JSON.stringify(request)).join("\\n");
  const { stdout } = spawnSync(python, ["-m", "mexica_cli", "engine"], { input, maxBuffer: 1 << 30 });
  replies = stdout.toString().trim().split("\\n").map((reply) => JSON.parse(reply));
  state = replies.shift().state;
};
exports.legal = () => replies.shift().actions.reverse().slice(spoil);
exports.apply = () => { state = replies.shift().state; };
exports.scores = () => state.scores;
"""


@pytest.fixture
def example(tmp_path: Path) -> list[str]:
    """The command that checks a file by the page's example."""
    if (node := shutil.which("node")) is None:
        pytest.skip("node is not on this machine")
    [code] = re.findall(r"^```js\n(.*?)^```", (VECTORS / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(code.splitlines()) <= 18
    (tmp_path / "check.js").write_text(code)
    (tmp_path / "rules.js").write_text(RULES_JS)
    return [node, str(tmp_path / "check.js")]


def run_example(example: list[str], games: list[bytes], tmp_path: Path, spoil: int) -> subprocess.CompletedProcess[str]:
    (tmp_path / "games.jsonl").write_bytes(b"".join(games))
    environment = {"PYTHON": sys.executable, "SPOIL": str(spoil)}
    command = [*example, str(tmp_path / "games.jsonl")]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "numbers"), [("mexica.jsonl", [11, 13]), ("mexica-independent.jsonl", [8]), ("moctezuma.jsonl", [0, 1, 2])]
)
def test_the_example_agrees_with_the_engine(example: list[str], tmp_path: Path, name: str, numbers: list[int]) -> None:
    """Some games of each file, among them one on another board and one with other rules."""
    games = vectors(name)
    done = run_example(example, [lines(name)[n] for n in numbers], tmp_path, spoil=0)
    assert (done.returncode, done.stderr) == (0, "")
    steps = [len(games[n]["steps"]) for n in numbers]
    assert done.stdout.splitlines() == [f"game {k}: {n} steps agree" for k, n in enumerate(steps, 1)]


def test_the_example_sees_a_missing_action(example: list[str], tmp_path: Path) -> None:
    done = run_example(example, lines("mexica-independent.jsonl")[:1], tmp_path, spoil=1)
    assert done.returncode == 1
    assert "Error: game 1, step 0: " in done.stderr
