"""Games that are lost: whatever process plays them dies, which is the work of a bot, or of a machine in need."""

from __future__ import annotations

from mexica_cli.arena.faults import FaultKind
from mexica_cli.arena.host import Host
from mexica_cli.games import restore_game
from mexica_cli.record.lines import Line, ResultLine
from mexica_cli.tournament.job import Job, Outcome

LOST = "the process that played it died, again and again"


def lost(job: Job) -> Outcome:
    """The game as it goes into the log: void."""
    lines: list[Line] = []
    game = restore_game(job.game, job.options)
    Host(game, job.master_seed, job.control, lines.append, job.variant).give_up(job.match, job.seats, LOST)
    return Outcome(lines=lines, stderr={})


def is_lost(result: ResultLine) -> bool:
    """Whether a game came to that."""
    return any(fault is not None and fault.kind == FaultKind.ARENA and fault.reason == LOST for fault in result.reasons)
