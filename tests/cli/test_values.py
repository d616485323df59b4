"""Values on the command line."""

from __future__ import annotations

from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.cli.values import Bank, Duration, Setting


def refusal(kind: click.ParamType[Any], value: str) -> str:
    """The sentence for a value that can't be used."""
    with pytest.raises(click.BadParameter) as caught:
        kind.convert(value, None, None)
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2", 2.0),
        ("0", 0.0),
        ("2.", 2.0),
        ("2.5", 2.5),
        (".5", 0.5),
        ("2s", 2.0),
        ("500ms", 0.5),
        ("1.5m", 90.0),
        ("1h", 3600.0),
    ],
)
def test_times(text: str, seconds: float) -> None:
    assert Duration().convert(text, None, None) == seconds


@pytest.mark.parametrize(
    "text", ["", "s", ".", "-1", "+1", "1 s", "1S", "1e3", "1d", "1:30", "ten", "1s2s", "1,5", "nan", "inf"]
)
def test_what_is_no_time(text: str) -> None:
    reason = f"{text!r} is no time; write seconds (2, 0.5) or a unit: 500ms, 2s, 1m"
    assert refusal(Duration(), text) == reason


@given(st.integers(0, 10_000_000))
def test_milliseconds_are_kept_to_the_last(milliseconds: int) -> None:
    texts = [f"{milliseconds}ms", f"{milliseconds / 1000:.3f}", f"{milliseconds / 1000:.3f}s"]
    assert {round(Duration().convert(text, None, None) * 1000, 6) for text in texts} == {milliseconds}


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("300", (300.0, 0.0)),
        ("60+0.5", (60.0, 0.5)),
        ("5m+2s", (300.0, 2.0)),
        ("500ms+10ms", (0.5, 0.01)),
        ("60+0", (60.0, 0.0)),
    ],
)
def test_banks_with_increments(text: str, pair: tuple[float, float]) -> None:
    assert Bank().convert(text, None, None) == pytest.approx(pair)


@pytest.mark.parametrize(("text", "part"), [("", ""), ("+1", ""), ("60+x", "x"), ("60+1+1", "1+1"), ("60-1", "60-1")])
def test_what_is_no_bank(text: str, part: str) -> None:
    assert refusal(Bank(), text).startswith(f"{part!r} is no time; ")


@pytest.mark.parametrize(
    ("text", "pair"),
    [("stall_rounds=0", ("stall_rounds", "0")), ("a=b=c", ("a", "b=c")), ("a=", ("a", "")), ("a= b", ("a", " b"))],
)
def test_settings(text: str, pair: tuple[str, str]) -> None:
    assert Setting().convert(text, None, None) == pair


@pytest.mark.parametrize("text", ["", "stall", "=0", "="])
def test_what_is_no_setting(text: str) -> None:
    assert refusal(Setting(), text) == f"{text!r} is no option; write FIELD=VALUE, as in stall_rounds=0"


@pytest.mark.parametrize(("kind", "value"), [(Duration(), 2.5), (Bank(), (60.0, 0.5)), (Setting(), ("a", "b"))])
def test_a_default_is_taken_as_it_is(kind: click.ParamType[Any], value: object) -> None:
    assert kind.convert(value, None, None) == value


def test_a_command_line() -> None:
    """As click uses them: defaults, several settings, and the name of the option in the complaint."""

    @click.command()
    @click.option("--time", type=Bank())
    @click.option("--startup", type=Duration(), default=10.0)
    @click.option("--option", type=Setting(), multiple=True)
    def command(**given: object) -> dict[str, object]:
        return given

    words = ["--time", "1m+1s", "--option", "a=1", "--option", "b=2"]
    given = command.main(words, standalone_mode=False)
    assert given == {"time": (60.0, 1.0), "startup": 10.0, "option": (("a", "1"), ("b", "2"))}
    with pytest.raises(click.BadParameter) as caught:
        command.main(["--startup", "soon"], standalone_mode=False)
    assert "Invalid value for '--startup': 'soon' is no time" in caught.value.format_message()
