"""Every kind of line in a game log, version 1.

A log is a `log` line (the header), then whole games one after the other: a `game` line, its `action`, `reject`, `fault`
and `say` lines as they happened, and a `result` line. `match` names the game in every line but the header. A void game
stays on file and is followed, some time, by another of the same id.

Fields that hold times, and nothing else, differ between two runs of the same bots from the same seed: `TIME_FIELDS`.
All of them may be absent, so that a log without times is a log.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from mexica_cli.wire.messages import Claim, Fault, Limits

LOG_VERSION = 1
TURN_OVER: Final = "turn_over"
"""Code of a rejection: the actions before this one in the same answer had ended the seat's turn."""
VOID: Final = "void"
"""Outcome of a match that nobody's fault cut short: it counts for nothing and is played again."""
TIME_FIELDS = frozenset({"created", "started", "ms", "used_ms", "latency"})


def timestamp() -> str:
    """Now, as a log has it: UTC, ISO 8601, seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class LogLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Common shape of all lines."""


class BotRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bot as it was named on the command line or in the tournament file."""

    name: str
    command: str
    """What was run, or `listen:PORT`."""
    sha256: str
    """Over the command's words and the bytes of files among them, and of `mexica_cli/tactics` where one names it."""
    sandbox: bool = False
    """It was run in a sandbox."""


class ClockSetting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The time control; milliseconds. No field: no limit."""

    move_ms: int | None = None
    bank_ms: int | None = None
    increment_ms: int | None = None


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """A rule set and board that some games of a log are played under."""

    rules: str
    options: dict[str, Any]
    """`Game.options`."""


class Header(LogLine, frozen=True, kw_only=True, tag="log"):
    """The first line: all that the games have in common."""

    version: int
    server: str
    """Name and version of the program that wrote it."""
    created: str = ""
    """UTC, ISO 8601."""
    game: str
    rules: str
    options: dict[str, Any]
    """`Game.options`: the log replays without rule or board files."""
    seed: int
    """The master seed; every game's chance follows from it and the game's block."""
    clock: ClockSetting
    limits: Limits
    bots: list[BotRecord]
    variants: dict[str, Variant] = {}
    """By name: other rule sets and boards, where not all games are played under those above."""


class GameLine(LogLine, frozen=True, kw_only=True, tag="game"):
    """A game begins."""

    match: str
    seats: list[str]
    """Names of bots, by seat."""
    variant: str | None = None
    """One of the header's `variants`, where the game isn't played under its `rules` and `options`."""
    setup: dict[str, Any]
    """`Game.deal`: the random part of the set-up."""
    started: str = ""
    """UTC, ISO 8601."""


class ActionLine(LogLine, frozen=True, tag="action"):
    """An action that was done."""

    match: str
    n: int
    """From 1."""
    seat: int
    action: str
    followed: list[dict[str, Any]] = []
    auto: bool = False
    """Done by the arena for a seat that had forfeited."""
    note: str | None = None
    ms: float | None = None
    """From the request to the answer; on the first action of an answer only."""


class RejectLine(LogLine, frozen=True, tag="reject"):
    """An illegal action, which was not done. `n` is the number of actions done before."""

    match: str
    n: int
    seat: int
    action: str
    code: str
    reason: str


class FaultLine(LogLine, frozen=True, tag="fault"):
    """A seat forfeited. `n` is the number of actions done before."""

    match: str
    n: int
    seat: int
    kind: str
    reason: str
    unready: bool = False
    """It never got ready for the match. All that didn't went at the same time."""


class SayLine(LogLine, frozen=True, tag="say"):
    """Something said to the team."""

    match: str
    n: int
    seat: int
    text: str
    claim: Claim | None = None


class Latency(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the arena itself took for a decision: from an answer's arrival to the next request's flush."""

    decisions: int
    median_us: int
    p99_us: int
    max_us: int
    held_up: int = 0
    """How often the arena itself was held up while a bot's time ran, which isn't charged to the bot."""
    held_up_ms: int = 0
    """How long, in all."""


STDERR_CHARACTERS = 4096
"""How much of the end of a failed bot's standard error goes into the log."""


class ResultLine(LogLine, frozen=True, kw_only=True, tag="result"):
    """A game is over."""

    match: str
    outcome: str
    """`finished`, `forfeit` or `void`."""
    ranking: list[int]
    """Place by seat, 1 is best, ties share; empty when void."""
    scores: list[int]
    """Points by seat; empty when void."""
    reasons: list[Fault | None]
    """By seat: why it forfeited (in a void game: what made it void), or null."""
    actions: int
    """Number of actions done; 0 when void, as nothing of it counts."""
    won: bool | None = None
    """In a cooperative game, whether the team has won."""
    digest: str
    """`State.digest` of the last state; empty when void."""
    stale: list[int]
    """By seat: answers that were dropped because their `id` was not the latest."""
    unknown: list[int] = []
    """By seat: messages of a type that there isn't; empty where nobody sent one."""
    stderr: list[str | None]
    """By seat: the tail of what a bot that failed wrote to its standard error, or null."""
    used_ms: list[float] = []
    """By seat: time used in all."""
    latency: Latency | None = None


Line = Header | GameLine | ActionLine | RejectLine | FaultLine | SayLine | ResultLine
