"""The referee of one match: sets it up, asks whoever is to act, applies the rules, and says how it ended.

It knows a game by its interface only. A match is a pure function of the game, its set-up and what the bots answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
import trio

from mexica_cli.arena.announcer import Announcer
from mexica_cli.arena.audience import Audience
from mexica_cli.arena.clock import SeatClock, TimeControl
from mexica_cli.arena.faults import FaultKind, NeverStarted, SeatFault
from mexica_cli.arena.latency import LatencyMeter
from mexica_cli.arena.log import log
from mexica_cli.arena.minutes import Minutes, Record
from mexica_cli.arena.player import Player
from mexica_cli.arena.restore import restore
from mexica_cli.arena.seat import Broken, Seat
from mexica_cli.games.game import BadAction, Game, Illegal, JsonDict, State
from mexica_cli.record.lines import TURN_OVER, Line, ResultLine
from mexica_cli.record.ranking import final_ranking, is_decided, team_won
from mexica_cli.record.seeds import bot_seed
from mexica_cli.wire.framing import excerpt
from mexica_cli.wire.messages import Error, Fault, Play, Reject, Result, Say, Start, Turn

SAYINGS = 4
"""How often a seat may talk to its team while it is asked one thing."""
SURPLUS = Illegal(TURN_OVER, "the actions before this one ended the turn; it needs no other answer")


class MatchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played."""

    id: str
    setup: JsonDict
    control: TimeControl


