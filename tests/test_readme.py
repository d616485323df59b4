"""What README.md shows works as it stands there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from mexica_cli.cli.main import COMMANDS, run


@pytest.fixture
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_bot_in_20_lines_plays(
    readme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = blocks(readme, "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    (tmp_path / "clerk.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    assert run(["match", "./clerk.py", "random", "--games", "2", "--seed", "1", "--format", "jsonl"]) == 0
    *games, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [game["outcome"] for game in games] == ["finished", "finished"]
    assert {bot["name"] for bot in summary["bots"]} == {"clerk", "random"}


def test_the_first_commands_work(
    readme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = [shlex.split(line) for line in blocks(readme, "sh")[0].splitlines()]
    monkeypatch.chdir(tmp_path)
    assert [words[0] for words in commands] == ["scripts/mexica"] * 2
    assert [run([*words[1:], "--inside"] if words[1] == "match" else words[1:]) for words in commands] == [0, 0]
    assert "ok: 4 games" in capsys.readouterr().out


def test_every_command_is_mentioned(readme: str) -> None:
    assert {name for name in COMMANDS if f"`mexica {name}" not in readme} == set()


def test_every_file_and_folder_named_is_there(readme: str, root: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", readme)
    folders = re.findall(r"^\| `([^`]+)` \|", readme, re.MULTILINE)
    assert links
    assert folders
    assert [name for name in [*links, *folders] if not (root / name).exists()] == []
