"""Reference bots inside the arena: the same programs, loaded as modules and spoken to without pipes."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec

from mexica_cli.arena.inprocess import Respond
from mexica_cli.arena.spec import BotSpec, Inside, reference_bots
from mexica_cli.client import Session


def run_inside(spec: BotSpec) -> BotSpec:
    """The same bot to run in process where it is a reference bot; any other as it was."""
    words = shlex.split(spec.text)
    program = reference_bots().get(words[0])
    if program is None:
        return spec
    return msgspec.structs.replace(spec, launch=Inside(_maker(program, words[1:])))


def _maker(program: Path, argv: list[str]) -> Callable[[], Respond]:
    def make() -> Respond:
        session = Session(_module(program).make(argv))
        return session.receive

    return make


@cache
def _module(program: Path) -> Any:
    """The bot's file as a module; it offers `make(argv)`, which gives a `Bot`."""
    found = spec_from_file_location(f"mexica_bot_{program.parent.name}", program)
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module
