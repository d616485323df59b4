"""`mexica tournament run`: plays what is missing of a tournament, in the order of its plan."""

from __future__ import annotations

import shlex
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import click
import trio

from mexica_cli.arena.faults import first_of
from mexica_cli.arena.interrupt import Interrupt
from mexica_cli.arena.log import set_up_logging
from mexica_cli.arena.spec import parse_specs
from mexica_cli.arena.tally import Tally
from mexica_cli.cli.tournament_site import (
    SUFFIX,
    Site,
    directory_option,
    format_option,
    notice,
    print_results,
    usage_errors,
)
from mexica_cli.cli.values import FileName, seed_or_new
from mexica_cli.games.tomlfile import sentence, struct_from
from mexica_cli.record.lines import ResultLine
from mexica_cli.record.writer import LogWriter
from mexica_cli.tournament.config import Tournament, make_tournament
from mexica_cli.tournament.directory import Played
from mexica_cli.tournament.executors import Executor, ExecutorError, dask_executor, local_executor
from mexica_cli.tournament.fields import TournamentFile
from mexica_cli.tournament.plan import planned_games
from mexica_cli.tournament.runner import RunFailed, Runner, can_come_back
from mexica_cli.tournament.writing import tournament_text
from mexica_cli.view.console import clean
from mexica_cli.view.live_table import live_table


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FILE.toml | BOT BOT...")
@click.option("--games", type=click.IntRange(1), metavar="N", help="Games in all (with bots instead of a file).")
@click.option("--seats", type=click.IntRange(1, 5), metavar="N", help="Seats of a game (with bots).  [default: 2]")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Master seed (with bots).  [default: a new one]")
@click.option("--move-time", metavar="TIME", help="Time for each turn (with bots).  [default: 10s]")
@click.option("--sandbox", is_flag=True, default=None, help="Shut bots off from network and files (with bots).")
@click.option(
    "--name",
    type=FileName(readable=False),
    help="Name of the file that is written (with bots).  [default: tournament-SEED]",
)
@directory_option
@click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Games at once.  [default: 1; with dask: all workers]"
)
@click.option("--no-affinity", is_flag=True, help="Don't keep each game and its bots on one CPU.")
@click.option("--retry", multiple=True, metavar="NAME", help="Let a bot that is out play again; may be repeated.")
@click.option("--executor", type=click.Choice(["local", "dask"]), default="local", show_default=True)
@click.option("--scheduler", metavar="ADDRESS", help="Of the dask cluster: tcp://HOST:PORT.")
@format_option
@click.option("-v", "--verbose", is_flag=True, help="Say on standard error what the arena does.")
@click.pass_context
def run(ctx: click.Context, /, words: tuple[str, ...], format_: str, verbose: bool, **given: Any) -> None:
    """Play what is missing, and print the results.

    With bots in place of a file, a round robin: the file is written first, so that you can go on with it.
    """
    set_up_logging(verbose=verbose)
    if (given["executor"] == "dask") != (given["scheduler"] is not None):
        raise click.UsageError("--executor dask and the --scheduler's address belong together; give both or none")
    site = Site(_file(words, given), given["directory"])
    site.probe_sandbox()
    _check_retry(site.tournament, given["retry"])
    with usage_errors(), site.directory.claimed():
        with site.directory.resume(site.tournament.header()) as writer:
            code = _Run(site, writer, given).run()
        code = print_results(site, format_, page=True, without_games=1) or code
    ctx.exit(code)


def _check_retry(plan: Tournament, names: Sequence[str]) -> None:
    """Raises click.UsageError where these bots can't be let in again."""
    if names and not can_come_back(plan):
        raise click.UsageError("--retry: the later rounds have followed from a bot's being out; reset")
    if unknown := set(names) - plan.entrants.keys():
        raise click.UsageError(f"--retry: there is no bot {min(unknown)!r}; there is {', '.join(plan.entrants)}")


def _file(words: tuple[str, ...], given: dict[str, Any]) -> Path:
    """The tournament's file, written here where bots are named instead."""
    if not any(word.endswith(SUFFIX) for word in words):
        return _write_file(words, given)
    if len(words) > 1:
        raise click.UsageError("name one tournament file and nothing else, or bots")
    for option in ("games", "seats", "seed", "move_time", "sandbox", "name"):
        if given[option] is not None:
            raise click.UsageError(f"--{option.replace('_', '-')} is for bots; with a file, write it there")
    if not Path(words[0]).is_file():
        raise click.UsageError(f"there is no file {words[0]!r}")
    return Path(words[0])


