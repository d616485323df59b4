"""Makes the tables of a server: from its configuration, from what clients ask for, and from what is on disk."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import trio

from mexica_cli.arena.log import log
from mexica_cli.games.tomlfile import FieldError, FileError, sentence
from mexica_cli.record.reader import LogError
from mexica_cli.server.index import Index
from mexica_cli.server.ladder import LadderTable
from mexica_cli.server.ledger import open_ledger
from mexica_cli.server.matches import MatchesTable
from mexica_cli.server.meters import Meters
from mexica_cli.server.settings import Rules, TableEntry, TableSetting, make_table
from mexica_cli.server.table import Table
from mexica_cli.wire.handshake import Refused
from mexica_cli.wire.lobby import Open

SEED_BITS = 48
ENTRY_FILE = "table.json"
"""In the folder of a table that a client has opened: what it asked for."""

Report = Callable[[MatchesTable], None]


class Furniture:
    """What tables are made of."""

    def __init__(self, data: Path, rules: Rules, meters: Meters, nursery: trio.Nursery, report: Report) -> None:
        """`nursery`: where matches run. Raises sqlite3.Error, OSError."""
        data.mkdir(parents=True, exist_ok=True)
        self.rules = rules
        self._data = data
        self._meters = meters
        self._nursery = nursery
        self._report = report
        self._index = Index(data / "index.sqlite")

    def table(self, setting: TableSetting) -> Table:
        """A table, to be gone on with if it is on disk. Raises LogError, OSError."""
        ledger = open_ledger(self._data, setting, lambda: secrets.randbits(SEED_BITS))
        if setting.entry.kind == "ladder":
            return LadderTable(setting, ledger, self._meters, self._index, self.rules.resume, self._nursery)
        return MatchesTable(setting, ledger, self._meters, self._report)

    def table_for(self, asked: Open, client: str, opened: int) -> Table:
        """A table that a client asks for, when there are so many opened ones already. Raises Refused."""
        if opened >= self.rules.open_tables:
            raise Refused("full", f"there are {opened} tables that clients have opened, and may not be more")
        entry = _entry(asked, client)
        try:
            setting = make_table(entry, self.rules, (), None)
        except FieldError as error:
            raise Refused("bad_table", str(error)) from None
        if (self._data / entry.name).exists():
            raise Refused("table_exists", f"there is, or was, a table {entry.name!r}; choose another name")
        table = self.table(setting)
        (self._data / entry.name / ENTRY_FILE).write_bytes(msgspec.json.encode(entry))
        return table

    def left_open(self, but: set[str]) -> Iterator[Table]:
        """The tables that clients opened before a restart and that aren't over; `but`: names that are taken now."""
        for file in sorted(self._data.glob(f"*/{ENTRY_FILE}")):
            if file.parent.name in but:
                continue
            try:
                entry = msgspec.json.decode(file.read_bytes(), type=TableEntry)
                table = self.table(make_table(entry, self.rules, (), None))
            except (FieldError, FileError, LogError, OSError, msgspec.DecodeError) as error:
                log.error(
                    "a table that was opened before can't be gone on with", table=file.parent.name, why=sentence(error)
                )
                continue
            if table.state == "over":
                table.ledger.close()
            else:
                yield table

    def close(self) -> None:
        """Close what is open."""
        self._index.close()


def _entry(asked: Open, client: str) -> TableEntry:
    invited = [client, *asked.invite] if asked.invite else []
    return TableEntry(
        name=asked.table,
        game=asked.game,
        rules=asked.rules,
        board=asked.board,
        options=asked.options,
        players=asked.players,
        matches=asked.matches,
        join=invited,
        time=asked.time,
        move_time=asked.move_time,
    )
