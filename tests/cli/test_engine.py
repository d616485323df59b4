"""`mexica engine` as a process: whole games of the vectors, and sessions that end with their input and not before."""

from __future__ import annotations

import hashlib
import io
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mexica_cli.cli.engine import bounded_lines, serve
from mexica_cli.engine import EXAMPLES, LINE_BYTES
from mexica_cli.games.game import JsonDict

COMMAND = [sys.executable, "-m", "mexica_cli", "engine"]
NEW = {"cmd": "new", "game": "mexica", "players": 2, "seed": 1}


def converse(requests: bytes) -> list[JsonDict]:
    """What a process answers to all of `requests`, which it is sent without waiting."""
    result = subprocess.run(COMMAND, input=requests, capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (0, b"")
    return [json.loads(line) for line in result.stdout.splitlines()]


def lines(requests: list[JsonDict]) -> bytes:
    return b"".join(json.dumps(request).encode() + b"\n" for request in requests)


# ---- vectors ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def games(root: Path) -> list[JsonDict]:
    text = (root / "protocol/vectors/mexica-independent.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def script(game: JsonDict) -> Iterator[JsonDict]:
    """The requests that replay a game."""
    yield {"cmd": "new", "game": "mexica", **{name: game[name] for name in ("rules", "players", "setup")}}
    for action, *_ in game["steps"]:
        yield {"cmd": "legal"}
        yield {"cmd": "apply", "actions": [action]}


def replay(replies: Iterator[JsonDict], game: JsonDict) -> JsonDict:
    """Compares the engine's replies with a game step by step, and returns the last state."""
    state = next(replies)["state"]
    for step in game["steps"]:
        legal, applied = next(replies)["actions"], next(replies)
        fingerprint = hashlib.sha256("\n".join(legal).encode()).hexdigest()[:12]
        assert [len(legal), fingerprint, state["scores"]] == step[1:]
        assert applied["ok"], applied
        state = applied["state"]
    assert isinstance(state, dict)
    return state


def test_vectors(games: list[JsonDict]) -> None:
    assert len(games) == 11
    replies = iter(converse(lines([request for game in games for request in script(game)])))
    for game in games:
        state, final = replay(replies, game), game["final"]
        assert {name: state[name] for name in final} == final
    assert list(replies) == []


# ---- the process -----------------------------------------------------------------------------------------------------


def test_bad_lines_do_not_end_it() -> None:
    chess = b'{"cmd":"new","game":"chess","players":2,"seed":1}'
    bad = [b"hello", b"\xff\xfe", b"{" * 5000, b"x" * (3 * LINE_BYTES), chess, b"\0"]
    replies = converse(b"\n".join([*bad, b"", b'{"cmd":"digest","id":"last"}']))
    assert [reply["ok"] for reply in replies] == [False] * 7
    assert [reply["code"] for reply in replies] == ["json", "json", "json", "oversize", "rules", "json", "no_game"]
    assert replies[-1]["id"] == "last"


def test_each_reply_comes_before_the_next_request() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for request in (NEW, {"cmd": "digest"}):
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(lines([request]))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["ok"]
    assert process.returncode == 0


def test_ctrl_c_ends_it_quietly() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines([NEW]))
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors.strip()) == (130, b"")


def test_no_input_is_no_error() -> None:
    assert converse(b"") == []


# ---- the loop --------------------------------------------------------------------------------------------------------


class Flushes(io.BytesIO):
    """Remembers what had been written at each flush."""

    def __init__(self) -> None:
        super().__init__()
        self.flushed: list[bytes] = []

    def flush(self) -> None:
        self.flushed.append(self.getvalue())


def test_flushes_after_each_reply() -> None:
    replies = Flushes()
    serve(io.BytesIO(b"x\ny\n"), replies)
    assert [text.count(b"\n") for text in replies.flushed] == [1, 2]


class Counted(io.BytesIO):
    """Remembers the largest read."""

    largest = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        self.largest = max(self.largest, len(line))
        return line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", []),
        (b"abc\nd\n", [b"abc\n", b"d\n"]),
        (b"abc", [b"abc"]),
        (b"abcd\nef\n", [b"abcd\n", b"ef\n"]),
        (b"abcdefghijklmnop\nq\n", [b"abcde", b"q\n"]),
        (b"abcde\nq\n", [b"abcde", b"q\n"]),
        (b"abcdefghijklmnop", [b"abcde"]),
    ],
)
def test_a_long_line_is_cut_and_its_rest_dropped(text: bytes, expected: list[bytes]) -> None:
    """With a limit of four bytes, five tell that a line was too long; `abcd` and its line feed are five, too."""
    stream = Counted(text)
    assert list(bounded_lines(stream, 4)) == expected
    assert stream.largest <= 5


# ---- protocol/ENGINE.md ----------------------------------------------------------------------------------------------


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Every exchange of the document: a line after `>`, and after `<` its reply, in which `…` stands for any text."""
    asked: str | None = None
    for line in text.splitlines():
        mark, _, rest = line.partition(" ")
        if mark == ">":
            assert asked is None
            asked = rest
        elif mark == "<":
            assert asked is not None
            yield asked, rest
            asked = None


def agrees(reply: str, pattern: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), reply) is not None


def test_the_document_says_what_the_engine_does(root: Path) -> None:
    exchanges = list(examples((root / "protocol/ENGINE.md").read_text()))
    result = subprocess.run(
        COMMAND, input="".join(f"{asked}\n" for asked, _ in exchanges), capture_output=True, text=True, check=True
    )
    for (asked, pattern), reply in zip(exchanges, result.stdout.splitlines(), strict=True):
        assert agrees(reply, pattern), f"{asked}\n{reply}\n{pattern}"
    assert {json.loads(asked)["cmd"] for asked, _ in exchanges if asked.startswith('{"')} >= set(EXAMPLES)


@pytest.mark.parametrize(
    ("reply", "pattern", "same"),
    [("abc", "abc", True), ("abc", "a…c", True), ("abc", "…", True), ("abc", "ab", False), ("ab", "ab…b", False)],
)
def test_agreement_is_not_given_lightly(reply: str, pattern: str, same: bool) -> None:
    assert agrees(reply, pattern) is same
