"""Write requirements/*.txt: the exact version of every package, so that two machines get the same.

Run it with the oldest Python that the project supports, after a change to the dependencies in pyproject.toml:

    .venv/bin/python scripts/lock.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = "# Made by scripts/lock.py from pyproject.toml; don't edit.\n"


def resolve(wanted: list[str], *more: str) -> list[str]:
    """All that pip would install for `wanted` into an empty environment, as sorted `name==version`."""
    words = ["install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-", *more, *wanted]
    report = json.loads(subprocess.check_output([sys.executable, "-m", "pip", *words], cwd=ROOT))
    packages = (entry["metadata"] for entry in report["install"])
    return sorted(f"{package['name'].lower()}=={package['version']}" for package in packages)


def write(name: str, pins: list[str]) -> Path:
    path = ROOT / "requirements" / name
    path.write_text(HEAD + "\n".join(pins) + "\n")
    print(f"{path.relative_to(ROOT)}: {len(pins)} packages")
    return path


def main() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = pyproject["project"]
    # The build backend too: the project is installed without a build environment of its own.
    run = [*pyproject["build-system"]["requires"], *project["dependencies"]]
    dev = write("dev.txt", resolve([*run, *project["optional-dependencies"]["dev"]]))
    write("run.txt", resolve(run, "--constraint", str(dev)))


if __name__ == "__main__":
    main()
