"""From the file of a tournament to the tournament that is to be played."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mexica_cli.arena.clock import TimeControl, parse_bank, parse_duration
from mexica_cli.arena.header import header_for
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.process import TAIL_BYTES
from mexica_cli.arena.spec import BotSpec, Listen, SpecError, parse_spec, sandboxed
from mexica_cli.games import GAMES, load_game
from mexica_cli.games.game import Game, RuleError
from mexica_cli.games.tomlfile import FieldError, FieldPath, TomlFile, struct_from
from mexica_cli.record.lines import Header, Variant
from mexica_cli.record.seeds import block_of
from mexica_cli.tournament.blocks import turn_of
from mexica_cli.tournament.fields import OWN_FIELDS, BotEntry, SprtEntry, TournamentFile, VariantEntry
from mexica_cli.tournament.formats import Format, FormatError, Gauntlet, MixedTeams, RoundRobin, Teams
from mexica_cli.tournament.knockout import Knockout
from mexica_cli.tournament.results import Results
from mexica_cli.tournament.sprt import Sprt
from mexica_cli.tournament.swiss import Swiss
from mexica_cli.wire.messages import NAME_CHARACTERS

_NAME = re.compile(rf"[\w.+#-]{{1,{NAME_CHARACTERS}}}")
MOVE_TIME = 10.0
"""Seconds for a turn where the file names no time at all."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A bot with what is special about it."""

    spec: BotSpec
    limits: Limits
    restart_after: int | None


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as it is to be played."""

    file: TournamentFile
    game: Game
    variants: dict[str, Game]
    """By name: what some deals are played under instead."""
    control: TimeControl
    limits: Limits
    entrants: dict[str, Entrant]
    """By name, in the order of the file."""
    format: Format
    sprt: Sprt | None

    def header(self) -> Header:
        """The first line of the log."""
        bots = [entrant.spec.record() for entrant in self.entrants.values()]
        header = header_for(self.game, self.file.seed, self.control, self.limits, bots)
        variants = {name: Variant(rules=game.rules, options=game.options()) for name, game in self.variants.items()}
        return msgspec.structs.replace(header, variants=variants)

    def variant_of(self, match: str) -> str | None:
        """What a game is played under: the deals of the same bots take turns (see `turn_of`); None: the file's own."""
        names = [None, *self.variants]
        return names[turn_of(block_of(match), len(names), self.file.seatings)]


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
    _check_tables(fields.get("bots"), "bots", BotEntry)
    _check_tables(fields.get("variants"), "variants", VariantEntry)
    if isinstance(sprt := fields.get("sprt"), dict):
        struct_from(SprtEntry, sprt, ("sprt",))
    return struct_from(TournamentFile, fields)


def _check_tables(entries: object, field: str, kind: type[msgspec.Struct]) -> None:
    if isinstance(entries, list):
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                raise FieldError((field, index), f"write a table here; it begins with [[{field}]]")
            struct_from(kind, entry, (field, index))


def make_tournament(file: TournamentFile) -> Tournament:
    """The tournament of a file's content. Raises FieldError."""
    _check_format(file)
    limits = _limits(file)
    entrants = _entrants(file, limits)
    if file.game not in GAMES:
        raise FieldError("game", f"there is no game {file.game!r}; there is {', '.join(sorted(GAMES))}")
    game = _game(file, _Choice(file.rules, file.board, file.options), ())
    return Tournament(
        file=file,
        game=game,
        variants=_variants(file),
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
            raise FieldError(field, f"this is for {', '.join(formats)}, not for {file.format}; leave it out")


class _Choice(NamedTuple):
    """What a game is made of."""

    rules: str
    board: str | None
    options: dict[str, Any]


def _variants(file: TournamentFile) -> dict[str, Game]:
    variants: dict[str, Game] = {}
    for index, entry in enumerate(file.variants):
        where: FieldPath = ("variants", index)
        if entry.name in variants:
            raise FieldError((*where, "name"), f"two variants are called {entry.name!r}; give each a name of its own")
        options = file.options if entry.options is None else entry.options
        choice = _Choice(entry.rules or file.rules, entry.board or file.board, options)
        variants[entry.name] = _game(file, choice, where)
    return variants


def _game(file: TournamentFile, choice: _Choice, where: FieldPath) -> Game:
    """The game of a choice that stands in the table `where`, which must have the file's seats."""
    rules, board, options = choice
    try:
        game = load_game(file.game, rules, board, {name: _text(value) for name, value in options.items()})
    except RuleError as error:
        raise FieldError((*where, _culprit(file.game, choice)), str(error)) from None
    least, most = game.seats
    if not least <= file.seats <= most:
        field = (*where, "board") if where else ("seats",)
        raise FieldError(field, f"{game.name} has {least} to {most} seats, not {file.seats}")
    return game


def _culprit(game: str, choice: _Choice) -> str:
    """The field for which the game can't be made."""
    try:
        load_game(game, choice.rules, choice.board)
    except RuleError as error:
        return "board" if choice.board and choice.board in str(error) else "rules"
    return "options"


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
        raise FieldError("seats", f"{file.format} is for two seats; a league of more is `round-robin`")
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
