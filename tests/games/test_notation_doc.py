"""Every example of protocol/NOTATION.md is true: fenced blocks are marked with what they hold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from games.mexica_kit import game, walk

from mexica_cli.games import load_game, restore_game
from mexica_cli.games.mexica import MexicaState
from mexica_cli.games.mexica.action_text import FORMS
from mexica_cli.games.mexica.board import drawn, parse_board
from mexica_cli.games.mexica.notation import FIELDS

TEXT = (Path(__file__).parents[2] / "protocol" / "NOTATION.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def check_actions(block: str) -> None:
    lines = block.splitlines()
    assert [line.split()[0] for line in lines if line.split()[0] != "canal"] == [
        word for word in FORMS if word != "canal"
    ]
    for line in lines:
        assert game().variant.texts[game().variant.texts.parse(line)] == line


def check_state(block: str) -> None:
    view = msgspec.json.decode(block, type=MexicaState, strict=True)
    assert game().from_position(view.position).observation(0) == view
    assert set(json.loads(block)) == {field.name for field in msgspec.structs.fields(MexicaState)}


def check_followed(block: str) -> None:
    for line in block.splitlines():
        shown = json.loads(line)
        real = followed_entries()[variety(shown)]
        assert shape(shown) == shape(real), line


def variety(entry: dict[str, Any]) -> tuple[object, ...]:
    return entry["what"], entry.get("for"), entry.get("by")


def shape(value: object) -> object:
    """A value with its numbers and texts blotted out."""
    if isinstance(value, dict):
        return {key: shape(entry) for key, entry in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else type(value)


@cache
def followed_entries() -> dict[tuple[object, ...], dict[str, Any]]:
    """One real entry of every variety."""
    found: dict[tuple[object, ...], dict[str, Any]] = {}
    for seed in range(12):
        for state, action in walk(game(), 4, seed):
            for entry in state.copy().apply(action):
                if entry.get("districts") != []:
                    found.setdefault(variety(entry), entry)
    return found


def check_positions(block: str) -> None:
    for line in block.splitlines():
        assert game().from_position(line).position() == line


def check_setup(block: str) -> None:
    assert game().start(2, json.loads(block)).to_act == 0


def check_options(block: str) -> None:
    options = json.loads(block)
    assert restore_game("mexica", options).options() == options == game().options()


def check_rules(block: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(block)
    assert load_game("mexica", str(path)).options()["rules"]["neutral_temples"] == [3, 3, 3, 2]


def check_board(block: str) -> None:
    board = parse_board(block, "drawn", "drawn")
    assert drawn(board) == block


CHECKS: dict[str, Callable[[str], None]] = {
    "action": check_actions,
    "state": check_state,
    "followed": check_followed,
    "position": check_positions,
    "setup": check_setup,
    "options": check_options,
    "board": check_board,
}


@pytest.mark.parametrize("n", range(len(BLOCKS)))
def test_example(n: int, tmp_path: Path) -> None:
    kind, block = BLOCKS[n]
    if kind == "rules":
        check_rules(block, tmp_path)
    else:
        CHECKS[kind](block)


def test_every_kind_of_example_is_there() -> None:
    assert {kind for kind, _ in BLOCKS} == {*CHECKS, "rules"}


def test_the_fields_of_a_position_are_listed_in_order() -> None:
    table = TEXT.split("## Positions\n")[1].split("## Set-up\n")[0]
    listed = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    assert listed == list(FIELDS)


def test_every_kind_of_entry_is_listed() -> None:
    section = TEXT.split("## What followed\n")[1].split("\n## ")[0]
    for what, reason, by in followed_entries():
        for word in (what, reason, by):
            assert word is None or f"`{word}`" in section
