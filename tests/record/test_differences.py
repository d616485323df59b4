"""Differences between JSON values, field by field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.record.differences import differences
from mexica_cli.wire.messages import Fault

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (1, 2, [("v", "1", "2")]),
        ({"a": 1, "b": {"c": [1, 2]}}, {"a": 1, "b": {"c": [1, 3]}}, [("v.b.c[1]", "2", "3")]),
        ([1], [1, 2], [("v[1]", "nothing", "2")]),
        ([], [{"a": 1}], [("v[0]", "nothing", '{"a":1}')]),
        ({"a": {}}, {"a": "x"}, [("v.a", "{}", '"x"')]),
        ({"a": {}}, {}, [("v.a", "{}", "nothing")]),
        (None, Fault(kind="crash", reason="r"), [("v", "null", '{"kind":"crash","reason":"r"}')]),
        ("y" * 200, "", [("v", '"' + "y" * 118 + "…", '""')]),
        ((1, 2), [1, 2], []),
        (True, 1, [("v", "true", "1")]),
    ],
)
def test_differences(left: Any, right: Any, found: list[tuple[str, str, str]]) -> None:
    assert [tuple(difference) for difference in differences(left, right, "v")] == found


@given(JSON, JSON)
def test_equal_means_no_difference(left: Any, right: Any) -> None:
    assert differences(left, left) == []
    assert bool(differences(left, right)) is (json.dumps(left, sort_keys=True) != json.dumps(right, sort_keys=True))
