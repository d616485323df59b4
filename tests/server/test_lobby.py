"""Bots come, sit down, play, and go."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import trio
from server.kit import Indoors, bot, indoors, lines_of, of, served, settings, verified
from trio.testing import MockClock

from mexica_cli.record.lines import FaultLine, GameLine, ResultLine
from mexica_cli.server.tokens import keep_token
from mexica_cli.wire.framing import encode
from mexica_cli.wire.lobby import LookAt, Open, Sit, Standings, Status, Tables
from mexica_cli.wire.messages import Bye, Error, Hello, Join, Ping, Play, Pong, Quit, Ready, Result, Say, Start, Turn

pytestmark = pytest.mark.usefixtures("nim", "no_threads")


# ---- tables ----------------------------------------------------------------------------------------------------------


async def test_a_table_plays_its_matches_when_it_is_full(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "matches": 4})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann, bob = await server.join("ann"), await server.join("bob")
        bots.start_soon(bot, ann)
        bots.start_soon(bot, bob)
    assert [message.reason for message in ann.told(Bye)] == ["the table is over"]
    assert [result.outcome for result in bob.told(Result)] == ["finished"] * 4
    assert [game.seats for game in of(GameLine, lines_of(plan, "duel"))] == [["ann", "bob"], ["bob", "ann"]] * 2
    assert verified(plan, "duel").games == 4
    (table,) = server.reports
    assert table.tally.games == 4


async def test_three_at_a_table_rotate(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "three", "matches": 3, "players": 3})
    async with served(plan) as server, trio.open_nursery() as bots:
        for name in ("ann", "bob", "cyd"):
            bots.start_soon(bot, await server.join(name))
    seats = [game.seats for game in of(GameLine, lines_of(plan, "three"))]
    assert seats == [["ann", "bob", "cyd"], ["bob", "cyd", "ann"], ["cyd", "ann", "bob"]]


async def test_a_bot_goes_to_the_table_that_it_names(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "one"}, {"name": "other"})
    async with indoors(plan) as server:
        await server.join("ann", table="other")
        assert list(server.lobby.tables["other"].guests) == ["ann"]


async def test_a_bot_that_names_none_is_shown_the_tables_and_sits_down_later(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "one"}, {"name": "other", "join": ["bob", "ann"]})
    async with indoors(plan) as server:
        ann = await server.join("ann")
        shown = await ann.until(Tables)
        assert [table.name for table in shown.tables] == ["one", "other"]
        await ann.send(Sit(table="other"))
        assert (await ann.ask(LookAt(at="tables"), Tables)).tables[1].here == ["ann"]
        await ann.send(Sit(table="one"))
        tables = (await ann.ask(LookAt(at="tables"), Tables)).tables
        assert [table.here for table in tables] == [["ann"], []]


async def test_a_bot_that_names_none_goes_where_it_is_invited(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "one", "join": ["bob"]}, {"name": "other"})
    async with indoors(plan) as server:
        await server.join("ann")
        assert list(server.lobby.tables["other"].guests) == ["ann"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"table": "none"}, "no_table"),
        ({"table": "closed"}, "not_invited"),
        ({"table": "full"}, "table_full"),
        ({"table": "duel", "games": ["mexica"]}, "wrong_game"),
        ({"name": "\x07\u200b"}, "bad_name"),
        ({"protocol": 2}, "protocol_version"),
    ],
)
async def test_who_may_not_is_told_why(clock: MockClock, tmp_path: Path, fields: dict[str, object], code: str) -> None:
    closed, full = {"name": "closed", "join": ["bob"]}, {"name": "full", "players": 2}
    plan = settings(tmp_path, {"name": "duel"}, closed, full)
    async with indoors(plan) as server:
        await server.join("cyd", table="full")
        await server.join("dan", table="full")
        client = server.connect()
        await client.until(Hello)
        await client.send(msgspec.structs.replace(Join(protocol=1, name="ann"), **fields))
        error = await client.end()
        assert error is not None
        assert (error.code, error.fatal) == (code, True)
        assert sorted(server.lobby.guests) == ["cyd", "dan"]


async def refused_for_its_games(server: Indoors) -> Error | None:
    client = server.connect()
    await client.until(Hello)
    await client.send(Join(protocol=1, name="ann", games=["mexica"]))
    return await client.end()


@pytest.mark.parametrize("tables", [["one"], ["one", "other"]])
async def test_a_bot_of_another_game_is_told_so(clock: MockClock, tmp_path: Path, tables: list[str]) -> None:
    async with indoors(settings(tmp_path, *({"name": name} for name in tables))) as server:
        error = await refused_for_its_games(server)
        assert error is not None
        assert (error.code, error.fatal) == ("wrong_game", True)
        assert error.reason.endswith("what is played is " + ", ".join(f"nim at the table {name!r}" for name in tables))
        assert not server.lobby.guests


async def test_a_bot_of_another_game_may_wait_where_tables_can_be_opened(clock: MockClock, tmp_path: Path) -> None:
    async with indoors(settings(tmp_path, {"name": "duel"}, may_open=["bob"])) as server:
        await server.join("ann", games=["mexica"])
        assert list(server.lobby.guests) == ["ann"]


async def test_names_are_cleaned(clock: MockClock, tmp_path: Path) -> None:
    async with indoors(settings(tmp_path, {"name": "duel"})) as server:
        client = server.connect()
        welcome = await client.join("\x1b[31mann\n\u202e of Mérida/…")
        assert welcome.bot == "_31mann_of_Mérida__"


async def test_no_two_bots_have_the_same_name(clock: MockClock, tmp_path: Path) -> None:
    async with indoors(settings(tmp_path, {"name": "duel"})) as server:
        await server.join("ann")
        client = server.connect()
        await client.until(Hello)
        await client.send(Join(protocol=1, name="ann\x00"))
        error = await client.end()
        assert error is not None
        assert (error.code, error.fatal, error.retry_after) == ("name_taken", True, 10.0)


async def test_one_who_leaves_makes_room(clock: MockClock, tmp_path: Path) -> None:
    async with indoors(settings(tmp_path, {"name": "duel"})) as server:
        ann = await server.join("ann")
        await ann.send(Quit())
        assert await ann.end() is None
        assert [message.reason for message in ann.told(Bye)] == ["you quit"]
        await trio.sleep(0.1)
        assert not server.lobby.guests
        assert not server.lobby.tables["duel"].guests
        await server.join("ann")


# ---- tokens ----------------------------------------------------------------------------------------------------------


async def test_with_tokens_nobody_plays_without_one(clock: MockClock, tmp_path: Path) -> None:
    keep_token(tmp_path / "tokens", "ann", "right")
    keep_token(tmp_path / "tokens", "bob", "another")
    async with indoors(settings(tmp_path, {"name": "duel"}, tokens="tokens")) as server:
        for name, token in (("ann", "another"), ("ann", None), ("cyd", "right"), ("cyd", None)):
            client = server.connect()
            await client.until(Hello)
            await client.send(Join(protocol=1, name=name, token=token))
            error = await client.end()
            assert error is not None
            assert (error.code, error.fatal) == ("bad_token", True)
            assert token is None or token not in error.reason
        await server.join("ann", token="right")
        assert list(server.lobby.guests) == ["ann"]


# ---- talk outside of matches -----------------------------------------------------------------------------------------


async def test_what_a_bot_may_ask_for(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "duel", "matches": 2}, {"name": "climb", "kind": "ladder"})
    async with indoors(plan) as server:
        ann = await server.join("ann", table="duel")
        status = await ann.ask(LookAt(at="status"), Status)
        assert (status.connections, status.players, status.tables, status.running) == (1, 1, 2, 0)
        assert status.memory_bytes > 1 << 20
        assert (await ann.ask(LookAt(at="standings", table="climb"), Standings)).rows == []
        assert (await ann.ask(LookAt(at="standings", table="none"), Error)).code == "no_table"
        assert (await ann.ask(LookAt(at="standings"), Error)).code == "no_table"
        assert (await ann.ask(Sit(table="none"), Error)).code == "no_table"
        assert not any(error.fatal for error in ann.told(Error))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (encode(Play(id=1, actions=["end"])), "stale"),
        (encode(Say(match="1-1", text="hello")), "not_now"),
        (encode(Join(protocol=1, name="ann")), "already_joined"),
        (b'{"type":"sing"}\n', "unknown_type"),
    ],
)
async def test_what_is_out_of_place_is_told_and_no_more(
    clock: MockClock, tmp_path: Path, line: bytes, code: str
) -> None:
    async with indoors(settings(tmp_path, {"name": "duel"})) as server:
        ann = await server.join("ann")
        error = await ann.ask(line, Error)
        assert (error.code, error.fatal) == (code, False)
        await ann.send(Ready(match="1-1"))
        await ann.ask(LookAt(at="status"), Status)


@pytest.mark.parametrize(
    ("line", "code"),
    [(b"what?\n", "not_json"), (b'{"type":"sit"}\n', "bad_field"), (b"[]\n", "no_type"), (b"x" * 70_000, "oversize")],
)
async def test_what_breaks_the_protocol_is_the_end(clock: MockClock, tmp_path: Path, line: bytes, code: str) -> None:
    async with indoors(settings(tmp_path, {"name": "duel"})) as server:
        ann = await server.join("ann")
        await ann.send(line)
        error = await ann.end()
        assert error is not None
        assert (error.code, error.fatal) == (code, True)


async def test_who_says_nothing_is_asked_and_then_gone(clock: MockClock, tmp_path: Path) -> None:
    async with indoors(settings(tmp_path, {"name": "duel"}, limits={"idle": "10s"})) as server:
        ann = await server.join("ann")
        began = trio.current_time()
        for _ in range(3):
            ping = await ann.until(Ping)
            await ann.send(Pong(id=ping.id))
        assert trio.current_time() - began == pytest.approx(30)
        error = await ann.end()
        assert error is not None
        assert error.code == "idle"
        assert trio.current_time() - began == pytest.approx(50, abs=3)


# ---- tables that clients open ----------------------------------------------------------------------------------------


async def test_a_bot_with_the_right_opens_a_table(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, may_open=["ann"])
    async with served(plan) as server, trio.open_nursery() as bots:
        ann = await server.join("ann")
        await ann.until(Tables)
        await ann.send(Open(table="mine", game="nim", matches=2, move_time="5s", invite=["bob"]))
        listed = (await ann.ask(LookAt(at="tables"), Tables)).tables
        assert [(table.name, table.here, table.matches) for table in listed] == [("mine", ["ann"], 2)]
        bots.start_soon(bot, ann)
        bots.start_soon(bot, await server.join("bob", table="mine"))
    assert [result.outcome for result in ann.told(Result)] == ["finished"] * 2
    assert ann.told(Start)[0].clock.move_ms == 5000
    assert verified(plan, "mine").games == 2
    assert not server.lobby.tables


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "go"}, "bad_table"),
        ({"rules": "../../etc/passwd"}, "bad_table"),
        ({"table": "../x"}, "bad_table"),
        ({"table": "index.sqlite"}, "table_exists"),
        ({"time": "never"}, "bad_table"),
        ({"players": 5}, "bad_table"),
        ({"table": "other"}, "table_exists"),
    ],
)
async def test_a_table_that_cannot_be_opened(
    clock: MockClock, tmp_path: Path, fields: dict[str, object], code: str
) -> None:
    async with indoors(settings(tmp_path, {"name": "other"}, may_open=["*"])) as server:
        ann = await server.join("ann", table="other")
        error = await ann.ask(msgspec.structs.replace(Open(table="mine", game="nim"), **fields), Error)
        assert (error.code, error.fatal) == (code, False)
        assert list(server.lobby.tables) == ["other"]


async def test_only_who_may_opens_tables_and_not_without_end(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "other", "players": 3}, may_open=["ann"], limits={"open_tables": 1})
    async with indoors(plan) as server:
        ann, bob = await server.join("ann", table="other"), await server.join("bob", table="other")
        assert (await bob.ask(Open(table="his", game="nim"), Error)).code == "may_not"
        await ann.send(Open(table="mine", game="nim"))
        assert (await ann.ask(Open(table="mine2", game="nim"), Error)).code == "full"


# ---- forfeits --------------------------------------------------------------------------------------------------------


async def test_one_who_stays_silent_forfeits_and_the_others_go_on(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "three", "players": 3, "matches": 2, "move_time": "3s"})
    async with served(plan) as server, trio.open_nursery() as bots:
        ann, bob, cyd = [await server.join(name) for name in ("ann", "bob", "cyd")]
        bots.start_soon(bot, ann)
        bots.start_soon(bot, bob)
        await cyd.send(Ready(match=(await cyd.until(Start)).match))
        await cyd.until(Turn)
        error = await cyd.end()
    assert error is not None
    assert (error.code, error.fatal) == ("timeout", True)
    assert [(line.kind, line.match) for line in of(FaultLine, lines_of(plan, "three"))] == [
        ("timeout", "1-1"),
        ("disconnect", "1-2"),
    ]
    assert [line.ranking[seat] for seat, line in zip((2, 1), of(ResultLine, lines_of(plan, "three")), strict=True)] == [
        3,
        3,
    ]
    assert verified(plan, "three").games == 2
