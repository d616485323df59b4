"""A small third game for tests of everything that must not care which game is played: `nim`, for 2 to 4 seats.

Stones lie on a pile. In a turn a seat takes stones, in one or several actions but at most `most` in all, then ends its
turn; a turn that took none removes one stone, which is nobody's. A stone taken is a point, the last one is worth `last`
more. The game is over when the pile is empty; points rank.

With the option `team` the seats play together, may talk before they take the first stone of a turn, and win when they
have taken so many points in all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec
import pytest

from mexica_cli.games import GAMES, GameKind
from mexica_cli.games.chance import Chance
from mexica_cli.games.game import BadAction, Game, Illegal, JsonDict, RuleError, State, quoted

NAME = "nim"
END = 0


class NimObservation(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody sees."""

    game: str
    turn: int
    pile: int
    to_act: int | None
    taken: int
    scores: list[int]


class NimState:
    """A position of nim. The action `take N` is the int N, `end` is 0."""

    def __init__(
        self, game: NimGame, pile: int, scores: list[int], *, actor: int = 0, taken: int = 0, turn: int = 0
    ) -> None:
        self.game = game
        self._pile = pile
        self._scores = scores
        self._actor = actor
        self._taken = taken
        self._turn = turn

    @property
    def players(self) -> int:
        return len(self._scores)

    @property
    def to_act(self) -> int | None:
        return self._actor if self._pile else None

    @property
    def turn(self) -> int:
        return self._turn

    def legal_actions(self) -> list[int]:
        return [action for action in range(self.game.most + 1) if self.is_legal(action)]

    def is_legal(self, action: int) -> bool:
        return self.why_illegal(action) is None

    def why_illegal(self, action: int) -> Illegal | None:
        if not self._pile:
            return Illegal("over", "the game is over")
        if action > self.game.most - self._taken:
            return Illegal("too_many", f"at most {self.game.most} stones a turn, {self._taken} are taken")
        if action > self._pile:
            return Illegal("no_stones", f"only {self._pile} stones are left")
        return None

    def apply(self, action: int) -> list[JsonDict]:
        followed = self._end_turn() if action == END else self._take(action)
        if not self._pile:
            followed.append({"what": "over", "turn": self._turn})
        return followed

    def _take(self, stones: int) -> list[JsonDict]:
        self._pile -= stones
        self._taken += stones
        self._scores[self._actor] += stones
        if self._pile:
            return []
        self._scores[self._actor] += self.game.last
        return [{"what": "last", "seat": self._actor, "points": self.game.last}]

    def _end_turn(self) -> list[JsonDict]:
        lost = 0 if self._taken else 1
        self._pile -= lost
        self._taken = 0
        self._actor = (self._actor + 1) % self.players
        self._turn += 1
        return [{"what": "lost", "stones": 1}] if lost else []

    def neutral_action(self) -> int:
        return END

    def parse(self, text: str) -> int:
        if text == "end":
            return END
        word, _, number = text.partition(" ")
        if word != "take" or not number.isdecimal() or number != str(int(number)) or number == "0":
            raise BadAction("syntax", f"{quoted(text)} is neither `end` nor `take N`")
        return int(number)

    def text(self, action: int) -> str:
        return "end" if action == END else f"take {action}"

    def copy(self) -> NimState:
        return NimState(
            self.game, self._pile, list(self._scores), actor=self._actor, taken=self._taken, turn=self._turn
        )

    def observation(self, seat: int | None) -> NimObservation:
        return NimObservation(
            game=NAME,
            turn=self._turn,
            pile=self._pile,
            to_act=self.to_act,
            taken=self._taken,
            scores=list(self._scores),
        )

    def shown(self, entry: JsonDict, seat: int | None) -> JsonDict:
        return entry

    def shown_text(self, action: int, by: int, seat: int | None) -> str:
        return self.text(action)

    def sample_hidden(self, seat: int | None, chance: Chance) -> State:
        return self.copy()

    @property
    def may_talk(self) -> bool:
        return self.game.cooperative and not self._taken

    @property
    def won(self) -> bool | None:
        return sum(self._scores) >= self.game.team if self.game.cooperative and not self._pile else None

    def scores(self) -> list[int]:
        return list(self._scores)

    def ranking(self) -> list[int] | None:
        if self._pile:
            return None
        if self.game.cooperative:
            return [1 if self.won else 2] * self.players
        return [1 + sum(other > mine for other in self._scores) for mine in self._scores]

    def position(self) -> str:
        return f"{self._pile} {','.join(map(str, self._scores))} {self._actor} {self._taken} {self._turn}"

    def digest(self) -> str:
        return hashlib.sha256(self.position().encode()).hexdigest()[:16]


class NimGame:
    """Nim with at most `most` stones a turn and `last` points more for the last stone."""

    open_information = True

    def __init__(self, most: int = 3, last: int = 5, team: int = 0) -> None:
        self.most = most
        self.last = last
        self.team = team

    @property
    def cooperative(self) -> bool:
        return self.team > 0

    @property
    def name(self) -> str:
        return NAME

    @property
    def rules(self) -> str:
        return "plain"

    @property
    def seats(self) -> tuple[int, int]:
        return 1 if self.cooperative else 2, 4

    def deal(self, players: int, seed: int) -> JsonDict:
        return {"pile": 4 * players + Chance(seed).below(8)}

    def start(self, players: int, setup: JsonDict) -> State:
        pile = setup.get("pile")
        if not isinstance(pile, int) or pile < 1:
            raise RuleError(f"`pile` must be a number of stones, 1 or more, not {pile!r}")
        return NimState(self, pile, [0] * players)

    def from_position(self, text: str) -> State:
        try:
            pile, scores, actor, taken, turn = text.split()
            points = [int(n) for n in scores.split(",")]
            return NimState(self, int(pile), points, actor=int(actor), taken=int(taken), turn=int(turn))
        except ValueError:
            raise RuleError(f"{text!r} is no position of nim") from None

    def imagine(self, state: JsonDict, seat: int | None, chance: Chance) -> State:
        actor, taken, turn = state["to_act"] or 0, state["taken"], state["turn"]
        return NimState(self, state["pile"], list(state["scores"]), actor=actor, taken=taken, turn=turn)

    def options(self) -> JsonDict:
        team = {"team": self.team} if self.cooperative else {}
        return {"most": self.most, "last": self.last, **team}


def load(rules: str, board: str | None, options: Mapping[str, str]) -> Game:
    """For `GAMES`."""
    if rules not in ("official", "plain") or board is not None:
        raise RuleError("nim has one rule set, `plain`, and no board")
    try:
        return NimGame(**{name: int(value) for name, value in options.items()})
    except (TypeError, ValueError) as error:
        raise RuleError(str(error)) from None


def of_position(line: str) -> Game:
    """For `GAMES`."""
    raise RuleError("a position of nim doesn't say of which")


def restore(options: JsonDict) -> Game:
    """For `GAMES`."""
    try:
        return NimGame(**options)
    except TypeError as error:
        raise RuleError(str(error)) from None


def add_toy_game(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Make nim one of the games for the length of a test."""
    monkeypatch.setitem(GAMES, NAME, GameKind(load, restore, of_position, ("plain",), (2, 4)))
    return NimGame()
