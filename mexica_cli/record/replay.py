"""Plays a logged game again through the rules and refuses every line that they don't bear out."""

from __future__ import annotations

from typing import Any

from mexica_cli.games import restore_game
from mexica_cli.games.game import BadAction, Game, JsonDict, RuleError, State
from mexica_cli.record.differences import differences
from mexica_cli.record.lines import (
    TURN_OVER,
    VOID,
    ActionLine,
    FaultLine,
    GameLine,
    Header,
    Line,
    RejectLine,
    ResultLine,
    SayLine,
)
from mexica_cli.record.ranking import final_ranking, is_decided, team_won
from mexica_cli.record.seeds import deal_seed
from mexica_cli.wire.messages import Fault


class ReplayError(Exception):
    """A line that the rules don't bear out; the text says why."""


class Rulebook:
    """What the games of a log are played under, made again from its header."""

    def __init__(self, header: Header) -> None:
        """Raises ReplayError."""
        self._games: dict[str | None, Game] = {None: _restore(header.game, header.rules, header.options, "")}
        for name, variant in header.variants.items():
            self._games[name] = _restore(header.game, variant.rules, variant.options, f"variants.{name}.")
        if len({bot.name for bot in header.bots}) < len(header.bots):
            raise ReplayError("two bots have the same name")

    def of(self, line: GameLine) -> Game:
        """What that game is played under. Raises ReplayError."""
        if line.variant not in self._games:
            raise ReplayError(f"the header has no variant {line.variant!r}")
        return self._games[line.variant]


def _restore(name: str, rules: str, options: JsonDict, where: str) -> Game:
    """The game of these options. Raises ReplayError."""
    try:
        game = restore_game(name, options)
    except RuleError as error:
        raise ReplayError(f"this game can't be made again: {error}") from None
    _same(f"{where}rules", rules, game.rules)
    _same(f"{where}options", options, game.options())
    return game


