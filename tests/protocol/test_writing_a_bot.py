"""WRITING_A_BOT.md: all that it shows is done here, as it stands there."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "protocol" / "WRITING_A_BOT.md").read_text()

PROGRAMS = re.findall(r"^```python\n(# (\S+\.py) - .*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
"""The programs that a reader saves, with their names."""

COMMANDS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
"""What a reader types, block by block. Each works by itself in a fresh clone with the programs in it."""

TOOLS = {"node ": ["node"], "make ": ["make", "g++"]}
"""By what is in a block, what it takes."""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a reader has: bots, the commands, a Python with the project in it, and the programs of the page."""
    shutil.copytree(ROOT / "bots", tmp_path / "bots", ignore=shutil.ignore_patterns("__pycache__", "target", "bot"))
    for name, arguments in {"scripts/mexica": "-m mexica_cli", ".venv/bin/python": ""}.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        (tmp_path / name).chmod(0o755)
    for text, name in PROGRAMS:
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("block", COMMANDS, ids=lambda block: block.partition("\n")[0][:60])
def test_the_commands_work(clone: Path, block: str) -> None:
    missing = [tool for mark, tools in TOOLS.items() if mark in block for tool in tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not on this machine")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    script = block.replace(PORT, str(free_port()))
    done = subprocess.run(
        ["sh", "-eu"], cwd=clone, env=environment, input=script, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for played in re.findall(r"^games: .*", done.stdout, re.MULTILINE):
        assert re.fullmatch(r"games: (\d+) played, \d+ actions \(\1 finished\)", played)
    [expected] = [words for start, words in EXPECTED.items() if block.startswith(start)] or ["games: "]
    assert expected in done.stdout


EXPECTED = {
    "scripts/mexica check ": " passed",
    "scripts/mexica match ./my_bot.py random --games 2 --seed 1 --log": "ok: 2 games",
    "scripts/mexica match '.venv/bin/python -m cProfile": "cumulative",
    "echo ": '"code":"wrong_phase"',
    "scripts/mexica tournament ": "my_bot",
}
"""By the beginning of a block, what must be in its output, where it isn't a match alone."""

PORT = "7325"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def test_everything_in_the_page_is_tried() -> None:
    fences = re.findall(r"^```(\S*)$", PAGE, re.MULTILINE)
    assert fences.count("python") == len(PROGRAMS)
    assert fences.count("sh") == len(COMMANDS)
    assert set(fences) == {"python", "sh", ""}


def test_the_edit_of_the_starter_changes_something(clone: Path) -> None:
    """`sed` says nothing where it finds nothing."""
    [edit] = [line for block in COMMANDS for line in block.splitlines() if line.startswith("sed ")]
    shutil.copytree(clone / "bots" / "starter-js", clone / "mine")
    subprocess.run(["sh", "-eu"], cwd=clone, input=edit, text=True, check=True)
    assert (clone / "mine/choose.js").read_text() != (clone / "bots/starter-js/choose.js").read_text()
