"""The minutes of a match: whatever happens goes into the log, and is told to the seats and to those who watch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mexica_cli.arena.announcer import Announcer
from mexica_cli.arena.faults import FaultKind, SeatFault
from mexica_cli.arena.seat import Seat
from mexica_cli.games.game import Illegal, JsonDict
from mexica_cli.record.lines import (
    STDERR_CHARACTERS,
    VOID,
    ActionLine,
    FaultLine,
    Latency,
    Line,
    RejectLine,
    ResultLine,
    SayLine,
)
from mexica_cli.wire.messages import Event, Fault, Result, Said, Say

Record = Callable[[Line], None]
"""Takes the lines of the log as they come to be."""


class Minutes:
    """Kept by the referee."""

    def __init__(self, match: str, record: Record, announcer: Announcer, actions: int) -> None:
        self._match = match
        self._record = record
        self._announcer = announcer
        self.actions = actions
        """How many have been done."""

    def action(
        self,
        seat: int,
        action: int,
        text: str,
        followed: list[JsonDict],
        *,
        ms: float | None,
        note: str | None,
        auto: bool,
    ) -> None:
        """An action was done; `ms` and `note` come with the first of an answer, `auto` is for the arena's own."""
        self.actions += 1
        match, n = self._match, self.actions
        self._record(
            ActionLine(match=match, n=n, seat=seat, action=text, followed=followed, auto=auto, note=note, ms=ms)
        )
        event = Event(match=match, n=n, seat=seat, action=text, followed=followed, auto=auto)
        self._announcer.action(event, action)

    def rejection(self, seat: int, text: str, illegal: Illegal) -> None:
        """An action was refused; that is between the seat and the referee."""
        code, reason = illegal.code, illegal.reason
        self._record(RejectLine(match=self._match, n=self.actions, seat=seat, action=text, code=code, reason=reason))

    def saying(self, seat: Seat, say: Say) -> None:
        """A seat says something to its team."""
        match, text, claim = self._match, say.text, say.claim
        self._record(SayLine(match=match, n=self.actions, seat=seat.number, text=text, claim=claim))
        self._announcer.tell(Said(match=match, seat=seat.number, text=text, claim=claim), but=seat)

    def forfeit(self, seat: int, fault: SeatFault, *, unready: bool) -> None:
        """A seat is out."""
        match, n, kind, reason = self._match, self.actions, fault.kind, fault.reason
        self._record(FaultLine(match=match, n=n, seat=seat, kind=kind, reason=reason, unready=unready))
        followed = {"what": "forfeit", "seat": seat, "kind": kind, "reason": reason}
        self._announcer.tell(Event(match=match, n=n, seat=seat, followed=[followed]))

    def result(self, result: Result, digest: str, seats: Sequence[Seat], latency: Latency | None) -> ResultLine:
        """The match is over; the line that says so. `digest` is that of the last state."""
        self._announcer.result(result)
        line = ResultLine(
            match=result.match,
            outcome=result.outcome,
            ranking=result.ranking,
            scores=result.scores,
            reasons=result.reasons,
            won=result.won,
            actions=self.actions,
            digest=digest,
            stale=[seat.stale for seat in seats],
            unknown=_unless_zero([seat.unknown for seat in seats]),
            stderr=[seat.stderr and seat.stderr[-STDERR_CHARACTERS:] for seat in seats],
            used_ms=[round(seat.clock.used * 1000, 3) for seat in seats],
            latency=latency,
        )
        self._record(line)
        return line

    def void(self, kind: FaultKind, reason: str, seats: int) -> None:
        """The match counts for nothing: everybody who can still be reached is told, and nothing is written."""
        faults: list[Fault | None] = [Fault(kind=kind, reason=reason)] * seats
        self._announcer.result(Result(match=self._match, outcome=VOID, ranking=[], scores=[], reasons=faults))


def _unless_zero(counts: list[int]) -> list[int]:
    return counts if any(counts) else []
