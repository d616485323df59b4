"""What a table has on disk: its log, which is the truth, and the journals of the matches under way.

    DATA/<table>/log.jsonl               whole games, in the order in which they ended
    DATA/<table>/running/<match>.jsonl   a match under way

The log is an ordinary game log. Its header has to name every bot, so it is written anew, before the log's first game
with a newcomer, and put in the old one's place at once.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import trio

from mexica_cli.arena.header import header_for
from mexica_cli.record.lines import VOID, BotRecord, Header, ResultLine
from mexica_cli.record.reader import LoggedGame, games, open_log
from mexica_cli.record.writer import LogWriter, copy_with_header, open_resumed, sync_folder
from mexica_cli.server.journal import Journal, Unfinished, journals, read_journal
from mexica_cli.server.settings import TableSetting

CONNECTED = "connected"
"""In the log's header, the `command` of a bot that came by itself."""


class Ledger:
    """The files of one table. Made by `open_ledger`."""

    def __init__(self, folder: Path, header: Header, writer: LogWriter, finished: frozenset[str]) -> None:
        self.log = folder / "log.jsonl"
        self.header = header
        self.finished = set(finished)
        """Ids of the matches in the log that count."""
        self._running = folder / "running"
        self._writer = writer
        self._names = {bot.name for bot in header.bots}
        self._newcomers: list[str] = []
        self._writing = trio.Lock()
        self._torn = False
        """Something went wrong while the log was written to: who knows how much of it is there."""
        self._closed = False

    def register(self, names: Iterable[str]) -> None:
        """Bots that may play here: the header names them from the next game on."""
        for name in names:
            if name not in self._names:
                self._names.add(name)
                self._newcomers.append(name)

    def begin(self, match: str) -> Journal:
        """The journal of a match; what an earlier attempt left of one is dropped. Raises OSError."""
        return Journal(self._running / f"{match}.jsonl")

    def go_on(self, unfinished: Unfinished) -> Journal:
        """The journal of a match that was cut short. Raises OSError."""
        return Journal(unfinished.path, keep=unfinished.whole_bytes)

    def unfinished(self) -> list[Unfinished]:
        """The matches that were cut short. Raises LogError, OSError.

        Of those that were over already, what isn't in the log goes there now.
        """
        cut = []
        for found in journals(self._running, self.header):
            if found.game.match in self.finished:
                found.path.unlink()
            elif found.is_over:
                if (result := self._enter(found.path)).outcome != VOID:
                    self.finished.add(result.match)
            else:
                cut.append(found)
        return cut

    def left_of(self, match: str) -> Unfinished | None:
        """What there is of a match that was broken off. Raises LogError, OSError."""
        path = self._running / f"{match}.jsonl"
        return read_journal(path, self.header) if path.exists() else None

    async def enter(self, path: Path) -> None:
        """Put the match of a journal into the log, on disk, and remove the journal. Raises LogError, OSError.

        May be tried again after it failed. Beside the event loop: a disk may be slow, and no match shall notice.
        """
        with trio.CancelScope(shield=True):
            async with self._writing:
                result = await trio.to_thread.run_sync(self._enter, path)
        if result.outcome != VOID:
            self.finished.add(result.match)

    async def name_newcomers(self) -> None:
        """Have the header name them now. Raises OSError."""
        with trio.CancelScope(shield=True):
            async with self._writing:
                await trio.to_thread.run_sync(self._write_header)

    def _enter(self, path: Path) -> ResultLine:
        if self._torn:
            self._reopen()
        found = read_journal(path, self.header)
        assert found is not None
        result = found.lines[-1]
        assert isinstance(result, ResultLine)
        if result.match not in self.finished:
            self.register(found.game.seats)
            self._torn = True
            if self._newcomers:
                self._write_header()
            for line in found.lines:
                self._writer.write(line)
            self._torn = False
        path.unlink()
        return result

    def _reopen(self) -> None:
        """Open the log anew, without the game that was half written. Raises LogError, OSError."""
        with suppress(OSError):
            self._writer.close()
        self.header = _header_of(self.log) or self.header
        self._writer, finished = open_resumed(str(self.log), self.header)
        self.finished |= finished
        named = {bot.name for bot in self.header.bots}
        self._newcomers = [name for name in self._newcomers if name not in named]
        self._torn = False

    def _write_header(self) -> None:
        """Put a new first line on the log."""
        newcomers = list(self._newcomers)
        bots = [*self.header.bots, *map(_record, newcomers)]
        header = msgspec.structs.replace(self.header, bots=bots)
        fresh = self.log.with_suffix(".new")
        copy_with_header(self.log, fresh, header)
        stream = fresh.open("ab")
        fcntl.flock(
            stream, fcntl.LOCK_EX | fcntl.LOCK_NB
        )  # the log is ours, as the old one was, from the first moment on
        fresh.replace(self.log)
        sync_folder(self.log.parent)
        self._writer.close()
        self._writer = LogWriter(stream, path=str(self.log))
        self.header = header
        del self._newcomers[: len(newcomers)]

    def games(self) -> list[LoggedGame]:
        """All whole games of the log, void ones included. Raises LogError."""
        with open_log(str(self.log)) as reader:
            return list(games(reader))

    def close(self) -> None:
        """Close the log. May be called twice."""
        if not self._closed:
            self._closed = True
            self._writer.close()


def open_ledger(data: Path, setting: TableSetting, new_seed: Callable[[], int], bots: Sequence[str] = ()) -> Ledger:
    """The files of a table, as they are to be gone on with; without any a log is begun.

    Raises LogError where the log is wrong or was made under other settings, OSError.
    """
    folder = data / setting.name
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log.jsonl"
    old = _header_of(log)
    seed = setting.entry.seed
    if seed is None:
        seed = old.seed if old else new_seed()
    records = old.bots if old else [_record(name) for name in bots]
    header = header_for(setting.game, seed, setting.control, setting.limits, records)
    if old is not None:
        header = msgspec.structs.replace(header, server=old.server)
    writer, finished = open_resumed(str(log), header)
    return Ledger(folder, header, writer, finished)


def _header_of(log: Path) -> Header | None:
    if not log.exists() or not log.stat().st_size:
        return None
    with open_log(str(log)) as reader:
        for _ in reader:
            break
        return reader.header


def _record(name: str) -> BotRecord:
    return BotRecord(name=name, command=CONNECTED, sha256="")
