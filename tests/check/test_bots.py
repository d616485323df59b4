"""The project's own bots, and the one in PROTOCOL.md, pass."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from check.inspector import failed, found, setting

from mexica_cli.arena.limits import Limits
from mexica_cli.arena.spec import BotSpec, parse_spec, reference_bots
from mexica_cli.check.finding import Verdict
from mexica_cli.games import GAMES, load_game

ROOT = Path(__file__).resolve().parents[2]
BOTS = ROOT / "bots"

IN_PYTHON = sorted(reference_bots())
IN_OTHERS = sorted(path.name for path in BOTS.iterdir() if (path / "README.md").exists() and path.name not in IN_PYTHON)

QUICKLY = {"council": "--playouts 4", "mcts": "--iterations 10", "planner": "--nodes 50", "tlatoani": "--move-ms 20"}
"""Options by which a bot that thinks doesn't think long."""

OWN = [
    "join",
    "ready",
    "turn",
    "game",
    "seats",
    "several-games",
    "votes",
    "quiet",
    "clocks",
    "short-clock",
    "reject",
    "reject-middle",
    "strikes-out",
    "void",
    "bye",
]
"""Checks in which it matters how a bot plays. The others are about the client, which all bots in Python share."""

MOVE = 2.0
"""Seconds for a turn: no busy machine makes a bot late, and what thinks by the clock doesn't take for ever."""

PATIENT = Limits(startup=60.0, ready=60.0, quit=60.0)


async def games_of(spec: BotSpec) -> list[str]:
    """The games of the project that the bot plays."""
    return [name for name in GAMES if not failed(await found(setting(spec, load_game(name), limits=PATIENT), "join"))]


async def assert_passes(spec: BotSpec, *checks: str) -> None:
    """The bot passes these checks, or all, in the first game that it plays, and plays the others to the end too."""
    first, *others = await games_of(spec)
    given = setting(spec, load_game(first), move=MOVE, limits=PATIENT)
    assert failed(await found(given, *checks, jobs=2)) == {}
    for name in others:
        given = setting(spec, load_game(name), players=3, move=MOVE, limits=PATIENT)
        assert failed(await found(given, "game", "reject", jobs=2)) == {}


@pytest.mark.parametrize("name", IN_PYTHON)
async def test_a_bot_in_python_passes(name: str) -> None:
    spec = parse_spec(f"{name} {QUICKLY.get(name, '')}")
    await assert_passes(spec, *([] if name == "random" else OWN))


@pytest.mark.parametrize("name", IN_OTHERS)
async def test_a_bot_in_another_language_passes(name: str, built: Callable[[str], BotSpec]) -> None:
    await assert_passes(built(name))


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], BotSpec]:
    """Builds a bot as its README says, in a folder of its own; gives the command that runs it there."""

    def build(name: str) -> BotSpec:
        steps, command = told_by_readme(name)
        shutil.copytree(BOTS / name, tmp_path / "bots" / name)
        monkeypatch.chdir(tmp_path)
        need(name, command.split()[0], *(step[0] for step in steps))
        for step in steps:
            environment = {**os.environ, "CARGO_NET_OFFLINE": "true"}
            subprocess.run(step, env=environment, check=True, capture_output=True)
        return parse_spec(f"{name}={command} {QUICKLY.get(name, '')}")

    return build


def told_by_readme(name: str) -> tuple[list[list[str]], str]:
    """How a bot is built, and its command: from the first block for a shell that lets it play."""
    readme = (BOTS / name / "README.md").read_text()
    for block in re.findall(r"^```sh\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL):
        *steps, last = map(shlex.split, block.splitlines())
        bots = [word for word in last if f"bots/{name}/" in word]
        if "match" in last and bots:
            return steps, bots[0].partition("=")[2] or bots[0]
    pytest.skip(f"the README of {name} doesn't say how it is built and run")


NEEDED = {"starter-cpp": ["g++"], "starter-sh": ["jq"], "tlatoani": ["g++"]}
"""What a bot needs besides the commands that its README names."""


def need(name: str, *commands: str) -> None:
    """Skip the test where one of these programs isn't on the machine."""
    for command in (*commands, *NEEDED.get(name, [])):
        if "/" not in command and shutil.which(command) is None:
            pytest.skip(f"{name} needs {command}, which is not on this machine")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not on this machine")
async def test_the_bot_in_the_protocol_passes(tmp_path: Path) -> None:
    text = re.search(r"^```js\n(.*?)^```$", (ROOT / "protocol/PROTOCOL.md").read_text(), re.MULTILINE | re.DOTALL)
    assert text
    bot = tmp_path / "tiny.js"
    bot.write_text(text[1])
    findings = await found(setting(parse_spec(f"node {bot}"), load_game("mexica"), limits=PATIENT), jobs=2)
    assert failed(findings) == {}
    assert [finding.name for finding in findings if finding.verdict is Verdict.WARN] == ["determinism"]


@pytest.mark.parametrize("check", ["join", "turn"])
async def test_another_game_than_the_bots_is_named_in_every_check(check: str) -> None:
    given = setting(parse_spec("council"), load_game("mexica"), limits=PATIENT)
    assert failed(await found(given, check)) == {
        check: "it says that it plays moctezuma, and not mexica: check it with --game moctezuma"
    }
