"""The file of a tournament: who plays what, how, and how often.

    format = "round-robin"
    games = 2000
    seed = 7
    move_time = "1s"

    [[bots]]
    name = "greedy"
    command = "greedy"

    [[bots]]
    name = "mine"
    command = "node my.js"
    memory_mb = 512

Commands are run in the current folder, and paths start there; `mexica tournament` goes to the file's folder first.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mexica_cli.arena.clock import TimeControl, parse_bank, parse_duration
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.process import TAIL_BYTES
from mexica_cli.arena.spec import BotSpec, Listen, SpecError, parse_spec, sandboxed
from mexica_cli.games import GAMES, load_game
from mexica_cli.games.game import Game, RuleError
from mexica_cli.games.tomlfile import FieldError, FieldPath, TomlFile, struct_from
from mexica_cli.record.lines import LOG_VERSION, Header, timestamp
from mexica_cli.tournament.blocks import Seatings
from mexica_cli.tournament.formats import Format, FormatError, Gauntlet, MixedTeams, RoundRobin, Teams
from mexica_cli.tournament.knockout import Knockout
from mexica_cli.tournament.results import Results
from mexica_cli.tournament.sprt import EloModel, Sprt
from mexica_cli.tournament.swiss import Swiss
from mexica_cli.wire.handshake import SERVER
from mexica_cli.wire.messages import NAME_CHARACTERS

Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Time = Annotated[str, Meta(description='a time in quotes, like "2s" or "500ms"')]
EloBound = Annotated[float, Meta(ge=-10_000, le=10_000)]
_NAME = re.compile(rf"[\w.+#-]{{1,{NAME_CHARACTERS}}}")
MOVE_TIME = 10.0
"""Seconds for a turn where the file names no time at all."""


class BotEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A `[[bots]]` table."""

    command: str
    """As on the command line of `mexica match`: a reference bot, a path, a command line."""
    name: str | None = None
    """What it is called in log and tables; else it follows from the command."""
    memory_mb: Annotated[int, Meta(ge=0, le=1 << 20)] | None = None
    """Memory of this bot with all its children, in MiB; 0: any."""
    startup: Time | None = None
    """Time for this bot to start and join."""
    restart_after: Count | None = None
    """After so many games it is started anew."""
    sandbox: bool | None = None
    """Whether it runs in a sandbox; else as the others."""


class SprtEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The `[sprt]` table: stop a match of two bots as soon as it has shown enough."""

    elo0: EloBound
    """H0: the first bot is this much better than the second."""
    elo1: EloBound
    """H1: it is this much better."""
    alpha: float = 0.05
    """Greatest probability of rejecting a true H0."""
    beta: float = 0.05
    """Greatest probability of rejecting a true H1."""
    model: EloModel = EloModel.NORMALISED
    """What the Elo is that the hypotheses are given in."""


class TournamentFile(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file. Times are texts like `2`, `500ms`, `1m`."""

    seed: Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]
    """The master seed, from which all chance follows."""
    format: Literal["round-robin", "gauntlet", "swiss", "knockout", "teams", "mixed-teams"] = "round-robin"
    """Who meets whom. With three or four seats, `round-robin` is a league."""
    game: str = "mexica"
    """What is played."""
    rules: str = "official"
    """Name of a shipped rule set, or the path of a TOML file."""
    board: str | None = None
    """Name of a shipped board, or the path of a text file."""
    options: dict[str, Any] = {}
    """Single fields of the rule set."""
    seats: Annotated[int, Meta(ge=1, le=5)] = 2
    """Seats of a game."""
    seatings: Seatings = Seatings.ROTATED
    """In which seatings each deal is played."""
    games: Count | None = None
    """Games in all; formats with rounds have `rounds` and `blocks` instead."""
    challengers: list[str] = []
    """Names of those who play a gauntlet; else the first bot does."""
    rounds: Count | None = None
    """Rounds of a Swiss tournament."""
    blocks: Count = 1
    """Deals of one match of a Swiss tournament or knockout."""
    time: Annotated[str, Meta(description='bank and increment in quotes, like "60+0.5"')] | None = None
    """Bank and increment: `60+0.5`."""
    move_time: Time | None = None
    """Time for each turn."""
    illegal: Count = 3
    """The illegal action of a game that forfeits it."""
    messages: Count = 100
    """Messages that a bot may send for one turn."""
    startup: Time = "10s"
    """Time to start and join."""
    ready: Time = "10s"
    """Time to get ready for a game."""
    quit: Time = "2s"
    """Time to leave when told to, before it is made to."""
    memory_mb: Annotated[int, Meta(ge=0, le=1 << 20)] = 2048
    """Memory of a bot with all its children, in MiB; 0: any."""
    sandbox: bool = False
    """Run every bot in a sandbox, unless its own table says otherwise."""
    withdraw_after: Count = 5
    """After so many games in a row that it forfeited (but for illegal actions) or kept from starting, a bot is out."""
    sprt: SprtEntry | None = None
    """A sequential test of two bots."""
    bots: Annotated[list[BotEntry], Meta(min_length=1, max_length=999, description="a [[bots]] table for every bot")]
    """Who plays. The order is that of the seeding of a Swiss tournament or knockout."""


