"""Bots named on a command line."""

from __future__ import annotations

import click
import pytest

from mexica_cli.arena.sandbox import SandboxError
from mexica_cli.cli import bots
from mexica_cli.cli.bots import named_bots


def test_names_are_made_unique_and_nobody_is_shut_in() -> None:
    specs = named_bots(["random", "strong=random --seed 3", "random"])
    assert [(spec.name, spec.in_sandbox) for spec in specs] == [
        ("random", False),
        ("strong", False),
        ("random#2", False),
    ]


def test_all_are_shut_in_where_that_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "probe", lambda: None)
    assert all(spec.in_sandbox for spec in named_bots(["random", "greedy"], sandbox=True))


def test_what_cannot_be_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise SandboxError("no bwrap")

    monkeypatch.setattr(bots, "probe", refuse)
    with pytest.raises(click.UsageError, match="there is no bot, file or command 'nobody'"):
        named_bots(["random", "nobody"])
    with pytest.raises(click.UsageError, match="port7325 can't be sandboxed"):
        named_bots(["random", "listen:7325"], sandbox=True)
    with pytest.raises(click.UsageError, match="no bwrap"):
        named_bots(["random"], sandbox=True)
