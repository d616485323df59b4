"""What may be typed for an action."""

from __future__ import annotations

import pytest
from games.mexica_kit import game, walk
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.game import State
from mexica_cli.view.terminal.reading import Unclear, by_kind, read_action


@pytest.fixture
def state() -> State:
    """A first turn: pawns on h6 and h8."""
    first = game().start(2, game().deal(2, 1))
    for text in ("place h6", "place h8"):
        first.apply(first.parse(text))
    return first


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("canal a3", "canal a3"),
        ("  canal   a3  ", "canal a3"),
        ("c a3", "canal a3"),
        ("c a3 a4", "canal a3 a4"),
        ("t", "take"),
        ("w h5", "walk h5"),
        ("e", "end"),
        ("ta", "take"),
        ("tel c3", "teleport c3"),
    ],
)
def test_short_forms(state: State, typed: str, meant: str) -> None:
    assert state.text(read_action(state, typed)) == meant


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("te", "'te' may be teleport a11, "),
        ("c", " more"),
        ("canal a", "canal a11, "),
        ("canal h7", "h7 belongs to the palace"),
        ("c h7", "h7 belongs to the palace"),
        ("walk a3", "a3 isn't orthogonally next to your pawn"),
        ("found 3 h5", "3"),
        ("dig a3", "now it is one of bridge, canal, end, take, "),
        ("   ", "nothing was typed"),
    ],
)
def test_what_is_unclear_is_said_with_what_would_be_right(state: State, typed: str, words: str) -> None:
    with pytest.raises(Unclear) as caught:
        read_action(state, typed)
    assert words in str(caught.value)


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_the_text_of_an_action_always_means_it(seed: int, data: st.DataObject) -> None:
    for state, _ in walk(game(), 2, seed):
        if data.draw(st.integers(0, 9)) == 0:
            for action in state.legal_actions():
                assert read_action(state, state.text(action)) == action
            break


def test_lists_by_kind(state: State) -> None:
    lines = by_kind(state)
    assert [line.split()[0] for line in lines] == ["bridge", "canal", "end", "take", "teleport", "temple", "walk"]
    assert sum(int(line.split()[1]) for line in lines) == len(state.legal_actions())
    (walks,) = by_kind(state, "w")
    assert walks.split(", ") == sorted(
        text for a in state.legal_actions() if (text := state.text(a)).startswith("walk")
    )
    assert by_kind(state, "zzz") == []
