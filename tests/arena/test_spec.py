"""What a BOT on the command line means."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import mexica_cli
from mexica_cli.arena.spec import Command, Listen, SpecError, compiled_bots, parse_spec, parse_specs, reference_bots
from mexica_cli.record.lines import BotRecord


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program(path: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    """A file, executable unless told otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def argv(text: str) -> tuple[str, ...]:
    """The command of a BOT that is one."""
    launch = parse_spec(text).launch
    assert isinstance(launch, Command)
    return launch.argv


def name(text: str) -> str:
    return parse_spec(text).name


def refusal(text: str) -> str:
    with pytest.raises(SpecError) as caught:
        parse_spec(text)
    return str(caught.value)


# ---- reference bots --------------------------------------------------------------------------------------------------


def test_the_reference_bots_of_this_checkout(root: Path) -> None:
    assert reference_bots()["random"] == root / "bots" / "random" / "bot.py"


def test_a_reference_bot_with_its_options() -> None:
    spec = parse_spec("random --seed 3")
    assert spec.launch == Command((sys.executable, str(reference_bots()["random"]), "--seed", "3"))
    assert (spec.name, spec.text) == ("random", "random --seed 3")


@pytest.fixture(params=["checkout", "installed"])
def layout(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of bots where a checkout, or an installed package, has it; `alpha` and `beta` are in it."""
    package = program(tmp_path / "top" / "mexica_cli" / "__init__.py").parent
    bots = package.parent / "bots" if request.param == "checkout" else package / "bots"
    if request.param == "installed":
        program(package.parent / "bots" / "foreign" / "bot.py")
    program(bots / "beta" / "bot.py", mode=0o644)
    program(bots / "alpha" / "bot.py", mode=0o644)
    program(bots / "README.md")
    (bots / "half").mkdir()
    monkeypatch.setattr(mexica_cli, "__file__", str(package / "__init__.py"))
    return bots


def test_reference_bots_are_found_where_they_are(layout: Path) -> None:
    assert list(reference_bots().items()) == [
        ("alpha", layout / "alpha" / "bot.py"),
        ("beta", layout / "beta" / "bot.py"),
    ]
    assert argv("alpha") == (sys.executable, str(layout / "alpha" / "bot.py"))
    assert "a bot is one of alpha, beta, a path," in refusal("gamma")


def test_all_files_of_a_reference_bot_make_it_up(layout: Path) -> None:
    before = parse_spec("alpha").sha256
    program(layout / "alpha" / "weights.txt", "1 2 3")
    assert parse_spec("alpha").sha256 != before


@pytest.mark.parametrize("bot", ["alpha", "./bot.py", "python3 bot.py"])
def test_shared_tactics_make_up_the_bots_that_import_them(layout: Path, here: Path, bot: str) -> None:
    tactics = program(Path(mexica_cli.__file__).parent / "tactics" / "some" / "ways.py", "one", 0o644)
    alone = "from mexica_cli.client import Bot"
    for path in (layout / "alpha" / "bot.py", here / "bot.py"):
        program(path, alone)
    before = parse_spec(bot).sha256
    program(tactics, "two", 0o644)
    assert parse_spec(bot).sha256 == before
    for path in (layout / "alpha" / "bot.py", here / "bot.py"):
        program(path, alone + "\nfrom mexica_cli.tactics.some.ways import Way")
    before = parse_spec(bot).sha256
    program(tactics, "three", 0o644)
    assert parse_spec(bot).sha256 != before


def makefile(folder: Path, rule: str) -> None:
    program(folder / "Makefile", f"CXX ?= g++\n\n{rule}\n\tg++ main.cpp\n", mode=0o644)


def test_a_compiled_bot_is_named_like_any_other_once_it_is_built(layout: Path) -> None:
    makefile(layout / "gamma", "gamma: main.cpp")
    built = program(layout / "gamma" / "gamma")
    assert compiled_bots() == {"gamma": built}
    spec = parse_spec("gamma --nodes 5")
    assert (spec.launch, spec.name) == (Command((str(built), "--nodes", "5")), "gamma")
    assert "a bot is one of alpha, beta, gamma, a path," in refusal("delta")


def test_a_compiled_bot_that_is_not_built_says_how(layout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    makefile(layout / "gamma", "gamma : main.cpp")
    assert refusal("gamma") == f"bot 'gamma' must be built before it plays: make -C {layout}/gamma"
    monkeypatch.chdir(layout.parent)
    assert refusal("gamma --nodes 5") == "bot 'gamma' must be built before it plays: make -C bots/gamma"


def test_a_makefile_for_something_else_makes_no_compiled_bot(layout: Path) -> None:
    makefile(layout / "gamma", "bot: main.cpp")
    program(layout / "gamma" / "gamma")
    assert compiled_bots() == {}
    assert "a bot is one of alpha, beta, a path," in refusal("gamma")


def test_the_program_makes_up_a_compiled_bot_and_its_sources_do_not(layout: Path) -> None:
    makefile(layout / "gamma", "gamma: main.cpp")
    built = program(layout / "gamma" / "gamma", "one")
    before = parse_spec("gamma").sha256
    program(layout / "gamma" / "main.cpp", "int main() {}")
    assert parse_spec("gamma").sha256 == before
    program(built, "two")
    assert parse_spec("gamma").sha256 != before


def test_without_any_bots_a_path_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mexica_cli, "__file__", str(tmp_path / "mexica_cli" / "__init__.py"))
    assert reference_bots() == {}
    assert argv(str(program(tmp_path / "bot"))) == (str(tmp_path / "bot"),)


# ---- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["./bot", "{here}/bot", "sub/../bot"])
def test_a_path_to_a_program(here: Path, text: str) -> None:
    program(here / "bot")
    (here / "sub").mkdir()
    (path,) = argv(text.format(here=here))
    assert Path(path).is_absolute()
    assert Path(path).samefile(here / "bot")
    assert name(text.format(here=here)) == "bot"


def test_a_path_with_spaces(here: Path) -> None:
    path = program(here / "my bots" / "the bot")
    assert argv("'my bots/the bot' --fast") == (str(path), "--fast")
    assert argv(r"my\ bots/the\ bot") == (str(path),)
    assert name("'my bots/the bot'") == "the_bot"


def test_home_is_known(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here))
    path = program(here / "bot")
    script = program(here / "bot.py", mode=0o644)
    assert argv("~/bot") == (str(path),)
    assert argv("~/bot.py") == (sys.executable, str(script))
    before = parse_spec("~/bot.py").sha256
    program(script, "print()")
    assert parse_spec("~/bot.py").sha256 != before


@pytest.mark.parametrize("text", ["bot.py", "./bot.py", "{here}/bot.py"])
@pytest.mark.parametrize("mode", [0o644, 0o755])
def test_a_python_file_runs_under_this_python(here: Path, text: str, mode: int) -> None:
    program(here / "bot.py", mode=mode)
    python, path, option = argv(text.format(here=here) + " -v")
    assert (python, option) == (sys.executable, "-v")
    assert Path(path).samefile(here / "bot.py")
    assert name(text.format(here=here)) == "bot"


def test_a_command_is_found_on_the_path(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(here / "bin" / "engine")
    monkeypatch.setenv("PATH", str(here / "bin"))
    assert argv("engine --depth 3") == (str(path), "--depth", "3")
    assert name("engine --depth 3") == "engine"


def test_a_command_of_the_path_comes_before_what_lies_in_the_folder(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program(here / "bin" / "engine")
    monkeypatch.setenv("PATH", str(here / "bin"))
    (here / "engine").mkdir()
    assert argv("engine") == (str(path),)
    (here / "engine").rmdir()
    program(here / "engine", mode=0o644)
    assert argv("engine") == (str(path),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python3 my.py --fast", "my"),
        ("python3 -u my.py", "my"),
        ("/usr/bin/env python3 my.py", "my"),
        ("python3 -c 'print(1)'", "python3"),
        ("cat my.py", "cat"),
    ],
)
def test_the_script_names_what_an_interpreter_runs(here: Path, text: str, expected: str) -> None:
    program(here / "my.py")
    assert name(text) == expected


def test_a_word_too_long_for_a_file_name_is_no_file(here: Path) -> None:
    script = "x" * 5000
    assert argv(f"python3 -c '{script}'")[2] == script
    assert refusal(script).startswith("there is no bot, file or command")


# ---- what can't be run -----------------------------------------------------------------------------------------------


def test_a_program_that_is_not_executable(here: Path) -> None:
    program(here / "bot.js", mode=0o644)
    assert refusal("./bot.js") == (
        "bot './bot.js' is not executable; `chmod +x ./bot.js`, or name what runs it: 'node ./bot.js'"
    )
    assert refusal("bot.js").startswith("bot 'bot.js' is not executable")


def test_a_program_in_the_folder_needs_its_dot(here: Path) -> None:
    program(here / "bot")
    assert refusal("bot --fast") == "bot 'bot' is a file here, but no command; write './bot'"


@pytest.mark.parametrize("text", ["./sub", "sub", "sub/ --fast"])
def test_a_folder(here: Path, text: str) -> None:
    (here / "sub").mkdir()
    assert refusal(text) == f"bot {text.split(maxsplit=1)[0]!r} is a folder; name the program in it"


@pytest.mark.parametrize("text", ["./none", "nowhere/none.py", "none-such-command --x", "champion=none-such-command"])
def test_nothing_of_that_name(here: Path, text: str) -> None:
    first = text.removeprefix("champion=").split()[0]
    names = ", ".join(sorted({*reference_bots(), *compiled_bots()}))
    assert refusal(text) == (
        f"there is no bot, file or command {first!r}; a bot is one of {names}, a path, "
        "a command line in quotes, name=command, or listen:PORT"
    )


@pytest.mark.parametrize("text", ["", "  ", "''"])
def test_no_words_at_all(here: Path, text: str) -> None:
    assert "; a bot is one of " in refusal(text)


@pytest.mark.parametrize("text", ["random --x \udce9", "\udce9=random"])
def test_bytes_that_are_no_text(here: Path, text: str) -> None:
    with pytest.raises(SpecError, match=r"\\udce9.* is no text in UTF-8"):
        parse_spec(text)


@pytest.mark.parametrize("text", ["'./bot", 'x="./bot', "./bot \\"])
def test_quotes_that_do_not_close(here: Path, text: str) -> None:
    assert refusal(text).startswith(f"bot {text!r} can't be split into words: No ")


# ---- names -----------------------------------------------------------------------------------------------------------


def test_a_name_goes_before_an_equals_sign(here: Path) -> None:
    program(here / "bot")
    spec = parse_spec("champion=./bot --level=3")
    assert (spec.name, spec.text) == ("champion", "./bot --level=3")
    assert argv("champion=./bot --level=3")[1:] == ("--level=3",)


@pytest.mark.parametrize("given", ["a", "a#2", "v1.2-rc+3", "münze", "x" * 64])
def test_names_that_are_kept(here: Path, given: str) -> None:
    assert name(f"{given}=python3") == given


def test_a_long_name_is_cut(here: Path) -> None:
    assert name("x" * 80 + "=python3") == "x" * 64


def test_an_equals_sign_within_a_command_gives_no_name(here: Path) -> None:
    program(here / "a=b")
    assert name("./a=b --c=d") == "a_b"
    assert name("python3 --level=3") == "python3"


def test_doubles_get_a_number() -> None:
    assert [spec.name for spec in parse_specs(["random"] * 3)] == ["random", "random#2", "random#3"]


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["a=random", "a#2=random", "a=random"], ["a", "a#2", "a#3"]),
        (["a=random", "a=random", "a#2=random"], ["a", "a#2", "a#2#2"]),
        (["a#2=random", "a=random", "a=random"], ["a#2", "a", "a#3"]),
        (["a=random", "a=random --seed 2", "b=random"], ["a", "a#2", "b"]),
    ],
)
def test_numbers_keep_clear_of_names_that_were_given(texts: list[str], names: list[str]) -> None:
    assert [spec.name for spec in parse_specs(texts)] == names


# ---- listening -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "host", "port", "expected"),
    [
        ("listen:7325", "127.0.0.1", 7325, "port7325"),
        ("listen:0", "127.0.0.1", 0, "port0"),
        ("listen:0.0.0.0:80", "0.0.0.0", 80, "port80"),
        ("guest=listen:7325", "127.0.0.1", 7325, "guest"),
        (" listen:65535 ", "127.0.0.1", 65535, "port65535"),
    ],
)
def test_listening(text: str, host: str, port: int, expected: str) -> None:
    spec = parse_spec(text)
    assert spec.launch == Listen(host, port)
    assert spec.name == expected
    assert spec.text == text.strip().removeprefix("guest=")


def test_there_is_no_such_port() -> None:
    assert refusal("listen:65536") == "'listen:65536': a port is a number up to 65535"


@pytest.mark.parametrize("text", ["listen", "listen:", "listen:port", "listen:-1"])
def test_what_only_looks_like_listening(here: Path, text: str) -> None:
    assert "listen:PORT" in refusal(text)


# ---- the hash --------------------------------------------------------------------------------------------------------


def test_the_hash_is_of_the_words_and_of_what_the_files_among_them_hold(here: Path) -> None:
    program(here / "my.py", "one")
    program(here / "book.txt", "one")
    texts = ["python3 my.py", "python3 my.py --fast", "python3 my.py book.txt", "./my.py", "sh my.py"]
    hashes = [parse_spec(text).sha256 for text in texts]
    assert len(set(hashes)) == len(texts)
    assert all(len(found) == 64 for found in hashes)
    assert [parse_spec(text).sha256 for text in texts] == hashes
    program(here / "book.txt", "two")
    assert [parse_spec(text).sha256 == before for text, before in zip(texts, hashes, strict=True)] == [
        True,
        True,
        False,
        True,
        True,
    ]
    program(here / "my.py", "two")
    assert all(parse_spec(text).sha256 != before for text, before in zip(texts, hashes, strict=True))


def test_the_hash_does_not_know_the_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["./my.py --x", "./engine", "python3 my.py", "random", "listen:7325"]
    hashes = []
    for folder in ("a", "b"):
        program(here / folder / "my.py", "one")
        program(here / folder / "engine", "one")
        monkeypatch.chdir(here / folder)
        hashes.append([parse_spec(text).sha256 for text in texts])
    assert hashes[0] == hashes[1]


def test_the_name_does_not_change_the_hash() -> None:
    assert parse_spec("a=random").sha256 == parse_spec("b=random").sha256


def test_a_command_found_on_the_path_is_hashed_by_its_content(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(here / "engine", "one")
    monkeypatch.setenv("PATH", str(here))
    before = parse_spec("engine").sha256
    program(here / "engine", "two")
    assert parse_spec("engine").sha256 != before


def test_the_log_holds_the_words_and_the_hash(here: Path) -> None:
    program(here / "bot")
    spec = parse_spec("champion=./bot --fast")
    assert spec.record() == BotRecord(name="champion", command="./bot --fast", sha256=spec.sha256)
