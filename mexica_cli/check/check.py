"""What a check is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from mexica_cli.check.desk import Desk
from mexica_cli.check.sources import Source

Run = Callable[[Desk], Awaitable[str]]
"""Checks; returns what there is to say when all is well. Raises Finished otherwise."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a bot must be able to do."""

    name: str
    does: str
    """What the checker does, as a sentence."""
    judged: str
    """How it comes to its verdict, as a sentence or two."""
    source: Source
    run: Run
    basic: bool = False
    """Without this one nothing else can be tried."""
