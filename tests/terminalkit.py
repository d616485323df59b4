"""Terminals for tests: streams that say they are one, and the environment that goes with them."""

from __future__ import annotations

import io

import pytest


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def set_terminal(monkeypatch: pytest.MonkeyPatch, kind: str = "xterm", columns: int = 80) -> None:
    """A terminal of that kind and width, for the length of the test."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setenv("COLUMNS", str(columns))
