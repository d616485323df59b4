"""Figures show the numbers where they are, and say them in words too."""

from __future__ import annotations

import re
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.reported import league, log_of
from tournament.webpage import Node, Page

from mexica_cli.tournament.intervals import Estimate
from mexica_cli.tournament.markup import name
from mexica_cli.tournament.report_figures import PlotRow, Scale, bar, gauge, heat_map, plot, scale_of
from mexica_cli.tournament.summary import summarise

NUMBERS = st.floats(-4000, 4000)


def share(position: str) -> float:
    """`12.5%` as a part."""
    assert position.endswith("%")
    return float(position[:-1]) / 100


@given(st.lists(NUMBERS, min_size=3, max_size=3).map(sorted), NUMBERS)
def test_a_scale_has_room_for_all_and_ticks_at_round_numbers(three: list[float], middle: float) -> None:
    low, value, high = three
    scale = scale_of([Estimate(value, low, high)], middle)
    assert 0 < share(scale.x(low)) <= share(scale.x(value)) <= share(scale.x(high)) < 1
    assert 0 < share(scale.x(middle)) < 1
    assert 1 <= len(scale.ticks) <= 7
    steps = {round(after - before, 6) for before, after in pairwise(scale.ticks)}
    assert len(steps) <= 1
    assert all(re.fullmatch("[125]0*", f"{step:g}") for step in steps)


def test_a_scale_of_nothing() -> None:
    scale = scale_of([])
    assert scale.low < 0 < scale.high
    assert scale_of([Estimate(5.0, -inf, inf)], 0.0).high < 10
    assert scale_of([Estimate(2.0, 2.0, 2.0)]).ticks == [-2.0, 0.0, 2.0, 4.0, 6.0]


def test_positions_outside_are_at_the_ends() -> None:
    scale = Scale(0.0, 10.0, [])
    assert [scale.x(-5.0), scale.x(2.5), scale.x(inf)] == ["0.00%", "25.00%", "100.00%"]


def drawn(*numbers: Estimate) -> list[Node]:
    """The drawings of a plot of these numbers on a scale from 0 to 10."""
    rows = [PlotRow(name(f"bot {index}"), number, "in words") for index, number in enumerate(numbers)]
    page = Page.read(plot(rows, Scale(0.0, 10.0, [0.0, 5.0, 10.0]), 5.0, ["0", "5", "10"], "what it shows"))
    assert page.one("caption").text == "what it shows"
    assert [head.text for head in page.find("th")] == [f"bot {index}in words" for index in range(len(numbers))]
    return page.find("svg")


def test_a_number_with_its_interval() -> None:
    svg, axis = drawn(Estimate(4.0, 2.0, 7.0))
    assert svg["aria-label"] == "in words"
    assert svg.one("circle")["cx"] == "40.00%"
    [line] = [line for line in svg.find("line", class_="interval") if line["x1"] != line["x2"]]
    assert (line["x1"], line["x2"]) == ("20.00%", "70.00%")
    assert svg.one("line", class_="middle")["x1"] == "50.00%"
    assert [text.text for text in axis.find("text")] == ["0", "5", "10"]


def test_a_number_without_bounds_looks_different() -> None:
    svg, _ = drawn(Estimate(4.0, -inf, inf))
    line = svg.one("line", class_="interval open")
    assert (line["x1"], line["x2"]) == ("0.00%", "100.00%")
    assert svg.one("circle")["class"] == "open"
    assert not svg.find("line", class_="interval")


def test_bars() -> None:
    svg = Page.read(bar(0.25, "a quarter", 0.5)).one("svg")
    assert svg.one("rect")["width"] == "25.00%"
    assert svg.one("line")["x1"] == "50.00%"
    assert svg["aria-label"] == "a quarter"
    assert share(Page.read(bar(1.0, "all", 1.0)).one("line")["x1"]) < 1


@pytest.mark.parametrize(
    ("value", "x", "width"), [(1.0, "50.00%", "25.00%"), (-2.0, "0.00%", "50.00%"), (9.0, "50.00%", "50.00%")]
)
def test_gauges(value: float, x: str, width: str) -> None:
    track, fill = Page.read(gauge(value, -2.0, 2.0, "words")).find("rect")
    assert (track["x"], track["width"]) == ("0", "100%")
    assert (fill["x"], fill["width"]) == (x, width)


def test_a_heat_map_has_every_pair_at_its_place() -> None:
    bots = ["ann", "bob", "cyd"]
    summary = summarise([log_of(list(league(bots, 2, 4)))])
    table = Page.read(heat_map([*bots, "eve"], summary.pairs)).one("table")
    assert [head["title"] for head in table.find("th", scope="col")] == [*bots, "eve"]
    rows = table.one("tbody").find("tr")
    rates = {(pair.meeting.bot, pair.meeting.other): pair.meeting.rate for pair in summary.pairs}
    for row, bot in zip(rows, [*bots, "eve"], strict=True):
        assert row.one("bdi").text == bot
        for cell, other in zip(row.find("td"), [*bots, "eve"], strict=True):
            if rate := rates.get((bot, other)):
                assert cell.inside == f"{100 * rate.value:.0f}"
                assert cell["class"] == f"h{round(10 * rate.value)}"
                assert cell["title"].startswith(f"{bot} : {other} {100 * rate.value:.1f} (")
            else:
                assert (cell["class"], cell.text) == ("none", "·" if bot == other else "–")
