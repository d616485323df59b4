"""Those who watch: early, late, too slowly, and without seeing what is hidden."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import trio
from server.kit import NIM, Client, Indoors, bot, indoors, lines_of, of, served, settings
from trio.testing import MockClock

from mexica_cli.record.lines import ActionLine, GameLine
from mexica_cli.server import spectator as module
from mexica_cli.wire.lobby import LookAt, Scene, Sit, Status
from mexica_cli.wire.messages import Error, Event, Hello, Join, Play, Result, Start, Turn

pytestmark = pytest.mark.usefixtures("nim", "no_threads")


async def spectator(server: Indoors, table: str | None = None) -> Client:
    client = server.connect()
    await client.join("eye", role="spectator", table=table)
    return client


async def bots_play(server: Indoors, nursery: trio.Nursery, think: float = 0.1) -> None:
    for name in ("ann", "bob"):
        client = await server.join(name)
        nursery.start_soon(partial(bot, client, think=think))


async def test_the_whole_match_is_shown(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "matches": 2})
    async with served(plan) as server, trio.open_nursery() as bots:
        eye = await spectator(server, "duel")
        await bots_play(server, bots)
        await eye.until(Result)
        await eye.until(Result)
    lines = lines_of(plan, "duel")
    assert [scene.match for scene in eye.told(Scene)] == ["1-1", "1-2"]
    assert [scene.n for scene in eye.told(Scene)] == [0, 0]
    assert [scene.seats for scene in eye.told(Scene)] == [game.seats for game in of(GameLine, lines)]
    shown = [(event.match, event.n, event.seat, event.action, event.followed) for event in eye.told(Event)]
    assert shown == [(line.match, line.n, line.seat, line.action, line.followed) for line in of(ActionLine, lines)]
    assert eye.told(Start) == []
    assert eye.told(Turn) == []


async def test_who_comes_late_gets_the_state_and_then_what_happens(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel"})
    async with served(plan) as server, trio.open_nursery() as bots:
        await bots_play(server, bots, think=1.0)
        await trio.sleep(4.5)
        eye = await spectator(server)
        await eye.send(Sit(table="duel", match="1-1"))
        scene = await eye.until(Scene)
        await eye.until(Result)
    actions = of(ActionLine, lines_of(plan, "duel"))
    assert scene.n > 2
    first = of(GameLine, lines_of(plan, "duel"))[0].setup["pile"]
    taken = sum(line.action == "take 1" for line in actions[: scene.n])
    assert scene.state["pile"] == first - taken
    assert [event.n for event in eye.told(Event)] == list(range(scene.n + 1, len(actions) + 1))


async def test_they_cannot_act(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel"})
    async with served(plan) as server, trio.open_nursery() as bots:
        eye = await spectator(server, "duel")
        await bots_play(server, bots, think=0.5)
        await eye.until(Event)
        assert (await eye.ask(Play(id=1, actions=["end"]), Error)).code == "stale"
        assert (await eye.ask(b'{"type":"open","table":"mine"}\n', Error)).code == "may_not"
        await eye.until(Result)
        assert (await eye.ask(LookAt(at="status"), Status)).spectators == 1


async def test_a_table_may_be_closed_to_them(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "spectators": False})
    async with indoors(plan) as server:
        client = server.connect()
        await client.until(Hello)
        await client.send(Join(protocol=1, name="eye", role="spectator", table="duel"))
        error = await client.end()
        assert error is not None
        assert (error.code, error.fatal) == ("no_spectators", True)
        eye = await spectator(server)
        assert (await eye.ask(Sit(table="duel"), Error)).code == "no_spectators"


async def test_a_slow_one_is_dropped_and_told_and_slows_nobody(
    clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that doesn't read holds up neither the match nor those beside it."""
    monkeypatch.setattr(module, "BUFFER", 10)
    plan = settings(tmp_path, {**NIM, "name": "duel", "matches": 2})
    async with served(plan) as server, trio.open_nursery() as bots:
        slow = server.connect(lockstep=True)
        await slow.join("slow", role="spectator", table="duel")
        quick = await spectator(server, "duel")
        bots.start_soon(partial(bot, quick, games=2))
        await bots_play(server, bots, think=0.0)
        while len(server.lobby.spectators) == 2:
            await trio.sleep(0.01)
        error = await slow.end()
    assert error is not None
    assert (error.code, error.fatal) == ("too_slow", True)
    assert len(quick.told(Result)) == 2
    assert trio.current_time() < 10


# ---- hidden information ----------------------------------------------------------------------------------------------


def first_legal(turn: Turn) -> str:
    assert turn.legal
    return turn.legal[0]


async def watch_moctezuma(folder: Path, *, reveal: bool) -> tuple[Client, list[ActionLine]]:
    table = {"name": "team", "game": "moctezuma", "rules": "official", "options": {}, "players": 3, "reveal": reveal}
    plan = settings(folder, {**table, "move_time": "60s"})
    async with served(plan) as server, trio.open_nursery() as bots:
        eye = await spectator(server, "team")
        for name in ("ann", "bob", "cyd"):
            client = await server.join(name)
            bots.start_soon(partial(bot, client, first_legal))
        await eye.until(Result)
    return eye, of(ActionLine, lines_of(plan, "team"))


async def test_hidden_things_stay_hidden(clock: MockClock, tmp_path: Path) -> None:
    eye, actions = await watch_moctezuma(tmp_path, reveal=False)
    (scene,) = eye.told(Scene)
    assert scene.position is None
    events = eye.told(Event)
    assert [event.n for event in events] == [line.n for line in actions]
    assert [event.action for event in events] != [line.action for line in actions]


async def test_a_table_may_show_everything(clock: MockClock, tmp_path: Path) -> None:
    eye, actions = await watch_moctezuma(tmp_path, reveal=True)
    (scene,) = eye.told(Scene)
    assert scene.position is not None
    events = eye.told(Event)
    assert [(event.action, event.followed) for event in events] == [(line.action, line.followed) for line in actions]
