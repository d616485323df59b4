"""Results of matches, made up."""

from __future__ import annotations

from mexica_cli.record.lines import ResultLine
from mexica_cli.wire.messages import Fault

FAULT = Fault(kind="timeout", reason="too slow")


def result(*ranking: int, faults: tuple[int, ...] = (), outcome: str = "finished") -> ResultLine:
    """The last line of a match."""
    seats = len(ranking)
    return ResultLine(
        match="1-1",
        outcome=outcome,
        ranking=list(ranking),
        scores=[0] * seats,
        reasons=[FAULT if seat in faults else None for seat in range(seats)],
        actions=0,
        digest="",
        stale=[0] * seats,
        stderr=[None] * seats,
    )
