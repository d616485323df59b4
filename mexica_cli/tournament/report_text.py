"""The words and numbers of a report, which read the same in a terminal and in a page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from math import inf, isfinite, isinf

from mexica_cli.number_text import count
from mexica_cli.record.lines import ClockSetting, Header, Variant
from mexica_cli.tournament.collection import Ending
from mexica_cli.tournament.intervals import LEVEL, Estimate
from mexica_cli.tournament.ratings import Rating
from mexica_cli.tournament.sprt import Decision, EloModel
from mexica_cli.tournament.summary import BotFaults, LatencySummary, Order, SprtReport, Summary

SURE = f"{100 * LEVEL:g} %"

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
"""What a program sends to a terminal to colour or move things."""

ORDERS = {
    Order.WINS: "by win rate",
    Order.RATING: "by rating",
    Order.TABLE: "by the table of the format",
}


def plain(text: str, keep: str = "") -> str:
    """A text from outside, safe to show: without terminal sequences, other control characters replaced but for `keep`.

    Characters that turn the direction of writing are among those replaced, as they could make a line read as another.
    """
    return "".join(c if c.isprintable() or c in keep else "�" for c in _ESCAPE.sub("", text))


# ---- numbers ---------------------------------------------------------------------------------------------------------


def rate_text(rate: Estimate) -> str:
    """`51.2 (44.0–58.4)`, in percent."""
    return f"{percent(rate.value)} ({percent(rate.low)}–{percent(rate.high)})"


def percent(part: float) -> str:
    """`51.2`; only all of it is `100.0`, and only nothing is `0.0`."""
    text = f"{100 * part:.1f}"
    if text == "100.0" and part < 1:
        return ">99.9"
    return "<0.1" if text == "0.0" and part > 0 else text


def mean_text(mean: Estimate) -> str:
    """`128.2 ± 3.1`; without end where one deal says nothing about the next."""
    return f"{mean.value:.1f} ± {'∞' if isinf(mean.error) else f'{mean.error:.1f}'}"


def elo_text(elo: Estimate) -> str:
    """`+212 ± 33`, or `+∞ (+123 to +∞)` where all was won."""
    if isinf(elo.value):
        return f"{signed(elo.value)} ({signed(elo.low)} to {signed(elo.high)})"
    if isinf(elo.error):
        return f"{signed(elo.value)} ± ∞"
    digits = 1 if elo.error < 10 else 0
    return f"{signed(elo.value, digits)} ± {elo.error:.{digits}f}"


def known(rating: Rating) -> Estimate:
    """What is known of a rating: nothing beyond its value where only the prior holds it."""
    return rating.elo if rating.firm else Estimate(rating.elo.value, -inf, inf)


def signed(value: float, digits: int = 0) -> str:
    """`+212`, `-∞`; 0 has no sign."""
    if isinf(value):
        return "+∞" if value > 0 else "-∞"
    text = f"{value:+.{digits}f}"
    return text if text.strip("+-0.") else text[1:]


# ---- what was played -------------------------------------------------------------------------------------------------


def conditions(header: Header) -> Iterator[tuple[str, str]]:
    """What the games of a log have in common: names and values."""
    yield "game", header.game
    yield from _rules(header)
    for name, variant in header.variants.items():
        yield "by turns", f"{name} ({', '.join(' '.join(item) for item in _rules(variant))})"
    yield "clock", clock_text(header.clock)
    yield "seed", str(header.seed)
    yield "program", header.server


def _rules(chosen: Header | Variant) -> Iterator[tuple[str, str]]:
    yield "rules", chosen.rules
    board = chosen.options.get("board")
    if isinstance(board, Mapping) and "name" in board:
        yield "board", str(board["name"])


def clock_text(clock: ClockSetting) -> str:
    """`10 s a turn`, `60 s + 0.5 s`, or both."""
    parts = []
    if clock.bank_ms is not None:
        parts.append(f"{_seconds(clock.bank_ms)} + {_seconds(clock.increment_ms or 0)} a turn")
    if clock.move_ms is not None:
        parts.append(f"{_seconds(clock.move_ms)} a turn")
    return ", at most ".join(parts) or "no limit"


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:g} s"


def title(summary: Summary) -> str:
    """What the report is called."""
    names = ("standard input" if log.name == "-" else log.name for log in summary.logs)
    return plain(summary.settings.title or ", ".join(names) or "no games")


def played(summary: Summary) -> str:
    """`480 of 500 games in 240 blocks, 2 void`."""
    planned = summary.settings.planned
    games = count(summary.games, "game") if planned is None else f"{summary.games} of {count(planned, 'game')}"
    shared = f" of {count(summary.deals, 'deal')}" if summary.deals != summary.blocks else ""
    void = f", {summary.void} void" if summary.void else ""
    return f"{games} played in {count(summary.blocks, 'block')}{shared}{void}"


def ending_text(ending: Ending) -> str:
    """`forfeit: crash, timeout`."""
    return ": ".join(filter(None, [ending.outcome, ", ".join(map(plain, ending.kinds))]))


def kinds_text(kinds: Mapping[str, int]) -> str:
    """`12 crash, 1 timeout`."""
    return ", ".join(f"{number} {plain(kind)}" for kind, number in sorted(kinds.items()))


def faults_text(faults: BotFaults) -> str:
    """All that one bot did wrong; empty for most."""
    startup = f"never started in {count(faults.startup, 'void game')}" if faults.startup else ""
    stale = f"{faults.stale} stale" if faults.stale else ""
    unknown = f"{count(faults.unknown, 'message')} of unknown type" if faults.unknown else ""
    withdrawn = f"withdrawn: {plain(faults.withdrawn)}" if faults.withdrawn is not None else ""
    return "; ".join(filter(None, [kinds_text(faults.forfeits), startup, stale, unknown, withdrawn]))


def show_command(log: str, game: str) -> str:
    """What to type to see a game."""
    file = f"./{log}" if log.startswith("-") and log != "-" else log
    return shlex.join(["mexica", "log", "show", file, "--game", game])


def latency_text(latency: LatencySummary) -> str:
    """The arena's own part of the time."""
    return (
        f"{latency.median_us} µs of its own a decision (median of the games' medians), {latency.p99_us} µs (median of "
        f"the games' 99th percentiles), {latency.max_us} µs (most), {count(latency.decisions, 'decision')}"
    )


