"""Games with results of every kind, for tests of what is reported of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import msgspec

from mexica_cli.arena.limits import Limits
from mexica_cli.record.lines import BotRecord, ClockSetting, Header, Latency, ResultLine
from mexica_cli.tournament.blocks import block
from mexica_cli.tournament.knockout import KnockoutMatch
from mexica_cli.tournament.sprt import Sprt
from mexica_cli.tournament.summary import Log, Settings, SprtMatch
from mexica_cli.tournament.swiss import SwissRow
from mexica_cli.wire.messages import Fault

Played = tuple[tuple[str, ...], ResultLine]


def header(*bots: str, seed: int = 7, game: str = "nim", rules: str = "plain", sha256: str = "ab" * 32) -> Header:
    """The header of a log with these bots."""
    return Header(
        version=1,
        server="mexica 0.1.0",
        created="2026-01-01T00:00:00+00:00",
        game=game,
        rules=rules,
        options={"board": {"name": "round"}},
        seed=seed,
        clock=ClockSetting(move_ms=1500),
        limits=Limits(ready=5, memory=512 << 20).on_the_wire(),
        bots=[BotRecord(name=bot, command=f"python {bot}.py", sha256=sha256) for bot in bots],
    )


def result(
    match: str,
    scores: Sequence[int],
    faults: dict[int, Fault] | None = None,
    stderr: dict[int, str] | None = None,
    digest: str = "",
    used_ms: Sequence[float] | None = None,
) -> ResultLine:
    """A game that counts, ranked by scores; who forfeits comes last."""
    faults, stderr = faults or {}, stderr or {}
    seats = range(len(scores))
    order = [-1 if seat in faults else scores[seat] for seat in seats]
    return ResultLine(
        match=match,
        outcome="forfeit" if faults else "finished",
        ranking=[1 + sum(other > own for other in order) for own in order],
        scores=list(scores),
        reasons=[faults.get(seat) for seat in seats],
        actions=50,
        digest=digest or f"{match}:{scores}",
        stale=[0 for _ in seats],
        stderr=[stderr.get(seat) for seat in seats],
        used_ms=[100.0 * (seat + 1) for seat in seats] if used_ms is None else list(used_ms),
        latency=Latency(decisions=40, median_us=60, p99_us=200, max_us=900),
    )


def held_up(line: ResultLine, times: int, milliseconds: int) -> ResultLine:
    """The same where the arena was held up so often, for so long in all."""
    assert line.latency is not None
    latency = msgspec.structs.replace(line.latency, held_up=times, held_up_ms=milliseconds)
    return msgspec.structs.replace(line, latency=latency)


def void(match: str, seats: int, faults: dict[int, Fault], stderr: dict[int, str] | None = None) -> ResultLine:
    """A game that counts for nothing."""
    return ResultLine(
        match=match,
        outcome="void",
        ranking=[],
        scores=[],
        reasons=[faults.get(seat) for seat in range(seats)],
        actions=0,
        digest="",
        stale=[0] * seats,
        stderr=[(stderr or {}).get(seat) for seat in range(seats)],
        used_ms=[0.0] * seats,
    )


def league(bots: Sequence[str], seats: int, cycles: int, chance_seed: int = 1) -> Iterator[Played]:
    """Every company of that many bots, `cycles` blocks each. The first bot is the best."""
    chance = random.Random(chance_seed)
    for cycle in range(1, cycles + 1):
        for company in combinations(bots, seats):
            for fixture in block(company, cycle).fixtures():
                strength = [60 - 4 * bots.index(bot) for bot in fixture.seats]
                yield fixture.seats, result(fixture.id, [round(chance.gauss(mean, 12)) for mean in strength])


def log_of(played: Sequence[Played], name: str = "games.jsonl", seed: int = 7, rules: str = "plain") -> Log:
    """A log with these games."""
    bots = sorted({bot for seats, _ in played for bot in seats})
    return Log(name, header(*bots, seed=seed, rules=rules), played)


# ---- a little of everything ------------------------------------------------------------------------------------------

SCRIPT = "<script>alert(1)</script>"
HOSTILE = (SCRIPT, "\"quote'&amp;", "\x1b[31mred\x07", "\u202edrow\u202c", "שלום", "long-" * 12)
"""Names that no honest program has."""
TAIL = f"Traceback\n\t\x1b[1;31m{SCRIPT}\x1b[0m\nValueError: ]]> --> </pre></details>\n"


def eventful() -> tuple[Log, Settings]:
    """Hostile names, forfeits of several kinds, void games, a test, tables of formats."""
    bots = HOSTILE
    played = list(league(bots, 2, 3))
    crash, timeout = (Fault(kind=kind, reason=f"{kind} {SCRIPT}") for kind in ("crash", "timeout"))
    for number in range(1, 9):
        pair = block((bots[0], bots[2]), 10 + number)
        for fixture in pair.fixtures():
            seat = fixture.seats.index(bots[2])
            played.append((fixture.seats, result(fixture.id, [3, 3], {seat: crash}, {seat: TAIL})))
    lost = block((bots[4], bots[3]), 30).fixtures()[0]
    played.append((lost.seats, result(lost.id, [1, 2], {lost.seats.index(bots[4]): timeout})))
    startup = Fault(kind="startup", reason="it never said hello")
    arena = Fault(kind="arena", reason="the worker died")
    played.append(((bots[5], bots[1]), void("9-1", 2, {0: startup}, {0: TAIL})))
    played.append(((bots[0], bots[1]), void("9-2", 2, {0: arena, 1: arena})))
    settings = Settings(
        title=f"cup {SCRIPT}",
        format="Swiss",
        planned=200,
        sprt=SprtMatch(Sprt(elo0=0, elo1=20), bots[0], bots[2]),
        withdrawn={bots[2]: "five crashes in a row"},
        swiss=tuple(SwissRow(bot, Fraction(3, 2), Fraction(5), Fraction(1, 4), 1) for bot in bots),
        knockout=(KnockoutMatch(0, bots[0], bots[1], "points"), KnockoutMatch(1, bots[0], bots[3], "seed")),
    )
    return log_of(played, name="it's mine.jsonl"), settings
