"""The report for programs: as docs/REPORTS.md has it, and the same numbers as in the summary."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from math import isinf
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tournament.reported import eventful, league, log_of, result

from mexica_cli.tournament.blocks import team_block
from mexica_cli.tournament.report_data import lines, write_csv, write_jsonl
from mexica_cli.tournament.report_lines import KINDS, TABLES, BotOutput, ReportLine
from mexica_cli.tournament.summary import Summary, summarise


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    """The page that describes it."""
    return (root / "docs" / "REPORTS.md").read_text()


@pytest.fixture(scope="module")
def summary() -> Summary:
    """A little of everything."""
    log, settings = eventful()
    return summarise([log], settings)


def jsonl(summary: Summary) -> list[dict[str, Any]]:
    stream = io.BytesIO()
    write_jsonl(stream, summary)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def table(summary: Summary, name: str) -> list[dict[str, str]]:
    stream = io.StringIO(newline="")
    write_csv(stream, summary, name)
    return list(csv.DictReader(io.StringIO(stream.getvalue(), newline="")))


def tag(kind: type[ReportLine]) -> str:
    return str(kind.__struct_config__.tag)


# ---- the page --------------------------------------------------------------------------------------------------------


def section(page: str, kind: type[ReportLine]) -> str:
    """What the page says of a kind of line."""
    return re.split(r"\n##+ ", page.split(f"\n### `{tag(kind)}`: ")[1])[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_described_in_order(page: str, kind: type[ReportLine]) -> None:
    rows = re.findall(r"^\| (`.*?`) \|", section(page, kind), re.MULTILINE)
    documented = [name for names in rows for name in re.findall(r"`(\w+)`", names)]
    assert documented == list(kind.__struct_fields__)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_example(page: str, kind: type[ReportLine]) -> None:
    [example] = re.findall(r"```json\n(.*?)\n```", section(page, kind), re.DOTALL)
    assert json.loads(msgspec.json.encode(msgspec.json.decode(example, type=kind))) == json.loads(example)


def test_the_kinds_are_described_in_the_order_in_which_they_are_written(page: str) -> None:
    assert re.findall(r"^### `(\w+)`", page, re.MULTILINE) == [tag(kind) for kind in KINDS]
    assert page.count("```json") == len(KINDS)


def test_the_program_prints_ratings(page: str, summary: Summary) -> None:
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    stream = io.BytesIO()
    write_jsonl(stream, summary)
    run = subprocess.run([sys.executable, "-c", program], input=stream.getvalue(), capture_output=True, check=True)
    assert len(run.stdout.splitlines()) == 6


# ---- JSON lines ------------------------------------------------------------------------------------------------------


def test_lines_come_kind_by_kind(summary: Summary) -> None:
    types = [line["type"] for line in jsonl(summary)]
    order = [tag(kind) for kind in KINDS]
    assert types == sorted(types, key=order.index)
    assert set(types) == set(order) - {"member", "team"}
    assert types.count("report") == 1
    assert all(line["version"] == 1 for line in jsonl(summary))


def test_all_lines_are_flat(summary: Summary) -> None:
    for line in jsonl(summary):
        for value in line.values():
            inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
            assert not any(isinstance(part, dict | list) for part in inside)


def test_the_numbers_are_the_summarys(summary: Summary) -> None:
    found = {line["bot"]: line for line in jsonl(summary) if line["type"] == "bot"}
    assert [line["rank"] for line in found.values()] == [1, 2, 3, 4, 5, 6]
    for bot in summary.bots:
        line = found[bot.standing.bot]
        assert bot.standing.rates is not None
        assert bot.rating is not None
        for name, number in {
            "wins": bot.standing.rates.wins,
            "beaten": bot.standing.rates.beaten,
            "points": bot.standing.rates.points,
            "rating": bot.rating.elo,
        }.items():
            assert [line[name], line[f"{name}_low"], line[f"{name}_high"]] == pytest.approx(
                [number.value, number.low, number.high], abs=1e-6
            )
        assert sum(line["places"]) == line["games"]


def test_pairs_mirror_each_other(summary: Summary) -> None:
    pairs = {(line["bot"], line["other"]): line for line in jsonl(summary) if line["type"] == "pair"}
    assert len(pairs) == 30
    for (bot, other), line in pairs.items():
        back = pairs[other, bot]
        assert (line["ahead"], line["tied"], line["behind"]) == (back["behind"], back["tied"], back["ahead"])
        assert line["rate"] + back["rate"] == pytest.approx(1)
        assert line["counts"] == back["counts"][::-1]
        assert line["superiority"] + back["superiority"] == pytest.approx(1)


def test_what_is_infinite_or_held_by_the_prior_alone_is_null() -> None:
    games = [(("ann", "bob"), result(f"{n}-{k}", [2, 1])) for n in range(4) for k in (1, 2)]
    summary = summarise([log_of(games)])
    found = jsonl(summary)
    ann = next(line for line in found if line["type"] == "bot" and line["bot"] == "ann")
    pair = next(line for line in found if line["type"] == "pair" and line["bot"] == "ann")
    match = summary.pairs[0].match
    assert match is not None
    assert isinf(match.elo.value)
    assert (ann["rating_low"], ann["rating_high"], ann["rating_firm"]) == (None, None, False)
    assert ann["rating"] > 0
    assert (pair["elo"], pair["elo_high"]) == (None, None)
    assert pair["elo_low"] == pytest.approx(match.elo.low, abs=1e-6)


def test_without_games_of_two_there_are_no_counts() -> None:
    found = jsonl(summarise([log_of(list(league(("ann", "bob", "cyd"), 3, 2)))]))
    assert {line["counts"] for line in found if line["type"] == "pair"} == {None}


def test_mixed_teams_have_members() -> None:
    teams = (("ann", "bob"), ("ann", "cyd"))
    games = [
        (fixture.seats, result(fixture.id, [deal, deal]))
        for deal in (1, 2)
        for team in teams
        for fixture in team_block(team, deal, 2).fixtures()
    ]
    found = jsonl(summarise([log_of(games)]))
    assert [line["bot"] for line in found if line["type"] == "member"] == ["ann", "bob", "cyd"]
    assert {line["bot"] for line in found if line["type"] == "bot"} == {"ann+bob", "ann+cyd"}
    assert found[0]["teams"]
    assert not [line for line in found if line["type"] == "team"]
    won = [(seats, msgspec.structs.replace(last, won=last.scores[0] > 1)) for seats, last in games]
    records = [line for line in jsonl(summarise([log_of(won)])) if line["type"] == "team"]
    assert [(line["team"], line["games"], line["won"], line["rate"]) for line in records] == [
        ("ann+bob", 4, 2, 0.5),
        ("ann+cyd", 4, 2, 0.5),
    ]


# ---- CSV -------------------------------------------------------------------------------------------------------------


def cell(value: object) -> str:
    """What a JSON value is in a table, but for texts."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list():
            return " ".join(map(str, value))
        case dict():
            return " ".join(f"{key}={number}" for key, number in value.items())
        case _:
            return str(value)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_same_values(summary: Summary, name: str) -> None:
    rows = table(summary, name)
    wanted = [line for line in jsonl(summary) if line["type"] == name]
    assert len(rows) == len(wanted)
    for row, line in zip(rows, wanted, strict=True):
        assert list(row) == list(TABLES[name].__struct_fields__)
        for field, text in row.items():
            if not isinstance(line[field], str):
                assert text == cell(line[field])


def test_an_empty_table_has_its_head(summary: Summary) -> None:
    stream = io.StringIO()
    write_csv(stream, summary, "member")
    assert stream.getvalue() == "version,bot,games,points,points_low,points_high\n"


@pytest.mark.parametrize("name", TABLES)
def test_a_table_holds_no_control_characters(summary: Summary, name: str) -> None:
    stream = io.StringIO(newline="")
    write_csv(stream, summary, name)
    assert all(c.isprintable() or c == "\n" for c in stream.getvalue())
    assert len(stream.getvalue().splitlines()) == 1 + len(list(lines(summary, TABLES[name])))


def test_the_table_of_bots_is_the_default(summary: Summary) -> None:
    stream = io.StringIO()
    write_csv(stream, summary)
    assert stream.getvalue().splitlines()[0].split(",") == list(BotOutput.__struct_fields__)
