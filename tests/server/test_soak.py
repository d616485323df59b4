"""A short soak: `scripts/soak.py` with few bots for a few seconds. Everything it looks at has to be right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_nothing_goes_wrong_in_some_seconds(root: Path) -> None:
    words = ["--bots", "40", "--matches", "12", "--seconds", "4", "--every", "2", "--think", "0.05"]
    done = subprocess.run(
        [sys.executable, str(root / "scripts" / "soak.py"), *words], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    head, *rows, log = done.stdout.splitlines()
    assert head.split()[:3] == ["s", "bots", "running"]
    assert [row.split()[1] for row in rows] == ["40", "40"]
    assert log.startswith("log: ")
    assert "verified; 0 unfinished" in log
