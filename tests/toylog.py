"""Logs of nim (see toygame) for tests: small, complete, and with everything in them that a log can hold."""

from __future__ import annotations

from typing import Any

import msgspec
from toygame import NimGame

from mexica_cli.arena.limits import Limits
from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.games.game import BadAction, Game
from mexica_cli.record.lines import (
    TURN_OVER,
    ActionLine,
    BotRecord,
    ClockSetting,
    FaultLine,
    GameLine,
    Header,
    Latency,
    Line,
    RejectLine,
    ResultLine,
    SayLine,
)
from mexica_cli.record.ranking import final_ranking, is_decided, team_won
from mexica_cli.record.seeds import deal_seed
from mexica_cli.wire.messages import Claim, Fault

SEED = 7
BOTS = ("ann", "bob", "cyd", "dan")


def encode(lines: list[Line]) -> bytes:
    """Lines as the bytes of a log."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def header(game: Game, *, seed: int = SEED) -> Header:
    """A header for `game` with all of `BOTS`."""
    return Header(
        version=1,
        server="mexica 0.1.0",
        created="2026-01-01T00:00:00Z",
        game=game.name,
        rules=game.rules,
        options=game.options(),
        seed=seed,
        clock=ClockSetting(move_ms=1000),
        limits=Limits().on_the_wire(),
        bots=[BotRecord(name=name, command=f"python {name}.py", sha256="ab" * 32) for name in BOTS],
    )


class ToyMatch:
    """Writes the lines of one match: each method does one thing to it, `result` or `void` ends it."""

    def __init__(self, game: Game, match: str, seats: tuple[str, ...], *, seed: int = SEED) -> None:
        setup = game.deal(len(seats), deal_seed(seed, match))
        self.match = match
        self.state = game.start(len(seats), setup)
        self.lines: list[Line] = [GameLine(match=match, seats=list(seats), setup=setup, started="2026-01-01T00:00:01Z")]
        self._cooperative = game.cooperative
        self._n = 0
        self._faults: dict[int, Fault] = {}
        self._chance = Chance(derive_seed(seed, match))

    def act(self, text: str, note: str | None = None) -> ToyMatch:
        """The seat to act does something legal; the arena does where that seat has forfeited."""
        seat = self._to_act()
        auto = seat in self._faults
        followed = self.state.apply(self.state.parse(text))
        self._n += 1
        ms = None if auto else 1.5
        line = ActionLine(
            match=self.match, n=self._n, seat=seat, action=text, followed=followed, auto=auto, note=note, ms=ms
        )
        self.lines.append(line)
        return self

    def reject(self, text: str) -> ToyMatch:
        """The seat to act does something illegal."""
        try:
            illegal = self.state.why_illegal(self.state.parse(text))
            assert illegal is not None
            return self._reject(self._to_act(), text, illegal.code, illegal.reason)
        except BadAction as error:
            return self._reject(self._to_act(), text, error.code, error.reason)

    def overrun(self, seat: int, text: str) -> ToyMatch:
        """The seat that has just ended its turn goes on acting."""
        return self._reject(seat, text, TURN_OVER, "the turn is over")

    def fail(self, seat: int, kind: str) -> ToyMatch:
        """A seat forfeits."""
        self._faults[seat] = Fault(kind=kind, reason=f"it fell to {kind}")
        self.lines.append(FaultLine(match=self.match, n=self._n, seat=seat, kind=kind, reason=f"it fell to {kind}"))
        return self

    def say(self, seat: int, text: str) -> ToyMatch:
        """A seat talks."""
        self.lines.append(SayLine(match=self.match, n=self._n, seat=seat, text=text, claim=Claim(holds=["2"])))
        return self

    def play(self, actions: int | None = None) -> ToyMatch:
        """Some actions drawn at random, or all that are left."""
        while actions != 0 and self.state.to_act is not None and not self._decided():
            if self.state.to_act in self._faults:
                choice = self.state.neutral_action()
            else:
                legal = self.state.legal_actions()
                choice = legal[self._chance.below(len(legal))]
            self.act(self.state.text(choice))
            actions = None if actions is None else actions - 1
        return self

    def result(self) -> list[Line]:
        """End the match as it stands; all its lines."""
        faults = self._faults
        result = self._blank(
            outcome="forfeit" if faults else "finished",
            ranking=final_ranking(
                self.state.players, [[seat] for seat in faults], self.state.ranking(), cooperative=self._cooperative
            ),
            won=team_won(self.state.won, cooperative=self._cooperative),
            scores=self.state.scores(),
            reasons=[faults.get(seat) for seat in range(self.state.players)],
            actions=self._n,
            digest=self.state.digest(),
        )
        return [*self.lines, result]

    def void(self) -> list[Line]:
        """End the match as void; all its lines."""
        arena = Fault(kind="arena", reason="the worker died")
        reasons = [arena for _ in range(self.state.players)]
        void = self._blank(outcome="void", ranking=[], scores=[], reasons=reasons, actions=0, digest="")
        return [*self.lines, void]

    def _reject(self, seat: int, text: str, code: str, reason: str) -> ToyMatch:
        line = RejectLine(match=self.match, n=self._n, seat=seat, action=text, code=code, reason=reason)
        self.lines.append(line)
        return self

    def _blank(self, **fields: Any) -> ResultLine:
        """A result line with these fields, and something in those that only the run of a match could know."""
        seats = range(self.state.players)
        return ResultLine(
            match=self.match,
            stale=[0 for _ in seats],
            stderr=["Traceback …" if seat in self._faults else None for seat in seats],
            used_ms=[12.5 for _ in seats],
            latency=Latency(decisions=self._n, median_us=50, p99_us=90, max_us=120),
            **fields,
        )

    def _to_act(self) -> int:
        assert self.state.to_act is not None
        return self.state.to_act

    def _decided(self) -> bool:
        return is_decided(self.state.players, [[seat] for seat in self._faults], cooperative=self._cooperative)


def toy_log(game: Game) -> list[Line]:
    """A right log of six matches, one of them void and played again, with every way to end and all kinds of lines but
    those of teams."""
    return [
        header(game),
        *ToyMatch(game, "0-0", ("ann", "bob")).act("take 1", note="a start").play().result(),
        *ToyMatch(game, "0-1", ("bob", "ann")).reject("take 4").play(3).reject("jump").play().result(),
        *ToyMatch(game, "1-0", ("ann", "bob", "cyd")).play(2).fail(1, "crash").play().result(),
        *ToyMatch(game, "1-1", ("bob", "cyd", "ann")).play(4).void(),
        *ToyMatch(game, "1-1", ("bob", "cyd", "ann")).act("end").overrun(0, "take 1").play().result(),
        *_struck_out(ToyMatch(game, "2-0", ("cyd", "dan"))),
        *_deserted(ToyMatch(game, "3-0", BOTS)),
    ]


def team_log() -> list[Line]:
    """A right log of three matches of a team: it talks and wins by a point, loses by its own fault, and is deserted."""
    team = NimGame(team=18)
    return [
        header(team),
        *_together(ToyMatch(team, "0-0", ("ann", "bob"))),
        *_struck_out(ToyMatch(team, "1-0", ("cyd", "dan"))),
        *_deserted(ToyMatch(team, "2-0", BOTS)),
    ]


def _struck_out(match: ToyMatch) -> list[Line]:
    """Seat 0 makes its last illegal action, which decides the match, unless its team plays on."""
    return match.reject("take 9").reject("take").act("take 2").reject("take 2").fail(0, "illegal").play().result()


def _deserted(match: ToyMatch) -> list[Line]:
    """Seats forfeit until one is left, who plays on for a team."""
    return match.play(1).fail(2, "timeout").play(4).fail(0, "memory").fail(3, "disconnect").play().result()


def _together(match: ToyMatch) -> list[Line]:
    """A team that talks."""
    return match.say(0, "mine").act("take 1").act("end").say(1, "mine, too").play().result()
