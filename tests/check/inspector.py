"""Puts bots through checks, and looks at what is found."""

from __future__ import annotations

from collections.abc import Sequence

from mexica_cli.arena.limits import Limits
from mexica_cli.arena.spec import BotSpec
from mexica_cli.check.catalogue import CHECKS
from mexica_cli.check.check import Check
from mexica_cli.check.finding import Finding, Verdict
from mexica_cli.check.runner import run_checks
from mexica_cli.check.setting import Setting
from mexica_cli.games.game import Game

BY_NAME = {check.name: check for check in CHECKS}


def setting(
    spec: BotSpec, game: Game, *, players: int = 2, move: float = 60.0, limits: Limits | None = None, seed: int = 3
) -> Setting:
    """Where nothing is late by chance."""
    patient = Limits(startup=60.0, ready=60.0, quit=60.0)
    return Setting(spec=spec, game=game, players=players, seed=seed, move=move, limits=limits or patient)


async def found(given: Setting, *names: str, jobs: int = 1) -> list[Finding]:
    """What the checks of these names find; all checks, if none is named."""
    checks: Sequence[Check] = [BY_NAME[name] for name in names] if names else CHECKS
    reported: list[Finding] = []
    findings = await run_checks(given, checks, reported.append, jobs)
    assert reported == findings
    assert [finding.name for finding in findings] == [check.name for check in checks]
    return findings


def failed(findings: Sequence[Finding]) -> dict[str, str]:
    """The reasons of what has failed, by check."""
    return {finding.name: finding.reason for finding in findings if finding.verdict is Verdict.FAIL}
