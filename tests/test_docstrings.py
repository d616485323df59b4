"""Packages say in their docstring what their modules are, in an order in which each uses only those before it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from test_layers import imports

INTRODUCTION = "each using only those before it: "
PACKAGES = ["analysis", "arena", "check", "games/mexica", "games/moctezuma", "tournament"]


def order(docstring: str) -> list[str]:
    """The modules that a docstring goes through."""
    _, _, listed = docstring.partition(INTRODUCTION)
    return re.findall(r"`([a-z_]+)`", listed)


def used_too_early(package: str, sources: dict[str, str], listed: list[str]) -> set[tuple[str, str]]:
    """Modules of the package with others, named after them, that they import."""
    place = {f"mexica_cli.{package.replace('/', '.')}.{name}": number for number, name in enumerate(listed)}
    return {
        (name, module.rpartition(".")[2])
        for number, name in enumerate(listed)
        for module in imports(ast.parse(sources[name]))
        if place.get(module, -1) >= number
    }


def sources_of(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in folder.glob("*.py") if path.stem != "__init__"}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_is_named_after_those_that_it_uses(package: str, root: Path) -> None:
    folder = root / "mexica_cli" / package
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))
    assert docstring is not None
    sources, listed = sources_of(folder), [name for name in order(docstring) if (folder / f"{name}.py").exists()]
    assert sorted(listed) == sorted(sources)
    assert used_too_early(package, sources, listed) == set()


def test_what_is_used_too_early_is_found() -> None:
    sources = {"a": "from mexica_cli.games.nim import b", "b": "import mexica_cli.games.nim.c", "c": ""}
    assert used_too_early("games/nim", sources, ["c", "b", "a"]) == set()
    assert used_too_early("games/nim", sources, ["b", "a", "c"]) == {("b", "c")}
    assert used_too_early("games/nim", sources, ["a", "c", "b"]) == {("a", "b")}
