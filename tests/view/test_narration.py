"""A log told as text."""

from __future__ import annotations

import io
import re

import pytest
from toylog import ToyMatch, header

from mexica_cli.games import load_game
from mexica_cli.games.game import Game
from mexica_cli.record.lines import ActionLine, Line
from mexica_cli.record.replay import ReplayError
from mexica_cli.view.console import console_for
from mexica_cli.view.narration import Excerpt, Narrator


@pytest.fixture
def match(nim: Game) -> list[Line]:
    """A match with everything in it."""
    match = ToyMatch(nim, "1-0", ("ann", "bob", "cyd")).act("take 3", note="a [bold] start").act("end").reject("take 4")
    match.act("end").overrun(1, "end").fail(1, "crash").act("take 3").act("end")
    match.act("take 3").act("end").act("end").act("take 3").act("end")
    return [header(nim), *match.act("take 3").act("end").act("end").act("take 1").result()]


def told(lines: list[Line], excerpt: Excerpt) -> str:
    stream = io.StringIO()
    narrator = Narrator(console_for(stream), excerpt)
    for line in lines:
        narrator.take(line)
    return stream.getvalue()


def piles(text: str) -> list[int]:
    """The piles of the positions drawn."""
    return [int(line.split()[1].strip(",")) for line in text.splitlines() if '"pile"' in line]


def without_positions(text: str) -> list[str]:
    """All lines but the positions, which are JSON here."""
    return re.sub(r"\n{.*?\n}\n", "", text, flags=re.DOTALL).splitlines()


def test_what_was_done(match: list[Line]) -> None:
    assert without_positions(told(match, Excerpt())) == [
        "match 1-0: nim, rules plain",
        "",
        "    1   A   take 3  # a [bold] start",
        "    2   A   end",
        "",
        "        B   'take 4' was rejected: at most 3 stones a turn, 0 are taken",
        "    3   B   end",
        "            lost: stones 1",
        "",
        "        B   'end' was rejected: the turn is over",
        "        B   forfeits, crash: it fell to crash",
        "    4   C   take 3",
        "    5   C   end",
        "",
        "    6   A   take 3",
        "    7   A   end",
        "",
        "    8   B   end (passed by the arena)",
        "            lost: stones 1",
        "",
        "    9   C   take 3",
        "   10   C   end",
        "",
        "   11   A   take 3",
        "   12   A   end",
        "",
        "   13   B   end (passed by the arena)",
        "            lost: stones 1",
        "",
        "   14   C   take 1",
        "            last: seat 2, points 5",
        "            over: turn 8",
        "",
        "forfeit after 14 actions",
        "   1.  C  cyd 12 points",
        "   2.  A  ann 9 points",
        "   3.  B  bob 0 points, crash: it fell to crash",
    ]


@pytest.mark.parametrize(
    ("excerpt", "drawn"),
    [
        (Excerpt(every="action"), [19, 16, 16, 15, 12, 12, 9, 9, 8, 5, 5, 2, 2, 1, 0]),
        (Excerpt(every="turn"), [19, 16, 15, 12, 9, 8, 5, 2, 1, 0]),
        (Excerpt(every="turn", first=2), [16, 16, 15, 12, 9, 8, 5, 2, 1, 0]),
        (Excerpt(every="turn", first=4, last=6), [15, 12]),
        (Excerpt(every="action", first=14), [1, 0]),
        (Excerpt(every="action", last=0), [19]),
        (Excerpt(every="action", first=15), [0]),
        (Excerpt(every="action", first=16), []),
    ],
)
def test_when_positions_are_drawn(match: list[Line], excerpt: Excerpt, drawn: list[int]) -> None:
    assert piles(told(match, excerpt)) == drawn


def test_only_the_actions_asked_for(match: list[Line]) -> None:
    text = without_positions(told(match, Excerpt(first=3, last=3)))
    assert text[:5] == [
        "match 1-0: nim, rules plain",
        "",
        "        B   'take 4' was rejected: at most 3 stones a turn, 0 are taken",
        "    3   B   end",
        "            lost: stones 1",
    ]
    assert text[-4] == "forfeit after 14 actions"


def test_positions_are_drawn_by_the_units_of_the_game() -> None:
    game = load_game("mexica")
    match = ToyMatch(game, "0-0", ("ann", "bob")).play(2)
    match.act("end").act("end").act("take").act("end").fail(1, "crash")
    lines = [header(game), *match.result()]
    text = told(lines, Excerpt(every="round"))
    assert re.findall(r"period \d, round \d", text) == [f"period 1, round {number}" for number in (1, 2, 2)]
    assert told(lines, Excerpt(every="period")).count("period 1, round") == 2
    with pytest.raises(ReplayError, match="mexica has no phase to go by; it goes by action, turn, round, period"):
        told(lines, Excerpt(every="phase"))


def test_entries_within_what_followed_have_lines_of_their_own() -> None:
    game = load_game("mexica")
    lines = [header(game), *ToyMatch(game, "0-0", ("ann", "bob")).play().result()]
    last = max(line.n for line in lines if isinstance(line, ActionLine))
    text = told(lines, Excerpt(first=last)).splitlines()
    scored = text.index("            Period 2 is scored")
    assert text[scored + 1].startswith("            District of ")
    assert any(line.endswith(" in all at the end of period 2") for line in text[scored:])


def test_matches_are_chosen_by_id_and_counted(nim: Game, match: list[Line]) -> None:
    lines = [*match, *ToyMatch(nim, "1-1", ("bob", "ann")).play().result()]
    one = told(lines, Excerpt(match="1-1"))
    assert one.startswith("match 1-1: ")
    assert told(lines, Excerpt()) == f"{told(match, Excerpt())}\n{one}"
    assert told(lines, Excerpt(match="1-2")) == ""


def test_a_void_match(nim: Game) -> None:
    lines = [header(nim), *ToyMatch(nim, "0-0", ("ann", "bob")).act("take 1").void()]
    assert without_positions(told(lines, Excerpt()))[-3:] == [
        "void after 1 action",
        "       A  ann, arena: the worker died",
        "       B  bob, arena: the worker died",
    ]


def test_a_wrong_line_is_not_told(match: list[Line]) -> None:
    wrong = [line for line in match if getattr(line, "n", 0) != 4]
    with pytest.raises(ReplayError, match="`n` is 5, right would be 4"):
        told(wrong, Excerpt())


def test_what_a_seat_saw() -> None:
    lines = moctezuma_lines()
    everything, bobs = told(lines, Excerpt(last=6)), told(lines, Excerpt(last=6, seat=1))
    assert "play ?" not in everything
    assert "hidden" not in everything
    assert "play ?" in bobs
    assert bobs.count("play ") == everything.count("play ")
    assert "1 hidden" in bobs or "3 hidden" in bobs


def test_a_seat_that_is_not_there(match: list[Line]) -> None:
    with pytest.raises(ReplayError, match="has the seats 0 to 2"):
        told(match, Excerpt(seat=3))


def moctezuma_lines() -> list[Line]:
    """The beginning of a game of Moctezuma for two."""
    game = load_game("moctezuma")
    match = ToyMatch(game, "1-0", ("ann", "bob"))
    for _ in range(6):
        match.act(match.state.text(match.state.legal_actions()[0]))
    return [header(game), *match.lines]
