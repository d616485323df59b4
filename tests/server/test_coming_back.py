"""A connection breaks, and the bot comes back: to its match, to its table, or too late."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import trio
from server.kit import Client, bot, indoors, lines_of, of, served, settings, verified
from trio.testing import MockClock

from mexica_cli.record.lines import FaultLine, ResultLine
from mexica_cli.server.tokens import keep_token
from mexica_cli.wire.messages import Error, Event, Hello, Join, Play, Quit, Ready, Result, Start, Turn

pytestmark = pytest.mark.usefixtures("nim", "no_threads")


async def play_first(client: Client) -> None:
    """Take part up to the answer to the first question."""
    await client.send(Ready(match=(await client.until(Start)).match))
    turn = await client.until(Turn)
    await client.send(Play(id=turn.id, actions=["take 1"]))


async def test_it_gets_state_and_clock_and_the_clock_has_run_on(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "time": "30+1"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann = await server.join("ann")
        bots.start_soon(bot, await server.join("bob"))
        await play_first(ann)
        asked = await ann.until(Turn)
        await ann.close()
        await trio.sleep(7)
        again = server.connect()
        welcome = await again.join("ann", session=ann.session)
        assert (welcome.bot, welcome.session) == ("ann", ann.session)
        start = await again.until(Start)
        turn = await again.until(Turn)
        assert asked.state is not None
        assert (start.match, start.seat, start.state["pile"]) == ("1-1", 0, asked.state["pile"])
        assert turn.id > asked.id
        assert asked.clock.bank_ms == 30_000
        assert turn.clock.bank_ms == 23_000
        await again.send(Ready(match="1-1"))
        await again.send(Play(id=turn.id, actions=["end"]))
        bots.start_soon(bot, again)
    (result,) = of(ResultLine, lines_of(plan, "duel"))
    assert (result.outcome, result.stale) == ("finished", [0, 0])
    assert result.used_ms[0] == pytest.approx(7000)
    assert again.told(Result)
    assert verified(plan, "duel").games == 1


async def test_it_comes_back_while_another_is_asked(clock: MockClock, tmp_path: Path) -> None:
    """It is told at once how things stand, and then what happens, without a gap."""
    plan = settings(tmp_path, {"name": "duel", "move_time": "60s"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann, bob = await server.join("ann"), await server.join("bob")
        bots.start_soon(partial(bot, bob, think=1.0))
        await play_first(ann)
        await ann.send(Play(id=(await ann.until(Turn)).id, actions=["end"]))
        await ann.close()
        await trio.sleep(0.5)
        again = await server.join("ann", session=ann.session)
        start = await again.until(Start)
        assert start.state["to_act"] == 1
        event = await again.until(Event)
        assert (event.n, event.seat, event.action) == (3, 1, "take 1")
        bots.start_soon(bot, again)
    assert [result.outcome for result in again.told(Result)] == ["finished"]
    numbers = [event.n for event in again.told(Event)]
    assert numbers == list(range(3, numbers[-1] + 1))


async def test_it_comes_back_before_the_break_was_noticed(clock: MockClock, tmp_path: Path) -> None:
    """The new connection takes the place of the old one, which is told so."""
    plan = settings(tmp_path, {"name": "duel", "move_time": "60s"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann = await server.join("ann")
        bots.start_soon(bot, await server.join("bob"))
        await play_first(ann)
        old = await ann.until(Turn)
        began = trio.current_time()
        again = await server.join("ann", session=ann.session)
        assert (await again.until(Turn)).id > old.id
        assert trio.current_time() == began
        error = await ann.end()
        assert error is not None
        assert (error.code, error.fatal) == ("replaced", True)
        await again.send(Ready(match="1-1"))
        await again.send(Play(id=again.told(Turn)[-1].id, actions=["end"]))
        bots.start_soon(bot, again)
    assert [result.outcome for result in again.told(Result)] == ["finished"]


async def test_it_stays_away_until_its_time_is_over(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "move_time": "5s"}, limits={"come_back": "60s"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann, bob = await server.join("ann"), await server.join("bob")
        bots.start_soon(bot, bob)
        await play_first(ann)
        await ann.until(Turn)
        began = trio.current_time()
        await ann.close()
    assert [(line.kind, line.seat) for line in of(FaultLine, lines_of(plan, "duel"))] == [("disconnect", 0)]
    assert 5 <= trio.current_time() - began < 8
    assert [result.outcome for result in bob.told(Result)] == ["forfeit"]
    assert verified(plan, "duel").games == 1


async def test_it_stays_away_longer_than_anybody_waits(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "time": "3600", "matches": 2}, limits={"come_back": "20s"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann = await server.join("ann")
        bots.start_soon(bot, await server.join("bob"))
        await play_first(ann)
        began = trio.current_time()
        await ann.close()
    assert [line.kind for line in of(FaultLine, lines_of(plan, "duel"))] == ["disconnect"] * 2
    assert trio.current_time() - began < 25


async def test_who_quits_is_not_waited_for(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "time": "3600"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann = await server.join("ann")
        bots.start_soon(bot, await server.join("bob"))
        await play_first(ann)
        began = trio.current_time()
        await ann.send(Quit())
        error = await ann.end()
        assert error is not None
        assert error.code == "disconnect"
    assert trio.current_time() - began < 5


async def test_one_that_forfeited_comes_back_for_the_next_match(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "move_time": "2s", "matches": 2, "players": 3})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann, bob, cyd = [await server.join(name) for name in ("ann", "bob", "cyd")]
        bots.start_soon(partial(bot, bob, think=0.5))
        bots.start_soon(partial(bot, cyd, think=0.5))
        await play_first(ann)
        await ann.end()
        again = await server.join("ann", session=ann.session)
        bots.start_soon(bot, again)
    assert [start.match for start in again.told(Start)] == ["1-2"]
    assert [result.match for result in again.told(Result)] == ["1-2"]
    assert [result.outcome for result in bob.told(Result)] == ["forfeit", "finished"]


async def test_without_its_session_it_is_somebody_else(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel"}, limits={"come_back": "30s"})
    async with indoors(plan) as server:
        ann = await server.join("ann")
        await ann.close()
        await trio.sleep(10)
        for session in (None, "guessed"):
            client = server.connect()
            await client.until(Hello)
            error = await client.ask(Join(protocol=1, name="ann", session=session), Error)
            assert (error.code, error.fatal) == ("name_taken", True)
        await trio.sleep(25)
        await server.join("ann")


async def test_a_token_is_as_good_as_a_session_once_the_connection_is_gone(clock: MockClock, tmp_path: Path) -> None:
    keep_token(tmp_path / "tokens", "ann", "hers")
    async with indoors(settings(tmp_path, {"name": "duel"}, tokens="tokens")) as server:
        ann = await server.join("ann", token="hers")
        client = server.connect()
        await client.until(Hello)
        assert (await client.ask(Join(protocol=1, name="ann", token="hers"), Error)).code == "name_taken"
        await ann.close()
        await trio.sleep(1)
        again = await server.join("ann", token="hers")
        assert again.session == ann.session


async def test_a_place_at_the_table_is_kept_for_a_while(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel"}, limits={"come_back": "30s"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann = await server.join("ann")
        await ann.close()
        await trio.sleep(1)
        bots.start_soon(bot, await server.join("bob"))
        client = server.connect()
        await client.until(Hello)
        assert (await client.ask(Join(protocol=1, name="cyd", table="duel"), Error)).code == "table_full"
        assert server.lobby.tables["duel"].state == "waiting"
        bots.start_soon(bot, await server.join("ann", session=ann.session))
    assert verified(plan, "duel").games == 1
