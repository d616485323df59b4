"""The toy game and a log of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from toylog import encode

from mexica_cli.record.lines import Line


@pytest.fixture
def toy(log: list[Line], tmp_path: Path) -> Path:
    """The same as a file."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(encode(log))
    return path
