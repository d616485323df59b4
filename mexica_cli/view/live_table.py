"""A table on the terminal that follows a run of many games. In a pipe there is none."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from rich.console import Group
from rich.live import Live
from rich.text import Text

from mexica_cli.arena.tally import Tally
from mexica_cli.view.console import console_for
from mexica_cli.view.standings import standings_table

SECONDS = 0.5
"""Between two looks of the table, at least."""


@contextmanager
def live_table(stream: IO[str], tally: Tally, planned: int | None) -> Iterator[Callable[[], None]]:
    """A table of the tally on a terminal; call what it gives after every game. `planned`: games in all, if known."""
    if not stream.isatty():
        yield lambda: None
        return
    began, first, shown = time.monotonic(), tally.games, 0.0

    def picture() -> Group:
        rate = (tally.games - first) / max(0.001, time.monotonic() - began)
        of = f" of {planned}" if planned is not None else ""
        line = Text(f"{tally.games}{of} games, {60 * rate:.1f} a minute")
        return Group(standings_table(tally), line) if tally.games else Group(line)

    with Live(picture(), console=console_for(stream), transient=True, auto_refresh=False) as live:

        def update() -> None:
            nonlocal shown
            if time.monotonic() - shown >= SECONDS:
                shown = time.monotonic()
                live.update(picture(), refresh=True)

        yield update
