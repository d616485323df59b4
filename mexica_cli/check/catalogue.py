"""All checks, in the order in which they are reported."""

from __future__ import annotations

from mexica_cli.check.check import Check
from mexica_cli.check.joining import JOINING
from mexica_cli.check.leaving import LEAVING
from mexica_cli.check.oddities import ODDITIES
from mexica_cli.check.playing import PLAYING
from mexica_cli.check.refusals import REFUSALS

_ALL = (*JOINING, *PLAYING, *REFUSALS, *ODDITIES, *LEAVING)

CHECKS: tuple[Check, ...] = tuple(sorted(_ALL, key=lambda check: not check.basic))
"""Those that all others rest on come first."""
