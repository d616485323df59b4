"""What an action does: it is done, and the game goes on by itself to the next choice or its end."""

from __future__ import annotations

from mexica_cli.games.moctezuma import phases, steps
from mexica_cli.games.moctezuma.table import DESTROYED, OVER, WON, Question, Table
from mexica_cli.games.moctezuma.variant import QUETZALCOATL
from mexica_cli.games.moctezuma.zones import Log


def apply(table: Table, action: int) -> Log:
    """Do a legal action."""
    log: Log = []
    _answer(table, action, log)
    go_on(table, log)
    return log


def go_on(table: Table, log: Log) -> None:
    """Go on to the next question that has more than one answer. Where one is open already, nothing changes."""
    table.options = ()
    while table.phase != OVER:
        if (not table.parts or not table.fortress[QUETZALCOATL]) and not _in_one_step(table):
            phases.end(table, DESTROYED if table.parts else WON, log)
            break
        question = steps.go_on(table, log) if table.stack else phases.go_on(table, log)
        if question is None:
            continue
        if len(question.options) > 1 or question.private:
            _ask(table, question)
            break
        _answer(table, question.options[0], log)


def _in_one_step(table: Table) -> bool:
    """Whether steps are under way that count as one (reading 12)."""
    together = table.variant.together
    return bool(together) and any(frame.script in together for frame in table.stack)


def _ask(table: Table, question: Question) -> None:
    if question.seat != table.asked:
        table.turn += 1
    table.asked, table.options = question.seat, tuple(question.options)


def _answer(table: Table, action: int, log: Log) -> None:
    if table.stack:
        steps.answer(table, action, log)
    else:
        phases.answer(table, action, log)
