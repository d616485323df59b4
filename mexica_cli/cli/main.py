"""The command `mexica`: finds the subcommand, and turns whatever ends it into an exit code.

Exit codes: 0 done, 1 something failed or is unfinished, 2 wrong usage (a rule set or board that can't be used is that
too), 130 interrupted by the keyboard.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from mexica_cli import __version__

COMMANDS = {
    "board": "Boards shown, looked over, and made.",
    "cards": "The cards of Moctezuma.",
    "check": "Does a bot speak the protocol?",
    "connect": "Bring a bot to a server.",
    "engine": "The rules as a service: JSON lines on stdin and stdout.",
    "log": "Verify, show, copy or analyse game logs.",
    "match": "Let bots play against each other.",
    "play": "Play against bots, in the terminal.",
    "rate": "Ratings and all other statistics of any game logs.",
    "replay": "Go through a logged game, in the terminal.",
    "rules": "What rule sets say, and how they differ.",
    "serve": "A server where bots meet at tables.",
    "status": "How a server does.",
    "tournament": "Play a tournament, go on with it, look at it.",
    "view": "Games as a page for a browser, or a position as a picture.",
    "watch": "Follow a server's matches in the terminal.",
}
"""Subcommand and its line in `--help`. Each is the object of its name in the module of its name, beside this one."""

INTERRUPTED = 130

EPILOG = """
\b
Examples:
  mexica match random greedy --games 4 --seed 1 --log games.jsonl
  mexica log verify games.jsonl
  mexica engine < requests.jsonl

\b
Each command has its own --help.
"""


class LazyGroup(click.Group):
    """A group that imports a subcommand only when it runs: an `engine` never pays for trio, nor `--help` for any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"mexica_cli.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The same list as click's, without importing the commands for it."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mexica", message="%(prog)s %(version)s")
def cli() -> None:
    """An arena in which programs play Mexica and Moctezuma over a line protocol."""
    # The words of the command line are the context's `obj`: what can be gone on with later says how, in the same words.


def main() -> NoReturn:
    """The entry point."""
    _open_streams()
    sys.exit(run(sys.argv[1:]))


def _open_streams() -> None:
    """Let streams that the shell has closed (`>&-`) read nothing and write nowhere.

    First of all, so that no file that is opened later gets their numbers.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(opened, True)
            setattr(sys, name, os.fdopen(opened, "w" if number else "r", encoding="utf-8"))


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code. What goes wrong with it is said on stderr in a sentence."""
    try:
        code = cli.main(arguments, prog_name="mexica", standalone_mode=False, obj=tuple(arguments))
        sys.stdout.flush()
    except BaseException as error:
        if (ended := _code_of(_inside(error))) is None:
            raise
        return ended
    return code if isinstance(code, int) else 0


def _code_of(error: BaseException) -> int | None:
    """The exit code of what ended a command, once it is said; None for what is no affair of the person at the shell."""
    match error:
        case click.ClickException():
            error.show()
            return error.exit_code
        case click.Abort() | KeyboardInterrupt():
            return INTERRUPTED
        case BrokenPipeError():
            return _reader_gone()
        case OSError():
            return _fail(_sentence(error), 1)
        case Exception() if _is_rule_error(error):
            return _fail(str(error), 2)
    return None


def _fail(message: str, code: int) -> int:
    click.echo(f"Error: {message}", err=True)
    return code


def _reader_gone() -> int:
    """Whoever read our output (`| head`) has seen enough: end without a word, also when Python flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _sentence(error: OSError) -> str:
    from mexica_cli.games.tomlfile import sentence  # noqa: PLC0415 (as below)

    return sentence(error)


def _inside(error: BaseException) -> BaseException:
    """What went wrong, out of the groups that nurseries wrap around it."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _is_rule_error(error: Exception) -> bool:
    """Asked only once something was raised, so that start-up doesn't load the games."""
    from mexica_cli.games.game import RuleError  # noqa: PLC0415

    return isinstance(error, RuleError)
