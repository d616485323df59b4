"""The book of a ladder."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.results import FAULT, result

from mexica_cli.record.lines import VOID, ResultLine
from mexica_cli.server.book import BEGINNER, STEP, Book, expected


def test_who_wins_gains_what_the_other_loses() -> None:
    book = Book(2)
    book.enter(["ann", "bob"], result(1, 2))
    ann, bob = book.entries["ann"], book.entries["bob"]
    assert ann.rating - BEGINNER == BEGINNER - bob.rating > 0
    assert (ann.games, ann.wins, ann.seats) == (1, 1.0, [1])
    assert (bob.games, bob.wins, bob.seats) == (1, 0.0, [0, 1])


def test_a_draw_between_equals_changes_nothing() -> None:
    book = Book(2)
    book.enter(["ann", "bob"], result(1, 1))
    assert book.entries["ann"].rating == book.entries["bob"].rating == BEGINNER
    assert book.entries["ann"].wins == 0.5


def test_what_was_expected_gains_little() -> None:
    book = Book(2)
    book.of("ann").rating, book.of("bob").rating = 1900.0, 1500.0
    book.of("ann").games = book.of("bob").games = 100
    book.enter(["ann", "bob"], result(1, 2))
    assert book.entries["ann"].rating - 1900 == pytest.approx(STEP * (1 - expected(400)))
    assert book.entries["ann"].rating - 1900 < STEP / 10


@given(st.permutations(["ann", "bob", "cyd", "dan"]), st.lists(st.integers(1, 3), min_size=4, max_size=4))
def test_the_order_of_the_seats_does_not_matter_for_ratings(order: list[str], places: list[int]) -> None:
    place = dict(zip(["ann", "bob", "cyd", "dan"], places, strict=True))
    one, other = Book(4), Book(4)
    one.enter(list(place), result(*place.values()))
    other.enter(order, result(*(place[bot] for bot in order)))
    for bot in place:
        assert one.entries[bot].rating == pytest.approx(other.entries[bot].rating)
    assert sum(entry.rating for entry in one.entries.values()) == pytest.approx(4 * BEGINNER)
    assert one.meetings == other.meetings


def test_failures_count_in_a_row() -> None:
    book = Book(2)
    counts = []
    for faults in ((1,), (1,), (), (1,)):
        book.enter(["ann", "bob"], result(1, 2, faults=faults, outcome="forfeit"))
        counts.append(book.entries["bob"].failures)
    assert counts == [1, 2, 0, 1]
    assert book.entries["bob"].forfeits == 3


def test_a_void_match_is_no_match() -> None:
    book = Book(2)
    book.enter(
        ["ann", "bob"],
        ResultLine(
            match="1-1",
            outcome=VOID,
            ranking=[],
            scores=[],
            reasons=[FAULT, None],
            actions=0,
            digest="",
            stale=[0, 0],
            stderr=[None, None],
        ),
    )
    assert not book.entries
    assert not book.meetings


def test_the_stronger_bot_climbs_and_stays() -> None:
    book = Book(2)
    ratings = []
    for game in range(200):
        seats = ("ann", "bob") if game % 2 else ("bob", "ann")
        winner = "bob" if game % 4 == 0 else "ann"  # ann wins three of four
        book.enter(seats, result(*(1 if bot == winner else 2 for bot in seats)))
        ratings.append(book.entries["ann"].rating - book.entries["bob"].rating)
    assert ratings[-1] == pytest.approx(190, abs=60)  # what Elo says of 75 %
    assert max(abs(b - a) for a, b in pairwise(ratings[100:])) < 2 * STEP
    assert [entry.bot for entry in book.standings()] == ["ann", "bob"]
