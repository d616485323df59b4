"""What the commands that look at files have in common: two formats, and a verdict for each file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

import click
import msgspec

from mexica_cli.games.game import RuleError
from mexica_cli.view.jsonl import Output

__all__ = ["Output", "check_files", "format_option", "print_line"]

CANT_BE_USED = 2

format_option = click.option(
    "--format", "format_", type=click.Choice(["table", "jsonl"]), default="table", show_default=True, help="Output."
)


class CheckOutput(Output, frozen=True, kw_only=True, tag="check"):
    """Whether a file can be used."""

    file: str
    ok: bool
    verdict: str
    """What it holds; or file, place, what is wrong and what would be right."""


def print_line(output: msgspec.Struct) -> None:
    """A JSON line on standard output."""
    sys.stdout.buffer.write(msgspec.json.encode(output) + b"\n")


def check_files(files: Iterable[str], look: Callable[[str], str], format_: str) -> int:
    """Print a verdict on each file, wrong ones as errors; the exit code. `look` raises RuleError."""
    verdicts = [_check(file, look) for file in files]
    for verdict in verdicts:
        if format_ == "jsonl":
            print_line(verdict)
        elif verdict.ok:
            click.echo(f"ok: {verdict.file}: {verdict.verdict}")
        else:
            click.echo(f"Error: {verdict.verdict}", err=True)
    return 0 if all(verdict.ok for verdict in verdicts) else CANT_BE_USED


def _check(file: str, look: Callable[[str], str]) -> CheckOutput:
    try:
        return CheckOutput(file=file, ok=True, verdict=look(file))
    except RuleError as error:
        return CheckOutput(file=file, ok=False, verdict=str(error))
