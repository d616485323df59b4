"""`mexica match`, as a person at the shell has it."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mexica_cli.arena.series import Series
from mexica_cli.cli.main import run
from mexica_cli.games.moctezuma.card_files import SHIPPED_CARDS
from mexica_cli.record.lines import TIME_FIELDS, Line, ResultLine
from mexica_cli.record.reader import open_log
from mexica_cli.record.verify import verify
from mexica_cli.record.writer import LogWriter

MEXICA = [sys.executable, "-m", "mexica_cli"]
SLEEPER = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "join", "protocol": 1, "name": "sleeper"}), flush=True)
    elif message["type"] == "start":
        print(json.dumps({"type": "ready", "match": message["match"]}), flush=True)
    elif message["type"] == "turn":
        print("asleep", file=sys.stderr, flush=True)
        time.sleep(3600)
"""


def without_times(log: Path) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [{key: value for key, value in line.items() if key not in TIME_FIELDS} for line in lines]


def play(*words: str) -> int:
    return run(["match", "random", "random", "--inside", "--seed", "1", *words])


def test_the_table_says_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--games", "2") == 0
    out, err = capsys.readouterr()
    assert sorted(line.split()[:2] for line in out.splitlines() if line.startswith("random")) == [
        ["random", "2"],
        ["random#2", "2"],
    ]
    assert "2 played" in out
    assert "2 finished" in out
    assert "seed: 1" in out
    assert "\x1b" not in out + err


def test_results_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert play("--games", "2", "--format", "jsonl") == 0
    first, second, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["type"], first["version"], first["match"], first["seats"]) == (
        "game",
        1,
        "1-1",
        ["random", "random#2"],
    )
    assert (second["match"], second["seats"]) == ("1-2", ["random#2", "random"])
    assert first["outcome"] == "finished"
    assert summary["type"] == "summary"
    by_name = {bot["name"]: bot for bot in summary["bots"]}
    assert by_name["random"]["points"] == first["scores"][0] + second["scores"][1]
    assert summary["games"] == 2
    assert summary["seed"] == 1


def test_the_same_seed_gives_the_same_log_but_for_times(tmp_path: Path) -> None:
    logs = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for log in logs:
        assert play("--games", "2", "--log", str(log)) == 0
    assert without_times(logs[0]) == without_times(logs[1])
    assert run(["log", "verify", str(logs[0])]) == 0


def test_another_seed_gives_another_game(tmp_path: Path) -> None:
    logs = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for seed, log in enumerate(logs):
        assert run(["match", "random", "random", "--inside", "--seed", str(seed), "--log", str(log)]) == 0
    assert without_times(logs[0])[1]["setup"] != without_times(logs[1])[1]["setup"]


def test_processes_and_bots_inside_play_the_same(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside.jsonl", tmp_path / "outside.jsonl"
    assert play("--log", str(inside)) == 0
    assert run(["match", "random", "random", "--seed", "1", "--log", str(outside)]) == 0
    assert without_times(inside) == without_times(outside)


def test_a_new_seed_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "random", "random", "--inside", "--format", "jsonl"]) == 0
    seed = json.loads(capsys.readouterr().out.splitlines()[-1])["seed"]
    assert run(["match", "random", "random", "--inside", "--format", "jsonl", "--seed", str(seed)]) == 0


