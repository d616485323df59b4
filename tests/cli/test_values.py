"""Values on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.cli.main import cli, run
from mexica_cli.cli.values import OUT_FILE, Bank, Duration, FileName, Setting


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


# ---- names of files --------------------------------------------------------------------------------------------------

FILES = re.compile(r"\b(FILE|DIR|LOG)\b")
"""In a metavar."""


NAMES = {"mexica board check: files", "mexica rules check: files", "mexica tournament run: words"}
"""What may be a name of something else, as what says NAME|FILE may: an empty one is no such name."""


def parameters(command: click.Command, name: str) -> Iterator[tuple[str, click.Parameter]]:
    """All options and arguments, with the words of their commands."""
    for parameter in command.params:
        yield name, parameter
    if isinstance(command, click.Group):
        with click.Context(command) as ctx:
            for word in command.list_commands(ctx):
                inner = command.get_command(ctx, word)
                assert inner is not None
                yield from parameters(inner, f"{name} {word}")


def test_whatever_takes_a_file_refuses_an_empty_name() -> None:
    found = set()
    for name, parameter in parameters(cli, "mexica"):
        what = f"{name}: {parameter.name}"
        if isinstance(parameter.type, click.Path | click.File) or FILES.search(parameter.metavar or ""):
            if what in NAMES or "NAME|" in (parameter.metavar or ""):
                continue
            assert type(parameter.type) is FileName, what
            with pytest.raises(click.BadParameter, match=r"^the name is empty; give that of a (file|folder)$"):
                parameter.type.convert("", parameter, None)
            found.add(what)
    assert {"mexica match: log", "mexica view: output", "mexica serve: config", "mexica log filter: out"} <= found
    assert len(found) > 30


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("match random random --log", "'--log': the name is empty; give that of a file"),
        ("match random random --stderr-dir", "'--stderr-dir': the name is empty; give that of a folder"),
        ("play random --log", "'--log': the name is empty; give that of a file"),
        ("serve --data", "'--data': the name is empty; give that of a folder"),
        ("view -o", "'-o' / '--output': the name is empty; give that of a file"),
        ("tournament run random x=random --games 2 --name", "'--name': the name is empty; give that of a file"),
    ],
)
def test_an_empty_name_is_wrong_usage(
    words: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*words.split(), ""]) == 2
    assert f"Invalid value for {what}\n" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", ["match random random --board", "match random random --rules", "rules diff help"])
def test_nothing_has_an_empty_name(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words.split(), ""]) == 2
    assert re.search("there is no (board|rule set) or file ''", capsys.readouterr().err)


def test_names_of_files_that_are_none_yet_pass(tmp_path: Path) -> None:
    assert FileName(path_type=Path).convert("a b", None, None) == Path("a b")
    assert OUT_FILE.convert("-", None, None) == "-"
    assert refusal(OUT_FILE, str(tmp_path)) == f"File {str(tmp_path)!r} is a directory."


def test_a_file_may_be_written_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log").touch()
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert OUT_FILE.convert(str(tmp_path / "log"), None, None) == str(tmp_path / "log")