OWN_FIELDS = {
    "games": ("round-robin", "gauntlet", "teams", "mixed-teams"),
    "seatings": ("round-robin", "gauntlet"),
    "challengers": ("gauntlet",),
    "rounds": ("swiss",),
    "blocks": ("swiss", "knockout"),
    "sprt": ("round-robin",),
}
"""Fields that not every format has, and the formats that do."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot with what is special about it."""

    spec: BotSpec
    limits: Limits
    restart_after: int | None


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as it is to be played."""

    file: TournamentFile
    game: Game
    control: TimeControl
    limits: Limits
    entrants: dict[str, Entrant]
    """By name, in the order of the file."""
    format: Format
    sprt: Sprt | None

    def header(self) -> Header:
        """The first line of the log."""
        return Header(
            version=LOG_VERSION,
            server=SERVER,
            created=timestamp(),
            game=self.game.name,
            rules=self.game.rules,
            options=self.game.options(),
            seed=self.file.seed,
            clock=self.control.setting(),
            limits=self.limits.on_the_wire(),
            bots=[entrant.spec.record() for entrant in self.entrants.values()],
        )


def read_tournament(path: Path) -> Tournament:
    """The tournament of a file. Raises FileError with file, line, field and what would be right."""
    source = TomlFile(path, "tournament")
    try:
        return make_tournament(_file(source))
    except FieldError as error:
        raise source.error(error) from None


def _file(source: TomlFile) -> TournamentFile:
    """The file's content; the tables in it are checked first, so that errors name the entry."""
    fields = dict(source.table)
    _check_tables(fields.get("bots"))
    if isinstance(sprt := fields.get("sprt"), dict):
        struct_from(SprtEntry, sprt, ("sprt",))
    return struct_from(TournamentFile, fields)


def _check_tables(bots: object) -> None:
    if isinstance(bots, list):
        for index, entry in enumerate(bots):
            if not isinstance(entry, dict):
                raise FieldError(("bots", index), "a bot is a table; begin it with [[bots]]")
            struct_from(BotEntry, entry, ("bots", index))


def make_tournament(file: TournamentFile) -> Tournament:
    """The tournament of a file's content. Raises FieldError."""
    _check_format(file)
    limits = _limits(file)
    entrants = _entrants(file, limits)
    game = _game(file)
    least, most = game.seats
    if not least <= file.seats <= most:
        raise FieldError("seats", f"{game.name} has {least} to {most} seats, not {file.seats}")
    return Tournament(
        file=file,
        game=game,
        control=_control(file),
        limits=limits,
        entrants=entrants,
        format=_format(file, list(entrants)),
        sprt=_sprt(file, len(entrants)),
    )


def _check_format(file: TournamentFile) -> None:
    """Refuse fields that the format would leave aside without a word."""
    usual = {field.name: field.default for field in msgspec.structs.fields(file)}
    for field, formats in OWN_FIELDS.items():
        if file.format not in formats and getattr(file, field) not in (usual[field], []):
            raise FieldError(field, f"a {file.format} doesn't use this field ({', '.join(formats)} does); leave it out")


def _game(file: TournamentFile) -> Game:
    if file.game not in GAMES:
        raise FieldError("game", f"there is no game {file.game!r}; there is {', '.join(sorted(GAMES))}")
    try:
        return load_game(
            file.game, file.rules, file.board, {name: _text(value) for name, value in file.options.items()}
        )
    except RuleError as error:
        raise FieldError("board" if file.board and file.board in str(error) else "rules", str(error)) from None