def _write_file(words: Sequence[str], given: dict[str, Any]) -> Path:
    """Write a file with these bots. Raises click.UsageError, and leaves none then."""
    if given["games"] is None:
        raise click.UsageError(f"how many --games? (or name a tournament file, which ends in {SUFFIX})")
    fields = {option: given[option] for option in ("games", "seats", "move_time", "sandbox") if given[option]}
    fields["seed"] = seed_or_new(given["seed"])
    with usage_errors():
        bots = [(spec.name, spec.text) for spec in parse_specs(words)]
        tables = [{"name": name, "command": command} for name, command in bots]
        make_tournament(struct_from(TournamentFile, {**fields, "bots": tables}))
    path = _new_file(given["name"] or f"tournament-{fields['seed']}")
    path.write_text(tournament_text(fields, bots), encoding="utf-8")
    notice(f"the tournament is written to {path}")
    return path


def _new_file(name: str) -> Path:
    if Path(name).name != name:
        raise click.UsageError(f"--name {name}: the file is written here; give a name without a folder")
    path = Path(name + SUFFIX)
    if path.exists():
        raise click.UsageError(f"{path} exists; go on with: mexica tournament run {path}, or give another --name")
    return path


class _Run:
    """One run under way."""

    def __init__(self, site: Site, writer: LogWriter, given: dict[str, Any]) -> None:
        self._site = site
        self._writer = writer
        self._given = given
        self._tally = Tally(site.tournament.entrants)
        self._left_out = ""
        """Which games of the plan are not to be played, and why; empty where all are."""

    def run(self) -> int:
        """Play; the exit code: 0 when all is played."""
        done, problem = False, ""
        played = self._site.directory.played()
        for game in played:
            self._count(game.seats, game.result)
        with live_table(sys.stderr, self._tally, planned_games(self._site.tournament)) as update:
            try:
                done = trio.run(self._run, played, update)
            except* (RunFailed, ExecutorError, OSError) as failures:
                problem = f"Error: {sentence(first_of(failures))}"
        if problem:
            notice(problem)
        if not done:
            notice(f"The tournament is not finished. Go on with:\n  {shlex.join(self._how_to_go_on())}")
        elif self._left_out:
            notice(self._left_out)
        return 0 if done and not self._left_out else 1

    async def _run(self, played: Sequence[Played], update: Callable[[], None]) -> bool:
        done = False

        def report(seats: Sequence[str], result: ResultLine) -> None:
            self._count(seats, result)
            update()

        with trio.CancelScope() as scope:
            interrupt = Interrupt(scope, notice)
            async with trio.open_nursery() as nursery:
                await nursery.start(interrupt.watch)
                async with self._executor() as executor:
                    plan, directory, retry = self._site.tournament, self._site.directory, self._given["retry"]
                    runner = Runner(plan, directory, executor, played, report, retry)
                    done = await runner.run(self._writer, lambda: interrupt.asked)
                    self._left_out = _left_out(runner)
                nursery.cancel_scope.cancel()
        return done

    def _count(self, seats: Sequence[str], result: ResultLine) -> None:
        """Bots that are no longer in the file stay in the log, but not in the live table."""
        if all(name in self._tally.bots for name in seats):
            self._tally.add(seats, result)

    @asynccontextmanager
    async def _executor(self) -> AsyncIterator[Executor]:
        given = self._given
        if given["executor"] == "dask":
            async with dask_executor(given["scheduler"], given["jobs"]) as cluster:
                yield cluster
        else:
            async with local_executor(given["jobs"] or 1, affinity=not given["no_affinity"]) as workers:
                yield workers

    def _how_to_go_on(self) -> Iterator[str]:
        """The words of the command that goes on with this run."""
        given = self._given
        yield from ("mexica", "tournament", "run", str(self._site.file))
        if given["directory"]:
            yield from ("--dir", str(self._site.directory.path))
        if given["jobs"]:
            yield from ("--jobs", str(given["jobs"]))
        if given["no_affinity"]:
            yield "--no-affinity"
        if given["scheduler"]:
            yield from ("--executor", given["executor"], "--scheduler", given["scheduler"])


def _left_out(runner: Runner) -> str:
    """Which games are not to be played, in sentences; empty where there are none."""
    if not runner.left_out:
        return ""
    out = "".join(f"\n  {name}: {clean(why)}" for name, why in runner.ledger.withdrawn.items())
    return f"Planned games that are not played: {runner.left_out}. Bots that are out:{out}"
