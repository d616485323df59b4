"""Who plays whom on a ladder, and where they sit. Pure.

Of those who are free, the one who has waited longest is taken first, then opponents one after the other: the one with
the least cost against those already taken. A meeting costs as much as a difference of `MEETING` rating points, so close
ratings meet first, and then whoever has met least.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from mexica_cli.server.book import BEGINNER, Book, pair

MEETING = 50.0
"""Rating points that one earlier meeting weighs."""

Lately = Mapping[str, frozenset[str]]
"""With whom a bot has played its last match."""


def pairings(free: Sequence[str], book: Book, lately: Lately, patient: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Matches for those who are free, the longest waiting first; each comes out by seat.

    Those who are `patient` rather wait than play the same opponents twice in a row.
    """
    waiting = list(free)
    while len(waiting) >= book.seats:
        first = waiting.pop(0)
        taken = [first]
        while len(taken) < book.seats and (best := _best(taken, waiting, book, lately, patient)) is not None:
            taken.append(best)
            waiting.remove(best)
        if len(taken) == book.seats:
            yield seating(taken, book)
        else:
            waiting = [bot for bot in free if bot in {*waiting, *taken[1:]}]


def _best(
    taken: Sequence[str], waiting: Sequence[str], book: Book, lately: Lately, patient: frozenset[str]
) -> str | None:
    """Who comes next to those taken; None if nobody will."""
    choice = (bot for bot in waiting if not any(_again(bot, other, lately, patient) for other in taken))
    return min(choice, key=lambda bot: sum(_cost(bot, other, book) for other in taken), default=None)


def _again(bot: str, other: str, lately: Lately, patient: frozenset[str]) -> bool:
    return bot in patient and other in patient and other in lately.get(bot, ())


def _cost(bot: str, other: str, book: Book) -> float:
    return abs(_rating(bot, book) - _rating(other, book)) + MEETING * book.meetings[pair(bot, other)]


def _rating(bot: str, book: Book) -> float:
    entry = book.entries.get(bot)
    return BEGINNER if entry is None else entry.rating


def seating(bots: Sequence[str], book: Book) -> tuple[str, ...]:
    """The seating in which everybody sits, as far as can be, where it has sat least."""
    return min(permutations(bots), key=lambda order: sum(book.of(bot).sat(seat) for seat, bot in enumerate(order)))
