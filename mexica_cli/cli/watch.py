"""`mexica watch`: follows a server's matches in the terminal."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, Literal, get_args

import click
import msgspec
from rich.console import Console
from rich.text import Text

from mexica_cli.cli.output import format_option
from mexica_cli.cli.visiting import address, run, server_argument, tls_ca_option, tls_option
from mexica_cli.games import restore_game
from mexica_cli.games.game import BadAction, Game, RuleError, State
from mexica_cli.games.tomlfile import FieldError
from mexica_cli.number_text import count
from mexica_cli.record.lines import ActionLine, FaultLine, SayLine
from mexica_cli.server.visit import Address, Visit, VisitError, visit
from mexica_cli.view import scene as views
from mexica_cli.view.console import clean, console_for
from mexica_cli.view.narration import action_text, aside_text, end_texts
from mexica_cli.view.pictures import picture_of
from mexica_cli.view.scene import Look, letter, short_name
from mexica_cli.view.tellers import teller_of
from mexica_cli.view.tellers.teller import Teller
from mexica_cli.wire.framing import encode
from mexica_cli.wire.lobby import LookAt, Scene, Sit, Tables
from mexica_cli.wire.messages import PROTOCOL_VERSION, Bye, Error, Event, Join, Message, Result, Said

Every = Literal["action", "turn", "never"]
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, msgspec.MsgspecError, RuleError, FieldError)
"""What reading the content of a message can come to where a server of another version wrote it."""


@click.command(context_settings={"show_default": True})
@server_argument
@click.argument("table", required=False)
@click.option("--match", metavar="ID", help="Only this match; ends with it.  [default: one after the other]")
@click.option("--every", type=click.Choice(get_args(Every)), default="turn", help="After what to draw the position.")
@tls_option
@tls_ca_option
@format_option
def watch(**given: Any) -> None:
    """Follow the matches at TABLE, or at the only table there is.

    Positions are drawn anew in games without hidden information; in others, on arrival only.
    """
    run(partial(_watch, address(given), given))


async def _watch(where: Address, given: dict[str, Any]) -> None:
    join = Join(protocol=PROTOCOL_VERSION, name="spectator", role="spectator")
    async with visit(where, join) as here:
        table = given["table"] or await _only_table(here)
        await here.send(encode(Sit(table=table, match=given["match"])))
        show = _print_line if given["format_"] == "jsonl" else _Printer(console_for(sys.stdout), given["every"]).tell
        while True:
            message = await here.message()
            if isinstance(message, Error):
                raise VisitError(message.reason)
            if isinstance(message, Bye):
                return
            show(message)
            if given["match"] is not None and isinstance(message, Result):
                return


async def _only_table(here: Visit) -> str:
    answer = await here.ask(LookAt(at="tables"))
    names = [table.name for table in answer.tables if table.spectators] if isinstance(answer, Tables) else []
    if len(names) != 1:
        raise VisitError(f"name a table to watch: there is {', '.join(names) or 'none'}")
    return names[0]


def _print_line(message: Message) -> None:
    sys.stdout.buffer.write(encode(message))
    sys.stdout.flush()


class _Printer:
    """Prints what spectators are shown."""

    def __init__(self, console: Console, every: Every) -> None:
        self._console = console
        self._every = every
        self._game: Game
        self._teller: Teller
        self._scene: Scene
        self._n: int
        """Actions done so far."""
        self._state: State | None = None
        """The state as it stands, where everybody may see all of it."""

    def tell(self, message: Message) -> None:
        """Print a message, if it is one for people. Raises VisitError where it doesn't fit the game."""
        try:
            self._tell(message)
        except BadAction as bad:
            raise VisitError(f"the server shows an action that this program can't read: {bad.reason}") from None
        except UNREADABLE as error:
            name, why = type(message).__struct_config__.tag, f"{type(error).__name__}: {error}"
            raise VisitError(
                f"the server's `{name}` doesn't fit the game as this program knows it ({why}); is the server of "
                "another version? --format jsonl shows what it sends"
            ) from None

    def _tell(self, message: Message) -> None:
        match message:
            case Scene():
                self._begin(message)
            case Event():
                self._happen(message)
            case Said():
                self._print(aside_text(SayLine(message.match, self._n, message.seat, message.text, message.claim)))
            case Result():
                for text in end_texts(message, self._scene.seats, self._n):
                    self._print(text)
                self._print(Text())

    def _begin(self, scene: Scene) -> None:
        self._scene = scene
        self._n = scene.n
        self._game = restore_game(scene.game, scene.options)
        self._teller = teller_of(scene.game, scene.options)
        position = scene.position or scene.state.get("position")
        self._state = self._game.from_position(position) if isinstance(position, str) else None
        names = ", ".join(f"{letter(seat)} {short_name(name)}" for seat, name in enumerate(scene.seats))
        what = f"table {clean(scene.table)}, match {clean(scene.match)}: {scene.game}"
        self._print(Text(f"{what}, {names}; {count(scene.n, 'action')} so far", "bold"))
        self._draw(_observation(self._game, scene))

    def _happen(self, event: Event) -> None:
        self._n = event.n
        if event.action is None:
            for entry in event.followed:
                fault = FaultLine(event.match, event.n, event.seat, entry["kind"], entry["reason"])
                self._print(aside_text(fault))
            return
        line = ActionLine(event.match, event.n, event.seat, event.action, event.followed, event.auto)
        self._print(action_text(line, self._teller))
        if self._state is None:
            return
        turn = self._state.turn
        self._state.apply(self._state.parse(event.action))
        if self._every == "action" or (self._every == "turn" and self._state.turn != turn):
            self._draw(self._state.observation(None))

    def _draw(self, observation: msgspec.Struct) -> None:
        if self._every == "never":
            return
        look = Look(unicode=not self._console.options.ascii_only, width=self._console.width)
        scene = views.Scene(observation=observation, options=self._game.options(), seats=self._scene.seats)
        self._print(Text())
        self._print(picture_of(self._game.name)(scene, look))
        self._print(Text())

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)
        self._console.file.flush()


def _observation(game: Game, scene: Scene) -> msgspec.Struct:
    """The state that came over the wire, as the Struct that the game makes of its states."""
    players = len(scene.seats)
    kind = type(game.start(players, game.deal(players, seed=0)).observation(None))
    return msgspec.convert(scene.state, kind)
