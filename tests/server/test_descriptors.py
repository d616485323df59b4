"""File descriptors: how many there are room for, and a server that has run out of them."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
import trio
from arena.zookeeper import LONG
from server.real import connect, serving

from mexica_cli.server.descriptors import RESERVE, room_for

FEW = 40
"""Open files that the server may have."""


@pytest.mark.parametrize(
    ("soft", "hard", "set_to", "room"),
    [
        (1024, 1 << 20, 2000 + RESERVE, 1000),
        (1 << 20, 1 << 20, None, 1000),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None, 1000),
        (256, resource.RLIM_INFINITY, 2000 + RESERVE, 1000),
        (256, 1100, 1100, (1100 - RESERVE) // 2),
        (50, 50, 50, 1),
    ],
)
def test_room_for_connections(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, set_to: int | None, room: int
) -> None:
    given: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: given.append(limits[0]))
    assert room_for(1000) == room
    assert given == ([] if set_to is None else [set_to])


async def test_a_server_outlives_a_time_without_descriptors(tmp_path: Path) -> None:
    """Many who say nothing take them all; once they are gone a bot gets in."""
    text = '[limits]\nhandshake = "500ms"\n[[tables]]\nname = "ladder"\nkind = "ladder"\n'
    with trio.fail_after(LONG), serving(tmp_path, text) as server:
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (FEW, FEW))
        silent = [await connect(server.port) for _ in range(2 * FEW)]
        while "no connection can be taken now" not in (log := (tmp_path / "server.log").read_text()):
            await trio.sleep(0.02)
        for client in silent:
            await client.close()
        ann = await connect(server.port)
        assert (await ann.join("ann")).bot == "ann"
        await ann.close()
    assert "Traceback" not in (tmp_path / "server.log").read_text()
    assert log.count("no connection can be taken now") == 1
