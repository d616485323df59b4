"""The bot in C++: its rules are the arena's, action for action, and it plays whole games without a fault."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mexica_cli.cli.main import run
from mexica_cli.engine import Engine
from mexica_cli.games import load_game
from mexica_cli.games.mexica import MexicaGame, State
from mexica_cli.games.mexica import load as load_mexica

BOT = Path(__file__).parents[2] / "bots" / "tlatoani"
VECTORS = BOT.parents[1] / "protocol" / "vectors" / "mexica-independent.jsonl"

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ to build it with")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bot, built for a short life: without optimising, which takes longer than all the tests."""
    built = tmp_path_factory.mktemp("tlatoani") / "tlatoani"
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run(["g++", *flags, "-o", str(built), str(BOT / "main.cpp")], check=True)
    return str(built)


class Rules:
    """`tlatoani --engine`."""

    def __init__(self, program: str) -> None:
        self._process = subprocess.Popen([program, "--engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, cmd: str, **fields: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"cmd": cmd, **fields}).encode() + b"\n")
        self._process.stdin.flush()
        reply: dict[str, Any] = json.loads(self._process.stdout.readline())
        return reply

    def begin(self, game: MexicaGame, state: State) -> None:
        assert self.ask("new", options=game.options(), position=state.position())["ok"]

    def close(self) -> None:
        self._process.communicate(timeout=10)
        assert self._process.returncode == 0


@pytest.fixture
def rules(program: str) -> Iterator[Rules]:
    served = Rules(program)
    yield served
    served.close()


def texts(state: State) -> list[str]:
    return sorted(map(state.text, state.legal_actions()))


def view(state: State) -> dict[str, Any]:
    """What both sides must agree on after every action."""
    seen = state.observation(None)
    fields = ("to_act", "scores", "ranking", "hands", "position")
    return {"ok": True, **{field: getattr(seen, field) for field in fields}}


# ---- the rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", VECTORS.read_text().splitlines(), ids=lambda line: "")
def test_its_rules_follow_the_vectors(rules: Rules, line: str) -> None:
    vector = json.loads(line)
    game = load_mexica(vector["rules"], None, {})
    state = game.start(vector["players"], vector["setup"])
    rules.begin(game, state)
    for text, number, _, scores in vector["steps"]:
        assert len(rules.ask("legal")["actions"]) == number
        assert rules.ask("state")["scores"] == scores
        assert rules.ask("apply", actions=[text])["ok"]
    end = rules.ask("state")
    assert (end["scores"], end["ranking"]) == (vector["final"]["scores"], vector["final"]["ranking"])


GAMES = [
    ("official", "standard", 2, {}),
    ("official", "large", 4, {"bridges": "3", "round_limit": "5"}),
    ("official", "small", 3, {"automatic_retirement": "false", "round_limit": "12"}),
    ("official", "standard", 3, {"canal_tiles": "[3, 10, 4]", "boat_toll": "trip", "boat_cost": "2"}),
    ("help", "standard", 4, {"round_limit": "7"}),
    ("help", "small", 2, {"temples": "[[1, 0, 2, 0, 1], [1, 1, 1, 1, 1]]"}),
    ("summary", "standard", 2, {}),
    ("summary", "large", 3, {"period_end_needs": "both", "round_limit": "7"}),
]


@pytest.mark.parametrize(("name", "board", "players", "options"), GAMES)
def test_its_rules_are_the_arena_s_in_random_games(
    rules: Rules, name: str, board: str, players: int, options: dict[str, str]
) -> None:
    """Every list of actions and every position of a game; and actions that have become illegal are refused."""
    game = load_mexica(name, board, options)
    state = game.start(players, game.deal(players, 5))
    rules.begin(game, state)
    chance, passed = random.Random(5), ["take"]
    while state.to_act is not None:
        listed = texts(state)
        assert rules.ask("legal")["actions"] == listed
        stale = chance.choice(passed)
        if stale not in listed:
            assert rules.ask("apply", actions=[stale]) == {**view(state), "ok": False, "index": 0}
        action = chance.choice(chance.choice(list(state.legal_by_kind().values())))
        passed.append(state.text(action))
        state.apply(action)
        assert rules.ask("apply", actions=passed[-1:]) == view(state)
    assert rules.ask("legal")["actions"] == []


@pytest.mark.parametrize("name", ["official", "summary"])
def test_it_counts_the_same_sequences(rules: Rules, name: str) -> None:
    game = load_mexica(name, "small", {})
    state = game.start(2, game.deal(2, 1))
    chance = random.Random(1)
    for _ in range(60):
        state.apply(chance.choice(chance.choice(list(state.legal_by_kind().values()))))
    engine = Engine()
    setup = json.dumps(game.deal(2, 1))
    engine.handle(
        f'{{"cmd":"new","game":"mexica","rules":"{name}","board":"small","players":2,"setup":{setup}}}'.encode()
    )
    engine.handle(json.dumps({"cmd": "position", "position": state.position()}).encode())
    rules.begin(game, state)
    expected = json.loads(engine.handle(b'{"cmd":"perft","depth":2}'))["count"]
    assert rules.ask("perft", depth=2)["count"] == expected > 100


# ---- whole games -----------------------------------------------------------------------------------------------------


def played(capsys: pytest.CaptureFixture[str], bots: list[str], *options: str) -> dict[str, Any]:
    """The result of a match, every action of which was legal and in time."""
    assert run(["match", *bots, "--format", "jsonl", "--seed", "3", "--move-time", "60s", *options]) == 0
    game: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[0])
    return game


def faults(result: dict[str, Any]) -> list[Any]:
    return [reason for reason in result["reasons"] if reason]


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, []), (4, []), (3, ["--rules", "help"]), (2, ["--rules", "summary"]), (3, ["--board", "large"])],
)
def test_it_plays_without_a_fault(
    program: str, capsys: pytest.CaptureFixture[str], players: int, options: list[str]
) -> None:
    result = played(capsys, [f"{program} --nodes 60"] * players, *options)
    assert (result["outcome"], faults(result)) == ("finished", [])
    assert min(result["scores"]) > 20


