"""Findings as text, for the person who writes the bot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mexica_cli.check.check import Check
from mexica_cli.check.dialogue import Spoken
from mexica_cli.check.finding import Finding, Verdict
from mexica_cli.number_text import count

SHOWN_CHARACTERS = 160
"""How much of a line of the dialogue is shown."""
STDERR_LINES = 8

MARKS = {Verdict.PASS: "✓", Verdict.FAIL: "✗", Verdict.WARN: "!", Verdict.NOT_APPLICABLE: "–"}
ASCII_MARKS = {Verdict.PASS: "ok", Verdict.FAIL: "XX", Verdict.WARN: " !", Verdict.NOT_APPLICABLE: "--"}

WIDTH = len("unknown-messages")
"""Of the longest name of a check."""


def finding_text(finding: Finding, marks: dict[Verdict, str]) -> str:
    """One line; below a failure or a warning the last lines exchanged, and where the protocol says so."""
    lines = [f"{marks[finding.verdict]} {finding.name:{WIDTH}}  {finding.reason}"]
    if finding.verdict in (Verdict.FAIL, Verdict.WARN):
        lines += [f"      {line}" for line in _details(finding)]
    return "\n".join(lines)


def untried_text(findings: Sequence[Finding], marks: dict[Verdict, str]) -> str | None:
    """One line for all checks that were not tried, if there are any."""
    untried = [finding for finding in findings if finding.broken is not None]
    if not untried:
        return None
    were = f"{count(len(untried), 'check')} {'was' if len(untried) == 1 else 'were'}"
    return f"{marks[Verdict.NOT_APPLICABLE]} {were} not tried, as `{untried[0].broken}` has failed"


def _details(finding: Finding) -> Iterator[str]:
    yield from map(_spoken, finding.dialogue)
    for number, line in enumerate(finding.stderr.splitlines()[-STDERR_LINES:]):
        yield f"{'' if number else 'stderr':7}{_cut(_printable(line))}"
    yield f"see {finding.source}"


def _spoken(spoken: Spoken) -> str:
    return f"{spoken.by:7}{_cut(spoken.line)}"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "�" for c in text)


def summary(findings: Sequence[Finding]) -> str:
    """The last sentence."""
    counts = Counter(finding.verdict for finding in findings)
    judged = len(findings) - counts[Verdict.NOT_APPLICABLE]
    passed = f"{judged - counts[Verdict.FAIL]} of {judged} passed"
    if counts[Verdict.WARN]:
        passed += f", {counts[Verdict.WARN]} of them with a warning: {_names(findings, Verdict.WARN)}"
    parts = [passed]
    if counts[Verdict.FAIL]:
        parts.append(f"{counts[Verdict.FAIL]} failed: {_names(findings, Verdict.FAIL)}")
    untried = sum(finding.broken is not None for finding in findings)
    if counts[Verdict.NOT_APPLICABLE] > untried:
        parts.append(f"{counts[Verdict.NOT_APPLICABLE] - untried} not applicable")
    if untried:
        parts.append(f"{untried} not tried")
    return "; ".join(parts) + "."


def _names(findings: Sequence[Finding], verdict: Verdict) -> str:
    return ", ".join(finding.name for finding in findings if finding.verdict is verdict)


def check_text(check: Check) -> str:
    """What a check does, for `--list`."""
    return f"{check.name:{WIDTH}}  {check.does}\n{'':{WIDTH}}  {check.judged}\n{'':{WIDTH}}  See {check.source}"