@pytest.mark.parametrize("seats", [3, 4])
def test_three_and_four_seats(seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["random"] * seats
    assert run(["match", *words, "--inside", "--seed", "2", "--games", str(seats), "--format", "jsonl"]) == 0
    *games, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [game["seats"][0] for game in games] == ["random", "random#2", "random#3", "random#4"][:seats]
    assert all(sum(bot["places"].values()) == seats for bot in summary["bots"])


def test_the_log_on_standard_output_leaves_the_table_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert play("--log", "-") == 0
    out, err = capfd.readouterr()
    assert [json.loads(line)["type"] for line in out.splitlines()][:2] == ["log", "game"]
    assert "1 played" in err


def test_resume_plays_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, halves = tmp_path / "whole.jsonl", tmp_path / "halves.jsonl"
    assert play("--games", "4", "--log", str(whole)) == 0
    assert play("--games", "2", "--log", str(halves)) == 0
    with halves.open("ab") as log:
        log.write(b'{"type":"game","match":"2-1","se')
    capsys.readouterr()
    assert play("--games", "4", "--log", str(halves), "--resume") == 0
    assert "4 played" in capsys.readouterr().out
    assert without_times(halves) == without_times(whole)


def test_resume_refuses_another_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    assert play("--log", str(log)) == 0
    before = log.read_bytes()
    assert run(["match", "random", "random", "--inside", "--seed", "2", "--log", str(log), "--resume"]) == 2
    assert "seed" in capsys.readouterr().err
    assert play("--log", str(log), "--resume", "--rules", "help") == 2
    assert "rules" in capsys.readouterr().err
    assert log.read_bytes() == before


def test_an_existing_log_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("precious\n")
    assert play("--log", str(log)) == 2
    assert "log.jsonl: the file exists and isn't empty; go on with it by --resume, remove" in capsys.readouterr().err
    assert log.read_text() == "precious\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["random"], "2 to 4 bots, not 1"),
        (["random"] * 5, "2 to 4 bots, not 5"),
        (["random", "no-such-bot"], "no-such-bot"),
        (["random", "'unclosed"], "unclosed"),
        (["random", "/"], "folder"),
        (["random", "random", "--rules", "no-such-rules"], "no-such-rules"),
        (["random", "random", "--board", "no-such-board"], "no-such-board"),
        (["random", "random", "--option", "stall_rounds"], "FIELD=VALUE"),
        (["random", "random", "--option", "no_such_field=1"], "no_such_field"),
        (["random", "random", "--option", "stall_rounds=many"], "stall_rounds"),
        (["random", "random", "--time", "fast"], "'fast' is no time"),
        (["random", "random", "--time", "10+x"], "'x' is no time"),
        (["random", "random", "--move-time", "-1"], "'-1' is no time"),
        (["random", "random", "--move-time", "0"], "over at once"),
        (["random", "random", "--games", "0"], "--games"),
        (["random", "random", "--seed", "-3"], "--seed"),
        (["random", "random", "--resume"], "--log"),
        (["random", "random", "--resume", "--log", "x.jsonl"], "--seed"),
        (["random", "random", "--game", "chess"], "chess"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert "Traceback" not in err


def test_a_bot_that_never_starts_stops_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import sys\nsys.exit('no \\x1b[31mlicence')\n")
    log = tmp_path / "log.jsonl"
    assert run(["match", "random", str(broken), "--games", "3", "--log", str(log)]) == 1
    out, err = capsys.readouterr()
    assert "2 void" in out
    assert "void 2 times in a row: broken: no `join`: the process exited with code 1 (the last line of " in err
    assert " standard error: no \ufffd[31mlicence)\n" in err
    assert "3 of 3 games are not played" in err
    results = [line for line in without_times(log) if line["type"] == "result"]
    assert [(line["match"], line["outcome"]) for line in results] == [("1-1", "void")] * 2
    assert "licence" in str(results[0]["stderr"])


def test_why_a_bot_forfeited_is_said_below_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crash = tmp_path / "crash.py"
    crash.write_text(SLEEPER.replace("time.sleep(3600)", "raise ValueError('no such action')"))
    assert run(["match", "random", str(crash), "--seed", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "crash forfeited 1-1: the process exited with code 1 in mid-match",
        "  ValueError: no such action",
        "`mexica check BOT` says more.",
    ]


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A match whose second seat thinks for an hour, caught while it does."""
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER)
    errors = tmp_path / "errors"
    command = [*MEXICA, "match", "random", str(bot), "--seed", "1", "--move-time", "1h", "--stderr-dir", str(errors)]
    os.mkfifo(tmp_path / "fifo")
    errors.mkdir()
    (errors / "sleeper.stderr").symlink_to(tmp_path / "fifo")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        with (tmp_path / "fifo").open() as awake:
            awake.readline()
            yield process
        process.kill()


def test_the_second_interrupt_stops_at_once(sleeper: subprocess.Popen[str]) -> None:
    assert sleeper.stderr is not None
    sleeper.send_signal(signal.SIGINT)
    assert "once more to stop at once" in sleeper.stderr.readline()
    sleeper.send_signal(signal.SIGINT)
    out, err = sleeper.communicate(timeout=60)
    assert sleeper.returncode == 1
    assert "1 of 1 games are not played" in err
    assert "0 played" in out


def test_the_first_interrupt_finishes_the_running_game(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [*MEXICA, "match", "random", "random", "--inside", "--games", "100000", "--format", "jsonl"]
    with subprocess.Popen(
        [*command, "--log", str(log)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    summary = json.loads(out.splitlines()[-1])
    assert f"{100000 - summary['games']} of 100000 games are not played" in err
    assert f"--seed {summary['seed']} --resume" in err
    lines = without_times(log)
    assert lines[-1]["type"] == "result"
    assert sum(line["type"] == "result" for line in lines) == summary["games"]


def full_after(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a log's writer find the disk full after so many games."""
    write, results = LogWriter._write, list[str]()

    def fail(self: LogWriter, line: Line) -> None:
        if isinstance(line, ResultLine):
            results.append(line.match)
            if len(results) > count:
                raise OSError(errno.ENOSPC, "No space left on device")
        write(self, line)

    monkeypatch.setattr(LogWriter, "_write", fail)


def test_a_disk_that_is_full_leaves_the_table_and_a_way_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full_after(2, monkeypatch)
    log = tmp_path / "games.jsonl"
    assert play("--games", "4", "--log", str(log)) == 1
    out, err = capsys.readouterr()
    assert "games: 2 played" in out
    assert err.splitlines()[:2] == [
        f"Error: {log}: No space left on device",
        "2 of 4 games are not played. Go on with:",
    ]
    assert "arena failed" not in err + out
    assert "Traceback" not in err
    monkeypatch.undo()
    assert play("--games", "4", "--log", str(log), "--resume") == 0
    assert "games: 4 played" in capsys.readouterr().out


def test_a_log_that_nobody_reads_on_ends_the_match_without_a_word() -> None:
    """As in `mexica match ... --log - | head -1`; a pipe has no room for so many games."""
    command = [*MEXICA, "match", "random", "random", "--inside", "--games", "100", "--log", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"type":"log"')
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_a_match_of_very_many_games_begins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are not played yet are counted, not listed: there is no room for so many."""
    monkeypatch.setattr(Series, "run", no_game)
    assert play("--games", str(10**15)) == 1


async def no_game(*_: object) -> None:
    """Plays no game."""


def test_a_team_plays_moctezuma(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "games.jsonl"
    words = ("random", "random", "random", "--inside", "--game", "moctezuma", "--option", "difficulty=easy")
    assert play(*words, "--games", "2", "--log", str(log), "--seed", "1") == 0
    assert "team: won " in capsys.readouterr().out
    with open_log(str(log)) as reader:
        assert verify(reader).games == 2


def test_cards_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards, log = tmp_path / "mine.toml", tmp_path / "games.jsonl"
    cards.write_text(SHIPPED_CARDS.read_text().replace('name = "Papalotl"', 'name = "Mariposa"'))
    words = ("random", "--inside", "--game", "moctezuma", "--cards", str(cards), "--log", str(log))
    assert play(*words) == 0
    assert "Mariposa" in log.read_text()
    assert play("random", "random", "--cards", str(cards)) == 2
    assert "Mexica has no cards; leave them out" in capsys.readouterr().err
