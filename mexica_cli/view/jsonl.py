"""Results for programs, version 1: JSON lines, a `game` line for every game and a `summary` line at the end."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mexica_cli.arena.tally import BotTally, Tally
from mexica_cli.record.lines import Latency, ResultLine
from mexica_cli.wire.messages import Fault

OUTPUT_VERSION = 1


class Output(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Common shape of all lines that commands print for programs."""

    version: int = OUTPUT_VERSION


class GameOutput(Output, frozen=True, tag="game"):
    """One game, void ones included. Lists are by seat."""

    match: str
    seats: Sequence[str]
    outcome: str
    ranking: list[int]
    scores: list[int]
    reasons: list[Fault | None]
    won: bool | None
    """Whether the team has won; null where there is none."""
    actions: int
    used_ms: list[float]


class BotOutput(msgspec.Struct, frozen=True, kw_only=True):
    """One bot over all games that are not void."""

    name: str
    games: int
    wins: float
    """A first place shared by k bots counts 1/k for each; a team's game that is won counts 1."""
    points: int
    """Sum over the games."""
    places: dict[str, int]
    """How often in each place."""
    forfeits: dict[str, int]
    """How often, by kind."""
    stale: int
    unknown: int
    """Messages of a type that there isn't."""
    used_ms: float
    longest_game_ms: float


class SummaryOutput(Output, frozen=True, tag="summary"):
    """The last line."""

    seed: int
    games: int
    actions: int
    won: int | None
    """Games that the team has won; null where there is none."""
    endings: dict[str, int]
    bots: list[BotOutput]
    latency: Latency | None


def game_line(seats: Sequence[str], result: ResultLine) -> bytes:
    """The `game` line."""
    return _line(
        GameOutput(
            match=result.match,
            seats=seats,
            outcome=result.outcome,
            ranking=result.ranking,
            scores=result.scores,
            reasons=result.reasons,
            won=result.won,
            actions=result.actions,
            used_ms=result.used_ms,
        )
    )


def summary_line(tally: Tally, seed: int, latency: Latency | None) -> bytes:
    """The `summary` line."""
    return _line(
        SummaryOutput(
            seed=seed,
            games=tally.games,
            actions=tally.actions,
            won=tally.won,
            endings=dict(sorted(tally.endings.items())),
            bots=[_bot(bot) for bot in tally.standings()],
            latency=latency,
        )
    )


def _bot(bot: BotTally) -> BotOutput:
    return BotOutput(
        name=bot.name,
        games=bot.games,
        wins=bot.wins,
        points=bot.points,
        places={str(place): bot.places[place] for place in sorted(bot.places)},
        forfeits=dict(sorted(bot.faults.items())),
        stale=bot.stale,
        unknown=bot.unknown,
        used_ms=round(bot.used_ms, 3),
        longest_game_ms=round(bot.longest_game_ms, 3),
    )


def _line(output: Output) -> bytes:
    return msgspec.json.encode(output) + b"\n"
