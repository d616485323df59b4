"""The card language done: every kind of step, and the effect that does it."""

from __future__ import annotations

from typing import Any

from mexica_cli.games.moctezuma import effects_battle as battle
from mexica_cli.games.moctezuma import effects_cards as cards
from mexica_cli.games.moctezuma import effects_flow as flow
from mexica_cli.games.moctezuma import language
from mexica_cli.games.moctezuma.effect import Asking, Effect
from mexica_cli.games.moctezuma.table import Table
from mexica_cli.games.moctezuma.variant import AfterUse
from mexica_cli.games.moctezuma.zones import Log

EFFECTS: dict[type, Effect[Any]] = {
    AfterUse: flow.Used(),
    language.Attack: battle.Attacking(),
    language.Draw: cards.Drawing(),
    language.Either: flow.OneOf(),
    language.Extra: cards.Lengthening(),
    language.Fortress: battle.Fortifying(),
    language.If: flow.Depends(),
    language.Leave: cards.Leaving(),
    language.Marker: battle.Marking(),
    language.Move: cards.Moving(),
    language.Offer: cards.Offering(),
    language.Reveal: cards.Revealing(),
    language.Sacrifice: battle.Sacrificing(),
    language.Together: flow.AsOne(),
    language.Ward: battle.Warding(),
}


def go_on(table: Table, log: Log) -> Asking:
    """Do the next bit of the innermost effect, or say what it asks."""
    frame = table.stack[-1]
    step = table.variant.scripts[frame.script][frame.step]
    return EFFECTS[type(step)].go_on(table, step, frame, log)


def answer(table: Table, action: int, log: Log) -> None:
    """Do what the innermost effect's question was answered with."""
    frame = table.stack[-1]
    step = table.variant.scripts[frame.script][frame.step]
    EFFECTS[type(step)].answer(table, step, frame, action, log)
