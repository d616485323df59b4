"""File descriptors: every connection takes one, every match under way another, and the system gives only so many."""

from __future__ import annotations

import resource

import trio

from mexica_cli.arena.log import log
from mexica_cli.games.tomlfile import plain

RESERVE = 100
"""For all that is neither a connection nor the journal of a match, and for those who are told that there is no room."""
SILENCE = 5.0
"""Seconds between two complaints."""


def room_for(connections: int) -> int:
    """How many connections there is room for, at most so many; the limit on descriptors is raised as far as it goes."""
    needed = 2 * connections + RESERVE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return connections
    fitting = max(1, (soft - RESERVE) // 2)
    log.warning(
        "fewer connections than configured: the system allows too few open files (ulimit -n)",
        connections=fitting,
        configured=connections,
        open_files=soft,
    )
    return fitting


class Complaints:
    """Says that something fails which is tried again and again, but not each time."""

    def __init__(self) -> None:
        self._said = -SILENCE

    def say(self, what: str, error: OSError) -> None:
        """A line in the log, if there was none lately."""
        now = trio.current_time()
        if now - self._said >= SILENCE:
            self._said = now
            log.error(what, why=plain(error))
