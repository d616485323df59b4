"""A ladder: pairing, ratings, the bench, restarts."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
import trio
from server.kit import Choose, Indoors, bot, indoors, lines_of, log_of, of, served, settings, take_one, verified
from trio.testing import MockClock

from mexica_cli.record.lines import GameLine, ResultLine
from mexica_cli.record.reader import games, open_log
from mexica_cli.server.book import Book
from mexica_cli.server.settings import Settings
from mexica_cli.wire.lobby import LookAt, Standing, Standings
from mexica_cli.wire.messages import Error, Ready, Start, Turn

pytestmark = pytest.mark.usefixtures("nim", "no_threads")


@pytest.fixture(autouse=True)
def _wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of the day is virtual, too."""
    monkeypatch.setattr(time, "time", lambda: 1e9 + trio.current_time())


def ladder(folder: Path, **fields: object) -> Settings:
    return settings(folder, {"name": "climb", "kind": "ladder", "move_time": "2s", **fields})


def never(turn: Turn) -> str:
    """Nim: takes nothing, and so loses."""
    return "end"


async def crowd(
    server: Indoors, nursery: trio.Nursery, names: str, choose: Choose = take_one, think: float = 0.1
) -> None:
    """Bots that play until the server is gone."""
    for name in names.split():
        client = await server.join(name)
        nursery.start_soon(partial(bot, client, choose, think))


async def play_for(plan: Settings, seconds: float, strong: str, weak: str = "") -> list[Standing]:
    """Run a ladder for so long, and stop it properly; its standings."""
    async with served(plan) as server, trio.open_nursery() as bots:
        await crowd(server, bots, strong)
        await crowd(server, bots, weak, never)
        await trio.sleep(seconds)
        server.stop()
    return server.lobby.standings("climb")


def counted(plan: Settings) -> Book:
    """The book, as it follows from the log alone."""
    book = Book(2)
    with open_log(str(log_of(plan, "climb"))) as reader:
        for game in games(reader):
            book.enter(game.game.seats, game.result)
    return book


async def test_everybody_plays_everybody_in_every_seat(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path)
    await play_for(plan, 70, "ann bob cyd dan")
    seats = [game.seats for game in of(GameLine, lines_of(plan, "climb"))]
    assert len(seats) > 24
    met = Counter(frozenset(pair) for pair in seats)
    assert len(met) == 6
    assert max(met.values()) - min(met.values()) <= 0.4 * max(met.values())
    for name in ["ann", "bob", "cyd", "dan"]:
        places = Counter(pair.index(name) for pair in seats if name in pair)
        assert abs(places[0] - places[1]) <= 2
    assert verified(plan, "climb").games == len(seats)


async def test_matches_of_three(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path, players=3)
    rows = await play_for(plan, 100, "ann bob cyd dan")
    assert {len(game.seats) for game in of(GameLine, lines_of(plan, "climb"))} == {3}
    assert {row.bot for row in rows} == {"ann", "bob", "cyd", "dan"}
    assert verified(plan, "climb").games > 5


async def test_standings_follow_from_the_log(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path)
    rows = await play_for(plan, 30, "ann bob", "cyd dan")
    assert {row.bot for row in rows[:2]} == {"ann", "bob"}
    book = counted(plan)
    assert [(row.bot, row.rating, row.games, row.wins) for row in rows] == [
        (entry.bot, round(entry.rating, 1), entry.games, round(entry.wins, 2)) for entry in book.standings()
    ]


@pytest.mark.parametrize("index", ["kept", "deleted", "behind"])
async def test_a_restart_keeps_them_with_or_without_the_index(clock: MockClock, tmp_path: Path, index: str) -> None:
    plan = ladder(tmp_path)
    if index == "behind":
        await play_for(plan, 20, "ann bob")
        old = {file.name: file.read_bytes() for file in plan.data.glob("index.sqlite*")}
    before = await play_for(plan, 25, "ann bob", "cyd")
    if index != "kept":
        for file in plan.data.glob("index.sqlite*"):
            file.unlink()
    if index == "behind":
        for name, content in old.items():
            (plan.data / name).write_bytes(content)
    async with indoors(plan) as server:
        after = server.lobby.standings("climb")
    gone = [(row.bot, row.rating, row.games, row.wins, row.forfeits) for row in before]
    assert [(row.bot, row.rating, row.games, row.wins, row.forfeits) for row in after] == gone


async def test_numbers_go_on_after_a_restart(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path)
    await play_for(plan, 20, "ann bob")
    await play_for(plan, 20, "ann bob")
    ids = [line.match for line in of(ResultLine, lines_of(plan, "climb"))]
    assert ids == [f"{number}-1" for number in range(1, len(ids) + 1)]
    assert len(ids) > 4


