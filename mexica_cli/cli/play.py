"""`mexica play`: a person in the terminal against bots, or with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import click
import msgspec
import trio

from mexica_cli.arena.bot import open_arena
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.header import header_for
from mexica_cli.arena.host import Host
from mexica_cli.arena.inprocess import Respond
from mexica_cli.arena.inside import run_inside
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import set_up_logging
from mexica_cli.arena.player import Player
from mexica_cli.arena.spec import BotSpec, Inside, SpecError, parse_spec
from mexica_cli.arena.tally import void_reasons
from mexica_cli.cli.bots import named_bots
from mexica_cli.cli.game_options import chosen_game, game_options
from mexica_cli.cli.logs import refused
from mexica_cli.cli.values import OUT_FILE, Duration, FileName, seed_or_new
from mexica_cli.games.game import Game
from mexica_cli.record.lines import (
    VOID,
    ActionLine,
    BotRecord,
    GameLine,
    Header,
    Line,
    ResultLine,
)
from mexica_cli.record.reader import LogError, NumberedLine, open_log
from mexica_cli.record.replay import Replay, ReplayError, Rulebook
from mexica_cli.record.writer import open_new
from mexica_cli.view.console import clean
from mexica_cli.view.terminal.desk import Desk
from mexica_cli.view.terminal.person import Person
from mexica_cli.view.terminal.prompter import Prompter, prompter
from mexica_cli.wire.framing import decode_bot_message, encode
from mexica_cli.wire.handshake import games_on_offer
from mexica_cli.wire.messages import Play, Start, Turn

MATCH = "1-1"
PERSON = "person"
"""What the log has for the person's command."""
OPPONENTS = {"mexica": ("greedy",), "moctezuma": ("steward", "steward")}
HINTS = {"mexica": "greedy", "moctezuma": "steward"}


class Sitting(msgspec.Struct, kw_only=True):
    """A game to be played, from its beginning or from where it was left."""

    game: Game
    header: Header
    specs: list[BotSpec]
    """The bots, in the order of their seats."""
    seat: int
    """The person's."""
    begun: GameLine | None = None
    past: list[Line] = []
    """What was played before; empty for a new game."""


@click.command(context_settings={"show_default": True})
@click.argument("bots", nargs=-1, metavar="[BOT...]")
@game_options
@click.option("--seat", type=click.IntRange(0), default=0, metavar="N", help="Your seat, from 0.")
@click.option("--name", default="human", metavar="NAME", help="What you are called.")
@click.option("--seed", type=click.IntRange(0), help="Master seed.  [default: a new one]")
@click.option("--move-time", type=Duration(positive=True), default="5s", help="Time for a turn of a bot; you have all.")
@click.option("--hint", metavar="BOT", help="The reference bot that `hint` asks.  [default: greedy or steward]")
@click.option("--log", type=OUT_FILE, metavar="FILE", help="Write the game log.")
@click.option("--load", type=FileName(exists=True, dir_okay=False), metavar="FILE", help="Go on with a saved game.")
@click.option("--plain", is_flag=True, help="No colours, no line editing, ASCII only.")
@click.pass_context
def play(ctx: click.Context, /, **given: Any) -> None:
    """Play in the terminal, against bots or, in Moctezuma, with them.

    A BOT is what `mexica match` takes. Without one you play against greedy, or with two stewards. Type `help` in the
    game. A log of a game that isn't over is a saved game, however it was cut short.
    """
    set_up_logging(verbose=False)
    sitting = _loaded(given["load"]) if given["load"] else _new(given)
    hint = given["hint"] or HINTS[sitting.game.name]
    ctx.exit(Evening(sitting, prompter(plain=given["plain"]), _advisor(hint), given["log"]).run())


# ---- what is played --------------------------------------------------------------------------------------------------


def _new(given: dict[str, Any]) -> Sitting:
    game = chosen_game(given)
    specs = named_bots(given["bots"] or OPPONENTS[game.name])
    least, most = game.seats
    if not least <= len(specs) + 1 <= most:
        raise click.UsageError(f"{game.name} is played by {least} to {most}, you and {len(specs)} bots are too many")
    if given["seat"] > len(specs):
        raise click.UsageError(f"there are the seats 0 to {len(specs)}, no {given['seat']}")
    if not given["name"].strip():
        raise click.UsageError("--name: give yourself a name that can be seen")
    if given["name"] in {spec.name for spec in specs}:
        raise click.UsageError(f"a bot is called {given['name']!r} too; call yourself otherwise with --name")
    person = BotRecord(name=given["name"], command=PERSON, sha256="")
    records = [spec.record() for spec in specs]
    bots = [*records[: given["seat"]], person, *records[given["seat"] :]]
    header = header_for(game, seed_or_new(given["seed"]), TimeControl(move=given["move_time"]), Limits(), bots)
    return Sitting(game=game, header=header, specs=specs, seat=given["seat"])


