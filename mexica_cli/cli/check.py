"""`mexica check`: does a bot speak the protocol?"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click
import trio
from rich.console import Console

from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import set_up_logging
from mexica_cli.check.catalogue import CHECKS
from mexica_cli.check.check import Check
from mexica_cli.check.dialogue import Spoken
from mexica_cli.check.finding import Finding, Verdict
from mexica_cli.check.report import ASCII_MARKS, MARKS, check_text, finding_text, summary, untried_text
from mexica_cli.check.runner import run_checks
from mexica_cli.check.setting import Setting
from mexica_cli.cli.bots import named_bots
from mexica_cli.cli.game_options import chosen_game, game_options
from mexica_cli.cli.output import Output, format_option, print_line
from mexica_cli.cli.values import Duration
from mexica_cli.view.console import console_for

JOBS = min(2, os.cpu_count() or 1)
SEED = 1


class CheckOutput(Output, frozen=True, kw_only=True, tag="check"):
    """A check that is over, for programs."""

    name: str
    verdict: Verdict
    reason: str
    anchor: str
    words: str
    dialogue: list[Spoken]
    stderr: str
    seconds: float


class SummaryOutput(Output, frozen=True, kw_only=True, tag="summary"):
    """The last line, for programs."""

    bot: str
    command: str
    game: str
    rules: str
    players: int
    seed: int
    verdicts: dict[Verdict, int]


@click.command(context_settings={"show_default": True})
@click.argument("bot", required=False)
@game_options
@click.option("--seats", type=click.IntRange(1), default=2, metavar="N", help="Seats in most matches.")
@click.option("--seed", type=click.IntRange(0), default=SEED, help="All chance follows from it.")
@click.option("--move-time", type=Duration(positive=True), default="1s", help="Time for a turn.")
@click.option("--startup", type=Duration(positive=True), default="10s", help="Time to start and join.")
@click.option("--ready", type=Duration(positive=True), default="10s", help="Time to get ready, and for a pong.")
@click.option("--quit", "quit_", type=Duration(), default="2s", help="Time to leave.")
@click.option("--memory", type=click.IntRange(0), default=2048, metavar="MIB", help="Memory of the bot; 0: any.")
@click.option("--sandbox", is_flag=True, help="Shut the bot off from network and files, with bubblewrap.")
@click.option("--jobs", type=click.IntRange(1), default=JOBS, metavar="N", help="Checks at a time.")
@click.option("--only", multiple=True, metavar="NAME", help="Do this check alone; may be given again.")
@click.option("--list", "list_", is_flag=True, help="Explain every check, and do none.")
@format_option
@click.option("-v", "--verbose", is_flag=True, help="Say on standard error what the arena does.")
@click.pass_context
def check(ctx: click.Context, /, **given: Any) -> None:
    """Does a bot speak the protocol?

    Starts BOT some forty times, plays the arena, odd moments included, and says what is wrong and where
    protocol/PROTOCOL.md says so. A BOT is what `mexica match` takes: a reference bot, a program, a command line in
    quotes, or listen:PORT for one that connects, and does so again whenever it was sent away.

    Exit codes: 0 nothing failed, 1 something did, 2 wrong usage.
    """
    set_up_logging(verbose=given["verbose"])
    checks = _chosen(given["only"])
    if given["list_"]:
        click.echo("\n\n".join(map(check_text, checks)))
        return
    if given["bot"] is None:
        raise click.UsageError("name the BOT to be checked, as in: mexica check ./my_bot.py")
    ctx.exit(_run(_setting(given), checks, given["jobs"], given["format_"]))


def _chosen(names: Sequence[str]) -> list[Check]:
    known = [check.name for check in CHECKS]
    if unknown := [name for name in names if name not in known]:
        raise click.UsageError(f"there is no check {unknown[0]!r}; there are {', '.join(known)}")
    return [check for check in CHECKS if not names or check.name in names]


def _setting(given: dict[str, Any]) -> Setting:
    game = chosen_game(given)
    least, most = game.seats
    if not least <= given["seats"] <= most:
        raise click.UsageError(f"{game.name} has {least} to {most} seats, not {given['seats']}")
    for players in {given["seats"], most}:
        game.deal(players, seed=0)  # a board with no room for the set-up is refused before any bot is started
    (spec,) = named_bots([given["bot"]], sandbox=given["sandbox"])
    return Setting(
        spec=spec,
        game=game,
        players=given["seats"],
        seed=given["seed"],
        move=given["move_time"],
        limits=Limits(
            startup=given["startup"], ready=given["ready"], quit=given["quit_"], memory=given["memory"] << 20 or None
        ),
    )


def _run(setting: Setting, checks: Sequence[Check], jobs: int, format_: str) -> int:
    """Check, and print every finding as it comes; the exit code."""
    report = _print_json if format_ == "jsonl" else _print_text

    findings = trio.run(_check, setting, checks, report, jobs)
    if findings is None:
        raise click.Abort
    if format_ == "jsonl":
        print_line(_summary(setting, findings))
    else:
        _print_end(findings)
    return int(any(finding.verdict is Verdict.FAIL for finding in findings))


async def _check(
    setting: Setting, checks: Sequence[Check], report: Callable[[Finding], None], jobs: int
) -> list[Finding] | None:
    """All findings; None when it was interrupted. No bot is left either way."""
    findings = None
    async with trio.open_nursery() as nursery:
        await nursery.start(_watch_for_interrupt, nursery.cancel_scope)
        findings = await run_checks(setting, checks, report, jobs, lambda text: click.echo(text, err=True))
        nursery.cancel_scope.cancel()
    return findings


async def _watch_for_interrupt(
    scope: trio.CancelScope, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Cancel at Ctrl-C, or SIGTERM."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for _ in signals:
            scope.cancel()


def _print_text(finding: Finding) -> None:
    if finding.broken is None:
        console = console_for(sys.stdout)
        console.print(finding_text(finding, _marks(console)), soft_wrap=True)
        sys.stdout.flush()


def _print_end(findings: Sequence[Finding]) -> None:
    """What was not tried, all in one line, and the last sentence."""
    console = console_for(sys.stdout)
    if (untried := untried_text(findings, _marks(console))) is not None:
        console.print(untried, soft_wrap=True)
    console.print(summary(findings))


def _marks(console: Console) -> dict[Verdict, str]:
    return MARKS if (console.encoding or "").lower().startswith("utf") else ASCII_MARKS


def _print_json(finding: Finding) -> None:
    print_line(
        CheckOutput(
            name=finding.name,
            verdict=finding.verdict,
            reason=finding.reason,
            anchor=finding.source.anchor,
            words=finding.source.words,
            dialogue=finding.dialogue,
            stderr=finding.stderr,
            seconds=finding.seconds,
        )
    )
    sys.stdout.flush()


def _summary(setting: Setting, findings: Sequence[Finding]) -> SummaryOutput:
    return SummaryOutput(
        bot=setting.spec.name,
        command=setting.spec.text,
        game=setting.game.name,
        rules=setting.game.rules,
        players=setting.players,
        seed=setting.seed,
        verdicts={verdict: sum(finding.verdict is verdict for finding in findings) for verdict in Verdict},
    )