class Referee:
    """Runs one match, whose `game` line is in the log. Every bot has shaken hands before."""

    def __init__(
        self,
        game: Game,
        plan: MatchPlan,
        bots: Sequence[Player],
        record: Record,
        audience: Audience | None = None,
        past: Sequence[Line] = (),
    ) -> None:
        """`bots` are in the order of the seats; `record` takes the lines of the log that follow.

        `past`: what the log has of a match that was cut short and is gone on with.
        """
        self._game = game
        self._plan = plan
        self._state = game.start(len(bots), plan.setup)
        self.latency = LatencyMeter()
        """The arena's own part of every decision."""
        self._seats = [
            Seat(number, bot, self._clock_for(bot), self._hear, self.latency) for number, bot in enumerate(bots)
        ]
        self._seeds = [bot_seed(plan.id, seat, self._state.observation(seat)) for seat in range(len(bots))]
        self._audience = audience
        actions, self._forfeits, self._owner = restore(self._state, self._seats, past)
        announcer = Announcer(game, self._state, self._seats, audience)
        self._minutes = Minutes(plan.id, record, announcer, actions)
        self._sayings = 0
        self._turn = self._state.turn
        self._arrived: float | None = None

    async def run(self) -> ResultLine:
        """Play to the end, or until one seat is left, and tell everybody the result.

        Whatever ends it before that comes out as it is, once everybody was told that the match is void.
        """
        try:
            return await self._play()
        except Exception:
            self._minutes.void(FaultKind.ARENA, "the arena failed", len(self._seats))
            raise
        except BaseException:  # trio.Cancelled, alone or, while seats get ready, in a group
            self._minutes.void(FaultKind.STOPPED, "the run was stopped", len(self._seats))
            raise

    def _clock_for(self, bot: Player) -> SeatClock:
        return SeatClock(TimeControl() if bot.untimed else self._plan.control)

    @property
    def state(self) -> State:
        """The state as it stands."""
        return self._state

    @property
    def actions(self) -> int:
        """How many actions have been done."""
        return self._minutes.actions

    async def _play(self) -> ResultLine:
        if self._audience is not None:
            self._audience.begin(self)
        await self._prepare()
        while (number := self._state.to_act) is not None and not self._decided():
            seat = self._seats[number]
            if seat.fault is None:
                await self._ask(seat)
            else:
                await trio.lowlevel.checkpoint()
                self._pass(seat)
        return self._finish()

    def last_words(self) -> dict[str, str]:
        """What the bots that failed wrote to standard error, its end, by name."""
        return {seat.bot.name: seat.stderr for seat in self._seats if seat.stderr}

    def _decided(self) -> bool:
        return is_decided(len(self._seats), self._forfeits, cooperative=self._game.cooperative)

    # ---- the start -------------------------------------------------------------------------------

    async def _prepare(self) -> None:
        """All seats get ready at once; who doesn't forfeits, in the order of the seats."""
        self._settle_strikes()
        faults: dict[int, SeatFault] = {}

        async def prepare(seat: Seat) -> None:
            start = self._start_message(seat)
            try:
                await seat.prepare(start)
            except SeatFault as fault:
                if not await self._brought_back(seat, fault, start):
                    faults[seat.number] = fault

        async with trio.open_nursery() as nursery:
            for seat in self._seats:
                if seat.fault is None:
                    nursery.start_soon(prepare, seat)
        self._leave_unready(faults)
        for seat in self._seats:
            if seat.fault is None:
                seat.bot.on_return = partial(self._welcome_back, seat)

    def _settle_strikes(self) -> None:
        """A match that was cut short between a seat's last strike and its forfeit goes on with the forfeit."""
        for seat in self._seats:
            if seat.fault is None and seat.strikes >= seat.bot.limits.illegal:
                self._forfeits.append([seat.number])
                self._leave(seat, SeatFault(FaultKind.ILLEGAL, _count(seat.strikes)))

    def _leave_unready(self, faults: dict[int, SeatFault]) -> None:
        """Who doesn't get ready before the first action forfeits at the same time as the others who don't."""
        unready = not self.actions
        if unready and faults and not self._forfeits:
            self._forfeits.append([])
        for number in sorted(faults):
            if unready:
                self._forfeits[0].append(number)
            else:
                self._forfeits.append([number])
            self._leave(self._seats[number], faults[number], unready=unready)

    async def _brought_back(self, seat: Seat, fault: SeatFault, start: Start) -> bool:
        """A bot that was on its way out since the last match has done nothing wrong in this one: it is started anew."""
        if fault.kind not in {FaultKind.CRASH, FaultKind.DISCONNECT} or not seat.bot.has_played:
            return False
        try:
            await seat.bot.restart()
            await seat.prepare(start)
        except (NeverStarted, SeatFault):
            return False
        return True

    def _welcome_back(self, seat: Seat) -> None:
        """A bot whose connection broke has come back."""
        if seat.present:
            seat.welcome_back(self._start_message(seat))

    def _start_message(self, seat: Seat) -> Start:
        return Start(
            match=self._plan.id,
            game=self._game.name,
            rules=self._game.rules,
            options=self._game.options(),
            seat=seat.number,
            seats=[seat.bot.name for seat in self._seats],
            seed=self._seeds[seat.number],
            state=self._observe(seat),
            clock=seat.clock.view(),
        )

    def _observe(self, seat: Seat) -> Any:
        return self._state.observation(seat.number)

    # ---- a turn ----------------------------------------------------------------------------------

    async def _ask(self, seat: Seat) -> None:
        """One request with its answer, and with the answers to each rejection."""
        for other in self._seats:
            if other is not seat:
                other.deliver()
        seat.clock.begin(self._state.turn)
        self._sayings = 0
        request: Turn | Reject | None = self._request(seat)
        try:
            while request is not None:
                try:
                    play = await seat.ask(request)
                except Broken as broken:
                    await self._await_return(seat, broken)
                    request = self._request(seat)
                    continue
                self._measure(seat)
                request = self._perform(seat, play)
                seat.clock.begin(self._state.turn)
        except SeatFault as fault:
            self._forfeits.append([seat.number])
            self._leave(seat, fault)

    async def _await_return(self, seat: Seat, broken: Broken) -> None:
        """Wait, on its own clock, for a bot whose connection broke. Raises SeatFault if it stays away."""
        self._arrived = None
        with seat.patience(seat.clock.left()) as patience:
            back = await patience.wait(partial(seat.bot.comes_back, broken.channel))
            seat.clock.charge(patience.used())
        if not back:
            raise broken

    def _request(self, seat: Seat) -> Turn:
        state = self._state
        return Turn(
            match=self._plan.id,
            id=seat.bot.next_id(),
            seat=seat.number,
            clock=seat.clock.view(),
            state=self._observe(seat) if seat.wants_state else None,
            legal=sorted(map(state.text, state.legal_actions())) if seat.wants_legal else None,
        )

    def _measure(self, seat: Seat) -> None:
        """The arena's own part: from the last answer's arrival until this request was handed over."""
        if self._arrived is not None:
            self.latency.add(seat.posted - self._arrived)
        self._arrived = seat.answered

    def _perform(self, seat: Seat, play: Play) -> Reject | None:
        """Do the actions of an answer in order; what comes back is a rejection that wants another answer.

        Actions after the one that ended the turn aren't done, and do no harm.
        """
        ms: float | None = round(seat.took * 1000, 3)
        for index, text in enumerate(play.actions):
            if self._state.to_act is None:
                break
            if (illegal := self._try(seat, text, ms, play.note)) is not None:
                return self._reject(seat, play, index, illegal)
            ms = None
        return None

    def _try(self, seat: Seat, text: str, ms: float | None, note: str | None) -> Illegal | None:
        """Do one action if it is legal, else say why it isn't."""
        if self._state.to_act != seat.number:
            return SURPLUS
        try:
            action = self._state.parse(text)
        except BadAction as bad:
            return Illegal(bad.code, bad.reason)
        if (illegal := self._state.why_illegal(action)) is None:
            self._do(seat, action, ms=ms, note=note if ms is not None else None)
        return illegal

    def _do(
        self, seat: Seat, action: int, *, ms: float | None = None, note: str | None = None, auto: bool = False
    ) -> None:
        """Apply an action and put it on record."""
        text = self._state.text(action)
        followed = self._state.apply(action)
        self._minutes.action(seat.number, action, text, followed, ms=ms, note=note, auto=auto)
        if self._state.turn != self._turn:
            self._turn_ended()

    def _turn_ended(self) -> None:
        if self._owner is not None:
            self._seats[self._owner].clock.end_turn()
        self._turn = self._state.turn
        self._owner = self._state.to_act

    def _hear(self, seat: Seat, say: Say) -> Error | None:
        """Pass on what a seat says to its team, or say why it may not."""
        if not self._game.cooperative:
            return Error(code="no_talk", reason="there is nobody to talk to in this game")
        if self._state.to_act != seat.number or not self._state.may_talk or say.match != self._plan.id:
            return Error(code="not_now", reason="the team can't talk now; it is told nothing")
        if self._sayings == SAYINGS:
            return Error(code="enough_said", reason=f"that is more than {SAYINGS} `say` in one turn; it is dropped")
        self._sayings += 1
        self._minutes.saying(seat, say)
        return None

    def _reject(self, seat: Seat, play: Play, index: int, illegal: Illegal) -> Reject | None:
        """Count an illegal action; raises SeatFault for one too many."""
        seat.strikes += illegal is not SURPLUS
        left = seat.bot.limits.illegal - seat.strikes
        text = play.actions[index] if illegal is not SURPLUS else excerpt(play.actions[index])
        self._minutes.rejection(seat.number, text, illegal)
        reject = Reject(
            match=self._plan.id,
            id=play.id,
            index=index,
            action=text,
            code=illegal.code,
            reason=illegal.reason,
            strikes_left=left,
        )
        if left > 0 and illegal is not SURPLUS:
            return reject
        seat.tell(reject)
        if left <= 0:
            raise SeatFault(FaultKind.ILLEGAL, f"{_count(seat.strikes)}; the last was {self._for_all(text, illegal)}")
        return None

    def _for_all(self, text: str, illegal: Illegal) -> str:
        """An illegal action, told to all seats: why it is one may say what only its own seat can see."""
        return f"{excerpt(text)!r}: {illegal.reason}" if self._game.open_information else repr(excerpt(text))

    # ---- forfeits --------------------------------------------------------------------------------

    def _leave(self, seat: Seat, fault: SeatFault, *, unready: bool = False) -> None:
        """The seat is out. A bot that only played badly stays for its next game; any other is sent away."""
        log.info(
            "forfeit", match=self._plan.id, bot=seat.bot.name, seat=seat.number, kind=fault.kind, reason=fault.reason
        )
        seat.fault = fault
        self._arrived = None
        if seat.bot.channel is not None:
            seat.stderr = seat.bot.channel.stderr_tail()
        self._minutes.forfeit(seat.number, fault, unready=unready)
        if fault.kind is not FaultKind.ILLEGAL:
            farewell = Error(code=fault.kind, reason=fault.reason, fatal=True)
            seat.bot.drop(farewell, "forfeited")

    def _pass(self, seat: Seat) -> None:
        """Act for a seat that has forfeited."""
        self._do(seat, self._state.neutral_action(), auto=True)

    # ---- the end ---------------------------------------------------------------------------------

    def _finish(self) -> ResultLine:
        cooperative = self._game.cooperative
        ranking = final_ranking(len(self._seats), self._forfeits, self._state.ranking(), cooperative=cooperative)
        result = Result(
            match=self._plan.id,
            outcome="forfeit" if self._forfeits else "finished",
            ranking=ranking,
            scores=self._state.scores(),
            reasons=[_reason(seat.fault) for seat in self._seats],
            won=team_won(self._state.won, cooperative=cooperative),
        )
        return self._minutes.result(result, self._state.digest(), self._seats, self.latency.summary())


def _reason(fault: SeatFault | None) -> Fault | None:
    return None if fault is None else Fault(kind=fault.kind, reason=fault.reason)


def _count(strikes: int) -> str:
    return "an illegal action" if strikes == 1 else f"{strikes} illegal actions in this match"
