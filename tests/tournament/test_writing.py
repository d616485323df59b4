"""Files of tournaments that were asked for on the command line."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.tournament.writing import tournament_text

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def test_what_a_file_looks_like() -> None:
    assert tournament_text({"seed": 3, "move_time": None, "sandbox": True}, [("a", "node my.js"), ("b", "x")]) == (
        "seed = 3\n"
        "sandbox = true\n"
        "\n"
        "[[bots]]\n"
        'name = "a"\n'
        'command = "node my.js"\n'
        "\n"
        "[[bots]]\n"
        'name = "b"\n'
        'command = "x"\n'
    )


@given(
    st.dictionaries(st.sampled_from(["seed", "games", "x"]), TEXT | st.integers(0, 2**53) | st.booleans() | st.none()),
    st.lists(st.tuples(TEXT, TEXT), min_size=1),
)
def test_any_text_comes_back_from_the_file(fields: dict[str, str | int | None], bots: list[tuple[str, str]]) -> None:
    read = tomllib.loads(tournament_text(fields, bots))
    assert read.pop("bots") == [{"name": name, "command": command} for name, command in bots]
    assert read == {name: value for name, value in fields.items() if value is not None}
