"""Steps that choose which other steps are done."""

from __future__ import annotations

from mexica_cli.games.moctezuma import actions as act
from mexica_cli.games.moctezuma import fates, zones
from mexica_cli.games.moctezuma.effect import Effect
from mexica_cli.games.moctezuma.language import Either, If, Together
from mexica_cli.games.moctezuma.table import Frame, Question, Table, advance, push
from mexica_cli.games.moctezuma.variant import AfterUse
from mexica_cli.games.moctezuma.zones import Log


class OneOf(Effect[Either]):
    """`either`."""

    def go_on(self, table: Table, step: Either, frame: Frame, log: Log) -> Question:
        return Question(frame.seat, [act.encode(act.OPTION, 0, n + 1) for n in range(len(step.options))])

    def answer(self, table: Table, step: Either, frame: Frame, action: int, log: Log) -> None:
        advance(table)
        chosen = table.variant.branches[frame.script, frame.step][act.extra(action) - 1]
        push(table, chosen, frame.seat, frame.source)


class Depends(Effect[If]):
    """`if`."""

    def go_on(self, table: Table, step: If, frame: Frame, log: Log) -> None:
        advance(table)
        then, otherwise = table.variant.branches[frame.script, frame.step]
        push(table, then if zones.holds(table, step.test) else otherwise, frame.seat, frame.source)


class AsOne(Effect[Together]):
    """`together`: while its script is under way, nobody looks whether the game has ended."""

    def go_on(self, table: Table, step: Together, frame: Frame, log: Log) -> None:
        advance(table)
        (inner,) = table.variant.branches[frame.script, frame.step]
        push(table, inner, frame.seat, frame.source)


class Used(Effect[AfterUse]):
    """An ability has been resolved: the time of influences like Xiuhtecuhtli's (reading 10)."""

    def go_on(self, table: Table, step: AfterUse, frame: Frame, log: Log) -> None:
        advance(table)
        if table.recovered:
            table.recovered = False
            fates.fire(table, "recovered")
