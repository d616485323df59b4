"""`mexica match`: some games between bots, a table at the end."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
import trio

from mexica_cli.arena.bot import Arena, open_arena
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.header import header_for
from mexica_cli.arena.inside import run_inside
from mexica_cli.arena.interrupt import Interrupt
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import set_up_logging
from mexica_cli.arena.series import Pairing, Series, SeriesPlan, SeriesStopped, place
from mexica_cli.arena.spec import BotSpec
from mexica_cli.arena.tally import Tally
from mexica_cli.cli.bots import named_bots
from mexica_cli.cli.game_options import chosen_game, game_options
from mexica_cli.cli.logs import refused
from mexica_cli.cli.values import OUT_FILE, Bank, Duration, FileName, seed_or_new
from mexica_cli.games.game import Game
from mexica_cli.games.tomlfile import sentence
from mexica_cli.record.lines import VOID, Header, Line, ResultLine
from mexica_cli.record.reader import LogError, games, open_log
from mexica_cli.record.writer import LogWriter, open_new, open_resumed
from mexica_cli.view.console import clean, console_for
from mexica_cli.view.jsonl import game_line, summary_line
from mexica_cli.view.progress import live_line
from mexica_cli.view.standings import print_standings
from mexica_cli.wire.handshake import games_on_offer

Played = tuple[list[str], ResultLine]
"""A game that the log holds already: its bots by seat, and its result."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """The command line, made sense of."""

    game: Game
    specs: list[BotSpec]
    plan: SeriesPlan
    limits: Limits
    restart_after: int | None
    log: str | None
    resume: bool
    words: tuple[str, ...]
    """The command line itself."""
    jsonl: bool
    stderr_dir: Path | None

    def header(self) -> Header:
        """The first line of the log."""
        bots = [spec.record() for spec in self.specs]
        return header_for(self.game, self.plan.master_seed, self.plan.control, self.limits, bots)


@click.command(context_settings={"show_default": True})
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@game_options
@click.option(
    "--seed", type=click.IntRange(0), help="Master seed, from which all chance follows.  [default: a new one]"
)
@click.option(
    "--games", type=click.IntRange(1), default=1, metavar="N", help="Games; seats rotate over blocks of one deal."
)
@click.option("--time", "bank", type=Bank(), metavar="BANK[+INC]", help="Bank for a game, increment for each own turn.")
@click.option("--move-time", type=Duration(positive=True), help="Time for a turn.  [default: 10s, or none with --time]")
@click.option("--illegal", type=click.IntRange(1), default=3, metavar="N", help="The illegal action that forfeits.")
@click.option("--startup", type=Duration(positive=True), default="10s", help="Time to start and join.")
@click.option("--ready", type=Duration(positive=True), default="10s", help="Time to get ready for a game.")
@click.option("--quit", "quit_", type=Duration(), default="2s", help="Time to leave, before a bot is made to.")
@click.option(
    "--memory",
    type=click.IntRange(0),
    default=2048,
    metavar="MIB",
    help="Memory of a bot with all its children; 0: any.",
)
@click.option(
    "--messages", type=click.IntRange(1), default=100, metavar="N", help="Messages a bot may send for one turn."
)
@click.option(
    "--stderr-dir", type=FileName(file_okay=False, path_type=Path), help="Keep the bots' standard error there."
)
@click.option(
    "--stderr-bytes", type=click.IntRange(0), default=1 << 20, metavar="N", help="How much of it, for each start."
)
@click.option("--log", type=OUT_FILE, metavar="FILE|-", help="Write the game log; - is standard output.")
@click.option("--resume", is_flag=True, help="Go on with the games that --log doesn't hold yet.")
@click.option(
    "--format", "format_", type=click.Choice(["table", "jsonl"]), default="table", help="Results on standard output."
)
@click.option("--fresh", is_flag=True, help="Start every bot anew for every game.")
@click.option("--inside", is_flag=True, help="Run the reference bots inside the arena: faster, not timed out.")
@click.option("--sandbox", is_flag=True, help="Shut bots off from network and files, with bubblewrap.")
@click.option("-v", "--verbose", is_flag=True, help="Say on standard error what the arena does.")
@click.pass_context
def match(ctx: click.Context, /, **parameters: Any) -> None:
    """Let bots play against each other, or, in Moctezuma, as a team.

    \b
    A BOT is one of
      greedy               a reference bot, with its options: 'random --seed 3'
      ./my_bot             a program or a Python file
      'node my.js --fast'  a command line
      listen:7325          whoever connects to that port of this machine
    and may be given a name: champion='node my.js'
    """
    set_up_logging(verbose=parameters.pop("verbose"))
    request = _request(parameters, ctx.obj)
    ctx.exit(_play(request))


# ---- from the command line to a request ----------------------------------------------------------


def _request(given: dict[str, Any], words: tuple[str, ...]) -> Request:
    game = chosen_game(given)
    least, most = game.seats
    if not least <= len(given["bots"]) <= most:
        raise click.UsageError(f"{game.name} is played by {least} to {most} bots, not {len(given['bots'])}")
    game.deal(len(given["bots"]), seed=0)  # a board with no room for the set-up is refused before any bot is started
    if given["resume"] and given["log"] in (None, "-"):
        raise click.UsageError("--resume goes on with a log file: name it with --log FILE")
    if given["resume"] and given["seed"] is None:
        raise click.UsageError("--resume needs the --seed of the log (its first line has it)")
    return Request(
        game=game,
        specs=_specs(given["bots"], inside=given["inside"], sandbox=given["sandbox"]),
        plan=_plan(given),
        limits=_limits(given),
        restart_after=1 if given["fresh"] else None,
        log=given["log"],
        resume=given["resume"],
        words=words,
        jsonl=given["format_"] == "jsonl",
        stderr_dir=given["stderr_dir"],
    )


def _specs(texts: Sequence[str], *, inside: bool, sandbox: bool) -> list[BotSpec]:
    if inside and sandbox:
        raise click.UsageError("a bot that runs --inside the arena can't be in a --sandbox; leave one of them out")
    specs = named_bots(texts, sandbox=sandbox)
    return list(map(run_inside, specs)) if inside else specs


def _plan(given: dict[str, Any]) -> SeriesPlan:
    return SeriesPlan(
        games=given["games"],
        master_seed=seed_or_new(given["seed"]),
        control=_control(given),
    )


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(
        startup=given["startup"],
        ready=given["ready"],
        quit=given["quit_"],
        stderr_bytes=given["stderr_bytes"],
        messages=given["messages"],
        illegal=given["illegal"],
        memory=given["memory"] << 20 or None,
    )


def _control(given: dict[str, Any]) -> TimeControl:
    move, bank = given["move_time"], given["bank"]
    if bank is None:
        return TimeControl(move=10.0 if move is None else move)
    return TimeControl(move=move, bank=bank[0], increment=bank[1])


# ---- playing -------------------------------------------------------------------------------------


def _play(request: Request) -> int:
    """Play the games and print the results; the exit code."""
    if request.stderr_dir:
        request.stderr_dir.mkdir(parents=True, exist_ok=True)
    with _open_log(request) as (writer, played), live_line(sys.stderr, request.plan.games, len(played)) as live:
        run = _Run(request, writer, played, live.see if live else lambda _: None)
        trio.run(run.run)
    run.print_results()
    return run.exit_code()


@contextmanager
def _open_log(request: Request) -> Iterator[tuple[LogWriter | None, list[Played]]]:
    """The log to write, and the games that it holds already."""
    if request.log is None:
        yield None, []
        return
    try:
        writer, played = _resume(request.log, request) if request.resume else (_begin(request.log, request), [])
    except LogError as error:
        raise refused(error) from None
    with writer:
        yield writer, played


def _begin(path: str, request: Request) -> LogWriter:
    writer = open_new(path, "go on with it by --resume, remove it")
    writer.write(request.header())
    return writer


def _resume(path: str, request: Request) -> tuple[LogWriter, list[Played]]:
    writer, done = open_resumed(path, request.header())
    with open_log(path) as reader:
        return writer, [(game.game.seats, game.result) for game in games(reader) if game.game.match in done]


class _Run:
    """The games of one command line under way."""

    def __init__(
        self, request: Request, writer: LogWriter | None, played: Sequence[Played], see: Callable[[Line], None]
    ) -> None:
        self._request = request
        self._writer = writer
        self._see = see
        self._tally = Tally(spec.name for spec in request.specs)
        for seats, result in played:
            self._tally.add(seats, result)
        self._done = frozenset(result.match for _, result in played)
        planned = request.plan.games
        self._missing = planned - sum(place(match, len(request.specs)) < planned for match in self._done)
        """How many games are still to be played."""
        self._failure: str | None = None
        self._series: Series | None = None

    async def run(self) -> None:
        """Play until all is played, or until told to stop."""
        with trio.CancelScope() as scope:
            interrupt = Interrupt(scope, _notice)
            async with trio.open_nursery() as nursery:
                await nursery.start(interrupt.watch)
                async with open_arena(
                    self._request.limits, games_on_offer(), self._request.stderr_dir, _notice
                ) as arena:
                    await self._play(arena, interrupt)
                nursery.cancel_scope.cancel()

    async def _play(self, arena: Arena, interrupt: Interrupt) -> None:
        request = self._request
        bots = [arena.add(spec, restart_after=request.restart_after) for spec in request.specs]
        self._series = Series(request.game, bots, request.plan, self._record, self._report)
        try:
            await self._series.run(self._done, lambda: interrupt.asked)
        except SeriesStopped as stopped:
            self._failure = str(stopped)
        except BrokenPipeError:
            raise  # who reads the log has seen enough
        except OSError as error:  # the log can't be written on
            self._failure = sentence(error)

    def _record(self, line: Line) -> None:
        if self._writer is not None:
            self._writer.write(line)
        self._see(line)

    def _report(self, pairing: Pairing, result: ResultLine) -> None:
        seats = [self._request.specs[index].name for index in pairing.seats]
        self._tally.add(seats, result)
        if result.outcome != VOID:
            self._missing -= 1
        if self._request.jsonl:
            self._results().buffer.write(game_line(seats, result))
            self._results().flush()

    def print_results(self) -> None:
        """The table, or the summary line."""
        latency = self._series.latency.summary() if self._series else None
        seed = self._request.plan.master_seed
        if self._request.jsonl:
            self._results().buffer.write(summary_line(self._tally, seed, latency))
            self._results().flush()
        else:
            print_standings(console_for(self._results()), self._tally, seed, latency)

    def _results(self) -> Any:
        """Standard output, unless the log goes there."""
        return sys.stderr if self._request.log == "-" else sys.stdout

    def exit_code(self) -> int:
        """0 when every game is played; else 1, with what is missing and how to go on."""
        missing = self._missing
        if self._failure:
            click.echo(f"Error: {clean(self._failure)}", err=True)
        if missing:
            click.echo(f"{missing} of {self._request.plan.games} games are not played.{self._how_to_go_on()}", err=True)
        return 1 if missing or self._failure else 0

    def _how_to_go_on(self) -> str:
        if self._request.log in (None, "-"):
            return ""
        words = [word for word in self._request.words if word != "--resume"]
        if not any(word.partition("=")[0] == "--seed" for word in words):
            words += ["--seed", str(self._request.plan.master_seed)]
        return f" Go on with:\n  {shlex.join(['mexica', *words, '--resume'])}"


_notice = partial(click.echo, err=True)
