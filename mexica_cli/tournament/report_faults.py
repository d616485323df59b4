"""The part of the page on what went wrong: every bot that failed, its first failures, how to see those games."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby

from mexica_cli.number_text import count
from mexica_cli.tournament.collection import Failure
from mexica_cli.tournament.markup import Content, Markup, element, name, text
from mexica_cli.tournament.report_text import faults_text, show_command
from mexica_cli.tournament.summary import BotFaults, Summary

FAILURES_SHOWN = 5
"""Of each kind of each bot; of the others the ids are listed."""


def faulty(summary: Summary) -> list[BotFaults]:
    """The bots that failed, the worst first."""
    return [faults for faults in summary.faults if faults.failed]


def alarm(faults: BotFaults) -> Markup:
    """One line of it, with a link to the rest."""
    return element("li", element("a", name(faults.bot), href=f"#{anchor(faults.bot)}"), f": {faults_text(faults)}")


def anchor(bot: str | None) -> str:
    """The id in the page of what a bot did wrong."""
    return "faults-" + ("arena" if bot is None else hashlib.sha256(bot.encode()).hexdigest()[:12])


def failures(summary: Summary) -> Iterator[Markup]:
    """All of it, bot by bot."""
    commands = {program.name: program.command for program in summary.programs}
    for faults in faulty(summary):
        own = [failure for failure in summary.failures if failure.bot == faults.bot]
        head = [element("h3", name(faults.bot)), element("p", faults_text(faults), class_="kind")]
        if command := commands.get(faults.bot):
            head.append(element("p", "It runs ", element("code", command), "."))
        yield element("article", *head, _failure_list(own), id=anchor(faults.bot))
    if arena := [failure for failure in summary.failures if failure.bot is None]:
        yield element("article", element("h3", "No bot's fault"), _failure_list(arena), id=anchor(None))


def _failure_list(failures: Sequence[Failure]) -> Markup:
    items: list[Markup] = []
    by_kind = sorted(failures, key=lambda failure: failure.kind)
    for kind, group in groupby(by_kind, key=lambda failure: failure.kind):
        own = list(group)
        items += map(_failure, own[:FAILURES_SHOWN])
        if rest := own[FAILURES_SHOWN:]:
            ids = element("code", " ".join(failure.game for failure in rest))
            more = element("summary", f"{count(len(rest), 'more game')} with ", element("b", kind))
            items.append(element("li", element("details", more, ids)))
    return element("ul", *items)


def _failure(failure: Failure) -> Markup:
    seat = "" if failure.seat is None else f", seat {failure.seat}"
    void = ", void" if failure.void else ""
    parts: list[Content] = [
        element("span", failure.kind, class_="kind"),
        f" in game {failure.game}{seat}{void}: {failure.reason}",
        element("br"),
        element("code", show_command(failure.log, failure.game), class_="command"),
    ]
    if failure.stderr:
        tail = element("pre", text(failure.stderr, keep="\n\t"), tabindex=0)
        parts.append(element("details", element("summary", "the end of its standard error"), tail))
    return element("li", *parts)
