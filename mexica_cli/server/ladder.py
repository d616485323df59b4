"""A ladder: whoever is there plays, without an end, and everybody has a rating."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence

import trio

from mexica_cli.arena.clock import parse_duration
from mexica_cli.arena.log import log
from mexica_cli.record.lines import VOID, ResultLine
from mexica_cli.record.reader import LogError
from mexica_cli.server.book import Book, Entry
from mexica_cli.server.guest import Guest
from mexica_cli.server.index import Index
from mexica_cli.server.journal import Unfinished
from mexica_cli.server.ledger import Ledger
from mexica_cli.server.meters import Meters
from mexica_cli.server.pairing import pairings
from mexica_cli.server.settings import TableSetting
from mexica_cli.server.table import Table
from mexica_cli.wire.lobby import Standing
from mexica_cli.wire.messages import Error

PATIENCE = 5.0
"""Seconds that a bot waits for somebody else than its last opponents."""
GATHERING = 0.2
"""Seconds between a change and the pairing, so that those who become free at the same time can meet."""
BENCH_AFTER = 3
BENCH = "10m"


class LadderTable(Table):
    """The table. Its matches are numbered: `17-1`."""

    def __init__(
        self, setting: TableSetting, ledger: Ledger, meters: Meters, index: Index, resume: float, nursery: trio.Nursery
    ) -> None:
        """`resume`: how long a match that was cut short waits for its bots. Raises LogError, OSError."""
        super().__init__(setting, ledger, meters)
        self.state = "playing"
        self._index = index
        self._resume = resume
        self._nursery = nursery
        self._cut = {unfinished.game.match: unfinished for unfinished in ledger.unfinished()}
        self._next = 1 + max((_number(match) for match in (*ledger.finished, *self._cut)), default=0)
        self._begun = 0
        """Matches that are under way, or about to be."""
        self._lately: dict[str, frozenset[str]] = {}
        self._free_since: dict[str, float] = {}
        self._bench_after = setting.entry.bench_after or BENCH_AFTER
        self._bench = parse_duration(setting.entry.bench or BENCH)
        self.book, self._benches = self._load()

    def _load(self) -> tuple[Book, dict[str, float]]:
        """The book, from the index if that is as old as the log, else from the log."""
        book, benches, counted = self._index.load(self.name, self.setting.entry.players)
        if counted == len(self.ledger.finished):
            return book, benches
        book = Book(self.setting.entry.players)
        for game in self.ledger.games():
            book.enter(game.game.seats, game.result)
        self._index.replace(self.name, book, benches, len(self.ledger.finished))
        return book, benches

    # ---- who plays whom --------------------------------------------------------------------------

    async def run(self) -> None:
        """See `Table.run`."""
        self._nursery.start_soon(self._give_up_waiting)
        while not self.closing:
            await self._begin_matches()
            with trio.move_on_after(self._until_something_changes()):
                await self._changed.park()
            await trio.sleep(GATHERING)

    async def _begin_matches(self) -> None:
        """Begin every match that can be begun now."""
        if self.paused:
            return
        for cut in [cut for cut in self._cut.values() if self._can_go_on(cut)]:
            del self._cut[cut.game.match]
            self._begin(cut.game.match, [self.absent(name) for name in cut.game.seats], cut)
        free = self._free()
        for seats in pairings(free, self.book, self._lately, self._patient(free)):
            if self._is_full() or self.closing:
                return
            if all(self._is_free(name) for name in seats):
                self._begin(f"{self._next}-1", [self.guests[name] for name in seats])
                self._next += 1
            await trio.lowlevel.checkpoint()

    def _patient(self, free: Sequence[str]) -> frozenset[str]:
        """Who rather waits than play the last opponents again: somebody else may become free."""
        now = trio.current_time()
        others = sum(guest.here and not self._benched(name) for name, guest in self.guests.items())
        if others <= self.setting.entry.players:
            return frozenset()
        return frozenset(name for name in free if now - self._free_since[name] < PATIENCE)

    def _is_full(self) -> bool:
        most = self.setting.entry.at_once
        return most is not None and self._begun >= most

    def _free(self) -> list[str]:
        """Who can play now, the longest waiting first."""
        free = [name for name in self.guests if self._is_free(name)]
        now = trio.current_time()
        for name in free:
            self._free_since.setdefault(name, now)
        return sorted(free, key=lambda name: self._free_since[name])

    def _is_free(self, name: str) -> bool:
        guest = self.guests.get(name)
        if guest is None or not guest.here or guest.playing or self._benched(name):
            return False
        return all(name not in cut.game.seats for cut in self._cut.values())

    def _until_something_changes(self) -> float:
        """Seconds until somebody is free, or no longer patient, without anything happening."""
        now = time.time()
        ends = [until - now for name, until in self._benches.items() if until > now and name in self.guests]
        waits = [PATIENCE] if self._free_since else []
        return max(self.paused, min([*ends, *waits], default=60.0))

    def _begin(self, match: str, seats: Sequence[Guest], cut: Unfinished | None = None) -> None:
        self._begun += 1
        self.ledger.register(guest.name for guest in seats)
        for guest in seats:
            guest.playing = True
            self._free_since.pop(guest.name, None)
        self._nursery.start_soon(self._play, match, seats, cut)

    async def _play(self, match: str, seats: Sequence[Guest], cut: Unfinished | None) -> None:
        names = [guest.name for guest in seats]
        try:
            result = await self.play(match, seats, cut)
            await self._enter_in_book(names, result)
        except (OSError, LogError) as error:
            if not self.broken:
                self.note_failure(error, match)
        except Exception:
            log.exception("a match failed", table=self.name, match=match)
        self._begun -= 1
        for name in names:
            self._lately[name] = frozenset(names) - {name}
        self.change()

    # ---- matches that were cut short -------------------------------------------------------------

    def _can_go_on(self, cut: Unfinished) -> bool:
        """Whether all whom the match needs are here."""
        gone = cut.forfeited
        return all(
            seat in gone or ((guest := self.guests.get(name)) is not None and guest.here and not guest.playing)
            for seat, name in enumerate(cut.game.seats)
        )

    async def _give_up_waiting(self) -> None:
        """After some time, give up what can't be gone on with."""
        await trio.sleep(self._resume)
        for cut in list(self._cut.values()):
            del self._cut[cut.game.match]
            away = [name for name in cut.game.seats if name not in self.guests]
            await self.void(cut, f"the server was restarted, and not all came back: {', '.join(away)}")
        self.change()

    # ---- the book --------------------------------------------------------------------------------

    async def _enter_in_book(self, names: Sequence[str], result: ResultLine) -> None:
        """Count the match. Matches come here in the order in which the log has them."""
        if result.outcome == VOID:
            return
        self.book.enter(names, result)
        for name in names:
            self._judge(self.book.of(name))
        try:
            await self._index.update(self.name, self.book, names, self._benches, len(self.ledger.finished))
        except sqlite3.Error as error:  # it will be counted anew, some day
            log.warning("the index isn't up to date", table=self.name, match=result.match, why=str(error))

    def _judge(self, entry: Entry) -> None:
        """Bench a bot that fails and fails."""
        if entry.failures and entry.failures % self._bench_after == 0:
            self._benches[entry.bot] = time.time() + self._bench
            log.warning("benched", table=self.name, bot=entry.bot, failures=entry.failures, seconds=self._bench)
            self.tell_of_bench(entry.bot)

    def _benched(self, name: str) -> float:
        """For how many seconds more a bot is benched."""
        return max(0.0, self._benches.get(name, 0.0) - time.time())

    def tell_of_bench(self, name: str) -> None:
        """Tell a bot that it is benched, if it is."""
        left = self._benched(name)
        if left and (guest := self.guests.get(name)) is not None:
            until = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(self._benches[name]))
            failures = self.book.of(name).failures
            reason = f"it forfeited {failures} matches in a row, so it isn't paired until {until}; it may stay"
            guest.tell(Error(code="benched", reason=reason, retry_after=round(left, 1)))

    def admit(self, guest: Guest) -> None:
        """See `Table.admit`."""
        super().admit(guest)
        self.tell_of_bench(guest.name)

    def welcome_back(self, guest: Guest) -> None:
        """See `Table.welcome_back`."""
        super().welcome_back(guest)
        self.tell_of_bench(guest.name)

    def leave(self, guest: Guest) -> None:
        """See `Table.leave`."""
        super().leave(guest)
        self._free_since.pop(guest.name, None)
        self._lately.pop(guest.name, None)

    def standings(self) -> list[Standing]:
        """See `Table.standings`."""
        return [
            Standing(
                bot=entry.bot,
                games=entry.games,
                wins=round(entry.wins, 2),
                forfeits=entry.forfeits,
                rating=round(entry.rating, 1),
                here=entry.bot in self.guests and self.guests[entry.bot].here,
                benched_s=round(self._benched(entry.bot), 1) or None,
            )
            for entry in self.book.standings()
        ]


def _number(match: str) -> int:
    """17 of `17-1`."""
    number = match.partition("-")[0]
    return int(number) if number.isdecimal() else 0
