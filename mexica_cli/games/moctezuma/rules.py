"""The options of a game, and the tables of the rulebook that no card says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from mexica_cli.games.game import RuleError

Difficulty = Literal["easy", "normal", "hard", "critical"]

SEATS = (1, 5)
"""Least and greatest number of seats."""
LINE = {1: (2, 1), 2: (2, 1), 3: (3, 2), 4: (4, 2), 5: (5, 3)}
"""By players: cards of the siege line, and how many of them lie face up (Setup 3)."""
LONGEST_LINE = 5
LEFT_OUT = 7
"""Conquistadors that the advanced deck is short of, Cortés never being one (Setup 2)."""
MOST_ROUNDS = 99
"""A game that lasts longer is lost: our rule, so that no card set plays for ever."""


def hand_size(players: int) -> int:
    """Cards dealt to each (Setup 8)."""
    return 4 if players == 1 else 3


def plays(players: int) -> int:
    """Cards that a seat plays, and draws, in Planning."""
    return 2 if players == 1 else 1


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a game is played."""

    difficulty: Difficulty = "normal"
    deck: Literal["beginner", "advanced"] = "beginner"
    """`beginner`: without the special conquistadors; `advanced`: all but 7 at random, with Cortés."""
    siege_end: Literal["last", "first"] = "last"
    """Where cards added to the siege line resolve (reading 4): after all others, or before those that wait."""


def options_from(texts: Mapping[str, str]) -> Options:
    """The options that a user wrote. Raises RuleError that names the option."""
    for name, text in texts.items():
        if name not in Options.__struct_fields__:
            known = ", ".join((*Options.__struct_fields__, "cards"))
            raise RuleError(f"there is no option {name!r}; there is {known}")
        try:
            msgspec.convert({name: text}, Options)
        except msgspec.ValidationError:
            raise RuleError(f"{name}: {text!r} is none of {', '.join(choices(name))}") from None
    return msgspec.convert(dict(texts), Options)


def choices(option: str) -> tuple[str, ...]:
    """What an option may be."""
    kind = next(field.type for field in msgspec.structs.fields(Options) if field.name == option)
    found: tuple[str, ...] = get_args(kind)
    return found
