"""Findings as text."""

from __future__ import annotations

from mexica_cli.check.catalogue import CHECKS
from mexica_cli.check.finding import Finding, Verdict
from mexica_cli.check.report import ASCII_MARKS, MARKS, summary, untried_text


def finding(verdict: Verdict, broken: str | None = None) -> Finding:
    return Finding(name="ping", verdict=verdict, reason="", source=CHECKS[0].source, broken=broken)


TRIED = [finding(Verdict.PASS), finding(Verdict.FAIL), finding(Verdict.NOT_APPLICABLE)]
UNTRIED = [finding(Verdict.NOT_APPLICABLE, "turn")] * 3


def test_what_was_not_tried_is_counted_in_a_line() -> None:
    assert untried_text(TRIED, MARKS) is None
    assert untried_text(TRIED + UNTRIED, MARKS) == "– 3 checks were not tried, as `turn` has failed"
    assert untried_text(TRIED + UNTRIED[:1], ASCII_MARKS) == "-- 1 check was not tried, as `turn` has failed"


def test_the_summary_tells_what_was_not_tried_from_what_is_not_applicable() -> None:
    assert summary(TRIED) == "1 of 2 passed; 1 failed: ping; 1 not applicable."
    assert summary(TRIED + UNTRIED) == "1 of 2 passed; 1 failed: ping; 1 not applicable; 3 not tried."
    assert summary(TRIED[:2] + UNTRIED) == "1 of 2 passed; 1 failed: ping; 3 not tried."
