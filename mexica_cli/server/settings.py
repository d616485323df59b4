"""The configuration file of a server: fields, defaults, and what becomes of them. `docs/SERVER.md` has every field."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mexica_cli.arena.clock import TimeControl, parse_bank, parse_duration
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.tcp import DEFAULT_HOST, DEFAULT_PORT
from mexica_cli.games import GAMES, load_game
from mexica_cli.games.game import Game, RuleError
from mexica_cli.games.tomlfile import FieldError, FieldPath, TomlFile, struct_from
from mexica_cli.wire.messages import LINE_BYTES, NAME_CHARACTERS

NAME = re.compile(rf"[\w.+#-]{{1,{NAME_CHARACTERS}}}")
"""What a table or bot may be called."""
MOVE_TIME = 10.0
"""Seconds for a turn where a table names no time at all."""

Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Time = Annotated[str, Meta(description='a time in quotes, like "2s" or "500ms"')]


class TableEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A `[[tables]]` table."""

    name: str
    """What it is called, in the protocol and as a folder."""
    kind: Literal["matches", "ladder"] = "matches"
    """`matches`: so many matches between those who sat down first. `ladder`: whoever is there, without an end."""
    game: str = "mexica"
    """What is played."""
    rules: str = "official"
    """Name of a shipped rule set, or the path of a TOML file."""
    board: str | None = None
    """Name of a shipped board, or the path of a text file."""
    options: dict[str, Any] = {}
    """Single fields of the rule set."""
    players: Annotated[int, Meta(ge=1, le=5)] = 2
    """Seats of a match."""
    matches: Count | None = None
    """How many are played; 1 by default."""
    at_once: Count | None = None
    """Matches of a ladder under way at the same time, at most; else any number."""
    join: list[str] = []
    """Names of the bots that may sit down; else any."""
    time: Annotated[str, Meta(description='bank and increment in quotes, like "60+0.5"')] | None = None
    """Bank and increment: `60+0.5`."""
    move_time: Time | None = None
    """Time for each turn."""
    seed: Annotated[int, Meta(ge=0, le=(1 << 53) - 1)] | None = None
    """Master seed; a new one by default."""
    illegal: Count = 3
    """The illegal action of a match that forfeits it."""
    messages: Count = 100
    """Messages that a bot may send for one turn."""
    ready: Time = "10s"
    """Time to get ready for a match."""
    spectators: bool = True
    """Whether it may be watched."""
    reveal: bool = False
    """Whether spectators see everything, hidden things included."""
    bench_after: Count | None = None
    """After so many forfeits in a row a bot of a ladder is benched; 3 by default."""
    bench: Time | None = None
    """For how long; 10 minutes by default."""


class LimitsEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The `[limits]` table."""

    connections: Count = 2000
    """In all."""
    per_address: Count = 2000
    """From one address."""
    handshake: Time = "10s"
    """From connecting to `join`."""
    line_bytes: Annotated[int, Meta(ge=1024, le=1 << 20)] = LINE_BYTES
    """Longest line from a client."""
    messages: Count = 200
    """Lines a second, over five seconds."""
    bytes: Count = 262_144
    """Bytes a second, over five seconds."""
    idle: Time = "5m"
    """Who says nothing for so long is asked with `ping`, and is gone if no answer comes for as long again."""
    come_back: Time = "60s"
    """How long a bot may stay away whose connection broke."""
    resume: Time = "10m"
    """How long a match that a restart cut short waits for its bots."""
    finish: Time = "60s"
    """How long running matches may go on when the server is told to stop."""
    open_tables: Count = 100
    """Tables that clients have opened, at once."""


class ServerFile(msgspec.Struct, frozen=True, kw_only=True):
    """The top of the file."""

    host: str = DEFAULT_HOST
    """Address to listen on."""
    port: Annotated[int, Meta(ge=0, le=65535)] = DEFAULT_PORT
    """Port to listen on; 0: any free one."""
    data: str = "mexica-server"
    """Folder of the logs; a relative path starts at the configuration file."""
    tokens: str | None = None
    """File of the tokens. With it, nobody plays without one."""
    tls_cert: str | None = None
    """Certificate chain, PEM."""
    tls_key: str | None = None
    """Its key, PEM."""
    may_open: list[str] = []
    """Bots that may open tables; `*`: all."""
    limits: LimitsEntry = LimitsEntry()
    """What clients may do."""
    tables: list[TableEntry] = []
    """What is played."""


class TableSetting(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it is to be kept."""

    entry: TableEntry
    game: Game
    control: TimeControl
    limits: Limits

    @property
    def name(self) -> str:
        """What it is called."""
        return self.entry.name


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The limits, in seconds and bytes."""

    connections: int
    per_address: int
    handshake: float
    line_bytes: int
    messages: int
    bytes: int
    idle: float
    come_back: float
    resume: float
    finish: float
    open_tables: int


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A server as it is to be run."""

    host: str
    port: int
    data: Path
    tokens: Path | None
    tls: tuple[Path, Path] | None
    """Certificate and key."""
    may_open: frozenset[str]
    rules: Rules
    tables: dict[str, TableSetting]

    def lets_open(self, bot: str) -> bool:
        """Whether a bot may open tables."""
        return "*" in self.may_open or bot in self.may_open


def read_settings(path: Path) -> Settings:
    """The settings of a file. Raises FileError with file, line, field and what would be right."""
    source = TomlFile(path, "configuration")
    try:
        return make_settings(_file(source.table), path.parent)
    except FieldError as error:
        raise source.error(error) from None


