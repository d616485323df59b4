"""Clients that mean harm, or are simply broken: each is out, with a reason, and the match beside it doesn't notice.

Bytes over real sockets are in test_sockets.py.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from server.kit import Client, Indoors, bot, lines_of, of, served, settings
from trio.testing import MockClock

from mexica_cli.record.lines import ResultLine
from mexica_cli.wire.framing import encode
from mexica_cli.wire.lobby import Tables
from mexica_cli.wire.messages import Error, Hello, Join, Play, Ready, Result, Start, Turn, Welcome

pytestmark = pytest.mark.usefixtures("nim", "no_threads")


@asynccontextmanager
async def in_peace(folder: Path, **limits: object) -> AsyncIterator[Indoors]:
    """A server where two bots play, thinking a second each, and another table for whoever comes.

    At the end their matches must be as if nobody else had been there: no fault, and no time lost.
    """
    plan = settings(
        folder,
        {"name": "peace", "matches": 2, "move_time": "2500ms"},
        {"name": "other", "move_time": "9s"},
        limits=limits,
    )
    async with served(plan) as server, trio.open_nursery() as bots:
        for name in ("ann", "bob"):
            client = await server.join(name, table="peace")
            bots.start_soon(partial(bot, client, think=1.0))
        yield server
        while "peace" not in [table.name for table in server.reports]:
            await trio.sleep(1)
        server.stop()
    results = of(ResultLine, lines_of(plan, "peace"))
    assert [result.outcome for result in results] == ["finished"] * 2
    actions = [result.actions for result in results]
    assert [sum(result.used_ms) for result in results] == pytest.approx([1000 * number for number in actions])


async def expect(client: Client, code: str, words: str = "") -> Error:
    """It is told why, and the connection ends."""
    error = await client.end()
    assert error is not None
    assert (error.code, error.fatal) == (code, True)
    assert words in error.reason
    return error


# ---- at the door -----------------------------------------------------------------------------------------------------


async def test_one_that_says_nothing_at_all(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path) as server:
        began = trio.current_time()
        await expect(server.connect(), "not_joined", "no `join` within 10 s")
        assert trio.current_time() - began == pytest.approx(10, abs=2.1)


async def test_one_that_asks_before_it_has_joined(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path) as server:
        client = server.connect()
        await client.send(b'{"type":"look","at":"tables"}\n')
        error = await expect(client, "unknown_type", "`look`, `sit`, `open`")
        assert "a bot sends" not in error.reason


async def test_a_slow_loris(clock: MockClock, tmp_path: Path) -> None:
    """A byte every now and then doesn't keep the door open."""
    async with in_peace(tmp_path) as server:
        client = server.connect()
        began = trio.current_time()
        with trio.move_on_after(60):
            for byte in encode(Join(protocol=1, name="loris")):
                await trio.sleep(1)
                try:
                    await client.send(bytes([byte]))
                except trio.BrokenResourceError:
                    break
        assert trio.current_time() - began < 15
        await expect(client, "not_joined", "bytes came without a line feed")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "TLS"),
        (b"\x00\xff\xfe\x80", "JSON objects"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "SSH-2.0"),
        (b"\x1b[2Jhello\n", "hello"),
        (b"[1, 2]\n", "JSON objects"),
    ],
)
async def test_what_is_not_the_protocol_is_told_at_once(
    clock: MockClock, tmp_path: Path, data: bytes, words: str
) -> None:
    async with in_peace(tmp_path) as server:
        client = server.connect()
        began = trio.current_time()
        await client.send(data)
        error = await expect(client, "not_json", words)
        assert error.reason.isprintable()
        assert trio.current_time() - began < 3


async def test_a_line_without_an_end(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path, bytes=10_000_000) as server:
        client = server.connect()
        await client.until(Hello)
        sent = await pour(client, b'{"type":"join","name":"' + b"x" * 65_536, times=160)
        await expect(client, "oversize", "may have 65536 bytes")
        assert sent <= 160 * 65_560


async def pour(client: Client, data: bytes, times: int) -> int:
    """Send the same again and again, as long as it is taken; how many bytes were."""
    for count in range(times):
        try:
            await client.send(data)
        except trio.BrokenResourceError:
            return count * len(data)
        await trio.sleep(0)
    return times * len(data)


