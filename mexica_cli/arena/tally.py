"""What a number of results add up to, by bot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from mexica_cli.arena.faults import FaultKind
from mexica_cli.record.lines import ResultLine


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot did wrong in a game."""

    match: str
    kind: str
    reason: str
    """A sentence."""
    stderr: str
    """The last line on its standard error that isn't blank, as the bot wrote it; empty where there is none."""


def failure_of(result: ResultLine, seat: int) -> Failure | None:
    """What the bot in that seat did wrong, if anything."""
    if (fault := result.reasons[seat]) is None:
        return None
    lines = (result.stderr[seat] or "").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return Failure(match=result.match, kind=fault.kind, reason=fault.reason, stderr=last)


def void_reasons(seats: Iterable[str], result: ResultLine) -> str:
    """Why a game is void, in a line; `seats`: the names of its bots."""
    failures = ((name, failure_of(result, seat)) for seat, name in enumerate(seats))
    return "; ".join(dict.fromkeys(_void_reason(name, failure) for name, failure in failures if failure is not None))


def _void_reason(name: str, failure: Failure) -> str:
    if failure.kind == FaultKind.ARENA:  # no bot is to blame
        return failure.reason
    stderr = f" (the last line of its standard error: {failure.stderr})" if failure.stderr else ""
    return f"{name}: {failure.reason}{stderr}"


class BotTally:
    """The sums of one bot. Void games are counted apart and enter nothing else."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.games = 0
        self.points = 0
        """Sum of the scores."""
        self.places: Counter[int] = Counter()
        """How often it came out in each place; ties share the better one."""
        self.wins = 0.0
        """First places of a bot that did not forfeit; one shared by k bots counts 1/k for each (a team's: 1)."""
        self.faults: Counter[str] = Counter()
        """Forfeits by kind."""
        self.first_failure: Failure | None = None
        """Why it forfeited for the first time."""
        self.stale = 0
        self.unknown = 0
        """Messages of a type that there isn't."""
        self.used_ms = 0.0
        self.longest_game_ms = 0.0

    def add(self, result: ResultLine, seat: int) -> None:
        """One more game that is not void."""
        place = result.ranking[seat]
        self.games += 1
        self.points += result.scores[seat]
        self.places[place] += 1
        if (failure := failure_of(result, seat)) is not None:
            self.faults[failure.kind] += 1
            self.first_failure = self.first_failure or failure
        elif result.won:
            self.wins += 1
        elif place == 1:
            self.wins += 1 / result.ranking.count(1)
        self.stale += result.stale[seat]
        self.unknown += result.unknown[seat] if result.unknown else 0
        self.used_ms += result.used_ms[seat]
        self.longest_game_ms = max(self.longest_game_ms, result.used_ms[seat])


class Tally:
    """All bots of a run."""

    def __init__(self, names: Iterable[str]) -> None:
        self.bots = {name: BotTally(name) for name in names}
        self.games = 0
        self.actions = 0
        self.won: int | None = None
        """Games that a team has won; None where none was a team's."""
        self.endings: Counter[str] = Counter()
        """Games by how they ended: `finished`, `void`, or the kinds of the faults in them."""

    def add(self, seats: Iterable[str], result: ResultLine) -> None:
        """One more game, with the names of its bots by seat."""
        if result.outcome == "void":
            self.endings["void"] += 1
            return
        self.games += 1
        self.actions += result.actions
        if result.won is not None:
            self.won = (self.won or 0) + result.won
        kinds = sorted({fault.kind for fault in result.reasons if fault is not None})
        self.endings["forfeit: " + " and ".join(kinds) if kinds else result.outcome] += 1
        for seat, name in enumerate(seats):
            self.bots[name].add(result, seat)

    def standings(self) -> list[BotTally]:
        """Best first: by wins a game, then points a game, then name."""
        return sorted(
            self.bots.values(), key=lambda bot: (-_per(bot.wins, bot.games), -_per(bot.points, bot.games), bot.name)
        )


def _per(amount: float, games: int) -> float:
    return amount / games if games else 0.0
