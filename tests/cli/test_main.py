"""How the command line starts and ends."""

from __future__ import annotations

import errno
import shlex
import subprocess
import sys
from collections.abc import Callable

import click
import pytest

from mexica_cli import __version__
from mexica_cli.cli import main
from mexica_cli.games.game import RuleError

MEXICA = [sys.executable, "-m", "mexica_cli"]


def mexica(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MEXICA, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException | None], int]:
    """Runs a command that ends in an exception, and returns the exit code."""

    def run(error: BaseException | None) -> int:
        @click.command()
        def command() -> None:
            if error is not None:
                raise error

        monkeypatch.setattr(main.LazyGroup, "get_command", lambda *_: command)
        return main.run(["match"])

    return run


def test_version() -> None:
    result = mexica("--version")
    assert (result.returncode, result.stdout) == (0, f"mexica {__version__}\n")


def test_help_names_every_command() -> None:
    result = mexica("--help")
    assert result.returncode == 0
    assert all(f"  {name} " in result.stdout for name in main.COMMANDS)


@pytest.mark.parametrize("name", sorted(main.COMMANDS))
def test_every_command_has_help(name: str) -> None:
    result = mexica(name, "--help")
    assert result.returncode == 0, result.stderr
    assert f"Usage: mexica {name}" in result.stdout


@pytest.mark.parametrize("name", ["board", "log", "rules", "tournament"])
def test_no_line_of_a_list_of_commands_is_cut_short(name: str) -> None:
    assert "..." not in mexica(name, "--help").stdout.partition("Commands:")[2]


@pytest.mark.parametrize("arguments", [[], ["nosuch"], ["--nosuch"], ["engine", "extra"]])
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    result = mexica(*arguments)
    assert result.returncode == 2
    assert "Usage: mexica" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["engine"]])
def test_start_up_loads_only_what_it_needs(arguments: list[str]) -> None:
    """Every bot and every pipe pays for what is imported here."""
    script = (
        f"import sys\nfrom mexica_cli.cli.main import run\nrun({arguments})\n"
        "sys.exit(', '.join({'trio', 'rich', 'structlog', 'asyncio'} & sys.modules.keys()) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (None, 0, ""),
        (RuleError("help.toml, line 3: `ap` must be a number"), 2, "Error: help.toml, line 3: `ap` must be a number\n"),
        (click.UsageError("a match needs two bots"), 2, "Error: a match needs two bots\n"),
        (click.ClickException("2 games failed"), 1, "Error: 2 games failed\n"),
        (FileNotFoundError(errno.ENOENT, "No such file", "a.jsonl"), 1, "Error: a.jsonl: No such file\n"),
        (OSError("no room"), 1, "Error: no room\n"),
    ],
)
def test_what_ends_a_command_becomes_an_exit_code(
    ending: Callable[[BaseException | None], int],
    capsys: pytest.CaptureFixture[str],
    error: BaseException | None,
    code: int,
    message: str,
) -> None:
    assert ending(error) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith(message)
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), BaseExceptionGroup("nursery", [BaseExceptionGroup("inner", [KeyboardInterrupt()])])]
)
def test_ctrl_c_is_130(ending: Callable[[BaseException | None], int], error: BaseException) -> None:
    assert ending(error) == 130


def test_a_fault_of_ours_beside_ctrl_c_keeps_its_traceback(ending: Callable[[BaseException | None], int]) -> None:
    with pytest.raises(BaseExceptionGroup):
        ending(BaseExceptionGroup("nursery", [KeyboardInterrupt(), ZeroDivisionError()]))


def test_a_fault_of_ours_keeps_its_traceback(ending: Callable[[BaseException | None], int]) -> None:
    with pytest.raises(ZeroDivisionError):
        ending(ZeroDivisionError())


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["cards devoto", "board show nosuch", "engine"])
def test_streams_that_the_shell_has_closed(closed: str, words: str) -> None:
    command = f"{shlex.join(MEXICA)} {words} {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == (2 if "nosuch" in words else 0)
    assert "Traceback" not in done.stderr
    assert bool(done.stderr) == ("nosuch" in words and "2>" not in closed)


def test_a_reader_that_went_away_gets_no_complaint() -> None:
    """As in `mexica --help | true`, with the pipe surely closed before anything is written."""
    process = subprocess.Popen(
        [*MEXICA, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, errors = process.communicate(b'{"cmd":"legal"}\n')
    assert (process.returncode, errors) == (1, b"")
