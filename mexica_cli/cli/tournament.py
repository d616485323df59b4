"""`mexica tournament`: many games by a plan, in the order of the plan, and what they say about the bots."""

from __future__ import annotations

from pathlib import Path

import click
import trio

from mexica_cli.arena.log import set_up_logging
from mexica_cli.cli.tournament_run import run
from mexica_cli.cli.tournament_site import (
    Site,
    directory_option,
    file_argument,
    format_option,
    notice,
    print_results,
    usage_errors,
)
from mexica_cli.tournament.config import Tournament
from mexica_cli.tournament.trial import Verdict, try_bot
from mexica_cli.view.console import clean

STDERR_LINES = 10
"""Of what a bot that failed its check wrote to standard error, so much is shown."""


@click.group()
def tournament() -> None:
    """Play a tournament, go on with it, look at it.

    A tournament is a TOML file and, beside it, a directory of the same name with its log. `run` goes on where the log
    stops.
    """


tournament.add_command(run)


@tournament.command()
@file_argument
@click.pass_context
def check(ctx: click.Context, /, file: Path) -> None:
    """Start every bot, let it play a few moves, and say what is wrong."""
    set_up_logging(verbose=False)
    site = Site(file, None)
    site.probe_sandbox()
    ctx.exit(trio.run(_check, site.tournament))


async def _check(plan: Tournament) -> int:
    code = 0
    for entrant in plan.entrants.values():
        verdict = await try_bot(plan, entrant)
        _print_verdict(verdict)
        code = 1 if verdict.faults else code
    return code


def _print_verdict(verdict: Verdict) -> None:
    click.echo(f"{verdict.bot}: {'; '.join(map(clean, verdict.faults)) or 'ok'}")
    if verdict.faults and verdict.stderr:
        for line in verdict.stderr.splitlines()[-STDERR_LINES:]:
            click.echo(f"    {clean(line)}")


@tournament.command()
@file_argument
@directory_option
@format_option
def status(file: Path, directory: Path | None, format_: str) -> None:
    """Say how far the tournament is, and whether it runs now."""
    site = Site(file, directory)
    notice("it runs now" if site.directory.is_running() else "it doesn't run now")
    print_results(site, format_, page=False)


@tournament.command()
@file_argument
@directory_option
@format_option
@click.pass_context
def report(ctx: click.Context, /, file: Path, directory: Path | None, format_: str) -> None:
    """Print the results, and write them to report.html."""
    ctx.exit(print_results(Site(file, directory), format_, page=True))


@tournament.command()
@file_argument
@directory_option
@click.pass_context
def stop(ctx: click.Context, /, file: Path, directory: Path | None) -> None:
    """Tell the run of another shell to finish its games and end."""
    pid = Site(file, directory).directory.stop()
    click.echo("it doesn't run" if pid is None else f"process {pid} finishes its games and ends", err=pid is None)
    ctx.exit(1 if pid is None else 0)


@tournament.command()
@file_argument
@directory_option
@click.option("--yes", is_flag=True, help="Don't ask.")
def reset(file: Path, directory: Path | None, yes: bool) -> None:
    """Forget everything that was played."""
    site = Site(file, directory)
    with usage_errors(), site.directory.claimed():
        if not yes:
            _confirm(f"Delete {site.directory.log} and all that belongs to it?")
        site.directory.reset()


def _confirm(question: str) -> None:
    """Raises ClickException where the answer isn't yes, or there is none."""
    try:
        sure = click.confirm(question, err=True)
    except click.Abort:  # also at the end of input
        click.echo(err=True)
        sure = False
    if not sure:
        raise click.ClickException("nothing is deleted; --yes does it without asking")