def _text(value: object) -> str:
    """A TOML value as it would be given on the command line."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _entrants(file: TournamentFile, limits: Limits) -> dict[str, Entrant]:
    entrants: dict[str, Entrant] = {}
    for index, entry in enumerate(file.bots):
        where: FieldPath = ("bots", index)
        spec = _spec(entry, where)
        if spec.name in entrants:
            raise FieldError((*where, "name"), f"two bots are called {spec.name!r}; give each a name of its own")
        confine = file.sandbox if entry.sandbox is None else entry.sandbox
        entrants[spec.name] = Entrant(
            spec=sandboxed(spec) if confine else spec,
            limits=_own_limits(entry, limits, where),
            restart_after=entry.restart_after,
        )
    return entrants


def _spec(entry: BotEntry, where: FieldPath) -> BotSpec:
    try:
        spec = parse_spec(entry.command)
    except SpecError as error:
        raise FieldError((*where, "command"), str(error)) from None
    if isinstance(spec.launch, Listen):
        raise FieldError((*where, "command"), "a tournament starts its bots itself; name a program")
    if entry.name is None:
        return spec
    if not _NAME.fullmatch(entry.name):
        raise FieldError(
            (*where, "name"), f"{entry.name!r} is no name; it is 1 to {NAME_CHARACTERS} of letters, digits and _.+#-"
        )
    return msgspec.structs.replace(spec, name=entry.name)


def _own_limits(entry: BotEntry, limits: Limits, where: FieldPath) -> Limits:
    memory = limits.memory if entry.memory_mb is None else entry.memory_mb << 20 or None
    startup = limits.startup if entry.startup is None else _some_time((*where, "startup"), entry.startup)
    return msgspec.structs.replace(limits, memory=memory, startup=startup)


def _limits(file: TournamentFile) -> Limits:
    return Limits(
        startup=_some_time(("startup",), file.startup),
        ready=_some_time(("ready",), file.ready),
        quit=_seconds(("quit",), file.quit),
        stderr_bytes=TAIL_BYTES,
        messages=file.messages,
        illegal=file.illegal,
        memory=file.memory_mb << 20 or None,
    )


def _seconds(field: FieldPath, text: str) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise FieldError(field, str(error)) from None


def _some_time(field: FieldPath, text: str) -> float:
    seconds = _seconds(field, text)
    if not seconds:
        raise FieldError(field, "a time of 0 would be over at once; give more")
    return seconds


def _control(file: TournamentFile) -> TimeControl:
    move = None if file.move_time is None else _some_time(("move_time",), file.move_time)
    if file.time is None:
        return TimeControl(move=MOVE_TIME if move is None else move)
    try:
        bank, increment = parse_bank(file.time)
    except ValueError as error:
        raise FieldError("time", str(error)) from None
    if not bank:
        raise FieldError("time", "a bank of 0 would be over at once; give more")
    return TimeControl(move=move, bank=bank, increment=increment)


def _format(file: TournamentFile, names: list[str]) -> Format:
    try:
        return _make_format(file, names)
    except FormatError as error:
        raise FieldError("format", str(error)) from None


def _make_format(file: TournamentFile, names: list[str]) -> Format:
    if file.format in ("swiss", "knockout"):
        return _make_rounds(file, names)
    if file.games is None:
        raise FieldError("games", "this field is missing; give the number of games in all")
    blocks = _make_cycles(file, names, 1).round(0, Results([])) or []
    return _make_cycles(file, names, math.ceil(file.games / sum(len(block.seatings) for block in blocks)))


def _make_cycles(file: TournamentFile, names: list[str], cycles: int) -> Format:
    """A format that can be as long as one likes, in whole cycles."""
    seats = file.seats
    match file.format:
        case "round-robin":
            return RoundRobin(names, seats, cycles, file.seatings)
        case "gauntlet":
            challengers = file.challengers or names[:1]
            if unknown := set(challengers) - set(names):
                raise FieldError("challengers", f"there is no bot {min(unknown)!r}; there is {', '.join(names)}")
            opponents = [name for name in names if name not in challengers]
            return Gauntlet(challengers, opponents, seats, cycles, file.seatings)
        case "teams":
            return Teams(names, seats, cycles)
        case _:
            return MixedTeams(names, seats, cycles)


def _make_rounds(file: TournamentFile, names: list[str]) -> Format:
    if file.seats != 2:
        raise FieldError("seats", f"a {file.format} is for two seats; a league of more is `round-robin`")
    if file.format == "knockout":
        return Knockout(names, file.blocks)
    if file.rounds is None:
        raise FieldError("rounds", "this field is missing; give the number of rounds")
    return Swiss(names, file.rounds, file.blocks)


def _sprt(file: TournamentFile, bots: int) -> Sprt | None:
    if file.sprt is None:
        return None
    if bots != 2 or file.seats != 2:
        raise FieldError("sprt", "a sequential test is for two bots at two seats")
    try:
        return Sprt(**msgspec.structs.asdict(file.sprt))
    except ValueError as error:
        raise FieldError("sprt", str(error)) from None
