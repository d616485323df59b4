"""`mexica check` from the shell: what it prints, for people and for programs, and its exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from toygame import add_toy_game

from mexica_cli.check.catalogue import CHECKS
from mexica_cli.cli.check import CheckOutput, SummaryOutput
from mexica_cli.cli.check import check as command
from mexica_cli.cli.main import run
from mexica_cli.games import GAMES
from mexica_cli.games.moctezuma.card_files import SHIPPED_CARDS

ZOO = Path(__file__).parents[1] / "zoo"


MODEST = """
import sys
sys.path.insert(0, {!r})
from _speak import answer, line, messages, play, write
for message in messages():
    if message["type"] == "hello":
        write(line("join", protocol=1, name="modest", want=[]))
    elif message["type"] == "turn":
        play(message, "end")
    else:
        write(answer(message))
"""


def zoo(name: str) -> str:
    """A bot of the zoo as a command line."""
    return shlex.join([sys.executable, "-S", str(ZOO / f"{name}.py")])


@pytest.fixture(autouse=True)
def _toy_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes nim one of the games, also for the option that was made before."""
    add_toy_game(monkeypatch)
    [game] = [option for option in command.params if option.name == "game"]
    monkeypatch.setattr(game, "type", click.Choice(sorted(GAMES)))


def check(*words: str) -> int:
    """Check with patience, in the toy game."""
    return run(["check", "--game", "nim", "--move-time", "60s", "--startup", "60s", "--ready", "60s", *words])


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_good_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(zoo("good"), "--only", "join", "--only", "turn", "--only", "votes") == 0
    first, second, third, last = capsys.readouterr().out.splitlines()
    assert first == "✓ join              it calls itself 'animal'"
    assert re.fullmatch(r"✓ turn              3 answers, \d+ ms each", second)
    assert third == "– votes             it never came to be asked in the turn of another seat"
    assert last == "2 of 2 passed; 1 not applicable."


def test_cards_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = tmp_path / "mine.toml"
    cards.write_text(SHIPPED_CARDS.read_text())
    words = ["check", "random", "--game", "moctezuma", "--cards", str(cards), "--only", "join"]
    assert run(words) == 0
    cards.write_text("")
    assert run(words) == 2
    assert f"{cards}: " in capsys.readouterr().err


def test_nobody_reads_what_it_prints() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "mexica_cli", "check", "false", "--only", "join"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_bad_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(zoo("crashes"), "--only", "join", "--only", "turn", "--only", "ping") == 1
    out = capsys.readouterr().out
    assert out.startswith("✓ join ")
    assert "\n✗ turn              no `play` for the `turn` 2: the process exited with code 1\n" in out
    assert '\n      arena  {"type":"turn","match":"1-1","id":2,' in out
    assert '\n      bot    {"type": "play", "id": 1,' in out
    assert "\n      stderr Traceback (most recent call last):\n" in out
    assert "\n             ValueError: can't think of anything for turn 2\n" in out
    assert "\n      see protocol/PROTOCOL.md#faults\n" in out
    assert out.endswith(
        "\n– 1 check was not tried, as `turn` has failed\n1 of 2 passed; 1 failed: turn; 1 not tried.\n"
    )
    assert "ping" not in out


def test_what_was_not_tried_is_one_line_for_people_and_all_of_it_for_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert check("false") == 1
    untried = len(CHECKS) - 1
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"– {untried} checks were not tried, as `join` has failed",
        f"0 of 1 passed; 1 failed: join; {untried} not tried.",
    ]
    assert check("false", "--format", "jsonl") == 1
    join, *others, summary = lines(capsys.readouterr().out)
    assert "broken" not in join
    assert [other["reason"] for other in others] == ["not tried: `join` has failed"] * untried
    assert summary["verdicts"] == {"pass": 0, "fail": 1, "warn": 0, "not_applicable": untried}


