"""Numbers as they are told to people."""

from __future__ import annotations

from mexica_cli.number_text import count, duration, ordinal


def test_things_are_counted() -> None:
    assert [count(number, "void game") for number in (0, 1, 2)] == ["0 void games", "1 void game", "2 void games"]


def test_places() -> None:
    places = [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 112)]
    assert places == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"]


def test_durations() -> None:
    assert [duration(12.34), duration(999.9), duration(1000.0)] == ["12.3 ms", "999.9 ms", "1.00 s"]
