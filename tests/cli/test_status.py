"""`mexica status` and `mexica watch`: looking at a server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import trio
from server.real import Regular, serving

from mexica_cli.cli.main import run

LADDER = '[[tables]]\nname = "ladder"\nkind = "ladder"\nmove_time = "60s"\n'


async def look(*words: str) -> int:
    """Run a command beside the bots."""
    return await trio.to_thread.run_sync(_run, list(words))


def _run(words: list[str]) -> int:
    return run(words)


async def test_how_a_server_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, LADDER) as server:
        where = f"127.0.0.1:{server.port}"

        async def ask() -> dict[str, Any]:
            assert await look("status", where, "ladder", "--format", "jsonl") == 0
            (line,) = capsys.readouterr().out.splitlines()
            answer: dict[str, Any] = json.loads(line)
            return answer

        async with trio.open_nursery() as nursery:
            for name in ("ann", "bob"):
                nursery.start_soon(Regular(name, server.port, think=0.02).run)
            with trio.fail_after(200):
                while True:  # bots hear of their result before it counts, and answers may be a second old
                    found = await ask()
                    if found["status"]["finished"] and len(found["standings"]["ladder"]) == 2:
                        break
                    await trio.sleep(0.05)
            assert await look("status", where, "ladder") == 0
            out = capsys.readouterr().out
            assert await look("status", where, "none") == 1
            assert "there is no table 'none'; there is ladder" in capsys.readouterr().err
            nursery.cancel_scope.cancel()
    assert re.search(r"connections: \d+ \(2 bots, \d spectators?\)", out)  # who asked before may not have left yet
    assert [line.split()[0] for line in out.splitlines() if line.startswith(("ann", "bob"))]
    assert (found["type"], found["version"], found["status"]["players"]) == ("status", 1, 2)
    assert found["status"]["latency_us"][0] > 0
    assert {row["bot"] for row in found["standings"]["ladder"]} == {"ann", "bob"}
    assert [table["name"] for table in found["tables"]] == ["ladder"]


async def test_nobody_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert await look("status", "127.0.0.1:1") == 1
    assert capsys.readouterr().err == "Error: 127.0.0.1:1 can't be reached: Connection refused\n"
