"""Real servers, real sockets, real signals: only what virtual time can't show."""

from __future__ import annotations

import re
import shutil
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import trio
from server.kit import Client
from server.real import Regular, connect, serving

from mexica_cli.record.lines import GameLine, ResultLine
from mexica_cli.record.reader import open_log
from mexica_cli.record.verify import Report, verify

LADDER = """
[limits]
finish = "20s"

[[tables]]
name = "ladder"
kind = "ladder"
move_time = "30s"
"""


def ladder_log(folder: Path) -> Path:
    return folder / "mexica-server" / "ladder" / "log.jsonl"


def running(folder: Path) -> set[str]:
    return {path.stem for path in (folder / "mexica-server" / "ladder" / "running").glob("*.jsonl")}


def finished(folder: Path) -> Counter[str]:
    """How often each match of the log has come to its end."""
    with open_log(str(ladder_log(folder))) as reader:
        return Counter(line.match for _, line in reader if isinstance(line, ResultLine) and line.outcome != "void")


def verified(folder: Path) -> Report:
    with open_log(str(ladder_log(folder))) as reader:
        report = verify(reader)
    assert report.whole
    return report


async def until(condition: Callable[[], bool]) -> None:
    with trio.fail_after(300):
        while not condition():
            await trio.sleep(0.05)


async def test_killed_in_the_middle_of_fifty_matches(tmp_path: Path) -> None:
    """All of them are gone on with; the log, which verifies, holds each exactly once."""
    with serving(tmp_path, LADDER) as server:
        port = server.port
        bots = [Regular(f"bot{number}", port, think=0.25) for number in range(100)]
        async with trio.open_nursery() as nursery:
            for bot in bots:
                nursery.start_soon(bot.run)
            await until(lambda: len(running(tmp_path)) == 50)
            await trio.sleep(1.0)
            cut = running(tmp_path)
            before = finished(tmp_path)
            assert await server.signal(signal.SIGKILL) == -signal.SIGKILL
            with serving(tmp_path, LADDER, port=port) as again:
                await until(lambda: cut <= set(finished(tmp_path)))
                assert await again.signal(signal.SIGTERM) == 0
            nursery.cancel_scope.cancel()
    after = finished(tmp_path)
    assert set(after.values()) == {1}
    assert set(before) <= set(after)
    assert verified(tmp_path).void == 0
    middle = [start for bot in bots for start in bot.starts if start.match in cut and start.state["phase"] != "place"]
    assert middle, "nobody was brought back into the middle of a match"
    assert not any(reason for bot in bots for result in bot.results for reason in result.reasons)


async def test_stopped_and_started_again(tmp_path: Path) -> None:
    with serving(tmp_path, LADDER) as server:
        async with trio.open_nursery() as nursery:
            bots = [Regular(f"bot{number}", server.port, think=0.05) for number in range(4)]
            for bot in bots:
                nursery.start_soon(bot.run)
            await until(lambda: all(bot.starts for bot in bots))
            assert await server.signal(signal.SIGTERM) == 0
            nursery.cancel_scope.cancel()
    assert not running(tmp_path)
    assert verified(tmp_path).games >= 2
    assert {error.code for bot in bots for error in bot.errors} <= {"closing"}


async def test_a_new_configuration_on_sighup(tmp_path: Path) -> None:
    more = LADDER + '\n[[tables]]\nname = "duel"\n'
    with serving(tmp_path, LADDER) as server:
        client = await connect(server.port)
        await client.join("eye", role="spectator")
        steps = (
            (more, ["ladder", "duel"]),
            ("this is not TOML", ["ladder", "duel"]),
            (LADDER, ["ladder"]),
        )
        for count, (text, tables) in enumerate(steps, 1):
            (tmp_path / "server.toml").write_text(text)
            server.process.send_signal(signal.SIGHUP)
            with trio.fail_after(120):
                while True:
                    await client.send(b'{"type":"look","at":"tables"}\n')
                    message = await client.hear()
                    read = (tmp_path / "server.log").read_text().count("new configuration")
                    if read == count and [table.name for table in getattr(message, "tables", [])] == tables:
                        break
                    await trio.sleep(0.05)
        assert await server.signal(signal.SIGTERM) == 0
        await client.close()


async def test_what_is_sent_over_a_real_socket_in_bits_and_in_bulk(tmp_path: Path) -> None:
    with serving(tmp_path, LADDER) as server:
        for data, code in (
            (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "not_json"),
            (b"\x16\x03\x01\x02\x00\x01\x00", "not_json"),
            (b'{"type":"join","name":"' + b"x" * 10_000_000, "oversize"),
            (b'{"type":"join","protocol":1,"name":"flood"}\n' + b'{"type":"pong","id":1}\n' * 100_000, "protocol"),
        ):
            client = await connect(server.port)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(send_what_is_taken, client, data)
                with trio.fail_after(120):
                    error = await client.end()
                nursery.cancel_scope.cancel()
            assert error is not None
            assert (error.code, error.fatal) == (code, True)
            await client.close()
        assert await server.signal(signal.SIGTERM) == 0


async def send_what_is_taken(client: Client, data: bytes) -> None:
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        await client.send(data)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not on this machine")
async def test_a_client_in_javascript_climbs_the_ladder(root: Path, tmp_path: Path) -> None:
    """It is the bot of PROTOCOL.md, over a socket: nothing else has to be known."""
    found = re.search(r"^```js\n(.*?)^```$", (root / "protocol" / "PROTOCOL.md").read_text(), re.MULTILINE | re.DOTALL)
    assert found
    program = found[1].replace("process.stdout.write", "socket.write").replace("process.stdin", "socket")
    with serving(tmp_path, LADDER) as server:
        connected = f'const socket = require("node:net").connect({server.port}, "127.0.0.1");\n'
        (tmp_path / "tiny.js").write_text(connected + program)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Regular("regular", server.port, votes=True).run)
            node = await nursery.start(trio.run_process, ["node", str(tmp_path / "tiny.js")])
            await until(lambda: ladder_log(tmp_path).exists() and len(finished(tmp_path)) >= 2)
            assert await server.signal(signal.SIGTERM) == 0
            with trio.fail_after(120):
                assert await node.wait() == 0
            nursery.cancel_scope.cancel()
    with open_log(str(ladder_log(tmp_path))) as reader:
        lines = [line for _, line in reader]
    assert {tuple(sorted(line.seats)) for line in lines if isinstance(line, GameLine)} == {("regular", "tiny")}
    assert {line.outcome for line in lines if isinstance(line, ResultLine)} == {"finished"}
    assert verified(tmp_path).games >= 2
