"""Writing: durable at the end of a game, never over anything, and resumable from any cut."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toylog import encode, header

from mexica_cli.games.game import Game
from mexica_cli.record.lines import GameLine, Header, Line, ResultLine
from mexica_cli.record.reader import LogError
from mexica_cli.record.writer import LogWriter, NotWritable, open_copy, open_new, open_resumed

FINISHED = {"0-0", "0-1", "1-0", "1-1", "2-0", "3-0"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where there is no log yet."""
    return tmp_path / "games.jsonl"


@pytest.fixture(autouse=True)
def no_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for the disk takes most of the time here, and nothing fails for want of it."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def write_all(writer: LogWriter, lines: list[Line]) -> None:
    with writer:
        write_some(writer, lines)


def write_some(writer: LogWriter, lines: list[Line]) -> None:
    for line in lines:
        writer.write(line)


def write_missing(path: Path, log: list[Line]) -> frozenset[str]:
    """Resume as the arena does: write the games that aren't finished, in order."""
    first = log[0]
    assert isinstance(first, Header)
    writer, finished = open_resumed(str(path), first)
    write_all(writer, [line for line in log[1:] if not isinstance(line, Header) and line.match not in finished])
    return finished


def test_new_log(log: list[Line], path: Path) -> None:
    write_all(open_new(str(path)), log)
    assert path.read_bytes() == encode(log)


def test_whole_games_are_on_disk(log: list[Line], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.stat().st_size))
    writer = open_new(str(path))
    for count, line in enumerate(log, 1):
        writer.write(line)
        if isinstance(line, Header | ResultLine):
            assert synced[-1] == len(encode(log[:count]))
    writer.close()
    assert len(synced) == 8


