"""The tables add up to the results in the log."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from analysis.playing import arena_log, options
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from toylog import encode, team_log

from mexica_cli.analysis.columns import INTEGER, TABLES
from mexica_cli.analysis.rows import Row, Rows
from mexica_cli.analysis.tables import csv_path, csv_tables
from mexica_cli.analysis.walk import walk_logs
from mexica_cli.games.game import Game
from mexica_cli.record.lines import VOID, ActionLine, GameLine, Header, Line, RejectLine, ResultLine, SayLine, Variant
from mexica_cli.record.reader import games, open_log

Tables = dict[str, list[dict[str, Any]]]

SHORT: dict[str, list[Any]] = {
    "rules": ["official", "help", "summary"],
    "stall_rounds": [1, 2],
    "kept_points": [0, 2],
    "period_end": ["round", "at_once"],
}


def tables_of(path: Path, wanted: Sequence[str] = tuple(TABLES)) -> Tables:
    """All rows of a log, by column."""
    tables: Tables = defaultdict(list)

    def write(table: str, rows: Sequence[Row]) -> None:
        names = [column.name for column in TABLES[table]]
        tables[table] += [dict(zip(names, row, strict=True)) for row in rows]

    walk_logs([str(path)], Rows(wanted, write))
    return tables


def check(path: Path, *, scorings: bool) -> None:
    """Compare the tables with the log. `scorings`: points add up to the scores, as they do in Mexica."""
    tables = tables_of(path)
    with open_log(str(path)) as reader:
        played = [game for game in games(reader) if game.result.outcome != VOID]
    points: Counter[tuple[int, int]] = Counter()
    for row in tables["scorings"]:
        points[row["game_no"], row["seat"]] += row["points"]
    actions = Counter((row["game_no"], row["seat"]) for row in tables["actions"])
    seats = {(row["game_no"], row["seat"]): row for row in tables["seats"]}
    assert len(tables["games"]) == len(played)
    assert len(tables["seats"]) == len(seats) == sum(len(game.game.seats) for game in played)
    for number, (row, game) in enumerate(zip(tables["games"], played, strict=True), 1):
        result = game.result
        assert (row["game_no"], row["match"], row["outcome"]) == (number, result.match, result.outcome)
        assert row["actions"] == result.actions == sum(actions[number, seat] for seat in range(row["players"]))
        for seat, bot in enumerate(game.game.seats):
            own = seats[number, seat]
            assert (own["bot"], own["score"], own["place"]) == (bot, result.scores[seat], result.ranking[seat])
            assert own["actions"] == actions[number, seat]
            if scorings:
                assert points[number, seat] == result.scores[seat]
                turns = {row["turn"] for row in own_actions(tables, number, seat) if row["phase"] == "turn"}
                assert own["turns"] == len(turns)
                ends = [row["ap_left"] for row in own_actions(tables, number, seat) if row["verb"] == "end"]
                assert own["ap_unused"] == sum(ends)
    followed = [line.followed for game in played for _, line in game.lines if isinstance(line, ActionLine)]
    assert len(tables["scorings"]) + len(tables["events"]) == sum(map(len, followed))


def own_actions(tables: Tables, game: int, seat: int) -> list[dict[str, Any]]:
    return [row for row in tables["actions"] if (row["game_no"], row["seat"]) == (game, seat)]


@settings(max_examples=8)
@given(st.fixed_dictionaries({name: st.sampled_from(values) for name, values in SHORT.items()}), st.integers(2, 4))
def test_mexica(tmp_path_factory: pytest.TempPathFactory, fields: dict[str, Any], players: int) -> None:
    path = tmp_path_factory.mktemp("rows") / "games.jsonl"
    words = ["--rules", fields.pop("rules"), "--board", "small", *options(fields)]
    path.write_bytes(arena_log(*words, games=2, seed=players, bots=["random"] * players))
    check(path, scorings=True)


@settings(max_examples=5)
@given(st.integers(2, 4), st.integers(0, 2**32))
def test_moctezuma(tmp_path_factory: pytest.TempPathFactory, players: int, seed: int) -> None:
    path = tmp_path_factory.mktemp("rows") / "games.jsonl"
    path.write_bytes(arena_log("--game", "moctezuma", games=2, seed=seed, bots=["random"] * players))
    check(path, scorings=False)
    tables = tables_of(path)
    assert [row["won"] for row in tables["games"]] == [
        "true" if row["ending"] == "won" else "false" for row in tables["games"]
    ]
    assert all(row["rounds"] >= 1 and row["turns"] is None for row in tables["games"])


def test_a_game_with_everything_in_it(toy: Path, log: list[Line]) -> None:
    check(toy, scorings=False)
    tables = tables_of(toy)
    assert [row["match"] for row in tables["games"]] == ["0-0", "0-1", "1-0", "1-1", "2-0", "3-0"]
    rejects = [line for line in log if isinstance(line, RejectLine)]
    assert [(row["n"], row["seat"], row["code"]) for row in tables["rejects"]] == [
        (line.n, line.seat, line.code) for line in rejects
    ]
    assert sum(row["rejects"] for row in tables["seats"]) == len(rejects)
    faults = [(row["game_no"], row["seat"], row["fault"]) for row in tables["seats"] if row["fault"]]
    assert faults == [(3, 1, "crash"), (5, 0, "illegal"), (6, 0, "memory"), (6, 2, "timeout"), (6, 3, "disconnect")]
    auto = [row for row in tables["actions"] if row["auto"] == "true"]
    assert 0 < len(auto) == sum(row["auto"] for row in tables["seats"])


def test_what_a_row_of_games_says(toy: Path) -> None:
    row = tables_of(toy)["games"][0]
    assert row["log"] == str(toy)
    assert (row["block"], row["game"], row["seed"], row["players"]) == ("0", "nim", "7", 2)
    assert row["started"] == "2026-01-01 00:00:01"
    assert row["used_ms"] == 25.0
    assert (row["latency_median_us"], row["latency_p99_us"], row["latency_max_us"]) == (50, 90, 120)
    assert (row["held_up"], row["held_up_ms"]) == (0, 0)
    assert row["setup"].startswith('{"pile":')


def test_hold_ups_and_what_bots_said_amiss(log: list[Line], toy: Path) -> None:
    at, line = next((at, line) for at, line in enumerate(log) if isinstance(line, ResultLine))
    assert line.latency is not None
    latency = replace(line.latency, held_up=2, held_up_ms=4250)
    slips = replace(line, stale=[1, 0], unknown=[0, 3], latency=latency)
    toy.write_bytes(encode([*log[:at], slips, *log[at + 1 :]]))
    tables = tables_of(toy)
    assert [(row["held_up"], row["held_up_ms"]) for row in tables["games"][:2]] == [(2, 4250), (0, 0)]
    assert [(row["stale"], row["unknown"]) for row in tables["seats"][:4]] == [(1, 0), (0, 3), (0, 0), (0, 0)]
    toy.write_bytes(encode([*log[:at], replace(line, latency=None), *log[at + 1 :]]))
    assert tables_of(toy)["games"][0]["held_up"] is None


@pytest.mark.parametrize(
    ("started", "shown"),
    [
        ("2026-05-04T18:30:07+02:00", "2026-05-04 16:30:07"),
        ("2026-05-04T18:30:07", "2026-05-04 18:30:07"),
        ("", None),
        ("noon", None),
    ],
)
def test_times_are_utc(log: list[Line], toy: Path, started: str, shown: str | None) -> None:
    assert isinstance(log[1], GameLine)
    toy.write_bytes(encode([log[0], replace(log[1], started=started), *log[2:]]))
    assert tables_of(toy)["games"][0]["started"] == shown


def test_what_a_team_said(tmp_path: Path, nim: Game) -> None:
    path = tmp_path / "team.jsonl"
    lines = team_log()
    path.write_bytes(encode(lines))
    tables = tables_of(path)
    said = [line for line in lines if isinstance(line, SayLine)]
    assert [(row["seat"], row["text"]) for row in tables["says"]] == [(line.seat, line.text) for line in said]
    assert all(row["claim"].startswith("{") for row in tables["says"])
    assert sum(row["says"] for row in tables["seats"]) == len(said)
    wins = [line.won for line in lines if isinstance(line, ResultLine) and line.outcome != VOID]
    assert [row["won"] for row in tables["games"]] == [{True: "true", False: "false", None: None}[won] for won in wins]


def test_variants_have_their_own_rules_and_board(log: list[Line], toy: Path) -> None:
    header, game = log[0], log[1]
    assert isinstance(header, Header)
    assert isinstance(game, GameLine)
    other = Variant(rules=header.rules, options=header.options)
    toy.write_bytes(encode([replace(header, variants={"b": other}), replace(game, variant="b"), *log[2:]]))
    assert [row["variant"] for row in tables_of(toy)["games"]][:2] == ["b", None]


def test_only_what_is_wanted(toy: Path) -> None:
    assert set(tables_of(toy, ["seats"])) == {"seats"}
    assert set(tables_of(toy, ["rejects", "games"])) == {"rejects", "games"}


def test_games_are_numbered_over_all_logs(toy: Path) -> None:
    numbers: list[Any] = []

    def write(table: str, rows: Sequence[Row]) -> None:
        numbers.extend(row[0] for row in rows)

    walk_logs([str(toy), str(toy)], Rows(["games"], write))
    assert numbers == list(range(1, 13))


def test_values_are_of_the_columns_types(toy: Path) -> None:
    kinds: dict[str, Callable[[Any], bool]] = {
        "INTEGER": lambda value: type(value) is int,
        "BIGINT": lambda value: type(value) is int,
        "DOUBLE": lambda value: isinstance(value, float | int),
        "VARCHAR": lambda value: isinstance(value, str),
        "BOOLEAN": lambda value: value in {"true", "false"},
        "TIMESTAMP": lambda value: isinstance(value, str),
    }
    tables = tables_of(toy)
    for table, columns in TABLES.items():
        for row in tables[table]:
            for column in columns:
                value = row[column.name]
                assert column.nullable if value is None else kinds[column.type](value), (table, column)
    assert INTEGER in kinds


def test_csv_files_hold_the_rows(toy: Path, tmp_path: Path) -> None:
    with csv_tables(tmp_path, list(TABLES)) as write:
        walk_logs([str(toy)], Rows(list(TABLES), write))
    tables = tables_of(toy)
    for table, columns in TABLES.items():
        with csv_path(tmp_path, table).open(newline="") as file:
            head, *rows = csv.reader(file)
        assert head == [column.name for column in columns]
        wanted = [["" if value is None else str(value) for value in row.values()] for row in tables[table]]
        assert rows == wanted
