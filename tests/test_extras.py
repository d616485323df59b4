"""Extras, and how to get them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mexica_cli.extras import how_to_install


def test_it_is_added_to_the_python_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/home/a b/.venv/bin/python")
    assert how_to_install("web") == "'/home/a b/.venv/bin/python' -m pip install 'mexica[web]'"


def test_pip_finds_the_program_itself_installed() -> None:
    """Asked for no more than that, it needs no network."""
    command = [*shlex.split(how_to_install("")), "--dry-run", "--no-index", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Requirement already satisfied: mexica" in done.stdout, done.stderr


def test_the_program_names_only_extras_that_there_are(root: Path) -> None:
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    texts = [path.read_text() for path in (root / "mexica_cli").rglob("*.py") if "__pycache__" not in path.parts]
    named = {name for text in texts for name in re.findall(r"how_to_install\(['\"](\w+)['\"]\)", text)}
    assert named == extras.keys() - {"dev"}
    assert not any("pip install" in text for text in texts)
