"""A table's files."""

from __future__ import annotations

from pathlib import Path

import pytest
from server.kit import settings

from mexica_cli.record.reader import LogError, open_log
from mexica_cli.server.ledger import Ledger, open_ledger

pytestmark = pytest.mark.usefixtures("nim", "no_threads")


def opened(tmp_path: Path) -> Ledger:
    plan = settings(tmp_path, {"name": "duel"})
    return open_ledger(plan.data, plan.tables["duel"], lambda: 42)


def bots_of(ledger: Ledger) -> list[str]:
    with open_log(str(ledger.log)) as reader:
        for _ in reader:
            pass
    assert reader.header is not None
    return [bot.name for bot in reader.header.bots]


async def test_newcomers_are_named_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    ledger.register(["ann", "bob"])
    await ledger.name_newcomers()
    ledger.register(["bob", "cyd"])
    await ledger.name_newcomers()
    assert bots_of(ledger) == ["ann", "bob", "cyd"]
    ledger.close()
    again = opened(tmp_path)
    assert [bot.name for bot in again.header.bots] == ["ann", "bob", "cyd"]
    assert again.header.seed == 42
    again.close()


async def test_the_log_is_nobody_elses_also_after_its_header_was_written_anew(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    for name in ("ann", "bob"):
        with pytest.raises(LogError, match="another run is writing this log"):
            opened(tmp_path)
        ledger.register([name])
        await ledger.name_newcomers()
    ledger.close()
    opened(tmp_path).close()