def test_a_warning_is_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = tmp_path / "modest.py"
    bot.write_text(MODEST.format(str(ZOO)))
    assert check(str(bot), "--only", "want") == 0
    out = capsys.readouterr().out
    assert out.startswith("! want              it wants nothing, so nothing tells it a vote from a turn of its own\n")
    assert out.endswith("1 of 1 passed, 1 of them with a warning: want.\n")


def test_for_programs(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    bot = zoo("prints_board")
    assert check(f"bad={bot}", "--only", "join", "--only", "turn", "--format", "jsonl", "--seed", "5") == 1
    join, turn, summary = lines(capsys.readouterr().out)
    assert (join["type"], join["name"], join["verdict"], join["anchor"]) == ("check", "join", "pass", "join")
    assert (turn["verdict"], turn["anchor"], turn["words"]) == ("fail", "faults", "")
    assert turn["dialogue"][-1] == {"from": "bot", "line": "   a b c"}
    assert summary == {
        "type": "summary",
        "version": 1,
        "bot": "bad",
        "command": bot,
        "game": "nim",
        "rules": "plain",
        "players": 2,
        "seed": 5,
        "verdicts": {"pass": 1, "fail": 1, "warn": 0, "not_applicable": 0},
    }


def test_the_fields_are_documented(root: Path) -> None:
    text = (root / "protocol/CHECK.md").read_text()
    for head, struct in (("field of a `check`", CheckOutput), ("field of the `summary`", SummaryOutput)):
        table = text.partition(f"| {head} |")[2].partition("\n\n")[0]
        assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == ["type", *struct.__struct_fields__]
    one, end = re.findall(r"^```json5\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for example, struct in ((one, CheckOutput), (end, SummaryOutput)):
        assert msgspec.to_builtins(msgspec.json.decode(example, type=struct)) == json.loads(example)


def test_seats_and_time_reach_the_bot(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--only", "ready", "--seats", "4", "--format", "jsonl", "--move-time", "7s"]
    assert run(["check", "--game", "nim", zoo("good"), *words]) == 0
    found, summary = lines(capsys.readouterr().out)
    start = next(spoken["line"] for spoken in found["dialogue"] if '"type":"start"' in spoken["line"])
    assert len(json.loads(start)["seats"]) == 4
    assert json.loads(start)["clock"] == {"left_ms": 7000, "move_ms": 7000}
    assert summary["players"] == 4


def test_limits_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--game", "nim", zoo("silent_at_handshake"), "--startup", "200ms", "--quit", "0"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("✗ join              no `join` within 0.2 s\n")
    assert out.endswith(f"0 of 1 passed; 1 failed: join; {len(CHECKS) - 1} not tried.\n")


def test_a_terminal_without_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert check(zoo("prints_board"), "--only", "join", "--only", "turn", "--only", "votes") == 1
    stream.flush()
    out = stream.buffer.getvalue().decode("ascii")
    assert [line[:7] for line in out.splitlines() if line[0] != " "] == ["ok join", "XX turn", "-- 1 ch", "1 of 2 "]


def test_an_interrupt_ends_everything(root: Path) -> None:
    words = [sys.executable, "-m", "mexica_cli", "check", zoo("hangs"), "--move-time", "60s", "--startup", "60s"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("✓ join")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")


def test_the_list_explains_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--list"]) == 0
    out = capsys.readouterr().out
    assert re.findall(r"^(\S+)", out, re.MULTILINE) == [check.name for check in CHECKS]
    assert "See protocol/PROTOCOL.md#answering" in out
    assert run(["check", "--list", "--only", "ping"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "name the BOT"),
        (["no-such-bot"], "no-such-bot"),
        (["random", "--only", "nonsense"], "there is no check 'nonsense'; there are join, ready,"),
        (["random", "--game", "chess"], "chess"),
        (["random", "--rules", "nonsense"], "nonsense"),
        (["random", "--option", "stall_rounds=many"], "stall_rounds"),
        (["random", "--seats", "5"], "mexica has 2 to 4 seats, not 5"),
        (["random", "--move-time", "0"], "over at once"),
        (["listen:7325", "--sandbox"], "can't be sandboxed"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert "Traceback" not in err
