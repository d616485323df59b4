"""What comes of a check.

Finished
├── Flaw            the bot breaks the protocol: the check has failed
├── Doubt           it doesn't, but it won't do itself good
└── NotApplicable   there was nothing to judge
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from mexica_cli.check.dialogue import Spoken
from mexica_cli.check.sources import Source


class Verdict(StrEnum):
    """How a check ended."""

    PASS = "pass"
    FAIL = "fail"
    WARN = "warn"
    NOT_APPLICABLE = "not_applicable"


class Finished(Exception):
    """A check is over before its end; `reason` says why."""

    verdict: Verdict

    def __init__(self, reason: str, source: Source | None = None, line: int | None = None) -> None:
        """`source`: where the protocol says so, if it isn't the check's own place.

        `line`: how many lines the dialogue had when it happened, if that isn't now.
        """
        super().__init__(reason)
        self.reason = reason
        self.source = source
        self.line = line


class Flaw(Finished):
    """The bot does what it must not, or doesn't what it must."""

    verdict = Verdict.FAIL


class Doubt(Finished):
    """The bot may do so, and its author would still want to know."""

    verdict = Verdict.WARN


class NotApplicable(Finished):
    """Nothing could be judged."""

    verdict = Verdict.NOT_APPLICABLE


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What is known after a check."""

    name: str
    verdict: Verdict
    reason: str
    source: Source
    dialogue: list[Spoken] = []
    """The last lines exchanged."""
    stderr: str = ""
    """The end of what the bot wrote to standard error."""
    seconds: float = 0.0
    broken: str | None = None
    """The failed check on which it rests, where it was not tried for that."""
