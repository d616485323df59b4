"""The server's own log lines, on standard error, for people or for programs. Every line has a match and a bot to it.

What is known of where a line comes from is bound to the task it is written in (`structlog.contextvars`).
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Literal

import structlog
from structlog.typing import EventDict, Processor

LogFormat = Literal["console", "json"]


def set_up_server_logging(format_: LogFormat, *, verbose: bool) -> None:
    """What happens at the tables; with `verbose` also who comes and goes."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *_renderer(format_),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if verbose else logging.INFO),
        logger_factory=_standard_error,
    )


def _renderer(format_: LogFormat) -> list[Processor]:
    if format_ == "json":
        return [_complete, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return [
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
    ]


def _complete(_logger: object, _method: str, fields: EventDict) -> EventDict:
    """A program finds both fields in every line, null where a line is about neither."""
    return {"match": None, "bot": None, **fields}


def _standard_error(*_: Any) -> structlog.PrintLogger:
    return structlog.PrintLogger(sys.stderr)
