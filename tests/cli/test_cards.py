"""`mexica cards`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mexica_cli.cli.cards import cards
from mexica_cli.games.moctezuma.card_files import SHIPPED_CARDS, cards_from
from mexica_cli.games.moctezuma.cards import COUNTS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cards, arguments)


def test_all_cards() -> None:
    lines = run().stdout.splitlines()
    ids = {line.split()[0] for line in lines}
    assert ids == {"group", *COUNTS}
    assert any("papalotl" in line and "attested" in line for line in lines)


def test_one_card_with_what_it_does() -> None:
    lines = run("PAPALOTL").stdout.splitlines()
    assert lines[:2] == ["Papalotl (papalotl)", "warrior, 2 of 110 cards, attested"]
    assert "  resistance: 3" in lines
    assert any(line.startswith("  trigger: ") and '"attacks_end"' in line for line in lines)


def test_the_lines_are_a_card_file_again() -> None:
    found = [json.loads(line) for line in run("--format", "jsonl").stdout.splitlines()]
    table: dict[str, list[object]] = {}
    for line in found:
        assert (line["type"], line["version"]) == ("card", 1)
        table.setdefault(line["group"], []).append(line["card"])
    assert sum(line["copies"] for line in found) == 110
    assert list(table) == list(cards_from(table).__struct_fields__[1:])


@pytest.mark.parametrize(
    ("wanted", "words"),
    [("tlaloq", "did you mean 'tlaloc'?"), ("zzz", "`mexica cards` lists them")],
)
def test_a_card_that_is_not_there(wanted: str, words: str) -> None:
    result = run(wanted)
    assert result.exit_code == 2
    assert f"there is no card {wanted!r}" in result.stderr
    assert words in result.stderr


def test_check(tmp_path: Path) -> None:
    assert run("--check").stdout.startswith("ok: ")
    file = tmp_path / "mine.toml"
    text = SHIPPED_CARDS.read_text()
    line = text[: text.index("resistance = 3")].count("\n") + 1
    file.write_text(text.replace("resistance = 3", "resistanc = 3", 1))
    result = run("--cards", str(file), "--check")
    assert result.exit_code == 2
    assert f"{file}:{line}: warrior[1].resistanc: papalotl: " in result.stderr
    assert "did you mean resistance?" in result.stderr


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(SHIPPED_CARDS.read_text().replace('name = "Papalotl"', 'name = "Mariposa"'))
    assert run("mariposa", "--cards", str(file)).stdout.startswith("Mariposa (papalotl)\n")
