"""Who plays whom on a ladder."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from mexica_cli.server.book import Book, pair
from mexica_cli.server.pairing import pairings, seating

NOBODY: frozenset[str] = frozenset()


def together(book: Book, *free: str) -> list[set[str]]:
    """Who meets."""
    return [set(seats) for seats in pairings(free, book, {}, NOBODY)]


def test_close_ratings_meet() -> None:
    book = Book(2)
    for bot, rating in {"ann": 1900.0, "bob": 1200.0, "cyd": 1880.0, "dan": 1210.0}.items():
        book.of(bot).rating = rating
    assert together(book, "ann", "bob", "cyd", "dan") == [{"ann", "cyd"}, {"bob", "dan"}]


def test_those_who_met_least_meet() -> None:
    book = Book(2)
    book.meetings[pair("ann", "bob")] = 3
    book.meetings[pair("ann", "cyd")] = 2
    assert together(book, "ann", "bob", "cyd", "dan") == [{"ann", "dan"}, {"bob", "cyd"}]


def test_who_has_waited_longest_plays_first() -> None:
    assert together(Book(2), "cyd", "bob", "ann") == [{"cyd", "bob"}]


def test_the_patient_do_not_meet_twice_in_a_row() -> None:
    book, lately = Book(2), {"ann": frozenset({"bob"}), "bob": frozenset({"ann"})}
    patient = frozenset({"ann", "bob"})
    assert list(pairings(["ann", "bob"], book, lately, patient)) == []
    assert [set(seats) for seats in pairings(["ann", "bob", "cyd"], book, lately, patient)] == [{"ann", "cyd"}]
    assert len(list(pairings(["ann", "bob"], book, lately, frozenset({"ann"})))) == 1


def test_one_who_finds_nobody_leaves_the_others_to_play() -> None:
    lately = {"ann": frozenset({"bob", "cyd"}), "bob": frozenset({"ann"}), "cyd": frozenset({"ann"})}
    patient = frozenset({"ann", "bob", "cyd"})
    assert [set(seats) for seats in pairings(["ann", "bob", "cyd"], Book(2), lately, patient)] == [{"bob", "cyd"}]


@pytest.mark.parametrize(("seats", "bots"), [(2, 5), (3, 7), (4, 9)])
def test_a_long_ladder_is_fair(seats: int, bots: int) -> None:
    chance, book = random.Random(1), Book(seats)
    names = [f"bot{number}" for number in range(bots)]
    sat: dict[str, Counter[int]] = {name: Counter() for name in names}
    for _ in range(300):
        chance.shuffle(names)
        for seating_ in pairings(names, book, {}, NOBODY):
            for seat, bot in enumerate(seating_):
                sat[bot][seat] += 1
                book.of(bot).sit(seat)
            book.meetings.update(pair(*two) for two in combinations(seating_, 2))
    assert max(max(count.values()) - min(count.values()) for count in sat.values()) <= 3
    met = [book.meetings[pair(*two)] for two in combinations(names, 2)]
    assert max(met) - min(met) <= 0.15 * max(met)


def test_everybody_sits_where_it_has_sat_least() -> None:
    book = Book(2)
    book.of("ann").seats = [5, 4]
    book.of("bob").seats = [1, 1]
    assert seating(["ann", "bob"], book) == ("bob", "ann")
