"""One bot through its checks: first those that all others rest on, one by one, then several at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import trio

from mexica_cli.arena.bot import Arena, Bot, Notice, open_arena
from mexica_cli.check.check import Check
from mexica_cli.check.desk import Desk
from mexica_cli.check.finding import Finding, Finished, NotApplicable, Verdict
from mexica_cli.check.setting import Setting
from mexica_cli.wire.handshake import games_on_offer

TAIL_LINES = 8
"""Lines of the dialogue in a finding."""
STDERR_CHARACTERS = 2000

Report = Callable[[Finding], None]
"""Is told of every finding, in the order of the checks."""


async def run_checks(
    setting: Setting, checks: Sequence[Check], report: Report, jobs: int = 1, notice: Notice = lambda _: None
) -> list[Finding]:
    """Check a bot; all findings, in the order of `checks`.

    `jobs`: how many checks run at a time; a bot that connects by itself is checked once at a time. Raises OSError for a
    port that can't be had.
    """
    async with open_arena(setting.limits, games_on_offer(), notice=notice) as arena:
        run = _Run(arena, setting, checks, report)
        await run.run(1 if setting.calls else jobs)
    return run.findings()


class _Run:
    """The checks of one bot under way."""

    def __init__(self, arena: Arena, setting: Setting, checks: Sequence[Check], report: Report) -> None:
        self._arena = arena
        self._bot: Bot = arena.add(setting.spec)
        self._setting = setting
        self._checks = checks
        self._report = report
        self._found: dict[str, Finding] = {}
        self._reported = 0

    def findings(self) -> list[Finding]:
        """All, in order."""
        return [self._found[check.name] for check in self._checks]

    async def run(self, jobs: int) -> None:
        limiter = trio.CapacityLimiter(jobs)
        for check in self._checks:
            if check.basic:
                await self._examine(check, limiter)
        async with trio.open_nursery() as nursery:
            for check in self._checks:
                if not check.basic:
                    nursery.start_soon(self._examine, check, limiter)

    async def _examine(self, check: Check, limiter: trio.CapacityLimiter) -> None:
        async with limiter:
            if (broken := self._broken()) is not None:
                untried = _finding(check, NotApplicable(f"not tried: `{broken}` has failed"))
                finding = msgspec.structs.replace(untried, broken=broken)
            else:
                finding = await examine(check, Desk(self._arena, self._bot, self._setting))
        self._found[check.name] = finding
        self._report_next()

    def _broken(self) -> str | None:
        """A failed check on which all others rest."""
        basic = (check.name for check in self._checks if check.basic)
        failed = (name for name in basic if name in self._found and self._found[name].verdict is Verdict.FAIL)
        return next(failed, None)

    def _report_next(self) -> None:
        """Report what isn't reported yet and whose predecessors all are."""
        for check in self._checks[self._reported :]:
            if check.name not in self._found:
                return
            self._report(self._found[check.name])
            self._reported += 1


async def examine(check: Check, desk: Desk) -> Finding:
    """Run one check, to its finding, and end its bots."""
    began = trio.current_time()
    try:
        said: str | Finished = await check.run(desk)
    except Finished as finished:
        said = finished
    finally:
        await desk.close()
    return _finding(check, said, desk, trio.current_time() - began)


def _finding(check: Check, said: str | Finished, desk: Desk | None = None, seconds: float = 0.0) -> Finding:
    """A check's outcome with what is there to explain it; `said`: the sentence of a check that has passed."""
    finished = said if isinstance(said, Finished) else None
    last = desk.connections[-1] if desk is not None and desk.connections else None
    return Finding(
        name=check.name,
        verdict=finished.verdict if finished else Verdict.PASS,
        reason=finished.reason if finished else str(said),
        source=(finished and finished.source) or check.source,
        dialogue=last.dialogue.tail(TAIL_LINES, finished.line if finished else None) if last else [],
        stderr=last.stderr()[-STDERR_CHARACTERS:] if last else "",
        seconds=round(seconds, 3),
    )
