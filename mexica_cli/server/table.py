"""What the two kinds of table have in common: who sits there, and playing one match with all that goes on disk."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import islice

import structlog
import trio

from mexica_cli.arena.faults import FaultKind
from mexica_cli.arena.host import Host
from mexica_cli.arena.log import log
from mexica_cli.games.tomlfile import sentence
from mexica_cli.record.lines import VOID, ResultLine
from mexica_cli.record.reader import LogError
from mexica_cli.server.broadcast import Broadcast, Stage
from mexica_cli.server.guest import Guest
from mexica_cli.server.journal import Journal, Unfinished
from mexica_cli.server.ledger import Ledger
from mexica_cli.server.meters import Meters
from mexica_cli.server.settings import TableSetting
from mexica_cli.wire.handshake import Refused
from mexica_cli.wire.lobby import Standing, TableInfo, TableState
from mexica_cli.wire.messages import Error, Fault

FILES_AGAIN = 10.0
"""Seconds until something is tried again after the files failed."""
FILE_FAILURES = 5
"""So many in a row, and the server gives up."""
FILES_FAIL = "the server's files fail, so nothing begins at this table for a while; you may stay"
LISTED = 100
"""Names and matches that a list shows, at most."""


class Table(ABC):
    """A table."""

    def __init__(self, setting: TableSetting, ledger: Ledger, meters: Meters) -> None:
        self.setting = setting
        self.ledger = ledger
        self.stage = Stage()
        self.guests: dict[str, Guest] = {}
        """Who sits here, by name."""
        self.state: TableState = "waiting"
        self.failure: str | None = None
        """Why it came to an end before its time."""
        self.closing = False
        """No match is begun any more."""
        self.broken = False
        """The files fail, and that for good."""
        self._file_failures = 0
        self._paused_until = -math.inf
        self._meters = meters
        self._changed = trio.lowlevel.ParkingLot()

    @property
    def name(self) -> str:
        """What it is called."""
        return self.setting.name

    @property
    def running(self) -> int:
        """Matches under way."""
        return len(self.stage.running)

    @abstractmethod
    async def run(self) -> None:
        """Keep the table until it is over."""

    @abstractmethod
    def standings(self) -> list[Standing]:
        """How everybody does, best first."""

    def info(self) -> TableInfo:
        """The table, for a list."""
        entry = self.setting.entry
        return TableInfo(
            name=self.name,
            kind=entry.kind,
            game=self.setting.game.name,
            rules=self.setting.game.rules,
            players=entry.players,
            state=self.state,
            here=list(islice((name for name, guest in self.guests.items() if guest.here), LISTED)),
            matches=self.total,
            played=len(self.ledger.finished),
            running=list(islice(self.stage.running, LISTED)),
            spectators=entry.spectators,
        )

    @property
    def total(self) -> int | None:
        """How many matches are played; None: without an end."""
        return None

    # ---- who sits here ---------------------------------------------------------------------------

    def admit(self, guest: Guest) -> None:
        """Somebody sits down. Raises Refused."""
        self.check(guest)
        guest.table = self
        guest.limits = self.setting.limits
        self.guests[guest.name] = guest
        log.debug("sits down", table=self.name, bot=guest.name)
        self.change()

    def check(self, guest: Guest) -> None:
        """Whether it may sit down. Raises Refused."""
        invited = self.setting.entry.join
        if self.state == "over" or self.closing:
            raise Refused("table_over", f"the table {self.name!r} is over")
        if invited and guest.name not in invited:
            raise Refused("not_invited", f"{guest.name!r} isn't among those who may sit at the table {self.name!r}")
        plays = guest.joined.games if guest.joined else None
        if plays is not None and self.setting.game.name not in plays:
            raise Refused(
                "wrong_game",
                f"{self.setting.game.name} is played at the table {self.name!r}, which isn't among the bot's games",
            )

    def welcome_back(self, guest: Guest) -> None:
        """Somebody who sits here has come over another connection."""
        self.change()

    def leave(self, guest: Guest) -> None:
        """Somebody is gone for good."""
        if self.guests.get(guest.name) is guest:
            del self.guests[guest.name]
        guest.table = None
        log.debug("stands up", table=self.name, bot=guest.name)
        self.change()

    def change(self) -> None:
        """Wake the table: something has changed."""
        self._changed.unpark_all()

    # ---- files that fail -------------------------------------------------------------------------

    def note_failure(self, error: OSError | LogError, match: str) -> None:
        """The files fail: nothing is begun for a while, and who sits here is told. Too often in a row is the end."""
        self._file_failures += 1
        why = sentence(error)
        log.error("the files fail", table=self.name, match=match, failures=self._file_failures, why=why)
        if self._file_failures >= FILE_FAILURES:
            self.broken = self.closing = True
            self.failure = f"the files failed {self._file_failures} times in a row: {why}"
        else:
            self._paused_until = trio.current_time() + FILES_AGAIN
            for guest in self.guests.values():
                guest.tell(Error(code="closing", reason=FILES_FAIL, retry_after=FILES_AGAIN))
        self.change()

    @property
    def paused(self) -> float:
        """Seconds for which nothing is begun, as the files fail."""
        return max(0.0, self._paused_until - trio.current_time())

    async def _keep(self, journal: Journal) -> None:
        """Put a match that is over into the log, however often that must be tried. Raises OSError, LogError."""
        while True:
            try:
                await self.ledger.enter(journal.path)
            except (OSError, LogError) as error:
                self.note_failure(error, journal.path.stem)
                if self.broken:
                    raise
                await trio.sleep(self.paused)
            else:
                self._file_failures = 0
                return

    # ---- one match -------------------------------------------------------------------------------

    async def play(self, match: str, seats: Sequence[Guest], cut: Unfinished | None = None) -> ResultLine:
        """Play a match, or go on with one that was cut short. Raises OSError, LogError."""
        names = [guest.name for guest in seats]
        journal = self.ledger.begin(match) if cut is None else self.ledger.go_on(cut)
        broadcast = Broadcast(self.name, match, self.setting.game, names, reveal=self.setting.entry.reveal)
        host = Host(self.setting.game, self.ledger.header.seed, self.setting.control, journal.write)
        log.info("begins" if cut is None else "goes on", table=self.name, match=match, bots=names)
        self.stage.open(broadcast)
        try:
            with structlog.contextvars.bound_contextvars(table=self.name, match=match):
                for guest in seats:
                    await guest.engage()
                result = await host.play(match, seats, broadcast, cut.lines if cut else ())
        finally:
            journal.close()
            self.stage.close(broadcast)
            for guest in seats:
                guest.release()
        await self._enter(journal, host, result)
        return result

    async def void(self, cut: Unfinished, reason: str) -> ResultLine:
        """Give up a match that was cut short: it counts for nothing."""
        journal = self.ledger.go_on(cut)
        seats = len(cut.game.seats)
        result = ResultLine(
            match=cut.game.match,
            outcome=VOID,
            ranking=[],
            scores=[],
            reasons=[Fault(kind=FaultKind.STOPPED, reason=reason)] * seats,
            actions=0,
            digest="",
            stale=[0] * seats,
            stderr=[None] * seats,
        )
        journal.write(result)
        journal.close()
        await self.ledger.enter(journal.path)
        log.warning("void", table=self.name, match=result.match, bots=cut.game.seats, reason=reason)
        return result

    async def _enter(self, journal: Journal, host: Host, result: ResultLine) -> None:
        await self._keep(journal)
        self._meters.match_over(host.latency)
        log.info(
            "is over",
            table=self.name,
            match=result.match,
            outcome=result.outcome,
            ranking=result.ranking,
            scores=result.scores,
        )

    def absent(self, name: str) -> Guest:
        """Whoever sits in a seat whose bot isn't there: nobody."""
        return self.guests.get(name) or Guest.absent(name, self.setting.limits)
