"""The state of a game as `games.game.State` wants it: a table, and what can be asked of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import suppress

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import Illegal, JsonDict
from mexica_cli.games.moctezuma import action_text, notation, play, sampling, scoring
from mexica_cli.games.moctezuma import actions as act
from mexica_cli.games.moctezuma.observation import MoctezumaState, observe, shown_action, shown_entry
from mexica_cli.games.moctezuma.table import KIND_SHIFT, OVER, PHASES, PLANNING, WON, Table


class State(Table):
    """One position of Moctezuma, as `games.game.State`. The fields of `Table` may be read, never written."""

    __slots__ = ()

    @property
    def to_act(self) -> int | None:
        """The seat that must choose an action now; None once the game is over."""
        return None if self.phase == OVER else self.asked

    def legal_actions(self) -> list[int]:
        """Every legal action of the seat to act, in no promised order; see `actions` for what the ints mean."""
        return list(self.options)

    def is_legal(self, action: int) -> bool:
        """Whether an action is legal; any int may be asked about."""
        return action in self.options

    def why_illegal(self, action: int) -> Illegal | None:
        """None for a legal action, else what is wrong with it."""
        if action in self.options:
            return None
        if self.phase == OVER:
            return Illegal("over", "the game is over")
        asked = sorted({act.KINDS[act.kind(option)] for option in self.options})
        if act.kind(action) not in {act.kind(option) for option in self.options}:
            return Illegal("wrong_kind", f"what is asked now ({PHASES[self.phase]}) is one of {', '.join(asked)}")
        with suppress(LookupError, ValueError):  # numbers that no text stands for, and so have no names
            return Illegal("not_possible", self._not_there(action))
        return Illegal("not_possible", "there is no such card, god or number")

    def _not_there(self, action: int) -> str:
        """What of an action of the right kind isn't there to be chosen."""
        if act.kind(action) == act.EXCHANGE:
            held = Counter(entry >> KIND_SHIFT for entry in self.hands[self.asked])
            missing = Counter(act.exchanged(action)) - held
            names = ", ".join(self.variant.ids[card] for card in missing.elements())
            return f"the hand doesn't hold what is to be exchanged: {names} is missing"
        choices = sorted(self.text(option) for option in self.options if act.kind(option) == act.kind(action))
        return f"{self.text(action)!r} can't be chosen here now; right would be {', '.join(choices)}"

    def apply(self, action: int) -> list[JsonDict]:
        """Do a legal action. What is returned is the whole truth, for referee and log; `shown` makes of it what a seat
        may know."""
        return play.apply(self, action)

    def neutral_action(self) -> int:
        """How an absent seat passes: it keeps its hand, passes, stops, or else takes the first thing there is."""
        for action in (act.KEEP, act.PASS, act.DONE):
            if action in self.options:
                return action
        return self.options[0]

    def parse(self, text: str) -> int:
        """Action text to action. Raises BadAction."""
        return action_text.parse(self.variant, text)

    def text(self, action: int) -> str:
        """Action to its text."""
        return action_text.write(self.variant, action)

    def observation(self, seat: int | None) -> MoctezumaState:
        """What that seat sees (None: a spectator, who sees what all do)."""
        return observe(self, seat)

    def shown(self, entry: JsonDict, seat: int | None) -> JsonDict:
        """An entry that `apply` returned, as that seat may see it."""
        return shown_entry(entry, seat)

    def shown_text(self, action: int, by: int, seat: int | None) -> str:
        """The text of an action of the seat `by`, as another may see it: a card chosen in Planning is `?`."""
        return shown_action(self, action, by, seat)

    def sample_hidden(self, seat: int | None, chance: Chance) -> State:
        """A copy that looks the same to that seat, all that it can't see being drawn anew."""
        return sampling.sample_hidden(self, seat, chance)

    @property
    def may_talk(self) -> bool:
        """In Planning alone (Planning 1)."""
        return self.phase == PLANNING

    @property
    def won(self) -> bool | None:
        """Whether the team has won; None while the game is under way."""
        return self.outcome == WON if self.phase == OVER else None

    def scores(self) -> list[int]:
        """The team's score for every seat; see `scoring`."""
        return [scoring.score(self)] * self.players

    def ranking(self) -> list[int] | None:
        """Once over, place 1 for every seat of a team that has won, 2 for one that has lost; None before."""
        if self.phase != OVER:
            return None
        return [1 if self.won else 2] * self.players

    def position(self) -> str:
        """The whole state as one line, with all that is hidden; see `notation`."""
        return notation.write(self)

    def digest(self) -> str:
        """A hash over the position, the options and the cards."""
        line = notation.write(self).encode()
        return hashlib.blake2b(line, digest_size=8, key=self.variant.fingerprint).hexdigest()