class Replay:
    """One game of a log, played as far as its lines have been given to `step`."""

    def __init__(self, game: Game, header: Header, line: GameLine) -> None:
        """Begin with the game's first line. Raises ReplayError."""
        self.state = _begin(game, header, line)
        self.cooperative = game.cooperative
        """All seats win or lose together."""
        self.actions = 0
        """Number of actions done."""
        self.forfeits: list[list[int]] = []
        """Seats that forfeited, in that order; those that went at the same time together."""
        self._players = self.state.players
        self._faults: list[Fault | None] = [None] * self._players
        self._strikes = [0] * self._players
        self._strikes_allowed = header.limits.illegal
        self._struck_out: int | None = None
        self._actor: int | None = None

    def step(self, line: Line) -> None:
        """Go on by one of the game's other lines. Raises ReplayError, after which the replay is of no further use."""
        if self._struck_out is not None and isinstance(line, ActionLine | RejectLine | SayLine):
            raise ReplayError(f"seat {self._struck_out} made its last illegal action; its `fault` line is due")
        match line:
            case ActionLine():
                self._act(line)
            case RejectLine():
                self._reject(line)
            case FaultLine():
                self._forfeit(line)
            case SayLine():
                self._say(line)
            case ResultLine():
                self._end(line)

    # ---- actions ---------------------------------------------------------------------------------

    def _act(self, line: ActionLine) -> None:
        _same("n", line.n, self.actions + 1)
        self._check_to_act(line.seat)
        action = self._legal(line.action)
        _same("auto", line.auto, self._has_forfeited(line.seat))
        if line.auto:
            _same("action", line.action, self.state.text(self.state.neutral_action()))
            _same("note", line.note, None)
        _same("followed", line.followed, self.state.apply(action))
        self.actions += 1
        self._actor = line.seat

    def _check_to_act(self, seat: int) -> None:
        if is_decided(self._players, self.forfeits, cooperative=self.cooperative):
            raise ReplayError("the last forfeit ended the match; its `result` line is due")
        if self.state.to_act is None:
            raise ReplayError("the game is over; its `result` line is due")
        _same("seat", seat, self.state.to_act)

    def _legal(self, text: str) -> int:
        """The action of that text, which must be its one spelling. Raises ReplayError."""
        try:
            action = self.state.parse(text)
        except BadAction as error:
            raise ReplayError(f"{text!r} is no action: {error.reason}") from None
        if illegal := self.state.why_illegal(action):
            raise ReplayError(f"{text!r} is illegal here: {illegal.reason}")
        _same("action", text, self.state.text(action))
        return action

    # ---- rejections and forfeits -----------------------------------------------------------------

    def _reject(self, line: RejectLine) -> None:
        self._check_aside(line)
        if line.code == TURN_OVER:
            self._check_turn_over(line.seat)
            return
        self._check_to_act(line.seat)
        _same("code", line.code, self._why_illegal(line.action))
        self._strikes[line.seat] += 1
        if self._strikes[line.seat] >= self._strikes_allowed:
            self._struck_out = line.seat

    def _check_turn_over(self, seat: int) -> None:
        _same("seat", seat, self._actor)
        if self.state.to_act == seat:
            raise ReplayError(f"the turn of seat {seat} isn't over")

    def _why_illegal(self, text: str) -> str:
        """The code under which the rules refuse that text. Raises ReplayError if they don't."""
        try:
            illegal = self.state.why_illegal(self.state.parse(text))
        except BadAction as error:
            return error.code
        if illegal is None:
            raise ReplayError(f"{text!r} was rejected, but it is legal here")
        return illegal.code

    def _forfeit(self, line: FaultLine) -> None:
        self._check_aside(line)
        if self._struck_out is not None:
            _same("seat", line.seat, self._struck_out)
        if (line.kind == "illegal") != (self._struck_out is not None):
            raise ReplayError(f"a fault of kind {line.kind!r} after {self._strikes[line.seat]} illegal actions")
        self._struck_out = None
        if line.unready and self.actions:
            raise ReplayError(f"seat {line.seat} can't be unready after {self.actions} actions")
        if line.unready and self.forfeits:
            self.forfeits[0].append(line.seat)
        else:
            self.forfeits.append([line.seat])
        self._faults[line.seat] = Fault(kind=line.kind, reason=line.reason)

    def _say(self, line: SayLine) -> None:
        self._check_aside(line)
        self._check_to_act(line.seat)
        if not self.state.may_talk:
            raise ReplayError("nobody may talk here")

    def _check_aside(self, line: RejectLine | FaultLine | SayLine) -> None:
        """A line between two actions counts those before it, and is of a seat that is there."""
        _same("n", line.n, self.actions)
        if not 0 <= line.seat < self._players:
            raise ReplayError(f"there is no seat {line.seat}; the seats are 0 to {self._players - 1}")
        if self._has_forfeited(line.seat):
            raise ReplayError(f"seat {line.seat} has forfeited before")

    def _has_forfeited(self, seat: int) -> bool:
        return any(seat in group for group in self.forfeits)

    # ---- the end ---------------------------------------------------------------------------------

    def _end(self, line: ResultLine) -> None:
        if line.outcome == VOID:
            self._end_void(line)
            return
        _same("actions", line.actions, self.actions)
        _same("outcome", line.outcome, "forfeit" if self.forfeits else "finished")
        _same("ranking", line.ranking, self._ranking())
        _same("scores", line.scores, self.state.scores())
        _same("won", line.won, team_won(self.state.won, cooperative=self.cooperative))
        _same("digest", line.digest, self.state.digest())
        _same("reasons", line.reasons, self._faults)
        self._check_lengths(line)

    def _end_void(self, line: ResultLine) -> None:
        """Nothing of a void match counts, and what made it void stands in no other line."""
        _same("actions", line.actions, 0)
        for field, value in (("ranking", line.ranking), ("scores", line.scores)):
            _same(field, value, [])
        _same("digest", line.digest, "")
        _same("won", line.won, None)
        _same("length of reasons", len(line.reasons), self._players)
        self._check_lengths(line)

    def _check_lengths(self, line: ResultLine) -> None:
        """The fields by seat that only the run itself could know have a value for each seat."""
        for field, values in (
            ("stale", line.stale),
            ("unknown", line.unknown),
            ("stderr", line.stderr),
            ("used_ms", line.used_ms),
        ):
            if values or field not in {"unknown", "used_ms"}:
                _same(f"length of {field}", len(values), self._players)

    def _ranking(self) -> list[int]:
        try:
            return final_ranking(self._players, self.forfeits, self.state.ranking(), cooperative=self.cooperative)
        except ValueError as error:
            raise ReplayError(f"a result that comes too early: {error}") from None


def _begin(game: Game, header: Header, line: GameLine) -> State:
    """The first state of a logged game. Raises ReplayError."""
    least, most = game.seats
    if not least <= len(line.seats) <= most:
        raise ReplayError(f"{len(line.seats)} seats; {game.name} has {least} to {most}")
    known = {bot.name for bot in header.bots}
    if unknown := [name for name in line.seats if name not in known]:
        raise ReplayError(f"{unknown[0]!r} is none of the header's bots: {', '.join(sorted(known))}")
    try:
        _same("setup", line.setup, game.deal(len(line.seats), deal_seed(header.seed, line.match)))
        return game.start(len(line.seats), line.setup)
    except (RuleError, ValueError) as error:
        raise ReplayError(str(error)) from None


def _same(field: str, logged: Any, wanted: Any) -> None:
    """Raise ReplayError if a field isn't what it must be, naming the first part of it that isn't."""
    if logged == wanted:
        return
    for where, left, right in differences(logged, wanted, field):
        raise ReplayError(f"`{where}` is {left}, right would be {right}")
