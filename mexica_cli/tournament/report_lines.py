"""The lines of the report for programs, version 1. docs/REPORTS.md describes every field.

All lines are flat. Rates are parts from 0 to 1, times end in `_ms` or `_us`, the ends of 95 % intervals in `_low` and
`_high`. What is infinite or not known is null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

REPORT_VERSION = 1

Rounded = float | None


class ReportLine(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Common shape of the lines."""

    version: int = REPORT_VERSION


class ReportOutput(ReportLine, frozen=True, kw_only=True, tag="report"):
    """The first line: what was played in all."""

    title: str
    format: str
    games: int
    planned: int | None
    void: int
    blocks: int
    deals: int
    actions: int
    teams: bool
    order: str
    level: float
    anchor: str | None
    anchor_elo: Rounded
    resamples: int
    notes: Sequence[str]
    methods: Mapping[str, str]


class LogOutput(ReportLine, frozen=True, kw_only=True, tag="log"):
    """One log."""

    log: str
    game: str
    rules: str
    board: str | None
    seed: int
    clock: str
    program: str
    created: str
    games: int
    void: int
    repeated: int


class ProgramOutput(ReportLine, frozen=True, kw_only=True, tag="program"):
    """What ran under a name."""

    bot: str
    command: str
    sha256: str


class BotOutput(ReportLine, frozen=True, kw_only=True, tag="bot"):
    """One bot, or one team; best first."""

    rank: int
    bot: str
    games: int
    deals: int
    wins: Rounded
    wins_low: Rounded
    wins_high: Rounded
    beaten: Rounded
    beaten_low: Rounded
    beaten_high: Rounded
    points: Rounded
    points_low: Rounded
    points_high: Rounded
    rating: Rounded
    rating_low: Rounded
    rating_high: Rounded
    rating_model: str | None
    rating_group: int | None
    rating_firm: bool | None
    places: Sequence[int]
    used_ms: Rounded
    longest_ms: Rounded


class MemberOutput(ReportLine, frozen=True, kw_only=True, tag="member"):
    """One bot of mixed teams."""

    bot: str
    games: int
    points: Rounded
    points_low: Rounded
    points_high: Rounded


class TeamOutput(ReportLine, frozen=True, kw_only=True, tag="team"):
    """One team in cooperative games, each of which it won or lost."""

    team: str
    games: int
    won: int
    rate: Rounded
    rate_low: Rounded
    rate_high: Rounded


class PairOutput(ReportLine, frozen=True, kw_only=True, tag="pair"):
    """One bot against another. Every pair is there both ways round."""

    bot: str
    other: str
    ahead: int
    tied: int
    behind: int
    rate: Rounded
    rate_low: Rounded
    rate_high: Rounded
    counts: Sequence[int] | None
    score: Rounded
    score_low: Rounded
    score_high: Rounded
    elo: Rounded
    elo_low: Rounded
    elo_high: Rounded
    normalised_elo: Rounded
    normalised_elo_low: Rounded
    normalised_elo_high: Rounded
    superiority: Rounded


class SeatOutput(ReportLine, frozen=True, kw_only=True, tag="seat"):
    """One seat, whoever sat there."""

    seats: int
    seat: int
    games: int
    wins: Rounded
    wins_low: Rounded
    wins_high: Rounded
    beaten: Rounded
    beaten_low: Rounded
    beaten_high: Rounded
    points: Rounded
    points_low: Rounded
    points_high: Rounded


class EndingOutput(ReportLine, frozen=True, kw_only=True, tag="ending"):
    """One way in which games ended."""

    outcome: str
    kinds: Sequence[str]
    games: int


class FaultsOutput(ReportLine, frozen=True, kw_only=True, tag="faults"):
    """What one bot did wrong; every bot has such a line."""

    bot: str
    forfeits: int
    kinds: Mapping[str, int]
    startup: int
    stale: int
    unknown: int
    withdrawn: str | None


class FailureOutput(ReportLine, frozen=True, kw_only=True, tag="failure"):
    """A seat that forfeited, or what made a game void."""

    log: str
    match: str
    bot: str | None
    seat: int | None
    kind: str
    reason: str
    void: bool
    stderr: str | None


class SprtOutput(ReportLine, frozen=True, kw_only=True, tag="sprt"):
    """A sequential test."""

    bot: str
    other: str
    model: str
    elo0: float
    elo1: float
    alpha: float
    beta: float
    counts: Sequence[int]
    llr: Rounded
    lower: Rounded
    upper: Rounded
    decision: str


class SwissOutput(ReportLine, frozen=True, kw_only=True, tag="swiss"):
    """A row of the Swiss table."""

    bot: str
    score: Rounded
    buchholz: Rounded
    sonneborn: Rounded
    byes: int


class KnockoutOutput(ReportLine, frozen=True, kw_only=True, tag="knockout"):
    """A match of a knockout that is over."""

    stage: int
    winner: str
    loser: str
    decided: str


class LatencyOutput(ReportLine, frozen=True, kw_only=True, tag="latency"):
    """What the arena itself took for a decision."""

    games: int
    decisions: int
    median_us: int
    p99_us: int
    max_us: int
    held_up: int
    held_up_ms: int


KINDS: tuple[type[ReportLine], ...] = (
    ReportOutput,
    LogOutput,
    ProgramOutput,
    BotOutput,
    MemberOutput,
    TeamOutput,
    PairOutput,
    SeatOutput,
    EndingOutput,
    FaultsOutput,
    FailureOutput,
    SprtOutput,
    SwissOutput,
    KnockoutOutput,
    LatencyOutput,
)
"""All kinds of line, in the order in which they are written."""
TABLES = {str(kind.__struct_config__.tag): kind for kind in KINDS if kind is not ReportOutput}
"""What can be had as CSV, by name."""
