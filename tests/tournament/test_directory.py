"""The directory of a tournament: its lock, its log's first line, and what is kept beside."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import msgspec
import pytest
from toygame import NimGame
from toylog import ToyMatch, encode, header

from mexica_cli.record.lines import BotRecord, Header, Line
from mexica_cli.record.reader import LogError
from mexica_cli.record.writer import NotWritable
from mexica_cli.tournament.directory import NAME_BYTES, Busy, Directory

HOLDER = """
import signal, sys
from pathlib import Path
from mexica_cli.tournament.directory import Directory
signal.signal(signal.SIGINT, lambda *_: sys.exit(7))
with Directory(Path(sys.argv[1])).claimed():
    print("claimed", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(directory: Directory) -> Iterator[subprocess.Popen[str]]:
    """Another process that runs the tournament, until its input ends or it is interrupted."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(directory.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        yield process
        process.kill()


# ---- the lock --------------------------------------------------------------------------------------------------------


def test_who_comes_second_is_told_who_was_first(directory: Directory, holder: subprocess.Popen[str]) -> None:
    assert directory.is_running()
    with pytest.raises(Busy) as caught, directory.claimed():
        pass
    assert str(caught.value) == f"{directory.path}: process {holder.pid} runs this tournament now"


@pytest.mark.parametrize("end", ["input", "kill"])
def test_when_the_first_is_gone_the_next_may_come(
    end: str, directory: Directory, holder: subprocess.Popen[str]
) -> None:
    if end == "kill":
        holder.kill()
    holder.communicate()
    assert not directory.is_running()
    with directory.claimed():
        assert directory.is_running()
    assert not directory.is_running()


def test_stopping_the_run_of_another_process(directory: Directory, holder: subprocess.Popen[str]) -> None:
    assert directory.stop() == holder.pid
    assert holder.wait(timeout=60) == 7
    assert directory.stop() is None


def test_where_nothing_was_ever_run(directory: Directory) -> None:
    assert not directory.is_running()
    assert directory.stop() is None
    assert directory.header() is None
    assert directory.played() == []
    assert not directory.path.exists()


def test_those_who_only_look_keep_nobody_out(directory: Directory) -> None:
    """They hold the lock for a moment, too."""
    with directory.claimed():
        pass
    over = threading.Event()

    def look() -> None:
        while not over.is_set():
            directory.is_running()

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(200):
            with directory.claimed():
                pass
    finally:
        over.set()
        for looker in lookers:
            looker.join()


# ---- the log ---------------------------------------------------------------------------------------------------------


def bot(name: str, command: str = "x") -> BotRecord:
    return BotRecord(name=name, command=command, sha256="ab")


def with_bots(*bots: BotRecord, seed: int = 7) -> Header:
    return msgspec.structs.replace(header(NimGame(), seed=seed), bots=list(bots))


def write(directory: Directory, log_header: Header, *, torn: bytes = b"") -> bytes:
    """A log of one game."""
    lines: list[Line] = [log_header, *ToyMatch(NimGame(), "a+b.1-1", ("a", "b")).play().result()]
    directory.path.mkdir()
    directory.log.write_bytes(encode(lines) + torn)
    return encode(lines[1:])


def test_a_new_log_begins_with_the_header(directory: Directory) -> None:
    directory.path.mkdir()
    directory.resume(with_bots(bot("a"), bot("b"))).close()
    assert directory.header() == with_bots(bot("a"), bot("b"))
    assert directory.played() == []


def test_a_log_is_gone_on_with(directory: Directory) -> None:
    games = write(directory, with_bots(bot("a"), bot("b")), torn=b'{"type":"game","match":"a+b.1-2",')
    before = directory.header()
    later = msgspec.structs.replace(with_bots(bot("b"), bot("a")), created="2027-01-01T00:00:00Z", server="mexica 9")
    directory.resume(later).close()
    assert directory.header() == before
    assert directory.log.read_bytes().endswith(games)
    assert [(game.seats, game.result.match) for game in directory.played()] == [(["a", "b"], "a+b.1-1")]


def test_bots_that_come_in_are_added_to_the_header(directory: Directory) -> None:
    games = write(directory, with_bots(bot("a"), bot("b")), torn=b'{"type":"game",')
    directory.resume(with_bots(bot("new"), bot("b"))).close()
    assert directory.header() == with_bots(bot("a"), bot("b"), bot("new"))
    assert directory.log.read_bytes().endswith(games)
    assert [path.name for path in directory.path.iterdir()] == ["log.jsonl"]


def test_a_header_that_can_not_be_renewed_stays(directory: Directory, monkeypatch: pytest.MonkeyPatch) -> None:
    write(directory, with_bots(bot("a"), bot("b")))
    before = directory.log.read_bytes()

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        directory.resume(with_bots(bot("a"), bot("b"), bot("new")))
    monkeypatch.undo()
    assert directory.log.read_bytes() == before
    directory.resume(with_bots(bot("a"), bot("b"), bot("new"))).close()


def test_every_difference_is_shown(directory: Directory) -> None:
    write(directory, with_bots(bot("a"), bot("b")))
    with pytest.raises(LogError) as caught:
        directory.resume(with_bots(bot("b", "y"), bot("a"), seed=8))
    intro = "the tournament was begun under other settings; restore them, give a changed bot a new name, or reset"
    assert str(caught.value).splitlines() == [
        f"{directory.log}, line 1: {intro}",
        "  seed: 7 in the log, 8 now",
        '  bots.b.command: "x" in the log, "y" now',
    ]


@pytest.mark.parametrize("text", [b"precious\n", b"{}\n", b'{"type":"game"}\n', b"{}", b"\0\0", b'{"type":"action"'])
def test_a_file_that_is_no_log_stays_as_it_is(text: bytes, directory: Directory) -> None:
    directory.path.mkdir()
    directory.log.write_bytes(text)
    with pytest.raises(LogError, match=r"log\.jsonl: it doesn't begin as a log does.* reset") as caught:
        directory.resume(with_bots(bot("a")))
    assert not isinstance(caught.value, NotWritable)
    assert directory.log.read_bytes() == text


# ---- what is kept beside ---------------------------------------------------------------------------------------------


def test_standard_error_has_a_file_a_game_and_bot(directory: Directory) -> None:
    directory.path.mkdir()
    directory.keep_stderr("a+b.1-1", {})
    assert not directory.stderr.exists()
    directory.keep_stderr("a+b.1-1", {"a": "é", "b+c": "no"})
    assert {path.name: path.read_text("utf-8") for path in directory.stderr.iterdir()} == {
        "a+b.1-1.a.txt": "é",
        "a+b.1-1.b%2Bc.txt": "no",
    }


def test_long_names_are_no_fault(directory: Directory) -> None:
    """Names may have 64 characters, letters of any language, and a game four of them."""
    directory.path.mkdir()
    names = [letter * 64 for letter in "äöüx"]
    for number in (1, 2):
        for name in names:
            directory.keep_stderr(f"{'%C3%A4' * 200}.{number}-1", {name: name})
    kept = list(directory.stderr.iterdir())
    assert len(kept) == 8
    assert max(len(path.name) for path in kept) == NAME_BYTES + len(".txt")


def test_the_report_is_put_in_place_whole(directory: Directory) -> None:
    directory.path.mkdir()
    directory.write_report("first")
    with directory.report.open() as reader:
        directory.write_report("second")
        assert reader.read() == "first"
    assert directory.report.read_text() == "second"
    assert [path.name for path in directory.path.iterdir()] == ["report.html"]


def test_a_reset_leaves_nothing_but_the_lock(directory: Directory) -> None:
    write(directory, with_bots(bot("a"), bot("b")))
    (directory.path / "log.new").write_text("")
    directory.keep_stderr("a+b.1-1", {"a": "x"})
    directory.write_report("page")
    with directory.claimed():
        directory.reset()
        directory.reset()
    assert [path.name for path in directory.path.iterdir()] == ["lock"]
