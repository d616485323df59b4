"""Makes the messages of one game from what happens in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from mexica_cli.games.game import Game, JsonDict
from mexica_cli.record.lines import FaultLine, RejectLine, ResultLine, SayLine
from mexica_cli.view.console import clean
from mexica_cli.view.page.changes import change_of
from mexica_cli.view.page.messages import Aside, End, Seen, Start, Step
from mexica_cli.view.tellers import teller_of

Sight = Sequence[msgspec.Struct]
"""`State.observation` of a spectator, then of each seat; of a spectator alone where nothing more shall be shown."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """An action and what followed from it, as somebody may see it."""

    text: str
    followed: list[JsonDict] = []


class Feed:
    """One game, from its beginning or from where somebody came in."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._teller = teller_of(game.name, game.options())
        self._state: JsonDict = {}

    def start(self, match: str, seats: Sequence[str], sight: Sight, *, n: int = 0) -> Start:
        """The first message."""
        self._state = self._shown(sight)
        return Start(
            match=clean(match),
            game=self._game.name,
            rules=clean(self._game.rules),
            seats=[clean(name) for name in seats],
            setting=self._teller.setting,
            state=self._state,
            n=n,
        )

    def step(
        self,
        n: int,
        seat: int,
        told: Told,
        sight: Sight,
        *,
        others: Iterable[Told] = (),
        auto: bool = False,
        note: str = "",
    ) -> Step:
        """An action was done; `others` is the same by seat, where seats may have seen less."""
        before, self._state = self._state, self._shown(sight)
        seen = self._seen(told)
        views = [None if other == told else self._seen(other) for other in others]
        return Step(
            n=n,
            seat=seat,
            text=seen.text,
            words=seen.words,
            then=seen.then,
            change=change_of(before, self._state),
            auto=auto,
            note=clean(note),
            others=views if any(views) else [],
        )

    def _seen(self, told: Told) -> Seen:
        then = [sentence for entry in told.followed for sentence in self._teller.followed(entry)]
        return Seen(text=told.text, words=self._teller.action(told.text), then=then)

    def _shown(self, sight: Sight) -> JsonDict:
        public, *own = map(self._teller.state, sight)
        if not own:
            return public
        differing = [{key: value for key, value in one.items() if value != public[key]} for one in own]
        return {**public, "own": differing}


def aside(line: RejectLine | FaultLine | SayLine) -> Aside:
    """The message for a line of the log that is no action."""
    match line:
        case RejectLine():
            words = f"wanted “{clean(line.action)}”, which was rejected: {clean(line.reason)}"
            return Aside(n=line.n, kind="reject", seat=line.seat, words=words)
        case FaultLine():
            words = f"forfeits, {clean(line.kind)}: {clean(line.reason)}"
            return Aside(n=line.n, kind="fault", seat=line.seat, words=words)
        case SayLine():
            return Aside(n=line.n, kind="say", seat=line.seat, words=f"says: {clean(line.text)}")


def end(line: ResultLine) -> End:
    """The last message."""
    return End(outcome=line.outcome, ranking=line.ranking, scores=line.scores, won=line.won)
