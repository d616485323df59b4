"""Files that fail: the table stays, what fails is tried again, and after some failures in a row the server ends."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from server.kit import bot, indoors, lines_of, of, settings, verified
from trio.testing import MockClock

from mexica_cli.record.lines import ActionLine, Line, ResultLine
from mexica_cli.record.writer import LogWriter
from mexica_cli.server.table import FILE_FAILURES, FILES_AGAIN
from mexica_cli.wire.messages import Error, Result

pytestmark = pytest.mark.usefixtures("nim", "no_threads")

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def failing(monkeypatch: pytest.MonkeyPatch, times: int) -> Callable[[], int]:
    """Have logs not take a certain line for so many times; the result says how many of these are left."""
    write, left = LogWriter.write, [times]

    def failing_write(self: LogWriter, line: Line) -> None:
        if isinstance(line, ActionLine) and line.n == 3 and left[0]:
            left[0] -= 1
            raise FULL
        write(self, line)

    monkeypatch.setattr(LogWriter, "write", failing_write)
    return lambda: left[0]


def full_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the disk be full in the middle of one line of a journal."""
    write, lines = os.write, [b'{"type":"action"']

    def failing_write(fd: int, data: bytes) -> int:
        if lines and bytes(data).startswith(lines[0]) and b'"n":3' in bytes(data):
            lines.clear()
            write(fd, data[:20])
            raise FULL
        return write(fd, data)

    monkeypatch.setattr(os, "write", failing_write)


async def test_a_ladder_goes_on_when_its_log_can_be_written_again(
    monkeypatch: pytest.MonkeyPatch, clock: MockClock, tmp_path: Path
) -> None:
    left = failing(monkeypatch, FILE_FAILURES - 1)
    plan = settings(tmp_path, {"name": "climb", "kind": "ladder"})
    async with indoors(plan) as server, trio.open_nursery() as nursery:
        ann, bob = await server.join("ann"), await server.join("bob")
        nursery.start_soon(bot, bob)
        await bot(ann, games=2)
        nursery.cancel_scope.cancel()
        errors = ann.told(Error)
        assert [(error.code, error.fatal, error.retry_after) for error in errors] == [
            ("closing", False, FILES_AGAIN)
        ] * (FILE_FAILURES - 1)
        assert left() == 0
        assert server.tables[0].failure is None
    assert verified(plan, "climb").games == 2


@pytest.mark.parametrize("entry", [{"name": "climb", "kind": "ladder"}, {"name": "duel", "matches": 3}])
async def test_a_match_whose_journal_fails_costs_nobody_anything(
    monkeypatch: pytest.MonkeyPatch, clock: MockClock, tmp_path: Path, entry: dict[str, Any]
) -> None:
    """Its bots are told, and play on."""
    full_once(monkeypatch)
    plan = settings(tmp_path, entry)
    async with indoors(plan) as server, trio.open_nursery() as nursery:
        ann, bob = await server.join("ann"), await server.join("bob")
        nursery.start_soon(bot, bob)
        await bot(ann, games=3)
        assert [(error.code, error.fatal) for error in ann.told(Error)] == [("closing", False)]
        assert [result.outcome for result in ann.told(Result)] == ["void", "finished", "finished"]
        nursery.cancel_scope.cancel()
    assert [result.outcome for result in of(ResultLine, lines_of(plan, entry["name"]))][:1] == ["finished"]


async def test_files_that_fail_for_good_end_the_server(
    monkeypatch: pytest.MonkeyPatch, clock: MockClock, tmp_path: Path
) -> None:
    """What was played until then is reported."""
    plan = settings(tmp_path, {"name": "duel", "matches": 3})
    with trio.fail_after(FILES_AGAIN * (FILE_FAILURES + 1)):
        async with indoors(plan) as server:
            ann, bob = await server.join("ann"), await server.join("bob")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(bot, bob)
                await bot(ann, games=1)
                failing(monkeypatch, FILE_FAILURES)
                await bot(ann)
            await server._stop.wait()
    [table] = server.tables
    assert table.failure == f"the files failed {FILE_FAILURES} times in a row: No space left on device"
    assert server.reports == [table]
    assert len(of(ResultLine, lines_of(plan, "duel"))) == 1
