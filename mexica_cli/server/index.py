"""The ladders' books in SQLite, so that a restart needn't count every log again, and for whoever likes SQL.

It is a cache. Every row follows from a log, and `logs.matches` says how many matches of that log have been counted.
What doesn't fit its log is counted anew, and a file that can't be used is made anew. Only `benched_until` (seconds
since 1970) is nowhere else: without it, benched bots play on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import trio

from mexica_cli.arena.log import log
from mexica_cli.server.book import Book, Entry, meetings

SCHEMA_VERSION = 1
SCHEMA = f"""
BEGIN;
CREATE TABLE logs (ladder TEXT PRIMARY KEY, matches INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE bots (
  ladder TEXT, bot TEXT, rating REAL, games INTEGER, wins REAL, forfeits INTEGER, failures INTEGER, seats TEXT,
  benched_until REAL, PRIMARY KEY (ladder, bot)
) WITHOUT ROWID;
CREATE TABLE meetings (
  ladder TEXT, bot TEXT, other TEXT, games INTEGER, PRIMARY KEY (ladder, bot, other)
) WITHOUT ROWID;
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""
WAIT = 5.0
"""Seconds that a write waits for somebody who reads."""

Benches = dict[str, float]
"""Until when a bot is benched, in seconds since 1970."""
Meeting = tuple[str, str]


class Index:
    """The file."""

    def __init__(self, path: Path) -> None:
        """Raises sqlite3.Error, OSError."""
        self._using = trio.Lock()
        try:
            self._db = _opened(path)
        except sqlite3.DatabaseError as error:
            log.warning("the index can't be used and is made anew from the logs", file=str(path), why=str(error))
            for file in path.parent.glob(f"{path.name}*"):
                file.unlink()
            self._db = _opened(path)

    def load(self, ladder: str, seats: int) -> tuple[Book, Benches, int]:
        """The book, the benches, and how many matches have been counted."""
        book, benches = Book(seats), Benches()
        query = "SELECT bot, rating, games, wins, forfeits, failures, seats, benched_until FROM bots WHERE ladder = ?"
        for bot, rating, games, wins, forfeits, failures, places, until in self._db.execute(query, (ladder,)):
            book.entries[bot] = Entry(
                bot=bot,
                rating=rating,
                games=games,
                wins=wins,
                forfeits=forfeits,
                failures=failures,
                seats=msgspec.json.decode(places, type=list[int]),
            )
            benches[bot] = until
        met = self._db.execute("SELECT bot, other, games FROM meetings WHERE ladder = ?", (ladder,))
        book.meetings.update({(bot, other): games for bot, other, games in met})
        counted = self._db.execute("SELECT matches FROM logs WHERE ladder = ?", (ladder,)).fetchone()
        return book, benches, counted[0] if counted else 0

    def replace(self, ladder: str, book: Book, benches: Benches, matches: int) -> None:
        """Put a book that was counted anew in the place of what there is."""
        with self._db:
            for table in ("logs", "bots", "meetings"):
                self._db.execute(f"DELETE FROM {table} WHERE ladder = ?", (ladder,))
            self._write(ladder, *_rows(ladder, book, book.entries, book.meetings, benches), matches)

    async def update(self, ladder: str, book: Book, bots: Sequence[str], benches: Benches, matches: int) -> None:
        """What has changed by a match of these bots."""
        rows = _rows(ladder, book, bots, meetings(bots), benches)
        async with self._using:
            await trio.to_thread.run_sync(self._update, ladder, *rows, matches)

    def _update(self, *parts: object) -> None:
        with self._db:
            self._write(*parts)  # type: ignore[arg-type]

    def _write(self, ladder: str, bots: list[tuple[object, ...]], met: list[tuple[object, ...]], matches: int) -> None:
        self._db.executemany("INSERT OR REPLACE INTO bots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", bots)
        self._db.executemany("INSERT OR REPLACE INTO meetings VALUES (?, ?, ?, ?)", met)
        self._db.execute("INSERT OR REPLACE INTO logs VALUES (?, ?)", (ladder, matches))

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _opened(path: Path) -> sqlite3.Connection:
    """The file, with its tables. Raises sqlite3.DatabaseError for what is no such file."""
    db = sqlite3.connect(path, timeout=WAIT, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if not version:
            db.executescript(SCHEMA)
        elif version != SCHEMA_VERSION:
            raise sqlite3.DatabaseError(f"it has version {version}, this program writes {SCHEMA_VERSION}")
    except BaseException:
        db.close()
        raise
    return db


def _rows(
    ladder: str, book: Book, bots: Iterable[str], met: Iterable[Meeting], benches: Benches
) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The rows of these bots and meetings."""
    entries = [_row(ladder, book.of(bot), benches.get(bot, 0.0)) for bot in bots]
    return entries, [(ladder, *pair, book.meetings[pair]) for pair in met]


def _row(ladder: str, entry: Entry, benched_until: float) -> tuple[object, ...]:
    return (
        ladder,
        entry.bot,
        entry.rating,
        entry.games,
        entry.wins,
        entry.forfeits,
        entry.failures,
        msgspec.json.encode(entry.seats).decode(),
        benched_until,
    )
