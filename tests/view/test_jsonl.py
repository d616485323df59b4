"""Results for programs."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from mexica_cli.arena.tally import Tally
from mexica_cli.record.lines import Latency, ResultLine
from mexica_cli.view.jsonl import OUTPUT_VERSION, game_line, summary_line
from mexica_cli.wire.messages import Fault


def result(outcome: str = "forfeit") -> ResultLine:
    void = outcome == "void"
    return ResultLine(
        match="2-1",
        outcome=outcome,
        ranking=[] if void else [2, 1],
        scores=[] if void else [30, 20],
        reasons=[Fault(kind="startup" if void else "timeout", reason="too slow\n"), None],
        actions=0 if void else 17,
        digest="",
        stale=[1, 0],
        unknown=[0, 2],
        stderr=[None, None],
        used_ms=[1.25, 0.5],
    )


def parsed(line: bytes) -> dict[str, Any]:
    """The line, which must be one."""
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    fields = json.loads(line)
    assert isinstance(fields, dict)
    return fields


def test_a_game() -> None:
    assert parsed(game_line(["ann", "bob"], result())) == {
        "type": "game",
        "version": 1,
        "match": "2-1",
        "seats": ["ann", "bob"],
        "outcome": "forfeit",
        "ranking": [2, 1],
        "scores": [30, 20],
        "reasons": [{"kind": "timeout", "reason": "too slow\n"}, None],
        "won": None,
        "actions": 17,
        "used_ms": [1.25, 0.5],
    }


def test_a_void_game_has_its_line_too() -> None:
    fields = parsed(game_line(["ann", "bob"], result("void")))
    assert (fields["outcome"], fields["ranking"], fields["scores"]) == ("void", [], [])
    assert fields["reasons"][0]["kind"] == "startup"


def test_the_summary() -> None:
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], result())
    tally.add(["bob", "ann"], result("void"))
    latency = Latency(decisions=5, median_us=80, p99_us=100, max_us=120)
    assert parsed(summary_line(tally, 42, latency)) == {
        "type": "summary",
        "version": 1,
        "seed": 42,
        "games": 1,
        "won": None,
        "actions": 17,
        "endings": {"forfeit: timeout": 1, "void": 1},
        "bots": [
            {
                "name": "bob",
                "games": 1,
                "wins": 1.0,
                "points": 20,
                "places": {"1": 1},
                "forfeits": {},
                "stale": 0,
                "unknown": 2,
                "used_ms": 0.5,
                "longest_game_ms": 0.5,
            },
            {
                "name": "ann",
                "games": 1,
                "wins": 0.0,
                "points": 30,
                "places": {"2": 1},
                "forfeits": {"timeout": 1},
                "stale": 1,
                "unknown": 0,
                "used_ms": 1.25,
                "longest_game_ms": 1.25,
            },
        ],
        "latency": {"decisions": 5, "median_us": 80, "p99_us": 100, "max_us": 120},
    }


def test_nothing_played_is_a_summary_too() -> None:
    fields = parsed(summary_line(Tally(["ann"]), 0, None))
    assert (fields["games"], fields["endings"], fields["latency"]) == (0, {}, None)


def test_every_line_says_its_version() -> None:
    lines = [game_line(["ann", "bob"], result()), summary_line(Tally(["ann"]), 0, None)]
    assert [parsed(line)["version"] for line in lines] == [OUTPUT_VERSION] * 2


def test_a_team() -> None:
    won = msgspec.structs.replace(result(), won=True)
    assert parsed(game_line(["ann", "bob"], won))["won"] is True
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], won)
    tally.add(["ann", "bob"], msgspec.structs.replace(result(), won=False))
    assert parsed(summary_line(tally, 42, None))["won"] == 1
