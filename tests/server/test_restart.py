"""The server is gone in mid-match, as if killed, and starts again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio
from server.kit import bot, indoors, lines_of, log_of, of, served, settings, verified
from structlog.testing import capture_logs
from trio.testing import MockClock

from mexica_cli.record.lines import ActionLine, GameLine, ResultLine
from mexica_cli.server.settings import Settings
from mexica_cli.wire.messages import Hello, Play, Ready, Result, Start, Turn

pytestmark = pytest.mark.usefixtures("nim", "no_threads")


async def cut_short(plan: Settings, names: list[str], seconds: float, think: float = 1.0) -> None:
    """Run a server with these bots for so long."""
    with trio.move_on_after(seconds):
        async with indoors(plan) as server, trio.open_nursery() as bots:
            for name in names:
                client = await server.join(name)
                bots.start_soon(partial(bot, client, think=think))
            await trio.sleep_forever()


def journal_of(plan: Settings, table: str, match: str) -> Path:
    return plan.data / table / "running" / f"{match}.jsonl"


async def test_a_match_is_gone_on_with(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "matches": 2, "time": "60+2"})
    await cut_short(plan, ["ann", "bob"], 6.5)
    journal = journal_of(plan, "duel", "1-1").read_bytes().splitlines()
    done = [msgspec.json.decode(line, type=ActionLine) for line in journal[1:]]
    assert 3 < len(done) < 8
    async with served(plan) as server, trio.open_nursery() as bots:
        ann, bob = await server.join("ann"), await server.join("bob")
        start = await ann.until(Start)
        assert start.match == "1-1"
        assert start.state["pile"] < 8 + 8
        thought = 1000 * sum(line.seat == 0 for line in done)
        turns = len({line.n for line in done if line.seat == 0 and line.action == "end"})
        assert start.clock.bank_ms == 60_000 - thought + 2000 * turns
        await ann.send(Ready(match="1-1"))
        bots.start_soon(bot, ann)
        bots.start_soon(bot, bob)
    lines = lines_of(plan, "duel")
    assert [game.match for game in of(GameLine, lines)] == ["1-1", "1-2"]
    assert [line for line in lines if isinstance(line, ActionLine)][: len(done)] == done
    assert verified(plan, "duel").games == 2
    assert not list(journal_of(plan, "duel", "1-1").parent.iterdir())


async def test_a_torn_line_is_cut_off(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel"})
    await cut_short(plan, ["ann", "bob"], 4.5)
    journal = journal_of(plan, "duel", "1-1")
    journal.write_bytes(journal.read_bytes()[:-7])
    async with served(plan) as server, trio.open_nursery() as bots:
        for name in ("bob", "ann"):
            bots.start_soon(bot, await server.join(name))
    assert verified(plan, "duel").games == 1


@pytest.mark.parametrize("crash", range(1, 12))
async def test_it_may_be_cut_short_as_often_as_one_likes(clock: MockClock, tmp_path: Path, crash: int) -> None:
    """The longest run of nim has some dozen actions of a second each; wherever it is cut, the same lines come out."""
    plan = settings(tmp_path, {"name": "duel", "seed": 7})
    whole = settings(tmp_path / "whole", {"name": "duel", "seed": 7})
    (tmp_path / "whole").mkdir()
    for _ in range(3):
        await cut_short(plan, ["ann", "bob"], crash * 0.9)
    for each in (plan, whole):
        async with served(each) as server, trio.open_nursery() as bots:
            if server.lobby.tables["duel"].state != "over":
                for name in ("ann", "bob"):
                    bots.start_soon(bot, await server.join(name))
    actions = [[line.action for line in of(ActionLine, lines_of(each, "duel"))] for each in (plan, whole)]
    assert actions[0] == actions[1]
    assert verified(plan, "duel").games == 1


async def test_nothing_is_played_twice(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "matches": 4})
    await cut_short(plan, ["ann", "bob"], 40)
    assert 0 < len(of(ResultLine, lines_of(plan, "duel"))) < 4
    async with served(plan) as server, trio.open_nursery() as bots:
        for name in ("ann", "bob"):
            bots.start_soon(bot, await server.join(name))
    assert [line.match for line in of(ResultLine, lines_of(plan, "duel"))] == ["1-1", "1-2", "2-1", "2-2"]
    assert verified(plan, "duel").games == 4
    async with served(plan) as server:
        assert server.lobby.tables["duel"].state == "over"


async def test_a_match_that_was_over_but_not_in_the_log_goes_there(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel"})
    async with served(plan) as server, trio.open_nursery() as bots:
        for name in ("ann", "bob"):
            bots.start_soon(bot, await server.join(name))
    header, *game = log_of(plan, "duel").read_bytes().splitlines(keepends=True)
    log_of(plan, "duel").write_bytes(header)
    journal_of(plan, "duel", "1-1").write_bytes(b"".join(game))
    async with served(plan) as server:
        assert server.lobby.tables["duel"].state == "over"
    assert log_of(plan, "duel").read_bytes() == header + b"".join(game)
    journal_of(plan, "duel", "1-1").write_bytes(b"".join(game))  # killed before the journal could be removed
    async with served(plan) as server:
        assert server.lobby.tables["duel"].state == "over"
    assert verified(plan, "duel").games == 1


async def test_only_those_who_sat_there_may_sit_down_again(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel"})
    await cut_short(plan, ["ann", "bob"], 4.5)
    async with indoors(plan) as server:
        stranger = server.connect()
        await stranger.until(Hello)
        await stranger.send(b'{"type":"join","protocol":1,"name":"cyd","table":"duel"}\n')
        error = await stranger.end()
        assert error is not None
        assert error.code == "table_full"


async def test_a_forfeit_stands(clock: MockClock, tmp_path: Path) -> None:
    """Who is out stays out: the match needs only the others, and passes for it."""
    plan = settings(tmp_path, {"name": "three", "players": 3, "move_time": "5s"})
    with trio.move_on_after(12):
        async with indoors(plan) as server, trio.open_nursery() as bots:
            for name in ("ann", "bob"):
                client = await server.join(name)
                bots.start_soon(partial(bot, client, think=1.0))
            cyd = await server.join("cyd")
            await cyd.send(Ready(match=(await cyd.until(Start)).match))
            await trio.sleep_forever()
    async with served(plan) as server, trio.open_nursery() as bots:
        ann, bob, cyd = [await server.join(name) for name in ("ann", "bob", "cyd")]
        for client in (ann, bob, cyd):
            bots.start_soon(bot, client)
    assert cyd.told(Start) == []
    (result,) = ann.told(Result)
    assert (result.outcome, result.ranking[2]) == ("forfeit", 3)
    assert verified(plan, "three").games == 1


async def test_strikes_stand(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "illegal": 2, "move_time": "9s"})
    with trio.move_on_after(3):
        async with indoors(plan) as server, trio.open_nursery() as bots:
            ann = await server.join("ann")
            bots.start_soon(bot, await server.join("bob"))
            await ann.send(Ready(match=(await ann.until(Start)).match))
            await ann.send(Play(id=(await ann.until(Turn)).id, actions=["take 9"]))
            await trio.sleep_forever()
    async with served(plan) as server, trio.open_nursery() as bots:
        ann = await server.join("ann")
        bots.start_soon(bot, await server.join("bob"))
        await ann.send(Ready(match=(await ann.until(Start)).match))
        await ann.send(Play(id=(await ann.until(Turn)).id, actions=["take 9"]))
        (reason, _) = (await ann.until(Result)).reasons
        assert reason is not None
        assert reason.kind == "illegal"
    assert verified(plan, "duel").games == 1


async def test_a_table_of_clients_is_kept(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, may_open=["*"])
    async with indoors(plan) as server:
        ann = await server.join("ann")
        await ann.send(b'{"type":"open","table":"mine","game":"nim","matches":1}\n')
        await trio.sleep(1)
    async with served(plan) as server, trio.open_nursery() as bots:
        for name in ("ann", "bob"):
            bots.start_soon(bot, await server.join(name, table="mine"))
    async with served(plan) as server:
        assert not server.lobby.tables
    assert verified(plan, "mine").games == 1


async def test_other_settings_are_refused(clock: MockClock, tmp_path: Path) -> None:
    async with served(settings(tmp_path, {"name": "duel", "move_time": "1s"})):
        pass
    with pytest.raises(BaseExceptionGroup) as caught:
        async with served(settings(tmp_path, {"name": "duel", "move_time": "2s"})):
            pass
    error: BaseException = caught.value
    while isinstance(error, BaseExceptionGroup):
        (error,) = error.exceptions
    assert "clock.move_ms: 1000 in the log, 2000 now" in str(error)


async def test_stopping_lets_matches_finish_for_a_while(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "matches": 9}, limits={"finish": "60s"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann, bob = await server.join("ann"), await server.join("bob")
        bots.start_soon(partial(bot, ann, think=1.0))
        bots.start_soon(partial(bot, bob, think=1.0))
        await trio.sleep(4)
        server.stop()
    assert [result.outcome for result in ann.told(Result)] == ["finished"]
    error = await bob.end()
    assert error is not None
    assert (error.code, error.fatal, error.retry_after) == ("closing", False, 10.0)
    assert verified(plan, "duel").games == 1


async def test_stopping_does_not_wait_for_ever(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel"}, limits={"finish": "5s"})
    async with served(plan) as server:
        ann, bob = await server.join("ann"), await server.join("bob")
        await ann.send(Ready(match=(await ann.until(Start)).match))
        await bob.send(Ready(match=(await bob.until(Start)).match))
        await ann.until(Turn)
        server.stop()
        assert (await ann.until(Result)).outcome == "void"
    assert trio.current_time() < 10
    assert journal_of(plan, "duel", "1-1").exists()


@pytest.fixture(autouse=True)
def _quiet() -> object:
    with capture_logs() as logs:
        yield logs
