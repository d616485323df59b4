"""`scripts/mexica` on machines of all kinds, with a Python that only pretends: nothing is downloaded here."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = ["sh", "cat", "cp", "chmod", "flock", "mkdir", "mv", "readlink", "rm"]

PYTHON = r"""#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
    --version) echo "Python VERSION" ;;
    *version_info*) exit TOO_OLD ;;
    *ensurepip*) exit NO_VENV ;;
    "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    *" install -r "*) echo "what pip has to say"; exit NO_NETWORK ;;
    *" -e "*)
        printf '#!/bin/sh\necho "mexica $*"\n' >"${0%/*}/mexica"
        chmod +x "${0%/*}/mexica" ;;
esac
"""


class Machine:
    """A checkout in a folder with an awkward name, and a PATH with only what the test puts there."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.checkout = folder / "a checkout's scripts" / "mexica"
        self.bin = folder / "bin"
        self.calls = folder / "calls"
        shutil.copytree(root / "scripts", self.checkout / "scripts")
        shutil.copytree(root / "requirements", self.checkout / "requirements")
        shutil.copy(root / "pyproject.toml", self.checkout)
        self.bin.mkdir()
        for tool in TOOLS:
            self._link(tool)

    def _link(self, tool: str) -> None:
        path = shutil.which(tool)
        assert path is not None
        (self.bin / tool).symlink_to(path)

    def python(self, name: str = "python3", *, old: bool = False, bare: bool = False, offline: bool = False) -> None:
        """Install a Python: too old, without venv, or with a pip that can't reach anything."""
        replies = {"VERSION": "3.9.2" if old else "3.11.2", "TOO_OLD": old, "NO_VENV": bare, "NO_NETWORK": offline}
        text = PYTHON
        for word, value in replies.items():
            text = text.replace(word, value if isinstance(value, str) else str(int(value)))
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def start(self, *arguments: str, script: str = "mexica") -> subprocess.Popen[str]:
        command = [str(self.checkout / "scripts" / script), *arguments]
        environment = {"PATH": str(self.bin), "CALLS": str(self.calls)}
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd="/")

    def run(self, *arguments: str, script: str = "mexica") -> tuple[int, str, str]:
        """Exit code, stdout, stderr."""
        process = self.start(*arguments, script=script)
        output, errors = process.communicate()
        return process.returncode, output, errors

    def made(self) -> int:
        """How many environments were made so far."""
        return self.calls.read_text().count("-m venv ")


@pytest.fixture
def machine(root: Path, tmp_path: Path) -> Machine:
    return Machine(root, tmp_path)


def test_first_use_prepares_and_runs(machine: Machine) -> None:
    machine.python()
    code, output, errors = machine.run("engine", "two words")
    assert (code, output) == (0, "mexica engine two words\n")
    assert errors.startswith("mexica: making a virtual environment in ")
    assert errors.endswith("mexica: ready\n")


def test_second_use_is_silent(machine: Machine) -> None:
    machine.python()
    machine.run()
    before = machine.calls.read_text()
    assert machine.run("--help") == (0, "mexica --help\n", "")
    assert machine.calls.read_text() == before


def test_works_through_a_symlink(machine: Machine) -> None:
    machine.python()
    link = machine.bin / "anywhere"
    link.symlink_to(machine.checkout / "scripts" / "mexica")
    environment = {"PATH": str(machine.bin), "CALLS": str(machine.calls)}
    result = subprocess.run([link, "--version"], env=environment, capture_output=True, text=True, check=True)
    assert result.stdout == "mexica --version\n"


def test_two_first_uses_at_once(machine: Machine) -> None:
    machine.python()
    processes = [machine.start(str(n)) for n in range(4)]
    assert [process.communicate()[0] for process in processes] == [f"mexica {n}\n" for n in range(4)]
    assert machine.made() == 1


def test_waits_for_another_run_and_says_so(machine: Machine) -> None:
    machine.python()
    lock = os.open(machine.checkout, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    process = machine.start("x")
    assert process.stderr is not None
    assert process.stderr.readline().startswith("mexica: another run is preparing")
    assert not machine.calls.exists()
    os.close(lock)
    assert process.communicate()[0] == "mexica x\n"


@pytest.mark.parametrize("changed", ["requirements/run.txt", "pyproject.toml"])
def test_a_change_installs_again(machine: Machine, changed: str) -> None:
    machine.python()
    machine.run()
    with (machine.checkout / changed).open("a") as file:
        file.write("# changed\n")
    assert "installing requirements/run.txt" in machine.run()[2]
    assert machine.run()[2] == ""
    assert machine.made() == 1


def test_an_environment_for_development_serves_both(machine: Machine) -> None:
    machine.python()
    assert "installing requirements/dev.txt" in machine.run(script="test")[2]
    assert machine.run("--help") == (0, "mexica --help\n", "")


def test_a_broken_environment_of_ours_is_made_again(machine: Machine) -> None:
    machine.python()
    machine.run()
    (machine.checkout / ".venv/bin/python").unlink()
    assert machine.run("x")[:2] == (0, "mexica x\n")
    assert machine.made() == 2


def test_an_environment_of_the_users_is_used(machine: Machine) -> None:
    machine.python()
    (machine.checkout / ".venv/bin").mkdir(parents=True)
    shutil.copy(machine.bin / "python3", machine.checkout / ".venv/bin/python")
    assert machine.run("x")[:2] == (0, "mexica x\n")
    assert machine.made() == 0


def test_a_broken_environment_of_the_users_is_left_alone(machine: Machine) -> None:
    machine.python()
    kept = machine.checkout / ".venv" / "notes"
    kept.parent.mkdir()
    kept.touch()
    code, _, errors = machine.run()
    assert (code, errors.strip().endswith("remove it")) == (1, True)
    assert kept.exists()


def test_no_python(machine: Machine) -> None:
    message = "mexica: Python is missing: install the Debian packages python3 and python3-venv\n"
    assert machine.run() == (1, "", message)


def test_python_too_old(machine: Machine) -> None:
    machine.python(old=True)
    code, _, errors = machine.run()
    assert code == 1
    assert "3.11 or newer is needed, but python3 is Python 3.9.2: install the Debian package python3" in errors


def test_a_newer_python_under_another_name(machine: Machine) -> None:
    machine.python(old=True)
    machine.python("python3.12")
    assert machine.run("x")[:2] == (0, "mexica x\n")


def test_no_venv(machine: Machine) -> None:
    machine.python("python3.12", bare=True)
    message = "mexica: python3.12 can't make a virtual environment: install the Debian package python3.12-venv\n"
    assert machine.run() == (1, "", message)


def test_no_flock(machine: Machine) -> None:
    machine.python()
    (machine.bin / "flock").unlink()
    assert machine.run() == (1, "", "mexica: flock is missing: install the Debian package util-linux\n")


def test_no_network_and_then_there_is(machine: Machine) -> None:
    machine.python(offline=True)
    code, output, errors = machine.run()
    assert (code, output) == (1, "")
    assert "what pip has to say" in errors
    assert "is there a network?" in errors
    shutil.rmtree(machine.checkout / ".venv")
    machine.python()
    assert machine.run("x")[:2] == (0, "mexica x\n")


def test_scripts_can_be_run(root: Path) -> None:
    assert all(os.access(root / "scripts" / name, os.X_OK) for name in ("mexica", "test", "bench"))
