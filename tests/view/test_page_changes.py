"""Changes between JSON values: they lead from the old to the new one, and are small where little differs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pagekit import changed

from mexica_cli.view.page.changes import change_of

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", min_size=1, max_size=1), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_a_change_leads_to_the_new_value(old: Any, new: Any) -> None:
    change = change_of(old, new)
    assert json.dumps(changed(old, change) if change is not None else old, sort_keys=True) == json.dumps(
        new, sort_keys=True
    )


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (1, 1, None),
        (1, 2, [2]),
        (1, True, [True]),
        (None, [], [[]]),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"b": [3]}),
        ({"a": 1, "b": 2}, {"b": 2, "c": 0}, {"a": [], "c": [0]}),
        ([1, 2, 3], [1, 5, 3], {"1": [5]}),
        (["a3", "b3"], ["a3", "a9", "b3"], [1, 0, "a9"]),
        (["a", "b", "c", "d"], ["a", "d"], [1, 2]),
        ([1, 1], [1], [1, 1]),
        ({"a": {"b": [0, 0]}}, {"a": {"b": [0, 7]}}, {"a": {"b": {"1": [7]}}}),
    ],
)
def test_only_what_differs_is_said(old: Any, new: Any, change: Any) -> None:
    assert change_of(old, new) == change


def test_new_fields_come_last() -> None:
    assert list(changed({"b": 1}, change_of({"b": 1}, {"b": 2, "a": 1}))) == ["b", "a"]
