"""A logged game as moments."""

from __future__ import annotations

from functools import cache

import pytest
from pagekit import EagerMatch
from toylog import ToyMatch, header

from mexica_cli.games import load_game
from mexica_cli.record.lines import ActionLine, GameLine
from mexica_cli.view.terminal.timeline import Timeline


@cache
def timeline(name: str = "mexica", actions: int | None = 60) -> Timeline:
    """The beginning of a game, or all of it."""
    game = load_game(name)
    match: ToyMatch = EagerMatch(game, "1-0", ("ann", "bob")).play(actions)
    lines = match.lines if actions else match.result()
    begun, *rest = lines
    assert isinstance(begun, GameLine)
    return Timeline(game, header(game), begun, rest)


@pytest.fixture(scope="module")
def mexica() -> Timeline:
    return timeline(actions=None)


def test_every_action_has_its_moment(mexica: Timeline) -> None:
    assert mexica.last == sum(isinstance(line, ActionLine) for moment in mexica.moments for line in moment.lines)
    assert mexica.moments[0].action is None
    assert [moment.action.n for moment in mexica.moments[1:] if moment.action] == list(range(1, mexica.last + 1))
    assert mexica.moments[-1].state.to_act is None
    assert [type(line).__name__ for line in mexica.end] == ["ResultLine"]


@pytest.mark.parametrize(
    ("name", "units"), [("mexica", ["turn", "round", "period"]), ("moctezuma", ["turn", "phase", "round"])]
)
def test_the_units_of_a_game(name: str, units: list[str]) -> None:
    assert timeline(name, 10).units == ["action", *units]


@pytest.mark.parametrize("unit", ["action", "turn", "round", "period"])
def test_forward_and_back_meet_at_the_same_moments(mexica: Timeline, unit: str) -> None:
    forward = [0]
    while forward[-1] < mexica.last:
        forward.append(mexica.after(forward[-1], unit))
    back = [mexica.last]
    while back[-1] > 0:
        back.append(mexica.before(back[-1], unit))
    assert back[::-1] == forward
    if unit != "action":
        values = [mexica.moments[n].marks[unit] for n in forward[1:-1]]
        assert len(set(values)) == len(values)


def test_from_within_a_turn_back_is_its_beginning(mexica: Timeline) -> None:
    start = mexica.after(mexica.after(0, "turn"), "round")
    inside = start + 2
    assert mexica.moments[inside].marks["turn"] == mexica.moments[start].marks["turn"]
    assert mexica.before(inside, "turn") == start
    assert mexica.after(mexica.last, "turn") == mexica.last
    assert mexica.before(0, "turn") == 0


def test_search_goes_both_ways(mexica: Timeline) -> None:
    first = mexica.find("found", 0, 1)
    assert first is not None
    action = mexica.moments[first].action
    assert action is not None
    assert action.action.startswith("found")
    second = mexica.find("FOUND ", first, 1)
    assert second is not None
    assert second > first
    assert mexica.find("found", second, -1) in range(first, second)
    assert mexica.find("found", first, -1) is None
    assert mexica.find("zzz", 0, 1) is None


def test_what_followed_is_searched_too(mexica: Timeline) -> None:
    found = mexica.find("is scored", 0, 1)
    assert found is not None
    assert any("is scored" in line for line in mexica.told(found))
