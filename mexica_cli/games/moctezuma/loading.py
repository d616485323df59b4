"""Making a game: from options and a card file, or from the options that a game wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from mexica_cli.games.game import JsonDict, RuleError, not_shipped
from mexica_cli.games.moctezuma.card_files import SHIPPED_CARDS, cards_from, read_cards
from mexica_cli.games.moctezuma.game import MoctezumaGame
from mexica_cli.games.moctezuma.notation import FIELDS
from mexica_cli.games.moctezuma.rules import Options, options_from
from mexica_cli.games.moctezuma.variant import Variant
from mexica_cli.games.position_fields import split_fields

SHIPPED = ("official",)
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


def load(rules: str, board: str | None, options: Mapping[str, str]) -> MoctezumaGame:
    """The game with the shipped cards, or those of the file that the option `cards` names. Raises RuleError.

    There is one rule set, `official`, and no board; all else is options (see `rules.Options`).
    """
    if rules not in SHIPPED:
        raise RuleError(f"there is no rule set {rules!r} of Moctezuma; there is {', '.join(SHIPPED)}")
    if board is not None:
        raise RuleError("Moctezuma has no board; leave it out")
    given = dict(options)
    path = Path(given.pop("cards")) if "cards" in given else SHIPPED_CARDS
    return MoctezumaGame(Variant(_name_of(path), read_cards(path), options_from(given)))


def of_position(line: str) -> MoctezumaGame:
    """The game with the shipped cards and the options that a position line names. Raises RuleError.

    `siege_end` isn't in the line and is the usual one.
    """
    fields = split_fields("moctezuma", FIELDS, line)
    if fields["cards"] != _name_of(SHIPPED_CARDS):
        raise not_shipped("cards", fields["cards"])
    return load(fields["rules"], None, {"difficulty": fields["difficulty"], "deck": fields["conquistadors"]})


def _name_of(path: Path) -> str:
    return _UNFIT.sub("_", path.stem)


class _Options(msgspec.Struct, frozen=True):
    """The shape of `Game.options`."""

    options: Options
    cards: dict[str, Any]


def restore(options: JsonDict) -> MoctezumaGame:
    """The game that `MoctezumaGame.options` described. Raises RuleError."""
    try:
        read = msgspec.convert(options, _Options)
    except msgspec.ValidationError as error:
        raise RuleError(f"options: {error}") from None
    cards = dict(read.cards)
    name = cards.pop("name", None)
    if not isinstance(name, str) or not name or _UNFIT.search(name):
        raise RuleError("options: cards: name: give one of letters, digits and . _ -")
    return MoctezumaGame(Variant(name, cards_from(cards), read.options))
