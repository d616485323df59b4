"""Games and positions of Mexica for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from mexica_cli.games.mexica import MexicaGame, State, load
from mexica_cli.games.mexica.board import parse_board
from mexica_cli.games.mexica.notation import FIELDS
from mexica_cli.games.mexica.rule_files import override, shipped_rules
from mexica_cli.games.mexica.variant import Variant

RULE_SETS = ("official", "help", "summary")

ISLANDS = """
    SCS=####
    ####=###
    ####=###
    """
"""Two districts: eleven spaces in the west, ten in the east, between them water that touches at a corner."""

FIELD = """
    SCS#=####
    ####=####
    ####=####
    """
"""Two districts of twelve."""


@cache
def game(rules: str = "official") -> MexicaGame:
    """A shipped rule set on the standard board."""
    return load(rules, None, {})


def game_on(drawing: str, rules: str = "official", **options: str) -> MexicaGame:
    """A game on a board drawn in the test; spaces around the rows don't matter."""
    rows = "\n".join(drawing.split())
    rule_set = override(shipped_rules(rules), options)
    return MexicaGame(Variant(rules, rule_set, parse_board(rows, "drawn", "drawn")))


def position(on: MexicaGame, **fields: str | int) -> State:
    """A state in mid-game: seat 0's turn in the second round unless the fields say otherwise.

    All fields but `pawns` have a default: nothing built, everything in stock, and the largest tokens still to come.
    """
    given = {field: str(value) for field, value in fields.items()}
    players = int(given.get("players", 2))
    period, round_, seat = (
        int(given.get(field, default)) for field, default in (("period", 1), ("round", 2), ("seat", 0))
    )
    rules = on.variant.rules
    sizes = sorted(rules.calpulli)
    first = sizes[: rules.first_calpulli] if period == 1 else sizes[rules.first_calpulli :]
    later = sizes[rules.first_calpulli :] if period == 1 else []
    zeros = "/".join("0" * players)
    defaults: dict[str, str | int] = {
        "rules": on.rules, "board": on.variant.board.name, "players": players, "phase": "turn",
        "period": period, "round": round_, "turn": players * round_ + seat, "seat": seat, "vote": "-", "proposed": "-",
        "ap": rules.action_points, "taken": 0, "kept": zeros, "quiet": 0, "busy": 0, "scores": zeros,
        "action_tokens": zeros, "display": listed(first), "later": listed(later), "tiles": listed(rules.canal_tiles),
        "canals": "-", "bridges": "-", "tokens": "-", "temples": "/".join("-" * (players + (players == 2))),
    }  # fmt: skip
    return on.from_position(" ".join(["mexica", *(f"{field}={(defaults | given)[field]}" for field in FIELDS)]))


def listed(numbers: list[int]) -> str:
    """A list as position lines have it."""
    return ",".join(map(str, numbers)) or "-"


def do(state: State, *actions: str) -> list[dict[str, object]]:
    """Do actions by their texts, all legal; returns what followed from all of them."""
    followed: list[dict[str, object]] = []
    for text in actions:
        action = state.parse(text)
        assert state.why_illegal(action) is None, (text, state.why_illegal(action))
        followed += state.apply(action)
    return followed


def code(state: State, text: str) -> str | None:
    """The code for which an action is refused; None if it is legal. Checks that the list agrees."""
    action = state.parse(text)
    verdict = state.why_illegal(action)
    assert (action in state.legal_actions()) == (verdict is None)
    return verdict.code if verdict else None


def texts(state: State, kind: str) -> list[str]:
    """The sorted texts of the legal actions of a kind."""
    return sorted(text for text in map(state.text, state.legal_actions()) if text.split()[0] == kind)


def walk(on: MexicaGame, players: int, seed: int) -> Iterator[tuple[State, int]]:
    """A random game: every state, with the action about to be done. The kind is chosen first, then the action."""
    state = on.start(players, on.deal(players, seed))
    chance = random.Random(seed)
    while state.to_act is not None:
        action = chance.choice(chance.choice(list(state.legal_by_kind().values())))
        yield state, action
        state.apply(action)