def test_it_beats_chance(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(capsys, ["random", f"{program} --nodes 200"])["ranking"] == [2, 1]


def test_by_nodes_and_seed_it_plays_the_same_again(
    program: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def game(n: int, seed: int) -> list[str]:
        log = tmp_path / f"{n}.jsonl"
        played(capsys, [f"{program} --nodes 120 --seed {seed}"] * 2, "--log", str(log))
        return [line["action"] for line in map(json.loads, log.read_text().splitlines()) if "action" in line]

    assert game(1, 5) == game(2, 5) != game(3, 6)


@pytest.mark.parametrize("words", [["--depth", "3"], ["--nodes"], ["--nodes", "many"], ["--seed", "-1"]])
def test_wrong_options_are_refused(program: str, words: list[str]) -> None:
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: tlatoani")


def test_its_time_is_well_within_the_clock(program: str) -> None:
    """With a clock of nothing it still answers, and what it answers is legal."""
    game = load_game("mexica")
    state = game.start(2, game.deal(2, 1))
    for text in ("place g7", "place h6"):
        state.apply(state.parse(text))
    lines = [
        {"type": "hello"},
        {"type": "start", "match": "m", "options": game.options(), "seat": 0, "seed": 1,
         "state": {"position": state.position()}},
        {"type": "turn", "match": "m", "id": 4, "seat": 0, "clock": {"left_ms": 0, "move_ms": 100}},
        {"type": "ping", "id": 9},
        {"type": "bye", "reason": "enough"},
    ]  # fmt: skip
    sent = "\r\n".join(map(json.dumps, lines)) + "\n\n"
    done = subprocess.run([program], input=sent, capture_output=True, text=True, check=True, timeout=20)
    join, ready, play, pong = map(json.loads, done.stdout.splitlines())
    assert (join["type"], ready, pong) == ("join", {"type": "ready", "match": "m"}, {"type": "pong", "id": 9})
    assert play["id"] == 4
    for text in play["actions"]:
        assert state.is_legal(state.parse(text))
        state.apply(state.parse(text))
