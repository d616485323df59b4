"""Position lines that can't be used, and what is said of them."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from itertools import islice

import pytest
from games.moctezuma.kit import game, position, walk
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.game import RuleError
from mexica_cli.games.moctezuma import State


def in_planning() -> State:
    return position(game(), phase="planning", hands="macehual/tequihua", line="cura!,jinete", field="otomitl")


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("rules", "other", "rules: the position is of 'other', this game's is 'official'"),
        ("cards", "other", "cards: the position is of 'other', this game's is 'cards'"),
        ("difficulty", "easy", "difficulty: the position is of 'easy', this game's is 'normal'"),
        ("players", "6", "players: '6' is no number from 1 to 5"),
        ("phase", "dinner", "phase: 'dinner' is none of exchange, defence"),
        ("phase", "over", "outcome: a game that is over has one"),
        ("outcome", "won", "outcome: a game that is over has one"),
        ("round", "0", "round: '0' is no number from 1 to 99"),
        ("seat", "2", "seat: '2' is no number from 0 to 1"),
        ("hands", "macehual", "hands: there must be 2 parts with / between them, not 1"),
        ("hands", "macehual/maize", "hands: 'maize' is no card's id"),
        ("hands", "macehual!/tequihua", "hands: 'macehual!': only cards of the siege line lie face up"),
        ("hands", "macehual/tequihua,tequihua", "hands to field: 'tequihua' is there 4 times; there must be 3"),
        ("hands", "macehual/cura", "hands to field: 'tequihua' is there 2 times; there must be 3"),
        ("field", "otomitl:16", "field: 'otomitl:16' is no unit"),
        ("line", "cura!,cura!", "line to box: 'cura' is there 5 times; there must be 4"),
        ("box", "-", "line to box: 'inquisidor' is there 0 times; there must be 1"),
        ("gods", "tlaloc/tlaloc/-/quetzalcoatl", "gods: a god is named twice"),
        ("gods", "tlaloc/cura/-/quetzalcoatl", "gods: 'cura' is no card for the secondary god"),
        ("gods", "-/tlaloc/-/quetzalcoatl", "gods: there is no main god, and it has fortress"),
        ("fortress", "9/5/0/4", "fortress: '9' is no number from 0 to 8"),
        ("fortress", "0/5/0/4", "fortress: the main god is in play without any"),
        ("parts", "part_east,part_east", "parts: give parts of Quetzalcoatl, none twice"),
        ("markers", "2", "markers: '2' is no number from 0 to 1"),
        ("wards", "0/0", "wards: there must be 3 parts"),
        ("stack", "cura", "stack: 'cura' is no effect"),
        ("stack", "cura.999.0.0.0", "stack: 'cura.999.0.0.0' names no step"),
        ("mictlan", "cura", "hands to field: 'cura' is there 1 times; there must be 0"),
        ("phase", "attacks", "phase: this is no moment at which a seat has something to choose"),
        ("asked", "1", "phase: this is no moment"),
    ],
)
def test_a_field_that_is_wrong(field: str, text: str, said: str) -> None:
    line = in_planning().position()
    changed = re.sub(rf" {field}=\S*", f" {field}={text}", line)
    assert changed != line
    with pytest.raises(RuleError) as caught:
        game().from_position(changed)
    assert str(caught.value).startswith("position: ")
    assert said in str(caught.value)


@settings(max_examples=50)
@given(seed=st.integers(0, 2**32))
def test_lists_without_an_order_may_be_written_in_any(seed: int) -> None:
    """They are printed in that of the card file."""
    chance = random.Random(seed)
    *_, state = islice(walk(game("advanced"), 3, seed % 50), chance.randrange(1, 40))
    line = state.position()
    assert game("advanced").from_position(shuffled(line, chance)).position() == line


def shuffled(line: str, chance: random.Random) -> str:
    """The line with every list in any order that has none by the rules."""

    def shuffle(match: re.Match[str]) -> str:
        parts = [part.split(",") for part in match[2].split("/")]
        return match[1] + "/".join(",".join(chance.sample(items, len(items))) for items in parts)

    return re.sub(r"( (?:hands|picks|mictlan|removed|eagles|field|box)=)(\S+)", shuffle, line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mexica rules=official", "a line begins with the word moctezuma"),
        ("moctezuma cards=cards", "field 1 must be rules="),
        (in_planning().position() + " more=1", "the line goes on after its last field, chance"),
        (in_planning().position().replace(" round", "  round"), "field 8 must be round="),
    ],
)
def test_a_line_that_is_wrong(line: str, said: str) -> None:
    with pytest.raises(RuleError, match=said):
        game().from_position(line)


def test_the_advanced_box() -> None:
    state = position(game("advanced"), phase="planning", hands="macehual/tequihua", line="cura!,jinete")
    line = state.position()
    wrong = line.replace("box=cura,", "box=hernan_cortes,").replace("hernan_cortes siege", "cura siege")
    with pytest.raises(RuleError, match="position: "):
        game("advanced").from_position(wrong)


@settings(max_examples=300)
@given(seed=st.integers(0, 2**32))
def test_any_spoilt_line_is_read_or_refused(seed: int) -> None:
    chance = random.Random(seed)
    *_, state = islice(walk(game("advanced"), 3, seed % 50), chance.randrange(1, 40))
    line = state.position()
    for _ in range(chance.randrange(1, 3)):
        at = chance.randrange(len(line))
        line = line[:at] + chance.choice(" ,/-=:!?*.0123456789abz") + line[at + chance.randrange(2) :]
    with suppress(RuleError):
        assert game("advanced").from_position(line).position() == line
