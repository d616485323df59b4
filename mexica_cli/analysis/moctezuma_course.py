"""Rounds, phases and cards of a game of Moctezuma, told from its action texts and from what followed."""

from __future__ import annotations

from mexica_cli.analysis.course import Moment
from mexica_cli.games.moctezuma.table import PHASES
from mexica_cli.record.lines import ActionLine

CARD_VERBS = frozenset({"use", "sacrifice", "play"})
"""Actions whose second word is the card that they are about."""


class MoctezumaCourse:
    """One game; round and phase are those of its state."""

    turns: None = None
    unused: None = None

    def __init__(self) -> None:
        self.rounds: int | None = 1
        self.ending: str | None = None
        self._phase: str | None = PHASES[0]

    def take(self, line: ActionLine) -> Moment:
        """The next action."""
        verb, _, rest = line.action.partition(" ")
        card = rest.partition(" ")[0] if verb in CARD_VERBS else None
        moment = Moment(verb, card=card, round=self.rounds, phase=self._phase)
        for entry in line.followed:
            match entry.get("what"):
                case "phase":
                    self._phase, self.rounds = entry.get("phase"), entry.get("round")
                case "over":
                    self.ending = entry.get("reason")
        return moment