def _loaded(path: str) -> Sitting:
    """The game with which a log ends. Raises click's errors."""
    try:
        with open_log(path) as reader:
            lines = list(reader)
        if reader.open_match is None:
            raise click.UsageError(f"{path}: there is no unfinished game at the end of this log")
        return _unfinished(path, lines)
    except LogError as error:
        raise click.ClickException(str(error)) from None


def _unfinished(path: str, lines: list[NumberedLine]) -> Sitting:
    """Raises LogError, UsageError."""
    header = lines[0][1]
    first = max(n for n, (_, line) in enumerate(lines) if isinstance(line, GameLine))
    begun = lines[first][1]
    assert isinstance(header, Header)
    assert isinstance(begun, GameLine)
    game = _replayed(path, header, begun, lines[first:])
    commands = {bot.name: bot.command for bot in header.bots}
    seats = [seat for seat, name in enumerate(begun.seats) if commands[name] == PERSON]
    if len(seats) != 1:
        raise click.UsageError(f"{path}: no person sits at that game: it is one between bots")
    bots = [f"{name}={commands[name]}" for name in begun.seats if commands[name] != PERSON]
    past = [line for _, line in lines[first + 1 :]]
    return Sitting(game=game, header=header, specs=named_bots(bots), seat=seats[0], begun=begun, past=past)


def _replayed(path: str, header: Header, begun: GameLine, lines: Sequence[NumberedLine]) -> Game:
    """What was played, once its lines are found to be right. Raises LogError."""
    number = lines[0][0]
    try:
        game = Rulebook(header).of(begun)
        replay = Replay(game, header, begun)
        for number, line in lines[1:]:  # noqa: B007 (the error names it)
            replay.step(line)
    except ReplayError as error:
        raise LogError(path, number, str(error)) from None
    return game


def _advisor(text: str) -> Callable[[Start, Turn], Sequence[str]]:
    """A reference bot that is asked for its opinion."""
    try:
        spec = run_inside(parse_spec(text))
    except SpecError as error:
        raise click.UsageError(str(error)) from None
    launch = spec.launch
    if not isinstance(launch, Inside):
        raise click.UsageError(f"--hint takes a reference bot in Python, which {text!r} isn't")
    return partial(_advice, launch.make)


def _advice(make: Callable[[], Respond], start: Start, turn: Turn) -> Sequence[str]:
    respond = make()
    respond(encode(start).rstrip())
    answer = decode_bot_message(respond(encode(turn).rstrip())[-1])
    assert isinstance(answer, Play)
    return answer.actions


# ---- playing ---------------------------------------------------------------------------------------------------------


class Evening:
    """A sitting under way."""

    def __init__(
        self, sitting: Sitting, asked: Prompter, hint: Callable[[Start, Turn], Sequence[str]], log: str | None
    ) -> None:
        self._sitting = sitting
        self._desk = Desk(asked, hint, self._save)
        self._lines: list[Line] = [sitting.header]
        self._log = log
        self._result: ResultLine | None = None
        if sitting.begun is not None:
            self._lines += [sitting.begun, *sitting.past]

    @cached_property
    def _writer(self) -> Any:
        try:
            return open_new(self._log) if self._log else None
        except LogError as error:
            raise refused(error) from None

    def run(self) -> int:
        """Play until the game is over or the person leaves; the exit code."""
        for line in self._lines:
            self._write(line)
        try:
            trio.run(self._play)
        except* KeyboardInterrupt:
            pass  # Ctrl-C while a bot thinks: leaving, as by `quit`
        finally:
            if self._writer is not None:
                self._writer.close()
        if self._result is None:
            how = f"; go on with: mexica play --load {self._log}" if self._log else ""
            click.echo(f"the game isn't over{how}", err=True)
            return 1
        return 0 if self._result.outcome != VOID else 1

    async def _play(self) -> None:
        sitting = self._sitting
        limits, control = Limits(), TimeControl(move=(sitting.header.clock.move_ms or 5000) / 1000)
        with trio.CancelScope() as scope:
            async with open_arena(limits, games_on_offer(), None, partial(click.echo, err=True)) as arena:
                players: list[Player] = [arena.add(spec) for spec in sitting.specs]
                name = next(bot.name for bot in sitting.header.bots if bot.command == PERSON)
                players.insert(sitting.seat, Person(name, self._desk, scope.cancel))
                host = Host(sitting.game, sitting.header.seed, control, self._record)
                begun = sitting.begun
                result = await host.play(begun.match if begun else MATCH, players, past=sitting.past)
                self._result = result
        if self._result is not None and self._result.outcome == VOID:
            reasons = void_reasons([player.name for player in players], self._result)
            click.echo(f"Error: {clean(reasons)}", err=True)

    def _record(self, line: Line) -> None:
        self._lines.append(line)
        self._write(line)

    def _write(self, line: Line) -> None:
        if self._writer is not None:
            self._writer.write(line)

    def _save(self, name: str) -> int:
        """Write the game as far as it was handed over."""
        data = b"".join(msgspec.json.encode(line) + b"\n" for line in self._lines)
        Path(name).write_bytes(data)
        return sum(isinstance(line, ActionLine) for line in self._lines)
