"""Series: who sits where, what is skipped, what is played again, and when it stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
import trio
from arena.scripted import CRASH, Player, ScriptedChannel, act, say, take_in, timeless, verified
from hypothesis import given
from hypothesis import strategies as st
from toygame import NimGame, NimState, add_toy_game
from trio.testing import MockClock

from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.series import Pairing, Series, SeriesPlan, SeriesStopped, place, schedule
from mexica_cli.games.game import JsonDict, RuleError, State
from mexica_cli.record.lines import ActionLine, GameLine, Line, ResultLine
from mexica_cli.record.seeds import block_of, deal_seed
from mexica_cli.record.verify import Report
from mexica_cli.wire.handshake import Refused
from mexica_cli.wire.messages import Bye, Hello, Join, Start

SEED = 7


@pytest.fixture(scope="module", autouse=True)
def _nim() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        add_toy_game(patch)
        yield


# ---- the schedule ----------------------------------------------------------------------------------------------------


def test_the_schedule_of_some_games() -> None:
    assert list(schedule(3, 5)) == [
        Pairing("1-1", (0, 1, 2)),
        Pairing("1-2", (1, 2, 0)),
        Pairing("1-3", (2, 0, 1)),
        Pairing("2-1", (0, 1, 2)),
        Pairing("2-2", (1, 2, 0)),
    ]


@given(st.integers(1, 5), st.integers(0, 40))
def test_over_a_whole_block_every_bot_sits_everywhere(bots: int, games: int) -> None:
    pairings = list(schedule(bots, games))
    assert len({pairing.id for pairing in pairings}) == len(pairings) == games
    assert all(sorted(pairing.seats) == list(range(bots)) for pairing in pairings)
    blocks = Counter(block_of(pairing.id) for pairing in pairings)
    assert list(blocks.values()) == [bots] * (games // bots) + [games % bots] * (games % bots > 0)
    for seat in range(bots):
        whole = pairings[: games - games % bots]
        assert set(Counter(pairing.seats[seat] for pairing in whole).values()) <= {games // bots}


@given(st.integers(1, 5), st.integers(0, 40))
def test_the_place_of_a_game_follows_from_its_id(bots: int, games: int) -> None:
    assert [place(pairing.id, bots) for pairing in schedule(bots, games)] == list(range(games))


@given(st.integers(1, 5), st.integers(0, 20), st.integers(0, 20))
def test_a_longer_series_begins_like_a_shorter_one(bots: int, games: int, more: int) -> None:
    assert list(schedule(bots, games + more))[:games] == list(schedule(bots, games))


# ---- playing ---------------------------------------------------------------------------------------------------------


@dataclass
class Run:
    """A series of players, with all that comes of it."""

    players: list[Player]
    series: Series
    limits: Limits
    lines: list[Line] = field(default_factory=list)
    reports: list[tuple[str, str]] = field(default_factory=list)
    """Id and outcome of every game that has ended."""
    nim: NimGame = field(default_factory=NimGame)

    def games(self) -> list[str]:
        return [line.match for line in self.lines if isinstance(line, GameLine)]

    def results(self) -> list[ResultLine]:
        return [line for line in self.lines if isinstance(line, ResultLine)]

    def verified(self) -> Report:
        return verified(self.lines, self.nim, [player.name for player in self.players], SEED, self.limits)


def prepare(
    nursery: trio.Nursery,
    *players: Player,
    games: int = 2,
    restart_after: int | None = None,
    nim: NimGame | None = None,
    limits: Limits | None = None,
) -> Run:
    """A series that has not begun."""
    nim, limits = nim or NimGame(), limits or Limits()
    plan = SeriesPlan(games=games, master_seed=SEED, control=TimeControl(move=10))
    lines: list[Line] = []
    reports: list[tuple[str, str]] = []
    series = Series(
        nim,
        take_in(nursery, players, limits, restart_after),
        plan,
        lines.append,
        lambda pairing, result: reports.append((pairing.id, result.outcome)),
    )
    return Run(list(players), series, limits, lines, reports, nim)


def never() -> bool:
    return False


def three() -> list[Player]:
    return [Player(name, then=act("take 1", "end")) for name in ("ann", "bob", "cyd")]


async def test_games_are_played_and_reported_in_order(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=4)
    await run.series.run(frozenset(), never)
    assert run.games() == ["1-1", "1-2", "1-3", "2-1"]
    assert run.reports == [(match, "finished") for match in run.games()]
    seats = [line.seats for line in run.lines if isinstance(line, GameLine)]
    assert seats[:3] == [["ann", "bob", "cyd"], ["bob", "cyd", "ann"], ["cyd", "ann", "bob"]]
    assert run.verified().games == 4


async def test_the_games_of_a_block_have_one_deal(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=12)
    await run.series.run(frozenset(), never)
    deals = [line.setup["pile"] for line in run.lines if isinstance(line, GameLine)]
    assert all(len(set(deals[block : block + 3])) == 1 for block in range(0, 12, 3))
    assert len(set(deals)) > 1


async def test_the_deal_does_not_depend_on_the_bots(nursery: trio.Nursery) -> None:
    deals = []
    for names in (("ann", "bob"), ("cyd", "dan")):
        run = prepare(nursery, *[Player(name, then=act("take 2", "end")) for name in names], games=6)
        await run.series.run(frozenset(), never)
        deals.append([line.setup for line in run.lines if isinstance(line, GameLine)])
    assert deals[0] == deals[1]


async def test_bots_stay_from_game_to_game(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=4)
    await run.series.run(frozenset(), never)
    assert [len(player.channels) for player in run.players] == [1, 1, 1]
    assert [len(player.told(Start)) for player in run.players] == [4, 4, 4]


async def test_or_are_started_anew_after_some_games(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=5, restart_after=2)
    await run.series.run(frozenset(), never)
    for player in run.players:
        assert len(player.channels) == 3
        assert [len(player.told(Start)), len(player.told(Bye))] == [5, 2]


async def test_or_start_afresh_for_every_game(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=4, restart_after=1, limits=Limits(quit=1.25))
    await run.series.run(frozenset(), never)
    for player in run.players:
        assert [channel.closed for channel in player.channels] == [1.25, 1.25, 1.25, None]
        assert [bye.reason for bye in player.told(Bye)] == ["it is started anew"] * 3


async def test_a_bot_starts_once_the_one_before_it_has(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    join = b'{"type":"join","protocol":1,"name":"x"}'
    slow = [Player(name, on={Hello: say(join, after=2)}, then=act("take 3", "end")) for name in ("ann", "bob")]
    await prepare(nursery, *slow, games=1).series.run(frozenset(), never)
    assert [player.when(Hello) for player in slow] == [[0.0], [2.0]]
    assert [player.when(Start) for player in slow] == [[4.0], [4.0]]


async def test_games_that_are_done_are_skipped_and_the_others_are_as_ever(nursery: trio.Nursery) -> None:
    whole, rest = (prepare(nursery, *three(), games=5) for _ in range(2))
    await whole.series.run(frozenset(), never)
    done = frozenset({"1-1", "1-3", "7-7"})
    await rest.series.run(done, never)
    assert rest.games() == ["1-2", "2-1", "2-2"]
    kept = [line for line in whole.lines if getattr(line, "match", "") not in done]
    assert timeless(rest.lines) == timeless(kept)


async def test_it_stops_between_two_games(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=5)
    await run.series.run(frozenset(), lambda: len(run.reports) == 2)
    assert run.games() == ["1-1", "1-2"]
    assert isinstance(run.lines[-1], ResultLine)


async def test_it_need_not_even_begin(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=5)
    await run.series.run(frozenset(), lambda: True)
    assert run.lines == []
    assert [player.channels for player in run.players] == [[], [], []]


async def test_a_forfeit_stops_nothing(nursery: trio.Nursery) -> None:
    players = [Player("ann", CRASH, then=act("take 1", "end")), *three()[1:]]
    run = prepare(nursery, *players, games=3)
    await run.series.run(frozenset(), never)
    assert [result.outcome for result in run.results()] == ["forfeit", "finished", "finished"]
    assert run.verified().games == 3


async def test_latency_adds_up_over_the_games(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=3)
    await run.series.run(frozenset(), never)
    latency = run.series.latency.summary()
    assert latency is not None
    assert latency.decisions == sum(result.latency.decisions for result in run.results() if result.latency)


# ---- void games ------------------------------------------------------------------------------------------------------


def refused() -> Refused:
    return Refused("not_run", "no such program")


async def test_a_bot_that_never_starts_makes_the_game_void_and_it_is_played_again(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=2)
    run.players[1].refusals.append(refused())
    await run.series.run(frozenset(), never)
    assert run.reports == [("1-1", "void"), ("1-1", "finished"), ("1-2", "finished")]
    void = run.results()[0]
    assert [fault and (fault.kind, fault.reason) for fault in void.reasons] == [
        None,
        ("startup", "no such program"),
        None,
    ]
    assert (void.ranking, void.scores, void.actions, void.digest) == ([], [], 0, "")
    report = run.verified()
    assert (report.games, report.void) == (2, 1)
    assert run.players[0].told(Start)[0].match == "1-1"
    assert len(run.players[0].told(Start)) == 2


async def test_what_it_wrote_to_standard_error_is_on_file(nursery: trio.Nursery) -> None:
    class Talker(Player):
        def connect(self) -> ScriptedChannel:
            channel = super().connect()
            channel.tail = "Traceback"
            return channel

    talker = Talker("bob", on={Hello: say(b"usage: bob FILE")})
    run = prepare(nursery, Player("ann"), talker)
    with pytest.raises(SeriesStopped, match=r"row: bob: .* \(the last line of its standard error: Traceback\)$"):
        await run.series.run(frozenset(), never)
    assert [result.stderr for result in run.results()] == [[None, "Traceback"]] * 2
    assert run.verified().void == 2


async def test_two_void_games_in_a_row_stop_the_series(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=4)
    run.players[2].refusals.extend([refused(), refused()])
    with pytest.raises(SeriesStopped, match=r"game 1-1 was void 2 times in a row: cyd: no such program$"):
        await run.series.run(frozenset(), never)
    assert run.reports == [("1-1", "void")] * 2


async def test_two_void_games_with_a_played_one_in_between_do_not(nursery: trio.Nursery) -> None:
    run = prepare(nursery, *three(), games=2, restart_after=1)

    def spoil() -> bool:
        """Asked before every game: makes it fail at first."""
        run.players[0].refusals.append(refused())
        return False

    await run.series.run(frozenset(), spoil)
    assert [outcome for _, outcome in run.reports] == ["void", "finished"] * 2


def fail_once(times: int) -> Callable[[NimState, int], list[JsonDict]]:
    """`NimState.apply`, which raises so many times when two actions have been done."""
    left = times
    apply = NimState.apply

    def failing(state: NimState, action: int) -> list[JsonDict]:
        nonlocal left
        if state.turn == 1 and left:
            left -= 1
            raise ZeroDivisionError("a bug")
        return apply(state, action)

    return failing


async def test_when_the_arena_fails_the_game_is_void_and_everybody_begins_anew(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    monkeypatch.setattr(NimState, "apply", fail_once(1))
    run = prepare(nursery, *three(), games=1)
    await run.series.run(frozenset(), never)
    assert run.reports == [("1-1", "void"), ("1-1", "finished")]
    void = run.results()[0]
    assert {(fault.kind, fault.reason) for fault in void.reasons if fault} == {("arena", "ZeroDivisionError: a bug")}
    assert None not in void.reasons
    assert [len(player.channels) for player in run.players] == [2, 2, 2]
    assert [bye.reason for player in run.players for bye in player.told(Bye)] == ["the arena failed"] * 3
    actions = [line for line in run.lines if isinstance(line, ActionLine)]
    assert [line.n for line in actions[:4]] == [1, 2, 1, 2]
    report = run.verified()
    assert (report.games, report.void) == (1, 1)


async def test_when_the_arena_fails_twice_in_a_row_the_series_stops(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    monkeypatch.setattr(NimState, "apply", fail_once(2))
    run = prepare(nursery, *three(), games=3)
    with pytest.raises(SeriesStopped, match=r"game 1-1 was void 2 times in a row: ZeroDivisionError: a bug$"):
        await run.series.run(frozenset(), never)
    assert run.reports == [("1-1", "void")] * 2
    assert run.verified().void == 2


async def test_a_first_state_that_fails_makes_the_game_void(nursery: trio.Nursery) -> None:
    class Broken(NimGame):
        def start(self, players: int, setup: JsonDict) -> State:
            raise ZeroDivisionError("a bug")

    run = prepare(nursery, *three(), nim=Broken())
    with pytest.raises(SeriesStopped, match="ZeroDivisionError: a bug"):
        await run.series.run(frozenset(), never)
    assert [type(line) for line in run.lines] == [GameLine, ResultLine] * 2


async def test_a_deal_that_is_impossible_is_no_line_in_the_log(nursery: trio.Nursery) -> None:
    class Full(NimGame):
        def deal(self, players: int, seed: int) -> JsonDict:
            raise RuleError("no room")

    run = prepare(nursery, *three(), nim=Full())
    with pytest.raises(RuleError):
        await run.series.run(frozenset(), never)
    assert run.lines == []


async def test_a_game_is_recorded_from_its_first_line(nursery: trio.Nursery) -> None:
    run = prepare(nursery, Player("ann", then=act("take 3")), Player("bob"), games=1)
    await run.series.run(frozenset(), never)
    line = run.lines[0]
    assert isinstance(line, GameLine)
    assert (line.match, line.seats) == ("1-1", ["ann", "bob"])
    assert line.setup == run.nim.deal(2, deal_seed(SEED, "1-1"))
    assert datetime.fromisoformat(line.started).tzinfo is UTC


async def test_cancelling_is_no_failure_of_the_arena(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    run = prepare(nursery, Player("ann", then=act("take 1", "end", after=1)), Player("bob"), games=3)
    with trio.move_on_after(1.5):
        await run.series.run(frozenset(), never)
    assert run.reports == []
    assert not isinstance(run.lines[-1], ResultLine)


async def test_a_bot_that_does_not_play_the_game_makes_it_void(nursery: trio.Nursery) -> None:
    ann = Player("ann", on={Hello: say(Join(protocol=1, name="ann", games=["go", "chess"]))})
    run = prepare(nursery, ann, Player("bob"))
    with pytest.raises(SeriesStopped, match="it says that it plays go, chess"):
        await run.series.run(frozenset(), never)
    assert [result.outcome for result in run.results()] == ["void", "void"]
