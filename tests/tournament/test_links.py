"""Who can be compared with whom."""

from __future__ import annotations

from mexica_cli.tournament.links import firm_of, groups_of


def test_groups_are_numbered_by_size() -> None:
    assert groups_of(6, [(4, 5), (0, 1), (3, 5)]) == [1, 1, 2, 0, 0, 0]
    assert groups_of(2, []) == [0, 1]
    assert groups_of(0, []) == []


def test_a_chain_links() -> None:
    assert groups_of(5, [(0, 1), (2, 1), (2, 3), (4, 3)]) == [0] * 5


def test_in_a_circle_all_are_firm() -> None:
    assert firm_of(3, [(0, 1), (1, 2), (2, 0)], [0, 0, 0]) == {0, 1, 2}


def test_who_won_or_lost_everything_is_not() -> None:
    circle = [(1, 2), (2, 3), (3, 1)]
    assert firm_of(5, [*circle, (0, 1), (3, 4)], [0] * 5) == {1, 2, 3}


def test_of_two_nobody_is() -> None:
    assert firm_of(2, [(0, 1)], [0, 0]) == set()
    assert firm_of(2, [(0, 1), (1, 0)], [0, 0]) == {0, 1}


def test_every_group_has_its_own() -> None:
    links = [(0, 1), (1, 0), (2, 3), (3, 4), (4, 3)]
    assert firm_of(5, links, [1, 1, 0, 0, 0]) == {0, 1, 3, 4}
