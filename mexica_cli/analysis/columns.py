"""The tables and their columns. docs/ANALYSIS.md says the same, and a test that it does."""

from __future__ import annotations

from typing import Final, NamedTuple

INTEGER: Final = "INTEGER"
BIGINT: Final = "BIGINT"
DOUBLE: Final = "DOUBLE"
TEXT: Final = "VARCHAR"
BOOLEAN: Final = "BOOLEAN"
TIMESTAMP: Final = "TIMESTAMP"


class Column(NamedTuple):
    """A column: its name, its SQL type, and whether it can be null."""

    name: str
    type: str
    nullable: bool = False


def _may_be_null(name: str, kind: str) -> Column:
    return Column(name, kind, nullable=True)


_GAME = Column("game_no", BIGINT)
_ACTION = (_GAME, Column("n", INTEGER))
_ENTRY = (*_ACTION, Column("entry", INTEGER))

TABLES: dict[str, tuple[Column, ...]] = {
    "games": (
        _GAME,
        Column("log", TEXT),
        Column("match", TEXT),
        Column("block", TEXT),
        Column("game", TEXT),
        Column("rules", TEXT),
        _may_be_null("board", TEXT),
        _may_be_null("variant", TEXT),
        Column("seed", TEXT),
        Column("players", INTEGER),
        _may_be_null("started", TIMESTAMP),
        Column("outcome", TEXT),
        _may_be_null("won", BOOLEAN),
        _may_be_null("ending", TEXT),
        Column("actions", INTEGER),
        _may_be_null("turns", INTEGER),
        _may_be_null("rounds", INTEGER),
        Column("digest", TEXT),
        _may_be_null("used_ms", DOUBLE),
        _may_be_null("decisions", INTEGER),
        _may_be_null("latency_median_us", INTEGER),
        _may_be_null("latency_p99_us", INTEGER),
        _may_be_null("latency_max_us", INTEGER),
        _may_be_null("held_up", INTEGER),
        _may_be_null("held_up_ms", INTEGER),
        Column("setup", TEXT),
    ),
    "seats": (
        _GAME,
        Column("seat", INTEGER),
        Column("bot", TEXT),
        Column("place", INTEGER),
        Column("score", INTEGER),
        _may_be_null("fault", TEXT),
        _may_be_null("fault_reason", TEXT),
        Column("actions", INTEGER),
        Column("auto", INTEGER),
        Column("rejects", INTEGER),
        Column("says", INTEGER),
        _may_be_null("turns", INTEGER),
        _may_be_null("ap_unused", INTEGER),
        Column("stale", INTEGER),
        Column("unknown", INTEGER),
        _may_be_null("used_ms", DOUBLE),
    ),
    "actions": (
        *_ACTION,
        Column("seat", INTEGER),
        Column("action", TEXT),
        Column("verb", TEXT),
        _may_be_null("size", INTEGER),
        _may_be_null("card", TEXT),
        _may_be_null("turn", INTEGER),
        _may_be_null("round", INTEGER),
        _may_be_null("period", INTEGER),
        _may_be_null("phase", TEXT),
        _may_be_null("ap", INTEGER),
        _may_be_null("ap_left", INTEGER),
        Column("auto", BOOLEAN),
        _may_be_null("ms", DOUBLE),
        _may_be_null("note", TEXT),
    ),
    "scorings": (
        *_ENTRY,
        Column("seat", INTEGER),
        Column("points", INTEGER),
        Column("source", TEXT),
        _may_be_null("period", INTEGER),
        _may_be_null("size", INTEGER),
        _may_be_null("cell", TEXT),
        _may_be_null("palace", INTEGER),
    ),
    "events": (
        *_ENTRY,
        Column("what", TEXT),
        _may_be_null("seat", INTEGER),
        _may_be_null("card", TEXT),
        _may_be_null("god", TEXT),
        _may_be_null("origin", TEXT),
        _may_be_null("goal", TEXT),
        Column("detail", TEXT),
    ),
    "rejects": (
        *_ACTION,
        Column("seat", INTEGER),
        Column("action", TEXT),
        Column("code", TEXT),
        Column("reason", TEXT),
    ),
    "says": (
        *_ACTION,
        Column("seat", INTEGER),
        Column("text", TEXT),
        _may_be_null("claim", TEXT),
    ),
}
"""Column by column, by name of the table."""