def test_standard_output_stays_open(log: list[Line], monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", stdout)
    write_all(open_new("-"), log[:5])
    assert not stdout.buffer.closed
    assert stdout.buffer.getvalue() == encode(log[:5])


def test_a_device_is_no_file(log: list[Line]) -> None:
    write_all(open_new("/dev/null"), log)


def test_a_disk_that_is_full_is_named(log: list[Line]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    said = "No space left on device: '/dev/full'"
    with pytest.raises(OSError, match=said), open_new("/dev/full") as writer:
        writer.write(log[0])
    with pytest.raises(OSError, match=said), open_copy("/dev/full") as stream:
        stream.write(b"x")


def replace(path: Path) -> None:
    path.rename(path.with_suffix(".old"))
    path.write_bytes(path.with_suffix(".old").read_bytes())


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize(
    "mischief", [Path.unlink, lambda path: path.rename(f"{path}.old"), replace, lambda path: os.truncate(path, 0)]
)
def test_a_log_that_is_taken_away_is_noticed_with_the_next_game(
    mischief: Callable[[Path], object], resumed: bool, within: bool, log: list[Line], path: Path
) -> None:
    """Whether it happens between two games or within one."""
    first = log[0]
    assert isinstance(first, Header)
    at = [index for index, line in enumerate(log) if isinstance(line, GameLine)][1] + within
    with pytest.raises(OSError, match=r"moved, removed or cut short .*games\.jsonl") as caught:  # noqa: SIM117, PT012
        with open_resumed(str(path), first)[0] if resumed else open_new(str(path)) as writer:
            write_some(writer, log[int(resumed) : at])
            mischief(path)
            write_some(writer, log[at:])
    assert caught.value.errno == errno.ESTALE


def test_a_log_that_is_emptied_between_games_can_be_begun_anew(log: list[Line], path: Path) -> None:
    first = log[0]
    assert isinstance(first, Header)
    second = [index for index, line in enumerate(log) if isinstance(line, GameLine)][1]
    with pytest.raises(OSError, match="cut short"), open_resumed(str(path), first)[0] as writer:  # noqa: PT012
        write_some(writer, log[1:second])
        os.truncate(path, 0)
        write_some(writer, log[second:])
    assert path.read_bytes() == b""


def test_what_was_said_of_a_log_is_not_said_again_at_its_end(log: list[Line]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    writer = open_new("/dev/full")
    with pytest.raises(OSError, match="No space"):
        writer.write(log[0])
    writer.close()


def test_a_file_with_something_in_it_is_not_overwritten(path: Path) -> None:
    path.write_text("precious")
    said = r"games\.jsonl: the file exists and isn't empty; {} or choose another name$"
    with pytest.raises(NotWritable, match=said.format("remove it")):
        open_new(str(path))
    with pytest.raises(NotWritable, match=said.format("burn it")):
        open_new(str(path), "burn it")
    assert path.read_text() == "precious"


def test_an_empty_file_is_as_good_as_none(log: list[Line], path: Path) -> None:
    path.touch()
    write_all(open_new(str(path)), log)
    assert path.read_bytes() == encode(log)


def test_two_runs_can_not_write_one_log(log: list[Line], nim: Game, path: Path) -> None:
    with open_new(str(path)) as writer:
        writer.write(log[0])
        for again in (lambda: open_new(str(path)), lambda: open_resumed(str(path), header(nim))):
            with pytest.raises(NotWritable, match="another run is writing this log"):
                again()
    open_resumed(str(path), header(nim))[0].close()


# ---- resuming --------------------------------------------------------------------------------------------------------


def test_resuming_a_missing_or_empty_log_begins_it(nim: Game, log: list[Line], path: Path) -> None:
    for _ in range(2):
        assert write_missing(path, log[:1]) == frozenset()
        assert path.read_bytes() == encode(log[:1])
        path.write_bytes(b"")


def test_resuming_a_finished_log_changes_nothing(log: list[Line], path: Path) -> None:
    path.write_bytes(encode(log))
    assert write_missing(path, log) == FINISHED
    assert path.read_bytes() == encode(log)


def test_void_games_are_not_finished(log: list[Line], path: Path) -> None:
    results = [index for index, line in enumerate(log, 1) if isinstance(line, ResultLine)]
    path.write_bytes(encode(log[: results[3]]))
    writer, finished = open_resumed(str(path), header_of(log))
    writer.close()
    assert finished == {"0-0", "0-1", "1-0"}
    assert path.read_bytes() == encode(log[: results[3]])


def header_of(log: list[Line]) -> Header:
    assert isinstance(log[0], Header)
    return log[0]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_log_cut_anywhere_is_resumed_to_the_same_log(log: list[Line], path: Path, data: st.DataObject) -> None:
    second = [index for index, line in enumerate(log) if isinstance(line, GameLine) and line.match == "1-1"][1]
    without_void = [line for index, line in enumerate(log) if match_of(line) != "1-1" or index >= second]
    whole = encode(without_void)
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    write_missing(path, without_void)
    assert path.read_bytes() == whole


def match_of(line: Line) -> str | None:
    return None if isinstance(line, Header) else line.match


def test_a_log_cut_at_the_end_of_any_line_is_resumed_to_the_same_log(log: list[Line], path: Path) -> None:
    log = [line for line in log if match_of(line) != "1-1"]
    for count in range(len(log)):
        for tail in (b"", b"{", b"\0"):
            path.write_bytes(encode(log[:count]) + (tail if count else b""))
            write_missing(path, log)
            assert path.read_bytes() == encode(log)


def test_times_may_differ_on_resuming(log: list[Line], path: Path) -> None:
    path.write_bytes(encode(log))
    later = msgspec.structs.replace(header_of(log), created="2027-02-03T04:05:06Z")
    open_resumed(str(path), later)[0].close()
    assert path.read_bytes() == encode(log)


def test_other_settings_are_refused_with_every_difference(log: list[Line], path: Path) -> None:
    path.write_bytes(encode(log)[:-1])
    old = header_of(log)
    bots = [msgspec.structs.replace(old.bots[0], sha256="0"), *old.bots[1:3]]
    new = msgspec.structs.replace(old, seed=8, options={"most": 4, "last": 5, "new": [True]}, bots=bots)
    with pytest.raises(NotWritable) as caught:
        open_resumed(str(path), new)
    assert str(caught.value).splitlines() == [
        f"{path}, line 1: the log was made under other settings; go on under those, or write to another file",
        "  options.most: 3 in the log, 4 now",
        "  options.new: nothing in the log, [true] now",
        "  seed: 7 in the log, 8 now",
        f'  bots[0].sha256: "{"ab" * 32}" in the log, "0" now',
        f'  bots[3]: {{"name":"dan","command":"python dan.py","sha256":"{"ab" * 32}"}} in the log, nothing now',
    ]
    assert path.read_bytes() == encode(log)[:-1]


@pytest.mark.parametrize("content", [b"precious", b"\n", b"\x1f\x8b\x08\x00", b'{"type":"game"}\n', b"{}"])
def test_a_file_that_is_no_log_is_left_alone(nim: Game, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(NotWritable):
        open_resumed(str(path), header(nim))
    assert path.read_bytes() == content


def test_a_log_that_is_wrong_in_the_middle_is_left_alone(log: list[Line], path: Path) -> None:
    lines = encode(log).splitlines(keepends=True)
    content = b"".join([*lines[:5], b"{}\n", *lines[6:], b"torn"])
    path.write_bytes(content)
    with pytest.raises(LogError, match="line 6") as caught:
        open_resumed(str(path), header_of(log))
    assert not isinstance(caught.value, NotWritable)
    assert path.read_bytes() == content
