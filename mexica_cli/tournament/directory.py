"""The directory of a tournament: the log, which is the only truth, the standard error of failed games, the reports.

NAME/log.jsonl          the log
NAME/stderr/            what bots that failed wrote to standard error, a file a game and bot
NAME/report.html        the last report
NAME/lock               held while the tournament runs; holds the number of the process that does
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import quote

import msgspec

from mexica_cli.record.compression import is_compressed
from mexica_cli.record.differences import differences
from mexica_cli.record.lines import TIME_FIELDS, BotRecord, Header, ResultLine
from mexica_cli.record.reader import LogError, games, open_log
from mexica_cli.record.writer import (
    LogWriter,
    NotWritable,
    begins_like_a_log,
    copy_with_header,
    naming,
    open_resumed,
    sync_folder,
)

NAME_BYTES = 200
"""Of a file's name but for its suffix. Names of bots may be long, and a game has several."""


class Played(NamedTuple):
    """A game of the log, void ones included."""

    seats: list[str]
    """Its bots by seat."""
    result: ResultLine
    variant: str | None = None
    """What it was played under: one of the header's variants, or None."""


class Busy(Exception):
    """Another process runs the tournament."""


class Directory:
    """Where a tournament lives."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = path / "log.jsonl"
        self.stderr = path / "stderr"
        self.report = path / "report.html"
        self._lock = path / "lock"
        self._fresh_log = path / "log.new"

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Nobody else may run the tournament within the block. Raises Busy, OSError."""
        self.path.mkdir(parents=True, exist_ok=True)
        with self._lock.open("a+", encoding="ascii") as lock:
            if not _take(lock):
                who = self._runner()
                raise Busy(f"{self.path}: {f'process {who}' if who else 'another process'} runs this tournament now")
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            try:
                yield
            finally:
                lock.truncate(0)

    def stop(self) -> int | None:
        """Ask the process that runs the tournament to finish; its number, None where there is none."""
        pid = self._runner() if self.is_running() else None
        if pid is not None:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGINT)
        return pid

    def is_running(self) -> bool:
        """Whether a process runs the tournament now."""
        if not self._lock.exists():
            return False
        with self._lock.open("r", encoding="ascii") as lock:
            return not _lock(lock, fcntl.LOCK_SH)

    def reset(self) -> None:
        """Forget everything that was played."""
        for file in (self.log, self._fresh_log, self.report):
            file.unlink(missing_ok=True)
        shutil.rmtree(self.stderr, ignore_errors=True)

    def header(self) -> Header | None:
        """The log's first line; None where nothing has been played. Raises LogError."""
        if not self.log.exists() or not self.log.stat().st_size:
            return None
        self._check_beginning()
        with open_log(str(self.log)) as reader:
            for _ in reader:
                break
            return reader.header

    def _check_beginning(self) -> None:
        """Raises LogError where the log's beginning is lost, which the errors of its lines would not say."""
        with self.log.open("rb") as file:
            start = file.read(1024)
        if not begins_like_a_log(start) and not is_compressed(start):
            raise LogError(
                str(self.log), None, "it doesn't begin as a log does, as after something else wrote to it or cut it: "
                "put a copy of the log in its place, or forget what was played with `mexica tournament reset`",
            )  # fmt: skip

    def played(self) -> list[Played]:
        """All whole games of the log. Raises LogError."""
        if self.header() is None:
            return []
        with open_log(str(self.log)) as reader:
            return [Played(game.game.seats, game.result, game.game.variant) for game in games(reader)]

    def resume(self, wanted: Header) -> LogWriter:
        """The log, to be written on. A bot may have come in, and the order of the bots may have changed.

        Raises LogError where anything else in the header has changed, with the difference shown.
        """
        old = self.header()
        if old is None:
            return open_resumed(str(self.log), wanted)[0]
        _refuse_changes(str(self.log), old, wanted)
        known = {bot.name for bot in old.bots}
        new = [bot for bot in wanted.bots if bot.name not in known]
        header = msgspec.structs.replace(old, bots=[*old.bots, *new])
        if new:
            self._rewrite_header(header)
        return open_resumed(str(self.log), header)[0]

    def _rewrite_header(self, header: Header) -> None:
        """Put another first line on the log, or leave it as it is if that fails."""
        copy_with_header(self.log, self._fresh_log, header)
        self._fresh_log.replace(self.log)
        sync_folder(self.path)

    def keep_stderr(self, match: str, texts: dict[str, str]) -> None:
        """Keep what bots that failed wrote to standard error."""
        for name, text in texts.items():
            self.stderr.mkdir(exist_ok=True)
            file = self.stderr / _file_name(f"{match}.{quote(name, safe='')}")
            with naming(str(file)):
                file.write_text(text, encoding="utf-8")

    def write_report(self, page: str) -> None:
        """Put the page in place of the last one, at once, for whoever looks at it meanwhile."""
        fresh = self.report.with_suffix(f".{os.getpid()}")
        try:
            with naming(str(self.report)):
                fresh.write_text(page, encoding="utf-8")
                fresh.replace(self.report)
        finally:
            fresh.unlink(missing_ok=True)

    def _runner(self) -> int | None:
        text = self._lock.read_text(encoding="ascii")
        return int(text) if text.isdecimal() else None


def _take(lock: IO[str]) -> bool:
    """Lock for this process alone; False where another one has done so.

    Those who only look whether it is locked hold it for a moment, too, but leave room for more of their kind.
    """
    while not _lock(lock, fcntl.LOCK_EX):
        if not _lock(lock, fcntl.LOCK_SH):
            return False
    return True


def _lock(file: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _file_name(text: str) -> str:
    """The text, short enough for a file system."""
    if len(text) > NAME_BYTES:
        text = f"{text[: NAME_BYTES - 17]}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return f"{text}.txt"


def _refuse_changes(log: str, old: Header, new: Header) -> None:
    """Raise NotWritable where more has changed than that bots came in or went."""
    changed = differences(_settings(old), _settings(new))
    known: dict[str, BotRecord] = {bot.name: bot for bot in old.bots}
    for bot in new.bots:
        if bot.name in known:
            changed += differences(msgspec.to_builtins(known[bot.name]), msgspec.to_builtins(bot), f"bots.{bot.name}")
    if changed:
        intro = "the tournament was begun under other settings; restore them, give a changed bot a new name, or reset"
        rows = [f"  {found.path}: {found.left} in the log, {found.right} now" for found in changed]
        raise NotWritable(log, 1, "\n".join([intro, *rows]))


def _settings(header: Header) -> dict[str, object]:
    fields = msgspec.to_builtins(header)
    return {name: fields[name] for name in fields if name not in {*TIME_FIELDS, "bots", "server"}}