async def test_at_once_there_are_no_more_than_so_many(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path, at_once=2)
    most = 0
    async with indoors(plan) as server, trio.open_nursery() as bots:
        await crowd(server, bots, "a b c d e f g h")
        for _ in range(200):
            await trio.sleep(0.1)
            most = max(most, server.lobby.tables["climb"].running)
        bots.cancel_scope.cancel()
    assert most == 2


async def test_a_bot_that_fails_and_fails_is_benched(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path, bench_after=2, bench="100s")
    async with indoors(plan) as server, trio.open_nursery() as bots:
        await crowd(server, bots, "ann")
        bad = await server.join("bad")
        for _ in range(2):
            await bad.send(Ready(match=(await bad.until(Start)).match))
            await bad.until(Turn)
            await bad.end()
            again = await server.join("bad", session=bad.session)
            again.heard[:0] = bad.heard
            bad = again
        told = await bad.until(Error)
        assert (told.code, told.fatal) == ("benched", False)
        assert told.retry_after == pytest.approx(100, abs=5)
        assert "it forfeited 2 matches in a row" in told.reason
        (row,) = [row for row in server.lobby.standings("climb") if row.bot == "bad"]
        assert row.benched_s == pytest.approx(100, abs=5)
        began = trio.current_time()
        await bad.until(Start)
        assert trio.current_time() - began == pytest.approx(100, abs=5)
        bots.cancel_scope.cancel()


async def test_the_bench_outlives_a_restart(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path, bench_after=1, bench="1000s")
    async with served(plan) as server, trio.open_nursery() as bots:
        await crowd(server, bots, "ann")
        bad = await server.join("bad")
        await bad.until(Start)
        await bad.close()
        await trio.sleep(80)
        server.stop()
    async with indoors(plan) as server:
        bad = await server.join("bad")
        assert (await bad.until(Error)).code == "benched"


async def test_what_a_restart_cut_short_is_gone_on_with_when_all_are_back(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path, move_time="9s")
    with trio.move_on_after(3):
        async with indoors(plan) as server, trio.open_nursery() as bots:
            await crowd(server, bots, "ann bob cyd dan", think=1.0)
            await trio.sleep_forever()
    cut = sorted(path.stem for path in (plan.data / "climb" / "running").iterdir())
    assert len(cut) == 2
    async with served(plan) as server, trio.open_nursery() as bots:
        await crowd(server, bots, "dan cyd")
        await trio.sleep(1)
        assert server.lobby.tables["climb"].running <= 1
        await crowd(server, bots, "bob ann")
        await trio.sleep(30)
        server.stop()
    ids = [line.match for line in of(ResultLine, lines_of(plan, "climb"))]
    assert len(set(ids)) == len(ids)
    assert set(cut) < set(ids)
    assert verified(plan, "climb").void == 0


async def test_what_is_not_gone_on_with_is_void_after_a_while(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "climb", "kind": "ladder"}, limits={"resume": "30s"})
    with trio.move_on_after(3):
        async with indoors(plan) as server, trio.open_nursery() as bots:
            await crowd(server, bots, "ann bob", think=1.0)
            await trio.sleep_forever()
    async with served(plan) as server, trio.open_nursery() as bots:
        await crowd(server, bots, "ann cyd")
        await trio.sleep(20)
        assert server.lobby.tables["climb"].running == 0
        await trio.sleep(40)
        server.stop()
    results = of(ResultLine, lines_of(plan, "climb"))
    assert [line.outcome for line in results[:2]] == ["void", "finished"]
    reason = results[0].reasons[0]
    assert reason is not None
    assert reason.reason == "the server was restarted, and not all came back: bob"
    assert verified(plan, "climb").void == 1


async def test_standings_are_served(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path)
    async with indoors(plan) as server, trio.open_nursery() as bots:
        await crowd(server, bots, "ann bob")
        await trio.sleep(20)
        watcher = server.connect()
        await watcher.join("eye", role="spectator")
        rows = (await watcher.ask(LookAt(at="standings", table="climb"), Standings)).rows
        assert sorted(row.bot for row in rows) == ["ann", "bob"]
        assert all(row.here and row.games > 1 and row.rating for row in rows)
        bots.cancel_scope.cancel()


async def test_a_newcomer_is_in_the_header_of_the_log(clock: MockClock, tmp_path: Path) -> None:
    plan = ladder(tmp_path)
    await play_for(plan, 20, "ann bob")
    await play_for(plan, 20, "ann cyd")
    with open_log(str(log_of(plan, "climb"))) as reader:
        for _ in reader:
            pass
        assert reader.header is not None
        assert [bot.name for bot in reader.header.bots] == ["ann", "bob", "cyd"]
    assert verified(plan, "climb").games > 4
