"""Every check says where the protocol says so, and CHECK.md and `--list` leave none out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mexica_cli.check import sources
from mexica_cli.check.catalogue import CHECKS
from mexica_cli.check.report import WIDTH, check_text
from mexica_cli.check.sources import Source

SOURCES = [value for value in vars(sources).values() if isinstance(value, Source)]


@pytest.fixture(scope="session")
def sections(root: Path) -> dict[str, str]:
    """The sections of PROTOCOL.md by anchor, those inside them included."""
    text = (root / sources.DOCUMENT).read_text()
    headings = list(re.finditer(r"^(#+) (.*)$", text, re.MULTILINE))
    found = {}
    for heading in headings:
        rest = text[heading.end() :]
        after = re.search(rf"^#{{1,{len(heading[1])}}} ", rest, re.MULTILINE)
        anchor = re.sub(r"[^\w -]", "", heading[2].lower()).replace(" ", "-")
        found[anchor] = rest[: after.start()] if after else rest
    return found


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_every_place_is_there(sections: dict[str, str], source: Source) -> None:
    assert f"**{source.words}" in sections[source.anchor] if source.words else source.anchor in sections


def test_every_place_is_used(root: Path) -> None:
    names = {name for name, value in vars(sources).items() if isinstance(value, Source)}
    code = "".join(path.read_text() for path in (root / "mexica_cli/check").glob("*.py") if path.stem != "sources")
    assert {name for name in names if not re.search(rf"\b{name}\b", code)} == set()


def test_a_place_reads_well() -> None:
    assert str(Source("ping")) == "protocol/PROTOCOL.md#ping"
    assert str(Source("answering", "Votes.")) == 'protocol/PROTOCOL.md#answering, "Votes."'


def test_names_are_unique_and_fit() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) == WIDTH


def test_the_basic_ones_come_first() -> None:
    assert [check.name for check in CHECKS if check.basic] == [check.name for check in CHECKS][:3]


def test_every_check_is_explained(root: Path) -> None:
    document = (root / "protocol/CHECK.md").read_text()
    for check in CHECKS:
        assert check.does.endswith(".")
        assert re.match(r"Passes if .*\.$", check.judged)
        anchor = check.source.anchor
        assert f"| `{check.name}` | {check.does} | {check.judged} | [{anchor}](PROTOCOL.md#{anchor}) |" in document
        assert check_text(check).startswith(check.name)
