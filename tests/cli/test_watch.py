"""`mexica watch`: a match in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trio
from server.real import Regular, serving

from mexica_cli.cli.main import run

DUEL = '[[tables]]\nname = "duel"\nmove_time = "60s"\n'
TWO = DUEL + '[[tables]]\nname = "other"\n'


async def watch(tmp_path: Path, *words: str) -> int:
    """Watch a whole match; the exit code."""
    with serving(tmp_path, DUEL) as server:
        async with trio.open_nursery() as nursery:
            codes: list[int] = []

            async def look() -> None:
                command = ["watch", f"127.0.0.1:{server.port}", "duel", "--match", "1-1", *words]
                codes.append(await trio.to_thread.run_sync(run, command))
                nursery.cancel_scope.cancel()

            nursery.start_soon(look)
            await trio.sleep(1.0)
            for name in ("ann", "bob"):
                nursery.start_soon(Regular(name, server.port, think=0.05).run)
    return codes[0]


async def test_a_match_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await watch(tmp_path) == 0
    out = capsys.readouterr().out
    assert "table duel, match 1-1: mexica, A " in out
    assert "period 1, round 1" in out
    assert "finished" in out
    assert out.count(" end\n") > 3
    assert "\x1b" not in out


async def test_a_match_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await watch(tmp_path, "--format", "jsonl") == 0
    kinds = [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()]
    assert kinds[0] == "scene"
    assert kinds[-1] == "result"
    assert set(kinds[1:-1]) == {"event"}


async def test_one_of_several_tables_has_to_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, TWO) as server:
        command = ["watch", f"127.0.0.1:{server.port}"]
        assert await trio.to_thread.run_sync(run, command) == 1
        assert "name a table to watch: there is duel, other" in capsys.readouterr().err
        assert await trio.to_thread.run_sync(run, [*command, "none"]) == 1
        assert "there is no table 'none'" in capsys.readouterr().err