def _file(table: dict[str, Any]) -> ServerFile:
    """The file's content; the tables in it are checked first, so that errors name the entry."""
    if isinstance(limits := table.get("limits"), dict):
        struct_from(LimitsEntry, limits, ("limits",))
    if isinstance(entries := table.get("tables"), list):
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                raise FieldError(("tables", index), "write a table here; it begins with [[tables]]")
            struct_from(TableEntry, entry, ("tables", index))
    return struct_from(ServerFile, table)


def make_settings(file: ServerFile, folder: Path) -> Settings:
    """The settings of a file's content; relative paths start at `folder`. Raises FieldError."""
    rules = _rules(file.limits)
    if (file.tls_cert is None) != (file.tls_key is None):
        missing = "tls_key" if file.tls_key is None else "tls_cert"
        raise FieldError(missing, "certificate and key go together; name both")
    return Settings(
        host=file.host,
        port=file.port,
        data=folder / file.data,
        tokens=folder / file.tokens if file.tokens else None,
        tls=(folder / file.tls_cert, folder / file.tls_key) if file.tls_cert and file.tls_key else None,
        may_open=frozenset(file.may_open),
        rules=rules,
        tables=_tables(file.tables, rules, folder),
    )


def _rules(entry: LimitsEntry) -> Rules:
    times = ("handshake", "idle", "come_back", "resume", "finish")
    seconds = {name: _seconds(("limits", name), getattr(entry, name)) for name in times}
    for name in ("handshake", "idle"):
        if not seconds[name]:
            raise FieldError(("limits", name), "a time of 0 would be over at once; give more")
    return Rules(**{**msgspec.structs.asdict(entry), **seconds})


def _tables(entries: list[TableEntry], rules: Rules, folder: Path) -> dict[str, TableSetting]:
    tables: dict[str, TableSetting] = {}
    for index, entry in enumerate(entries):
        where: FieldPath = ("tables", index)
        if entry.name in tables:
            raise FieldError((*where, "name"), f"two tables are called {entry.name!r}; give each a name of its own")
        tables[entry.name] = make_table(entry, rules, where, folder)
    return tables


OWN_FIELDS = {"matches": ("matches",), "ladder": ("at_once", "bench_after", "bench")}
"""Fields that one kind of table has and the other hasn't."""


def make_table(entry: TableEntry, rules: Rules, where: FieldPath, folder: Path | None) -> TableSetting:
    """A table; its files are looked for from `folder`, None: shipped ones only. Raises FieldError."""
    if not NAME.fullmatch(entry.name) or entry.name.startswith("."):
        raise FieldError(
            (*where, "name"), f"{entry.name!r} is no name; it is 1 to {NAME_CHARACTERS} of letters, digits and _.+#-"
        )
    for kind, fields in OWN_FIELDS.items():
        for field in fields:
            if entry.kind != kind and getattr(entry, field) is not None:
                raise FieldError((*where, field), f"this is for tables of the kind {kind!r}; leave it out")
    game = _game(entry, where, folder)
    if entry.kind == "ladder" and (game.cooperative or entry.players < 2):
        raise FieldError((*where, "kind"), 'a ladder needs seats that play against each other; make it "matches"')
    limits = Limits(
        startup=rules.handshake,
        ready=_seconds((*where, "ready"), entry.ready),
        line_bytes=rules.line_bytes,
        messages=entry.messages,
        illegal=entry.illegal,
        memory=None,
    )
    _seconds((*where, "bench"), entry.bench or "0")
    return TableSetting(entry=entry, game=game, control=_control(entry, where), limits=limits)


def _game(entry: TableEntry, where: FieldPath, folder: Path | None) -> Game:
    if entry.game not in GAMES:
        raise FieldError((*where, "game"), f"there is no game {entry.game!r}; there is {', '.join(sorted(GAMES))}")
    options = {name: _text(value) for name, value in entry.options.items()}
    try:
        board = entry.board and _file_or_name(entry.board, folder)
        game = load_game(entry.game, _file_or_name(entry.rules, folder), board, options)
        game.deal(entry.players, seed=0) if _seats(game, entry.players) else None
    except RuleError as error:
        raise FieldError((*where, "rules"), str(error)) from None
    least, most = game.seats
    if not _seats(game, entry.players):
        raise FieldError((*where, "players"), f"{game.name} has {least} to {most} seats, not {entry.players}")
    return game


def _seats(game: Game, players: int) -> bool:
    least, most = game.seats
    return least <= players <= most


def _file_or_name(text: str, folder: Path | None) -> str:
    """A path from the folder of the configuration; a name as it is. Clients name no files of ours."""
    if folder is None:
        if not NAME.fullmatch(text) or "." in text:
            raise RuleError(f"{text!r} is no shipped rule set or board; a path can't be given here")
        return text
    return str(folder / text) if "/" in text or "." in text else text


def _text(value: object) -> str:
    """A TOML value as it would be given on the command line."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _control(entry: TableEntry, where: FieldPath) -> TimeControl:
    move = None if entry.move_time is None else _seconds((*where, "move_time"), entry.move_time) or None
    if entry.time is None:
        return TimeControl(move=MOVE_TIME if entry.move_time is None else move)
    try:
        bank, increment = parse_bank(entry.time)
    except ValueError as error:
        raise FieldError((*where, "time"), str(error)) from None
    if not bank or math.isinf(bank):
        raise FieldError((*where, "time"), "a bank of 0 would be over at once; give more")
    return TimeControl(move=move, bank=bank, increment=increment)


def _seconds(field: FieldPath, text: str) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise FieldError(field, str(error)) from None