# ---- models ----------------------------------------------------------------------------------------------------------


def sprt_name(report: SprtReport) -> str:
    """The test, with its model and bounds."""
    sprt = report.match.sprt
    model = {EloModel.LOGISTIC: "logistic Elo", EloModel.NORMALISED: "normalised Elo"}[sprt.model]
    bots = f"{plain(report.match.bot)} against {plain(report.match.other)}"
    bounds = f"H0 {sprt.elo0:g}, H1 {sprt.elo1:g}, alpha {sprt.alpha:g}, beta {sprt.beta:g}"
    return f"SPRT of {bots} (GSPRT, pentanomial, {model}: {bounds})"


def sprt_state(report: SprtReport) -> str:
    """How far it has come."""
    state = report.state
    verdict = {
        Decision.CONTINUE: "undecided",
        Decision.H0: "H0 accepted",
        Decision.H1: "H1 accepted",
    }[state.decision]
    pairs = count(sum(report.counts), "pair")
    return f"{verdict}: log-likelihood ratio {state.llr:.2f} in ({state.lower:.2f}, {state.upper:.2f}) after {pairs}"


def methods(summary: Summary) -> dict[str, str]:
    """What each number is and by what model it is made, for all numbers that this summary has."""
    found = {
        "interval": f"{SURE} everywhere. It counts deals, not games, since games of one deal share its luck.",
        "wins": "Part of the games in first place, a shared one counting its part; Wilson's interval.",
        "beaten": "Part of the other seats that it came before, ties half; Wilson's interval.",
        "points": "Mean of the game's own score; Student's interval.",
    }
    if any(bot.rating for bot in summary.bots):
        found["rating"] = _rating_method(summary)
    if any(pair.match for pair in summary.pairs):
        found |= _MATCH_METHODS
    if summary.sprt is not None:
        found["sprt"] = "Generalised sequential probability ratio test on the pentanomial counts; bounds of A. Wald."
    if summary.teams:
        found["teams"] = "Teams are compared at the deals that they all played, by their mean score there."
    return found


_MATCH_METHODS = {
    "elo": "Logistic Elo of the score in games of two, from pairs of games (pentanomial); the score's normal interval.",
    "normalised_elo": "The score's distance from a half in standard deviations of a game, times 800 / ln 10.",
    "los": "Likelihood of superiority: the probability that the first is the better one, without any prejudice.",
}


def _rating_method(summary: Summary) -> str:
    anchor = summary.settings.anchor
    zero = f"{plain(anchor[0])} is fixed at {anchor[1]:g}" if anchor else "the mean is 0"
    return (
        "Elo scale, Bradley-Terry model of every two seats of a game, a tie half; maximum likelihood, with one drawn "
        f"game against an average bot as prior; {zero}. "
        f"Bootstrap interval over deals, {summary.settings.resamples} resamples."
    )


def finite(values: Iterable[float]) -> tuple[float, float]:
    """The least and the greatest of the values that are finite; 0 and 0 without one."""
    kept = [value for value in values if isfinite(value)]
    return min(kept, default=0.0), max(kept, default=0.0)
