"""Imports run downwards only, and the games are pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

MAY_IMPORT = {
    "games": set[str](),
    "extras": set[str](),
    "number_text": set[str](),
    "wire": {"games"},
    "record": {"extras", "wire", "games"},
    "arena": {"record", "client", "wire", "games"},
    "tournament": {"arena", "extras", "number_text", "record", "wire", "games"},
    "analysis": {"extras", "record", "wire", "games"},
    "check": {"arena", "client", "number_text", "record", "wire", "games"},
    "tactics": {"client", "wire", "games"},
    "server": {"arena", "record", "wire", "games"},
    "web": {"server", "view", "arena", "record", "wire", "games"},
    "view": {"arena", "number_text", "record", "wire", "games"},
    "engine": {"wire", "games"},
    "client": {"wire", "games"},
    "cli": {
        "analysis",
        "arena",
        "check",
        "engine",
        "extras",
        "games",
        "number_text",
        "record",
        "server",
        "tournament",
        "view",
        "web",
        "wire",
    },
    "__main__": {"cli"},
    "__init__": set[str](),
}
"""Each part of `mexica_cli`, a package or a module, and the parts it may import."""

BASE = {"__init__"}
"""What every part may import: the package itself, for its version."""

IMPURE = {"asyncio", "datetime", "os", "secrets", "socket", "subprocess", "threading", "time", "trio"}
"""What no rules may import: the system, clocks, threads. `pathlib` may be, to read rule sets and boards from files."""


def imports(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported anywhere in `tree`, inside functions and under TYPE_CHECKING too."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(level=0, module=str(module), names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom():
                raise AssertionError(f"relative import in line {node.lineno}")


def part(module: str) -> str | None:
    """The part of `mexica_cli` that a dotted name leads to; None for other packages."""
    package, _, rest = module.partition(".")
    if package != "mexica_cli":
        return None
    head = rest.partition(".")[0]
    return head if head in MAY_IMPORT else "__init__"


def upward(here: str, source: str) -> set[str]:
    """The parts that a module of the part `here` imports and may not."""
    used = {part(name) for name in imports(ast.parse(source))} - {None}
    return {name for name in used if name is not None} - {here} - BASE - MAY_IMPORT[here]


def impure(source: str, *, chance: bool = False) -> set[str]:
    """What a module of the rules imports and may not; only where chance is at home may it import `random`."""
    forbidden = IMPURE if chance else IMPURE | {"random"}
    return {name.partition(".")[0] for name in imports(ast.parse(source))} & forbidden


def modules(package: Path) -> Iterator[Path]:
    return (path for path in sorted(package.rglob("*.py")) if "__pycache__" not in path.parts)


@pytest.fixture
def package(root: Path) -> Path:
    return root / "mexica_cli"


def test_every_part_has_its_place(package: Path) -> None:
    found = {path.relative_to(package).parts[0].removesuffix(".py") for path in modules(package)}
    assert found <= MAY_IMPORT.keys()


def test_imports_run_downwards(package: Path) -> None:
    wrong = {}
    for path in modules(package):
        here = path.relative_to(package)
        if parts := upward(here.parts[0].removesuffix(".py"), path.read_text()):
            wrong[str(here)] = parts
    assert wrong == {}


def test_games_are_pure(package: Path) -> None:
    wrong = {}
    for path in modules(package / "games"):
        if names := impure(path.read_text(), chance=path.stem == "chance"):
            wrong[str(path.relative_to(package))] = names
    assert wrong == {}


@pytest.mark.parametrize(
    ("here", "source", "parts"),
    [
        ("games", "import mexica_cli.wire.messages", {"wire"}),
        ("games", "from mexica_cli import record", {"record"}),
        ("wire", "from mexica_cli.arena.clock import Clock", {"arena"}),
        ("arena", "def late():\n    from mexica_cli.cli import main", {"cli"}),
        ("tournament", "import mexica_cli.server, mexica_cli.arena", {"server"}),
        ("client", "from mexica_cli import arena, wire, __version__", {"arena"}),
        ("cli", "from mexica_cli.arena import clock\nimport trio", set()),
    ],
)
def test_an_upward_import_is_found(here: str, source: str, parts: set[str]) -> None:
    assert upward(here, source) == parts


def test_a_relative_import_is_refused() -> None:
    with pytest.raises(AssertionError, match="line 1"):
        upward("games", "from . import wire")


@pytest.mark.parametrize("source", ["import time", "from os import path", "import trio.lowlevel", "import random"])
def test_an_impure_import_is_found(source: str) -> None:
    assert impure(source)


def test_chance_may_use_random_and_no_clock() -> None:
    assert impure("import random, time", chance=True) == {"time"}
