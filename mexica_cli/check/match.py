"""One match as the arena would host it: the bot in one seat, and in all others whoever the checker is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec
import trio

from mexica_cli.arena.clock import SeatClock, TimeControl
from mexica_cli.check.connection import Connection
from mexica_cli.check.finding import Flaw
from mexica_cli.check.setting import Setting
from mexica_cli.check.sources import STRIKES
from mexica_cli.games.chance import Chance, derive_seed
from mexica_cli.games.game import BadAction, Illegal, State
from mexica_cli.record.lines import TURN_OVER
from mexica_cli.record.ranking import final_ranking, team_won
from mexica_cli.record.seeds import bot_seed, deal_seed
from mexica_cli.wire.messages import (
    BotMessage,
    Event,
    Fault,
    Message,
    Play,
    Ready,
    Reject,
    Result,
    Start,
    Turn,
)

OTHERS = ("ana", "benito", "carla", "diego")
"""Who sits in the other seats."""

GONE = Fault(kind="disconnect", reason="it quit in mid-match")
STOPPED = Fault(kind="stopped", reason="the run was stopped")
SURPLUS = "the actions before this one ended the turn; it needs no other answer"


class Match:
    """A match; everything is done when it is asked for, so that a check can do something else in between."""

    def __init__(
        self,
        bot: Connection,
        setting: Setting,
        *,
        id: str = "1-1",  # noqa: A002
        seat: int = 0,
        players: int | None = None,
        control: TimeControl | None = None,
        seed: int | None = None,
        names: tuple[str, ...] = OTHERS,
    ) -> None:
        """`seed`: what the bot is told for its own use; `names`: of those who sit in the other seats."""
        self.bot = bot
        self.id = id
        self.seat = seat
        self.players = players or setting.players
        self._seats = range(self.players)
        self.clock = SeatClock(control or setting.control)
        self.illegal: list[tuple[str, int]] = []
        """What the bot did that was illegal, with the reason, and how many lines were exchanged by then."""
        self.overruns = 0
        """Answers that went on after the turn was over."""
        self.answers: list[list[str]] = []
        """All that the bot answered."""
        self.question = 0
        """The id of the latest `turn`."""
        self._setting = setting
        self._game = setting.game
        self._names = names
        self.state: State = self._game.start(self.players, self._game.deal(self.players, deal_seed(setting.seed, id)))
        self._seed = bot_seed(id, seat, self.state.observation(seat)) if seed is None else seed
        self._chance = Chance(derive_seed(setting.seed, "others", id))
        self._n = 0
        self._gone: dict[int, Fault] = {}
        self._pending: list[Message] = []
        self._turn = self.state.turn
        self.owner = self.state.to_act
        """Whose turn it is, whoever is asked in it."""

    # ---- the start -------------------------------------------------------------------------------

    async def begin(self) -> None:
        """From `start` to `ready`. Raises Flaw."""
        await self.bot.say(self.start())
        await self.ready()

    def start(self) -> Start:
        """The bot's `start`."""
        names = [self.bot.name if seat == self.seat else self._names[seat % len(self._names)] for seat in self._seats]
        return Start(
            match=self.id,
            game=self._game.name,
            rules=self._game.rules,
            options=self._game.options(),
            seat=self.seat,
            seats=names,
            seed=self._seed,
            state=self._observe(),
            clock=self.clock.view(),
        )

    async def ready(self) -> None:
        """Wait for `ready`. Raises Flaw."""
        await self.bot.expect(self._as_ready, f"no `ready` for the match {self.id}", self.bot.limits.ready)

    def _as_ready(self, message: BotMessage) -> Ready | None:
        return message if isinstance(message, Ready) and message.match == self.id else None

    def _observe(self) -> dict[str, object]:
        return self.state.observation(self.seat)  # type: ignore[return-value]

    # ---- playing ---------------------------------------------------------------------------------

    @property
    def asks_bot(self) -> bool:
        """Whether the bot is to act."""
        return self.state.to_act == self.seat

    async def play(self, answers: int | None = None) -> None:
        """Play until the bot has answered so many questions, or to the end of the game. Raises Flaw."""
        wanted = None if answers is None else len(self.answers) + answers
        while self.state.to_act is not None and (wanted is None or len(self.answers) < wanted):
            await self.step()

    async def step(self) -> None:
        """Whoever is to act does. Raises Flaw."""
        if self.asks_bot:
            await self.perform(await self.ask())
        else:
            await self.pass_by()

    async def pass_by(self) -> None:
        """Whoever is to act does, without the bot: it is another seat, or has forfeited."""
        await trio.lowlevel.checkpoint()
        self.act(self.any_action())

    async def until_asked(self) -> bool:
        """Play the others until the bot is to act; whether it came to that."""
        while self.state.to_act not in (None, self.seat):
            await self.step()
        return self.asks_bot

    async def ask(self, *with_it: Message) -> Play:
        """Send `turn`, and `with_it` in the same breath, and wait for the answer. Raises Flaw."""
        await self.pose(*with_it)
        return await self.answer()

    def leave_time(self, seconds: float) -> None:
        """Let so much time be left for the next answer, as if those before it had used up the rest."""
        self.clock.begin(self.state.turn)
        left = self.clock.left()
        assert left is not None
        self.clock.charge(max(0.0, left - seconds))

    async def pose(self, *with_it: Message) -> None:
        """Send `turn`, with all that happened before it, and `with_it`."""
        self.question = next(self.bot.ids)
        self.clock.begin(self.state.turn)
        await self._deliver(self._request(), *with_it)

    async def answer(self, due: str = "no `play`") -> Play:
        """Wait for the answer to the latest `turn`, on the bot's clock. Raises Flaw."""
        left = self.clock.left()
        limit = self._setting.limits.startup if left is None else left
        self.bot.may_talk = self._game.cooperative and self.state.may_talk
        asked = trio.current_time()
        play = await self.bot.expect(self._as_answer, f"{due} for the `turn` {self.question}", limit)
        self.clock.charge(trio.current_time() - asked)
        self.bot.may_talk = False
        return play

    def _as_answer(self, message: BotMessage) -> Play | None:
        return message if isinstance(message, Play) and message.id == self.question else None

    def _request(self) -> Turn:
        """The `turn` for the position."""
        return Turn(
            match=self.id,
            id=self.question,
            seat=self.seat,
            clock=self.clock.view(),
            state=self._observe() if "state" in self.bot.want else None,
            legal=sorted(self.texts()) if "legal" in self.bot.want else None,
        )

    async def perform(self, play: Play) -> None:
        """Do what the bot answered, and take other answers for what is illegal. Raises Flaw for one too many."""
        self.answers.append(play.actions)
        while (rejected := await self._try(play)) is not None:
            index, illegal = rejected
            left = self.bot.limits.illegal - len(self.illegal) - 1
            await self.reject(play, index, illegal.code, illegal.reason, left)
            said = f"`{play.actions[index]}` is illegal: {illegal.reason}"
            self.illegal.append((said, len(self.bot.dialogue.lines)))
            if left <= 0:
                raise Flaw(f"{said}; that is number {len(self.illegal)} in this match", STRIKES)
            play = await self.answer("no other `play`")

    def all_legal(self, where: str = "") -> None:
        """Raises Flaw for the first illegal action, if there was one; `where` says when."""
        for said, line in self.illegal:
            raise Flaw(f"{where}: {said}" if where else said, STRIKES, line)

    async def _try(self, play: Play) -> tuple[int, Illegal] | None:
        """Do the actions up to the first that is illegal."""
        for index, text in enumerate(play.actions):
            if self.state.to_act is None:
                break
            if not self.asks_bot:
                self.overruns += 1
                left = self.bot.limits.illegal - len(self.illegal)
                await self.reject(play, index, TURN_OVER, SURPLUS, left)
                break
            if (illegal := self.why_illegal(text)) is not None:
                return index, illegal
            self.act(self.state.parse(text))
        return None

    def why_illegal(self, text: str) -> Illegal | None:
        """None for a legal action."""
        try:
            return self.state.why_illegal(self.state.parse(text))
        except BadAction as bad:
            return Illegal(bad.code, bad.reason)

    async def reject(self, play: Play, index: int, code: str, reason: str, strikes_left: int) -> None:
        """Send a `reject`."""
        await self._deliver(
            Reject(
                match=self.id,
                id=play.id,
                index=index,
                action=play.actions[index],
                code=code,
                reason=reason,
                strikes_left=strikes_left,
            )
        )

    # ---- the others ------------------------------------------------------------------------------

    def texts(self) -> list[str]:
        """The legal actions."""
        return list(map(self.state.text, self.state.legal_actions()))

    def by_kind(self) -> dict[str, list[str]]:
        """The legal actions by their first word, in a certain order."""
        kinds = defaultdict(list)
        for text in sorted(self.texts()):
            kinds[text.partition(" ")[0]].append(text)
        return kinds

    def any_action(self) -> int:
        """What somebody else does: a kind of action by chance, then one of that kind; a seat that has gone passes."""
        if self.state.to_act in self._gone:
            return self.state.neutral_action()
        kinds = self.by_kind()
        kind = sorted(kinds)[self._chance.below(len(kinds))]
        return self.state.parse(kinds[kind][self._chance.below(len(kinds[kind]))])

    def act(self, action: int) -> None:
        """Do a legal action for whoever is to act, and keep the event for the bot."""
        seat = self.state.to_act
        assert seat is not None
        followed = self.state.apply(action)
        self._n += 1
        event = Event(
            match=self.id,
            n=self._n,
            seat=seat,
            action=self.state.shown_text(action, seat, self.seat),
            followed=[self.state.shown(entry, self.seat) for entry in followed],
            auto=seat in self._gone,
        )
        self._tell(event)
        if self.state.turn != self._turn:
            if self.owner == self.seat:
                self.clock.end_turn()
            self._turn, self.owner = self.state.turn, self.state.to_act

    def forfeit(self, seat: int, fault: Fault = GONE) -> None:
        """That seat is out, and passes from now on."""
        self._gone[seat] = fault
        forfeit = {"what": "forfeit", "seat": seat, **msgspec.to_builtins(fault)}
        self._tell(Event(match=self.id, n=self._n, seat=seat, followed=[forfeit]))

    def others(self) -> Iterator[int]:
        """The other seats that are still in the match."""
        return (seat for seat in self._seats if seat != self.seat and seat not in self._gone)

    def _tell(self, message: Message) -> None:
        if "events" in self.bot.want:
            self._pending.append(message)

    async def _deliver(self, *messages: Message) -> None:
        """Send what was kept for the bot, and these."""
        pending, self._pending = self._pending, []
        await self.bot.say(*pending, *messages)

    # ---- the end ---------------------------------------------------------------------------------

    async def end(self) -> None:
        """Come to an end in any position: all but one forfeit, which ends every match but a team's; that is stopped."""
        if self.state.to_act is not None and self._game.cooperative:
            await self.stop()
            return
        if self.state.to_act is not None:
            first, *rest = self.others()
            for seat in rest if self.seat in self._gone else (first, *rest):
                self.forfeit(seat)
        await self.finish()

    async def finish(self) -> None:
        """Send the `result` of a match that is over."""
        forfeits = [[seat] for seat in self._gone]
        cooperative = self._game.cooperative
        await self._deliver(
            Result(
                match=self.id,
                outcome="forfeit" if self._gone else "finished",
                ranking=final_ranking(self.players, forfeits, self.state.ranking(), cooperative=cooperative),
                scores=self.state.scores(),
                reasons=[self._gone.get(seat) for seat in self._seats],
                won=team_won(self.state.won, cooperative=cooperative),
            )
        )

    async def stop(self) -> None:
        """Send the `result` of a match that is void."""
        reasons: list[Fault | None] = [STOPPED] * self.players
        await self._deliver(Result(match=self.id, outcome="void", ranking=[], scores=[], reasons=reasons))
