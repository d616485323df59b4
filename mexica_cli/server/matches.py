"""A table where a number of matches is played between those who sat down first. Seats rotate, as in `mexica match`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio

from mexica_cli.arena.host import VOIDS_IN_A_ROW
from mexica_cli.arena.log import log
from mexica_cli.arena.series import Pairing, schedule
from mexica_cli.arena.tally import Tally, void_reasons
from mexica_cli.record.lines import VOID, ResultLine
from mexica_cli.record.reader import LogError
from mexica_cli.server.guest import Guest
from mexica_cli.server.journal import Unfinished
from mexica_cli.server.ledger import Ledger
from mexica_cli.server.meters import Meters
from mexica_cli.server.settings import TableSetting
from mexica_cli.server.table import Table
from mexica_cli.wire.handshake import Refused
from mexica_cli.wire.lobby import Standing


class MatchesTable(Table):
    """The table."""

    def __init__(
        self, setting: TableSetting, ledger: Ledger, meters: Meters, report: Callable[[MatchesTable], None]
    ) -> None:
        """`report` is told when all is played. Raises LogError for a log that is wrong."""
        super().__init__(setting, ledger, meters)
        self._report = report
        self._cut = {unfinished.game.match: unfinished for unfinished in ledger.unfinished()}
        games = ledger.games()
        begun = games or self._cut
        self.bots = [bot.name for bot in ledger.header.bots] if begun else []
        """By the order in which they sat down, once the table has begun."""
        self.tally = Tally(self.bots)
        for game in games:
            self.tally.add(game.game.seats, game.result)
        if begun and not self._missing():
            self.state = "over"

    @property
    def total(self) -> int:
        """See `Table.total`."""
        return self.setting.entry.matches or 1

    def check(self, guest: Guest) -> None:
        """See `Table.check`. Once the table has begun, its seats belong to those who were there."""
        super().check(guest)
        taken = self.bots or list(self.guests)
        if guest.name not in taken and len(taken) >= self.setting.entry.players:
            raise Refused("table_full", f"all seats of the table {self.name!r} are taken")

    async def run(self) -> None:
        """See `Table.run`."""
        await self._gather()
        self.state = "playing"
        for pairing in self._missing():
            if self.closing:
                return
            await self._play_until_valid(pairing)
            if self.failure is not None:
                break
        if self.broken:
            return
        self.state = "over"
        self._report(self)
        for guest in list(self.guests.values()):
            self.leave(guest)
            await guest.stop("the table is over")

    async def _gather(self) -> None:
        """Wait until everybody is here."""
        if self.state == "over":
            return
        while not self._everybody_is_here():
            await self._changed.park()
        if not self.bots:
            self.bots = list(self.guests)
            self.tally = Tally(self.bots)
            self.ledger.register(self.bots)
            await self.ledger.name_newcomers()
        log.info("everybody is here", table=self.name, bots=self.bots)

    def _everybody_is_here(self) -> bool:
        here = [name for name, guest in self.guests.items() if guest.here]
        return set(self.bots) <= set(here) and len(here) >= self.setting.entry.players

    def _missing(self) -> list[Pairing]:
        """The matches that are still to be played, in order."""
        pairings = schedule(self.setting.entry.players, self.total)
        return [pairing for pairing in pairings if pairing.id not in self.ledger.finished]

    async def _play_until_valid(self, pairing: Pairing) -> None:
        """Play a match, and again while it is void."""
        names = [self.bots[seat] for seat in pairing.seats]
        cut: Unfinished | None = self._cut.pop(pairing.id, None)
        for _ in range(VOIDS_IN_A_ROW):
            seats = [self.absent(name) for name in (cut.game.seats if cut else names)]
            played = await self._play_whatever_fails(pairing.id, seats, cut)
            if played is None:
                return
            result = played
            self.tally.add([guest.name for guest in seats], result)
            if result.outcome != VOID:
                return
            cut = None
        reasons = void_reasons([guest.name for guest in seats], result)
        self.failure = f"match {pairing.id} was void {VOIDS_IN_A_ROW} times in a row: {reasons}"
        log.error("the table is given up", table=self.name, match=pairing.id, reason=self.failure)

    async def _play_whatever_fails(self, match: str, seats: list[Guest], cut: Unfinished | None) -> ResultLine | None:
        """Play a match, and go on with it where the files fail; None: they fail for good."""
        while not self.broken:
            try:
                return await self.play(match, seats, cut)
            except (OSError, LogError) as error:
                if not self.broken:
                    self.note_failure(error, match)
            await trio.sleep(self.paused)
            with suppress(OSError, LogError):
                cut = self.ledger.left_of(match)
        return None

    def standings(self) -> list[Standing]:
        """See `Table.standings`."""
        return [
            Standing(
                bot=bot.name,
                games=bot.games,
                wins=bot.wins,
                forfeits=bot.faults.total(),
                here=bot.name in self.guests and self.guests[bot.name].here,
            )
            for bot in self.tally.standings()
        ]
