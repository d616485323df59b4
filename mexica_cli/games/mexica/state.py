"""The state of a game as `games.game.State` wants it: a table, and what can be asked of it."""

from __future__ import annotations

import hashlib

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import Illegal, JsonDict
from mexica_cli.games.mexica import actions as act
from mexica_cli.games.mexica import bits, legality, movegen, notation, places, play, scoring
from mexica_cli.games.mexica.observation import MexicaState, observe
from mexica_cli.games.mexica.table import OVER, PLACING, VOTE, Table

_END, _REFUSE = act.encode(act.END), act.encode(act.REFUSE)


class State(Table):
    """One position of Mexica, as `games.game.State`. The fields of `Table` may be read, never written."""

    __slots__ = ()

    @property
    def to_act(self) -> int | None:
        """The seat that must choose an action now; None once the game is over."""
        return None if self.phase == OVER else self.voter

    def legal_actions(self) -> list[int]:
        """Every legal action of the seat to act, in no promised order; see `actions` for what the ints mean."""
        return movegen.legal_actions(self)

    def legal_by_kind(self) -> dict[int, list[int]]:
        """The same by kind (`actions.CANAL` and so on), kinds without any left out."""
        return movegen.by_kind(self)

    def is_legal(self, action: int) -> bool:
        """Whether an action is legal; any int may be asked about."""
        return legality.why_illegal(self, action) is None

    def why_illegal(self, action: int) -> Illegal | None:
        """None for a legal action, else the rule that forbids it."""
        return legality.why_illegal(self, action)

    def apply(self, action: int) -> list[JsonDict]:
        """Do a legal action. The entries returned are described in protocol/NOTATION.md; the points in those called
        `points` add up to the scores."""
        return play.apply(self, action)

    def neutral_action(self) -> int:
        """How an absent seat passes: the first free space when placing, `refuse` in a vote, `end` in a turn."""
        if self.phase == PLACING:
            return act.encode(act.PLACE, bits.first_cell(places.placements(self)))
        return _REFUSE if self.phase == VOTE else _END

    def parse(self, text: str) -> int:
        """Action text to action. Raises BadAction."""
        return self.variant.texts.parse(text)

    def text(self, action: int) -> str:
        """Action to its text."""
        return self.variant.texts[action]

    def observation(self, seat: int | None) -> MexicaState:
        """What everybody sees, for Mexica hides nothing."""
        return observe(self)

    def shown(self, entry: JsonDict, seat: int | None) -> JsonDict:
        """The entry itself."""
        return entry

    def shown_text(self, action: int, by: int, seat: int | None) -> str:
        """The action's text."""
        return self.text(action)

    def sample_hidden(self, seat: int | None, chance: Chance) -> State:
        """A copy: there is nothing to draw anew."""
        return self.copy()

    @property
    def may_talk(self) -> bool:
        """Never: nobody is of one's team."""
        return False

    @property
    def won(self) -> bool | None:
        """None: there is no team."""
        return None

    def scores(self) -> list[int]:
        """Points by seat, as they stand."""
        return list(self.scored)

    def ranking(self) -> list[int] | None:
        """Place by seat once over; None before."""
        return scoring.ranking(self) if self.phase == OVER else None

    def position(self) -> str:
        """The state as one line; see `notation`."""
        return notation.write(self)

    def digest(self) -> str:
        """A hash over the position, the rules and the board."""
        line = notation.write(self).encode()
        return hashlib.blake2b(line, digest_size=8, key=self.variant.fingerprint).hexdigest()