async def test_more_connections_than_there_is_room_for(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path, connections=5, per_address=4) as server:
        inside = [server.connect("10.0.0.1") for _ in range(2)]
        for client in inside:
            await client.until(Hello)
        third = server.connect("10.0.0.1")
        await third.until(Hello)
        error = await expect(server.connect("10.0.0.2"), "full", "all 5 connections")
        assert error.retry_after == 10.0
        for client in (*inside, third):
            await client.close()
        await trio.sleep(3)
        await server.connect("10.0.0.2").until(Hello)


async def test_more_connections_than_one_address_may_have(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path, connections=100, per_address=3) as server:
        inside = [server.connect("10.0.0.1") for _ in range(3)]
        for client in inside:
            await client.until(Hello)
        await expect(server.connect("10.0.0.1"), "full", "one address")
        await server.connect("10.0.0.2").until(Hello)


# ---- inside ----------------------------------------------------------------------------------------------------------


async def test_a_million_tiny_messages(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path) as server:
        client = await server.join("flood", table="other")
        await pour(client, b'{"type":"pong","id":1}\n' * 1000, times=1000)
        await expect(client, "protocol", "lines a second")


async def test_a_million_blank_lines(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path) as server:
        client = await server.join("flood", table="other")
        await pour(client, b"\n" * 100_000, times=100)
        await expect(client, "protocol", "bytes a second")


async def test_a_flood_in_a_match_forfeits(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path) as server:
        flood, good = await server.join("flood", table="other"), await server.join("good", table="other")
        await good.send(Ready(match=(await good.until(Start)).match))
        await flood.send(Ready(match=(await flood.until(Start)).match))
        turn = await flood.until(Turn)
        await pour(flood, encode(Play(id=turn.id - 1, actions=["end"])) * 100, times=100)
        await expect(flood, "protocol")
        (reason, _) = (await good.until(Result)).reasons
        assert reason is not None
        assert reason.kind == "protocol"


async def test_one_that_never_reads(clock: MockClock, tmp_path: Path) -> None:
    """It is asked nothing that it could answer; its own clock runs out, and nobody else waits."""
    async with in_peace(tmp_path) as server:
        deaf = server.connect(lockstep=True)
        await deaf.join("deaf", table="other")
        good = await server.join("good", table="other")
        await good.send(Ready(match=(await good.until(Start)).match))
        (reason, _) = (await good.until(Result)).reasons
        assert reason is not None
        assert reason.kind == "timeout"
        assert trio.current_time() < 25


async def test_a_connection_that_is_only_half_there(clock: MockClock, tmp_path: Path) -> None:
    """Nothing comes any more, not even its end."""
    async with in_peace(tmp_path, idle="10s", come_back="5s") as server:
        await server.join("half", table="other")
        await trio.sleep(19)
        assert "half" in server.lobby.guests
        await trio.sleep(9)
        assert "half" not in server.lobby.guests


async def test_a_wrong_token_in_a_flood_of_them(clock: MockClock, tmp_path: Path) -> None:
    async with in_peace(tmp_path) as server:
        for _ in range(20):
            client = server.connect()
            await client.until(Hello)
            await client.send(Join(protocol=1, name="ann"))
            await expect(client, "name_taken")


# ---- how lines are cut up --------------------------------------------------------------------------------------------

OPENING = encode(Join(protocol=1, name="cut", table="other")) + b'{"type":"look","at":"tables"}\r\n\n'


@pytest.mark.parametrize("at", range(1, len(OPENING)))
async def test_messages_split_anywhere(clock: MockClock, tmp_path: Path, at: int) -> None:
    plan = settings(tmp_path, {"name": "other"})
    async with served(plan) as server:
        client = server.connect()
        await client.send(OPENING[:at])
        await trio.sleep(1)
        await client.send(OPENING[at:])
        await client.until(Welcome)
        assert (await client.until(Tables)).tables[0].here == ["cut"]
        server.stop()


async def test_several_messages_in_one_packet(clock: MockClock, tmp_path: Path) -> None:
    plan = settings(tmp_path, {"name": "other"})
    async with served(plan) as server:
        client = server.connect()
        await client.send(OPENING + b'{"type":"look","at":"tables"}\n' * 5)
        for _ in range(6):
            await client.until(Tables)
        server.stop()
