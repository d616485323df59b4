"""Before a tournament: does every bot start, and does it play?"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import trio

from mexica_cli.arena.bot import open_arena
from mexica_cli.arena.host import Host
from mexica_cli.arena.inside import run_inside
from mexica_cli.arena.spec import parse_spec
from mexica_cli.record.lines import ActionLine, Line, RejectLine, ResultLine
from mexica_cli.tournament.config import Entrant, Tournament
from mexica_cli.wire.handshake import games_on_offer

ANSWERS = 5
"""Answers of its own that a bot must give."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one bot's trial."""

    bot: str
    faults: list[str]
    """Sentences on what is wrong; none if nothing is."""
    stderr: str | None
    """What it wrote to standard error, where something is wrong."""


async def try_bot(tournament: Tournament, entrant: Entrant) -> Verdict:
    """Let a bot play a few moves, in the first seat, against random ones."""
    lines: list[Line] = []
    with trio.CancelScope() as scope:

        def record(line: Line) -> None:
            lines.append(line)
            answers = sum(isinstance(line, ActionLine) and line.seat == 0 and line.ms is not None for line in lines)
            if answers >= ANSWERS:
                scope.cancel()

        async with open_arena(tournament.limits, games_on_offer()) as arena:
            bots = [arena.add(entrant.spec, entrant.limits)]
            for seat in range(1, tournament.file.seats):
                opponent = run_inside(parse_spec(f"opponent{seat}=random --seed {seat}"))
                bots.append(arena.add(opponent))
            await Host(tournament.game, tournament.file.seed, tournament.control, record).play("check-1", bots)
    return Verdict(bot=entrant.spec.name, faults=list(_faults(lines)), stderr=_stderr(lines))


def _faults(lines: list[Line]) -> Iterator[str]:
    for line in lines:
        if isinstance(line, RejectLine) and line.seat == 0:
            yield f"illegal action {line.action!r}: {line.reason}"
        elif isinstance(line, ResultLine) and (fault := line.reasons[0]) is not None:
            yield f"{fault.kind}: {fault.reason}"


def _stderr(lines: list[Line]) -> str | None:
    results = [line for line in lines if isinstance(line, ResultLine)]
    return results[0].stderr[0] if results else None
