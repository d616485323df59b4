"""A table's files."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from server.kit import settings
from toygame import NimGame
from toylog import ToyMatch

from mexica_cli.record.reader import LogError, open_log
from mexica_cli.record.writer import TAKEN_AWAY
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


def journal_of(ledger: Ledger, match: str) -> Path:
    """The journal of a match that is over."""
    journal = ledger.begin(match)
    for line in ToyMatch(NimGame(), match, ("ann", "bob")).play().result():
        journal.write(line)
    journal.close()
    return journal.path


async def test_a_log_that_was_taken_away_after_a_newcomer_is_noticed(tmp_path: Path) -> None:
    ledger = opened(tmp_path)
    await ledger.enter(journal_of(ledger, "1-1"))  # both are newcomers: the header was written anew
    path = journal_of(ledger, "1-2")
    ledger.log.rename(tmp_path / "elsewhere.jsonl")
    with pytest.raises(OSError, match=TAKEN_AWAY) as caught:
        await ledger.enter(path)
    assert caught.value.filename == str(ledger.log)
    await ledger.enter(path)
    assert [game.game.match for game in ledger.games()] == ["1-2"]
    ledger.close()


async def test_after_a_newcomer_an_error_names_the_log_as_it_is_called_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = opened(tmp_path)
    await ledger.enter(journal_of(ledger, "1-1"))
    path = journal_of(ledger, "1-2")

    def full(fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left") as caught:
            await ledger.enter(path)
    assert caught.value.filename == str(ledger.log)
    ledger.close()
