"""What `pip install` puts on a machine."""

from __future__ import annotations

import configparser
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what site-packages would."""
    folder = tmp_path_factory.mktemp("site-packages")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def files(folder: Path) -> set[Path]:
    """The files under an installed folder, without what Python leaves there."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path for path in found if "__pycache__" not in path.parts}


def sources(folder: Path) -> set[Path]:
    """The files under a folder of the repository that belong to it: no builds, nothing that tools leave there."""
    command = ["git", "-C", str(folder), "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no clone, so there is nobody to ask what belongs to it")
    return {Path(line) for line in listed.stdout.splitlines() if (folder / line).exists()}


def test_only_the_package_lands_in_site_packages(installed: Path) -> None:
    assert {path.name.partition("-")[0] for path in installed.iterdir()} == {"mexica_cli", "mexica"}


@pytest.mark.parametrize("folder", ["bots", "protocol"])
def test_folders_travel_inside_the_package(root: Path, installed: Path, folder: str) -> None:
    assert sources(root / folder)
    assert files(installed / "mexica_cli" / folder) == sources(root / folder)


def test_data_files_are_there(root: Path, installed: Path) -> None:
    data = [path.relative_to(root) for path in (root / "mexica_cli").glob("**/data/*")]
    assert data
    assert [path for path in data if not (installed / path).is_file()] == []


def test_the_command_is_mexica(installed: Path) -> None:
    [path] = installed.glob("*.dist-info/entry_points.txt")
    entry_points = configparser.ConfigParser()
    entry_points.read_string(path.read_text())
    assert dict(entry_points["console_scripts"]) == {"mexica": "mexica_cli.cli.main:main"}


def test_what_is_installed_plays(installed: Path, tmp_path: Path) -> None:
    """The installed copy, not the checkout, in an empty folder: it finds its data files."""
    script = (
        f"import sys; sys.path.insert(0, {str(installed)!r}); sys.argv = ['mexica', 'engine']; import mexica_cli;"
        f"assert mexica_cli.__file__.startswith({str(installed)!r}); from mexica_cli.cli.main import main; main()"
    )
    request = b'{"cmd":"new","game":"mexica","players":2,"seed":1}\n'
    command = [sys.executable, "-I", "-c", script]
    result = subprocess.run(command, cwd=tmp_path, input=request, check=True, capture_output=True)
    assert result.stdout.startswith(b'{"ok":true'), result
