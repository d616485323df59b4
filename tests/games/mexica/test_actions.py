"""Actions between ints and text."""

from __future__ import annotations

import pytest
from games.mexica_kit import RULE_SETS, game
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.games.game import BadAction
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica.action_text import FORMS, ActionText

OFFICIAL, SUMMARY = (game(rules).variant.texts for rules in ("official", "summary"))
CELLS = sorted(game().variant.board.names)


def refused(text: str, by: ActionText = OFFICIAL) -> tuple[str, str]:
    with pytest.raises(BadAction) as caught:
        by.parse(text)
    return caught.value.code, caught.value.reason


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("place h6", (act.PLACE, "h6", 0, act.H)),
        ("canal a3", (act.CANAL, "a3", 1, act.H)),
        ("canal a3 b3", (act.CANAL, "a3", 2, act.H)),
        ("canal a3 a4", (act.CANAL, "a3", 2, act.V)),
        ("bridge o6 h", (act.BRIDGE, "o6", 0, act.H)),
        ("bridge o6 v", (act.BRIDGE, "o6", 0, act.V)),
        ("temple 3 f5", (act.TEMPLE, "f5", 3, act.H)),
        ("walk h6", (act.WALK, "h6", 0, act.H)),
        ("boat k4", (act.BOAT, "k4", 0, act.H)),
        ("teleport b2", (act.TELEPORT, "b2", 0, act.H)),
        ("found 13 h3", (act.FOUND, "h3", 13, act.H)),
    ],
)
def test_fields(text: str, fields: tuple[int, str, int, int]) -> None:
    action = OFFICIAL.parse(text)
    cell = game().variant.board.text(act.cell(action))
    assert (act.kind(action), cell, act.extra(action), act.axis(action)) == fields
    assert OFFICIAL[action] == text


def test_a_relocation_has_two_cells() -> None:
    action = OFFICIAL.parse("relocate o6 k4 v")
    names = game().variant.board.names
    assert (names[act.extra(action)], names[act.cell(action)], act.axis(action)) == ("o6", "k4", act.V)
    assert OFFICIAL[action] == "relocate o6 k4 v"


def test_actions_without_a_cell() -> None:
    for word in ("take", "spend", "agree", "refuse", "end"):
        assert OFFICIAL.parse(word) == act.KINDS.index(word)
    assert OFFICIAL[OFFICIAL.parse("retire 13")] == "retire 13"


def test_long_canals() -> None:
    action = SUMMARY.parse("canal c4 c8")
    stride = game().variant.board.stride
    names = game().variant.board.texts(act.canal_mask(action, stride))
    assert names == ["c4", "c5", "c6", "c7", "c8"]
    assert SUMMARY[action] == "canal c4 c8"


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("", "unknown_action", "'' begins with none of place, canal, bridge"),
        ("dig a3", "unknown_action", "'dig a3' begins with none of"),
        ("End", "unknown_action", "'End' begins with none of"),
        (" end", "unknown_action", "' end' begins with none of"),
        ("end ", "bad_form", "write this action as: end (single spaces)"),
        ("canal", "bad_form", "write this action as: canal CELL or canal CELL CELL"),
        ("canal  a3", "bad_cell", "'' is no cell"),
        ("canal a3 b3 c3", "bad_form", "write this action as: canal CELL or canal CELL CELL"),
        ("walk", "bad_form", "write this action as: walk CELL"),
        ("walk A3", "bad_cell", "'A3' is no cell; write a small column letter and a row number, like b7"),
        ("walk a03", "bad_cell", "'a03' is no cell"),
        ("walk a15", "off_board", "a15 is not on the board, whose cells go from a1 to u14"),
        ("walk v1", "off_board", "v1 is not on the board"),
        ("walk a1\n", "bad_cell", "'a1\\n' is no cell"),
        ("temple 0 f5", "bad_number", "'0' is no level or size; write a number from 1 up, digits only"),
        ("temple +1 f5", "bad_number", "'+1' is no level or size"),
        ("temple ١ f5", "bad_number", "'١' is no level or size"),
        ("temple f5 1", "bad_cell", "'1' is no cell"),
        ("retire 99999", "bad_number", "'99999' is no level or size"),
        ("bridge o6", "bad_form", "write this action as: bridge CELL h|v"),
        ("bridge o6 x", "bad_axis", "'x' is no axis; h is crossed east-west, v north-south"),
        ("canal a3 a3", "bad_shape", "the two cells of a canal are its ends: different, and in one row or column"),
        ("canal a3 b4", "bad_shape", "the two cells of a canal are its ends"),
        ("canal a3 c3", "bad_shape", "no canal tile is 3 spaces long, the longest is 2"),
        ("canal b3 a3", "wrong_order", "a canal's cells go in reading order: canal a3 b3"),
        ("canal a4 a3", "wrong_order", "a canal's cells go in reading order: canal a3 a4"),
        ("walk " + "x" * 60000, "bad_cell", "x…' is no cell"),
    ],
)
def test_what_is_wrong_is_said(text: str, code: str, reason: str) -> None:
    found, said = refused(text)
    assert found == code
    assert reason in said
    assert len(said) < 200


def test_longer_tiles_for_other_rules() -> None:
    assert refused("canal a3 f3", SUMMARY)[0] == "bad_shape"
    assert refused("canal c8 c4", SUMMARY) == (
        "wrong_order",
        "a canal's cells go in reading order: canal c4 c8",
    )


@given(st.text())
def test_any_text_is_an_action_or_refused(text: str) -> None:
    try:
        action = OFFICIAL.parse(text)
    except BadAction:
        return
    assert OFFICIAL[action] == text


WORDS = st.sampled_from([*act.KINDS, "a3", "b3", "u14", "v1", "h", "v", "1", "13", "0", "-1", ""])


@given(st.lists(WORDS, max_size=5).map(" ".join), st.sampled_from(RULE_SETS))
def test_an_accepted_text_is_the_only_one_of_its_action(text: str, rules: str) -> None:
    texts = game(rules).variant.texts
    try:
        action = texts.parse(text)
    except BadAction:
        return
    assert texts[action] == text
    assert texts._write(action) == text


def test_every_kind_has_a_form() -> None:
    assert tuple(FORMS) == act.KINDS


@given(st.integers(0, 14), st.integers(0, act.CELL_MASK), st.integers(0, 2**20), st.sampled_from([act.H, act.V]))
def test_encoding_loses_nothing(kind: int, cell: int, extra: int, axis: int) -> None:
    action = act.encode(kind, cell, extra, axis)
    assert (act.kind(action), act.cell(action), act.extra(action), act.axis(action)) == (kind, cell, extra, axis)


@given(st.sets(st.sampled_from(CELLS)))
def test_listing_a_mask(cells: set[int]) -> None:
    head = act.encode(act.TEMPLE, 0, 3)
    listed = game().variant.lister[head](sum(1 << cell for cell in cells))
    assert listed == [act.encode(act.TEMPLE, cell, 3) for cell in sorted(cells)]
