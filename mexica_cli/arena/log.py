"""Where the arena's own log lines go: standard error, readable on a terminal; standard output is for results.

`from mexica_cli.arena.log import log`, and name the match and the bot in every line.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog


def set_up_logging(*, verbose: bool) -> None:
    """Warnings and worse; with `verbose` everything."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if verbose else logging.WARNING),
        logger_factory=_standard_error,
    )


def _standard_error(*_: Any) -> structlog.PrintLogger:
    """Standard error as it is when the line is written, not as it was when logging was set up."""
    return structlog.PrintLogger(sys.stderr)


if not structlog.is_configured():
    set_up_logging(verbose=False)

log = structlog.get_logger()
