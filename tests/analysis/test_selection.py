"""Logs of some games."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from toylog import encode, header, team_log

from mexica_cli.analysis.selection import ANY, Selection, select
from mexica_cli.games.game import Game
from mexica_cli.record.lines import VOID, GameLine, Header, Line, ResultLine, Variant
from mexica_cli.record.reader import LogReader, games
from mexica_cli.record.verify import verify


def reader(data: bytes) -> LogReader:
    return LogReader(io.BufferedReader(io.BytesIO(data)), "toy.jsonl")


def selected(data: bytes, **conditions: Any) -> bytes:
    out = io.BytesIO()
    counts = select(reader(data), Selection(**conditions), out.write)
    chosen = list(games(reader(out.getvalue())))
    assert (counts.games, counts.wanted) == (len(list(games(reader(data)))), len(chosen))
    return out.getvalue()


def matches(data: bytes) -> list[str]:
    return [game.game.match for game in games(reader(data))]


ALL = ["0-0", "0-1", "1-0", "1-1", "1-1", "2-0", "3-0"]


@pytest.mark.parametrize(
    ("conditions", "wanted"),
    [
        ({}, ALL),
        ({"inverted": True}, []),
        ({"matches": ["0-1", "3-0", "9-9"]}, ["0-1", "3-0"]),
        ({"bots": ["ann"]}, ["0-0", "0-1", "1-0", "1-1", "1-1", "3-0"]),
        ({"bots": ["ann", "cyd"]}, ["1-0", "1-1", "1-1", "3-0"]),
        ({"bots": ["eve"]}, []),
        ({"players": [2]}, ["0-0", "0-1", "2-0"]),
        ({"players": [2, 4]}, ["0-0", "0-1", "2-0", "3-0"]),
        ({"outcomes": ["void"]}, ["1-1"]),
        ({"outcomes": ["void"], "inverted": True}, ["0-0", "0-1", "1-0", "1-1", "2-0", "3-0"]),
        ({"outcomes": ["forfeit"]}, ["1-0", "2-0", "3-0"]),
        ({"outcomes": ["forfeit", "void"]}, ["1-0", "1-1", "2-0", "3-0"]),
        ({"faults": ["crash"]}, ["1-0"]),
        ({"faults": ["crash", "memory"]}, ["1-0", "3-0"]),
        ({"faults": [ANY]}, ["1-0", "2-0", "3-0"]),
        ({"faults": ["arena"]}, []),
        ({"winners": ["dan"]}, ["2-0"]),
        ({"rules": ["nosuch"]}, []),
        ({"variants": ["b"]}, []),
        ({"team_won": True}, []),
        ({"team_won": False}, []),
        ({"bots": ["ann"], "players": [2], "inverted": True}, ["1-0", "1-1", "1-1", "2-0", "3-0"]),
    ],
)
def test_which_games(log: list[Line], conditions: dict[str, Any], wanted: list[str]) -> None:
    assert matches(selected(encode(log), **conditions)) == wanted


def test_all_games_are_the_log_itself(log: list[Line]) -> None:
    assert selected(encode(log)) == encode(log)
    spaced = encode(log).replace(b'"type":"game"', b'"type": "game", "weather": 1.50')
    assert selected(spaced) == spaced


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_what_is_selected_is_a_right_log(log: list[Line], data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(ALL), max_size=3)
    conditions = {
        "matches": data.draw(some),
        "bots": data.draw(st.lists(st.sampled_from(["ann", "bob"]), max_size=2)),
        "players": data.draw(st.lists(st.integers(2, 4), max_size=2)),
        "outcomes": data.draw(st.lists(st.sampled_from(["finished", "forfeit", "void"]), max_size=2)),
    }
    chosen = selected(encode(log), **conditions)
    others = selected(encode(log), **conditions, inverted=True)
    assert verify(reader(chosen)).whole
    assert verify(reader(others)).whole
    assert sorted(matches(chosen) + matches(others)) == ALL


def test_winners_may_share_the_first_place(log: list[Line]) -> None:
    drawn = [
        replace(line, ranking=[1] * len(line.ranking)) if isinstance(line, ResultLine) and line.ranking else line
        for line in log
    ]
    for bot in ("ann", "bob"):
        assert matches(selected(encode(drawn), winners=[bot])) == ["0-0", "0-1", "1-0", "1-1", "3-0"]


def test_teams(nim: Game) -> None:
    lines = team_log()
    results = [line for line in lines if isinstance(line, ResultLine) and line.outcome != VOID]
    for won in (True, False):
        wanted = [line.match for line in results if line.won is won]
        assert matches(selected(encode(lines), team_won=won)) == wanted
    assert {line.won for line in results} == {True, False}


def test_variants_and_their_rules(nim: Game, log: list[Line]) -> None:
    first = header(nim)
    assert isinstance(log[1], GameLine)
    other = Variant(rules="long", options=first.options)
    lines: list[Line] = [replace(first, variants={"b": other}), replace(log[1], variant="b"), *log[2:]]
    assert matches(selected(encode(lines), variants=["b"])) == ["0-0"]
    assert matches(selected(encode(lines), rules=["long"])) == ["0-0"]
    assert matches(selected(encode(lines), rules=[first.rules])) == ALL[1:]
    assert matches(selected(encode(lines), rules=[first.rules, "long"])) == ALL


def test_a_game_that_was_cut_off_is_left_out(log: list[Line]) -> None:
    out = io.BytesIO()
    source = reader(encode(log)[:-5])
    select(source, Selection(), out.write)
    assert source.torn
    assert matches(out.getvalue()) == ALL[:-1]
    assert verify(reader(out.getvalue())).whole


def test_no_more_than_a_game_is_written_at_a_time(log: list[Line]) -> None:
    pieces: list[bytes] = []
    select(reader(encode(log)), Selection(players=[2]), pieces.append)
    assert len(pieces) == 1 + 3
    assert isinstance(log[0], Header)
    assert pieces[0] == encode(log[:1])
