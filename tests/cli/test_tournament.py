"""`mexica tournament`, as a person at the shell has it."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from arena.zookeeper import ZOO
from tournament.real import SPY, Gate, gate, nothing_left
from tournament.staged import lines_of

from mexica_cli.arena.sandbox import SandboxError
from mexica_cli.cli import tournament_run, tournament_site
from mexica_cli.cli.main import run
from mexica_cli.tournament.directory import Directory

MEXICA = [sys.executable, "-m", "mexica_cli"]


def zoo_command(name: str) -> str:
    """The command of a bot of the zoo."""
    return shlex.join([sys.executable, "-S", str(ZOO / f"{name}.py")])


GAMES = 24
Capture = pytest.CaptureFixture[str]


def write(folder: Path, *, games: int = GAMES, more: str = "") -> Path:
    """A tournament of two spies and one random bot, in which games are short."""
    spy = json.dumps(shlex.join([str(SPY), "."]))
    spies = "".join(f'[[bots]]\nname = "{name}"\ncommand = {spy}\n' for name in ("ann", "bob"))
    text = f'seed = 7\ngames = {games}\nmove_time = "60s"\nstartup = "60s"\n{more}\n[options]\nstall_rounds = 1\n'
    (folder / "cup.toml").write_text(f'{text}{spies}[[bots]]\nname = "cyd"\ncommand = "random"\n')
    return folder / "cup.toml"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that was played without interruption by one worker."""
    folder = tmp_path_factory.mktemp("finished")
    with nothing_left():
        done = subprocess.run(
            [*MEXICA, "tournament", "run", str(write(folder))], check=False, capture_output=True, text=True
        )
    assert (done.returncode, f"{GAMES} of {GAMES} games played" in done.stdout) == (0, True), done.stderr
    return folder


@pytest.fixture
def played(finished: Path, folder: Path) -> Path:
    """A copy of that folder; it is the current one."""
    shutil.copytree(finished, folder, dirs_exist_ok=True)
    return folder


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A run in another process, of which nothing is left."""
    with (
        nothing_left(),
        subprocess.Popen(
            [*MEXICA, "tournament", "run", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def order(folder: Path, match: str, *orders: str) -> None:
    """What a spy is to do in that match."""
    (folder / match).write_text("\n".join(orders))


def log_of(folder: Path) -> list[dict[str, Any]]:
    return lines_of(Directory(folder / "cup"))


# ---- run and look ----------------------------------------------------------------------------------------------------


def test_the_directory_of_a_tournament(played: Path, capsys: Capture) -> None:
    assert sorted(path.name for path in (played / "cup").iterdir()) == ["lock", "log.jsonl", "report.html"]
    assert (played / "cup" / "lock").read_text() == ""
    assert run(["log", "verify", "cup/log.jsonl"]) == 0


def test_when_all_is_played_a_run_only_prints(played: Path, capsys: Capture) -> None:
    before = log_of(played)
    assert run(["tournament", "run", "cup.toml"]) == 0
    out, err = capsys.readouterr()
    assert f"{GAMES} of {GAMES} games played" in out
    assert "Go on with" not in err
    assert "\x1b" not in out + err
    assert log_of(played) == before


def test_games_that_are_added_are_played(played: Path, capsys: Capture) -> None:
    before = log_of(played)
    write(played, games=GAMES + 2)
    with nothing_left():
        assert run(["tournament", "run", "cup.toml", "--jobs", "2", "--no-affinity"]) == 0
    assert f"{GAMES + 2} of {GAMES + 2} games played" in capsys.readouterr().out
    assert log_of(played)[: len(before)] == before


@pytest.mark.parametrize("name", ["status", "report", "run"])
def test_results_for_programs(name: str, played: Path, capfd: Capture) -> None:
    assert run(["tournament", name, "cup.toml", "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert (lines[0]["type"], lines[0]["games"], lines[0]["planned"]) == ("report", GAMES, GAMES)
    assert {line["bot"] for line in lines if line["type"] == "bot"} == {"ann", "bob", "cyd"}
    assert run(["tournament", name, "cup.toml", "--format", "csv"]) == 0
    rows = list(csv.DictReader(capfd.readouterr().out.splitlines()))
    assert [row["bot"] for row in rows] == [line["bot"] for line in lines if line["type"] == "bot"]


def test_status_does_not_touch_the_page(played: Path, capsys: Capture) -> None:
    page = played / "cup" / "report.html"
    page.unlink()
    assert run(["tournament", "status", "cup.toml"]) == 0
    out, err = capsys.readouterr()
    assert "it doesn't run now" in err
    assert f"{GAMES} of {GAMES} games played" in out
    assert not page.exists()
    assert run(["tournament", "report", "cup.toml"]) == 0
    assert f"the page is {page}" in capsys.readouterr().err
    assert page.read_text().startswith("<!doctype html>")


def test_another_directory(played: Path, tmp_path: Path, capsys: Capture) -> None:
    (played / "cup").rename(played / "elsewhere")
    assert run(["tournament", "status", "cup.toml", "--dir", "elsewhere"]) == 0
    assert f"{GAMES} of {GAMES} games played" in capsys.readouterr().out
    assert not (played / "cup").exists()


def test_from_another_folder(played: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """Commands and the directory are found beside the file."""
    (played / "inner").mkdir()
    monkeypatch.chdir(played / "inner")
    assert run(["tournament", "run", "../cup.toml"]) == 0
    assert f"{GAMES} of {GAMES} games played" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["status", "report"])
def test_where_nothing_is_played_yet(name: str, folder: Path, capsys: Capture) -> None:
    write(folder)
    assert run(["tournament", name, "cup.toml"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "nothing is played yet" in err


def test_a_reset_asks_first(played: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert run(["tournament", "reset", "cup.toml"]) == 1
    assert capsys.readouterr().err.endswith("Error: nothing is deleted; --yes does it without asking\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run(["tournament", "reset", "cup.toml"]) == 1
    assert len(log_of(played)) > GAMES
    assert run(["tournament", "reset", "cup.toml", "--yes"]) == 0
    assert [path.name for path in (played / "cup").iterdir()] == ["lock"]


def test_nothing_to_stop(played: Path, capsys: Capture) -> None:
    assert run(["tournament", "stop", "cup.toml"]) == 1
    assert "it doesn't run" in capsys.readouterr().err


def test_a_reader_who_has_seen_enough(played: Path) -> None:
    with subprocess.Popen(
        [*MEXICA, "tournament", "status", "cup.toml", "--format", "jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
        assert process.wait(timeout=60) == 1


# ---- bots in place of a file -----------------------------------------------------------------------------------------


def test_bots_in_place_of_a_file(folder: Path, capsys: Capture) -> None:
    words = shlex.split("random 'other=random --seed 3' --games 2 --seed 5 --name duel --move-time 60s")
    with nothing_left():
        assert run(["tournament", "run", *words, "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert {row["bot"]: row["games"] for row in csv.DictReader(out.splitlines())} == {"random": "2", "other": "2"}
    assert "the tournament is written to duel.toml" in err
    assert (folder / "duel.toml").read_text().splitlines()[:3] == ["games = 2", 'move_time = "60s"', "seed = 5"]
    assert run(["tournament", "run", "duel.toml"]) == 0
    assert run(["tournament", "run", *words]) == 2
    assert "duel.toml exists; go on with: mexica tournament run duel.toml" in capsys.readouterr().err


def test_without_a_seed_a_new_one_names_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_run._Run, "run", lambda self: 0)
    run(["tournament", "run", "random", "random", "--games", "2"])
    (file,) = folder.glob("*.toml")
    assert file.read_text().splitlines()[1] == f"seed = {file.stem.removeprefix('tournament-')}"
    assert '"random#2"' in file.read_text()


# ---- wrong usage -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run"], "Missing argument"),
        (["run", "no-such.toml"], "there is no file 'no-such.toml'"),
        (["run", "cup.toml", "cup.toml"], "name one tournament file and nothing else"),
        (["run", "cup.toml", "random"], "name one tournament file and nothing else"),
        (["run", "cup.toml", "--games", "3"], "--games is for bots; with a file, write it there"),
        (["run", "cup.toml", "--move-time", "3"], "--move-time is for bots"),
        (["run", "cup.toml", "--sandbox"], "--sandbox is for bots"),
        (["run", "cup.toml", "--jobs", "0"], "--jobs"),
        (["run", "cup.toml", "--executor", "dask"], "--executor dask and the --scheduler's address belong together"),
        (
            ["run", "cup.toml", "--scheduler", "tcp://x:1"],
            "--executor dask and the --scheduler's address belong",
        ),
        (["run", "cup.toml", "--retry", "dan"], "--retry: there is no bot 'dan'; there is ann, bob, cyd"),
        (["run", "random", "random"], "how many --games?"),
        (["run", "random", "--games", "2"], "format: 1 bots for 2 seats: name at least 2"),
        (["run", "random", "no-such-bot", "--games", "2"], "there is no bot, file or command 'no-such-bot'"),
        (["run", "random", "listen:7000", "--games", "2"], "a tournament starts its bots itself"),
        (["run", "random", "random", "--games", "2", "--seats", "5"], "seats: mexica has 2 to 4 seats, not 5"),
        (["run", "random", "random", "--games", "2", "--seats", "3"], "2 bots for 3 seats"),
        (["run", "random", "random", "--games", "2", "--seed", str(2**60)], "seed: expected `int` <= 9007199254740991"),
        (["run", "random", "random", "--games", "99999999999"], "games: expected `int` <= 10000000"),
        (["run", "random", "random", "--games", "2", "--move-time", "soon"], "move_time: 'soon' is no time"),
        (["run", "random", "random", "--games", "2", "--name", "../x"], "give a name without a folder"),
        (["status", "no-such.toml"], "no-such.toml"),
        (["status", "README"], "the name of a tournament file ends in .toml"),
        (["check", "wrong.toml"], "wrong.toml:2: games: expected `int` >= 1"),
        (["run", "wrong.toml"], "wrong.toml:2: games: expected `int` >= 1"),
        (["status", "wrong.toml"], "wrong.toml:2: games: expected `int` >= 1"),
        (["report", "wrong.toml"], "wrong.toml:2: games: expected `int` >= 1"),
        (["report", "cup.toml", "--format", "html"], "--format"),
        (["play", "cup.toml"], "No such command"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(words: list[str], complaint: str, folder: Path, capsys: Capture) -> None:
    write(folder)
    (folder / "wrong.toml").write_text("seed = 1\ngames = 0\n[[bots]]\ncommand = 'random'\n")
    (folder / "README").write_text("")
    before = sorted(folder.iterdir())
    assert run(["tournament", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert "Traceback" not in err
    assert sorted(folder.iterdir()) == before


def test_a_file_that_has_become_wrong_can_still_be_stopped_and_reset(played: Path, capsys: Capture) -> None:
    (played / "cup.toml").write_text("what?")
    assert run(["tournament", "stop", "cup.toml"]) == 1
    assert "it doesn't run" in capsys.readouterr().err
    assert run(["tournament", "reset", "cup.toml", "--yes"]) == 0


def test_changed_settings_are_refused_with_the_difference(played: Path, capsys: Capture) -> None:
    text = (played / "cup.toml").read_text()
    (played / "cup.toml").write_text(
        text.replace("stall_rounds = 1", "stall_rounds = 2").replace("seed = 7", "seed = 8")
    )
    assert run(["tournament", "run", "cup.toml"]) == 2
    err = capsys.readouterr().err
    assert "seed: 7 in the log, 8 now" in err
    assert "options.rules.stall_rounds: 1 in the log, 2 now" in err


@pytest.mark.parametrize("name", ["run", "status", "report"])
def test_a_log_that_is_broken_is_refused_with_its_line(name: str, played: Path, capsys: Capture) -> None:
    log = played / "cup" / "log.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:5], b"nonsense\n", *lines[6:]]))
    assert run(["tournament", name, "cup.toml"]) == 1
    assert "log.jsonl, line 6: not a JSON object" in capsys.readouterr().err
    assert log.read_bytes().splitlines()[5] == b"nonsense"


def test_without_a_sandbox_nothing_is_run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def refuse() -> None:
        raise SandboxError("there is no `bwrap`")

    monkeypatch.setattr(tournament_site, "probe", refuse)
    write(folder, more="sandbox = true")
    for name in ("run", "check"):
        assert run(["tournament", name, "cup.toml"]) == 2
        assert "there is no `bwrap`" in capsys.readouterr().err
    assert not (folder / "cup").exists()


# ---- check -----------------------------------------------------------------------------------------------------------


def test_check_says_which_bots_are_wrong(folder: Path, capfd: Capture) -> None:
    crashes, silent = map(zoo_command, ("crashes", "silent_at_handshake"))
    bots = f'[[bots]]\ncommand = "{crashes}"\n[[bots]]\ncommand = "{silent}"\nstartup = "200ms"\n'
    (folder / "cup.toml").write_text(
        f"{write(folder).read_text()}{bots}".replace("seed = 7", 'seed = 7\nquit = "200ms"')
    )
    with nothing_left():
        assert run(["tournament", "check", "cup.toml"]) == 1
    out = capfd.readouterr().out.splitlines()
    assert out[:4] == ["ann: ok", "bob: ok", "cyd: ok", "crashes: crash: the process exited with code 1 in mid-match"]
    assert any("can't think of anything" in line for line in out[4:])
    assert out[-1] == "silent_at_handshake: startup: no `join` within 0.2 s"
    assert not (folder / "cup").exists()


def test_check_of_good_bots(folder: Path, capfd: Capture) -> None:
    (folder / "cup.toml").write_text(
        'seed = 1\ngames = 2\n[[bots]]\ncommand = "random"\n[[bots]]\ncommand = "greedy"\n'
    )
    assert run(["tournament", "check", "cup.toml"]) == 0
    assert capfd.readouterr().out == "random: ok\ngreedy: ok\n"


# ---- interrupted -----------------------------------------------------------------------------------------------------


def matches_of(folder: Path) -> list[str]:
    """The games in the order of the log."""
    return [line["match"] for line in log_of(folder) if line["type"] == "game"]


def of_spies(matches: Sequence[str]) -> list[str]:
    """Those in which a spy can act."""
    return [match for match in matches if "ann" in match or "bob" in match]


def test_killed_at_any_moment_and_gone_on_with_the_log_is_the_same(finished: Path, folder: Path) -> None:
    write(folder)
    moments = random.Random(3).sample(of_spies(matches_of(finished)), 3)
    for match in moments:
        order(folder, match, "SIGKILL run")
    for _ in moments:
        with running("cup.toml", "--jobs", "2") as process:
            assert process.wait(timeout=60) == -signal.SIGKILL
    assert not any((folder / match).exists() for match in moments)
    with running("cup.toml", "--jobs", "2") as process:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    assert f"{GAMES} of {GAMES} games played" in out
    assert log_of(folder) == log_of(finished)


def test_ctrl_c_finishes_the_running_games_and_says_how_to_go_on(finished: Path, folder: Path) -> None:
    write(folder)
    moment = of_spies(matches_of(finished))[5]
    order(folder, moment, "SIGINT run")
    with running("cup.toml", "--dir", "here dir", "--jobs", "1", "--no-affinity") as process:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 1
    assert "finishing the running game; once more to stop at once" in err
    (folder / "here dir").rename(folder / "cup")
    lines = log_of(folder)
    assert lines == log_of(finished)[: len(lines)]
    assert lines[-1]["match"] == moment
    assert f"of {GAMES} games played" in out
    words = shlex.split(err.partition("Go on with:\n")[2].splitlines()[0])
    file, place = str(folder / "cup.toml"), str(folder / "here dir")
    assert words == ["mexica", "tournament", "run", file, "--dir", place, "--jobs", "1", "--no-affinity"]


@pytest.fixture
def waiting(folder: Path, finished: Path) -> Iterator[tuple[subprocess.Popen[str], Gate]]:
    """A run that is caught in its third game."""
    write(folder)
    moment = of_spies(matches_of(finished))[2]
    order(folder, moment, "wait")
    with gate(folder) as closed, running("cup.toml") as process:
        closed.wait()
        yield process, closed


def test_ctrl_c_twice_stops_at_once(waiting: tuple[subprocess.Popen[str], Gate], folder: Path, finished: Path) -> None:
    process, _ = waiting
    assert process.stderr is not None
    process.send_signal(signal.SIGINT)
    assert "once more to stop at once" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Go on with:" in err
    assert "Traceback" not in err
    lines = log_of(folder)
    assert lines == log_of(finished)[: len(lines)]


def test_killed_while_a_bot_thinks_nothing_lives_on(waiting: tuple[subprocess.Popen[str], Gate]) -> None:
    """What is left is looked for when the fixture ends."""
    process, _ = waiting
    process.kill()
    assert process.communicate(timeout=60)[1] == ""


def test_what_can_be_done_while_it_runs(
    waiting: tuple[subprocess.Popen[str], Gate], folder: Path, capsys: Capture
) -> None:
    process, closed = waiting
    assert run(["tournament", "status", "cup.toml"]) == 0
    assert "it runs now" in capsys.readouterr().err
    for name in (["run"], ["reset", "--yes"]):
        assert run(["tournament", *name, "cup.toml"]) == 2
        assert f"{folder / 'cup'}: process {process.pid} runs this tournament now" in capsys.readouterr().err
    assert run(["tournament", "stop", "cup.toml"]) == 0
    assert f"process {process.pid} finishes its games and ends" in capsys.readouterr().out
    assert process.stderr is not None
    assert "once more to stop at once" in process.stderr.readline()
    closed.open()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert re.search(rf"\b\d+ of {GAMES} games played", out)
    assert log_of(folder)[-1]["type"] == "result"
    assert not Directory(folder / "cup").is_running()


# ---- bad bots --------------------------------------------------------------------------------------------------------


def test_with_bots_that_crash_hang_and_never_start_the_good_ones_come_first(folder: Path) -> None:
    zoo = {name: zoo_command(name) for name in ("crashes", "hangs_for_good", "silent_at_handshake")}
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = "{words}"\n' for name, words in zoo.items())
    limits = 'move_time = "1s"\nquit = "100ms"\nwithdraw_after = 2\n'
    text = write(folder, games=40, more=limits).read_text().replace('move_time = "60s"\n', "")
    (folder / "cup.toml").write_text(f'{text}{bots}startup = "300ms"\n')
    with running("cup.toml", "--jobs", "2", "--format", "jsonl") as process:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 1, err
    assert "Planned games that are not played: " in err
    assert "\n  crashes: it failed in 2 games in a row\n" in err
    lines = [json.loads(line) for line in out.splitlines()]
    ranked = [line["bot"] for line in lines if line["type"] == "bot"]
    assert set(ranked[:3]) == {"ann", "bob", "cyd"}
    out_of_it = {line["bot"]: line["withdrawn"] for line in lines if line["type"] == "faults" and line["withdrawn"]}
    assert out_of_it == {
        "crashes": "it failed in 2 games in a row",
        "hangs_for_good": "it failed in 2 games in a row",
        "silent_at_handshake": "it did not start: no `join` within 0.3 s",
    }
    for name in out_of_it:
        assert f"bot={name}" in err
    assert {path.name.split(".")[-2] for path in (folder / "cup" / "stderr").iterdir()} == {"crashes"}
    kept = next((folder / "cup" / "stderr").iterdir())
    assert "can't think of anything" in kept.read_text()


def test_a_log_that_is_taken_away_in_mid_run_fails(waiting: tuple[subprocess.Popen[str], Gate], folder: Path) -> None:
    process, closed = waiting
    (folder / "cup" / "log.jsonl").unlink()
    closed.open()
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err.count("log.jsonl: the log was moved, removed or cut short") == 1
    assert "Go on with:" in err
    assert "nothing is played yet" in err


def test_a_run_after_which_the_log_is_empty_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    write(folder)
    monkeypatch.setattr(tournament_run._Run, "run", lambda self: 0)
    assert run(["tournament", "run", "cup.toml"]) == 1
    assert "nothing is played yet" in capsys.readouterr().err


def test_without_room_for_the_page_the_table_is_there(
    played: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (played / "cup" / "report.html").unlink()
    (played / "cup" / "report.html").mkdir()
    assert run(["tournament", "run", "cup.toml"]) == 1
    out, err = capsys.readouterr()
    assert f"{GAMES} of {GAMES} games played" in out
    assert err.count("Error: the page can't be written: ") == 1


# ---- teams -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("format_", "teams"), [("teams", {"ann", "bob"}), ("mixed-teams", {"ann+bob"})])
def test_teams_of_moctezuma(folder: Path, format_: str, teams: set[str], capfd: Capture) -> None:
    (folder / "cup.toml").write_text(
        f'game = "moctezuma"\nformat = "{format_}"\nseats = 2\ngames = 4\nseed = 5\n[options]\ndifficulty = "easy"\n'
        '[[bots]]\nname = "ann"\ncommand = "random"\n[[bots]]\nname = "bob"\ncommand = "random --seed 9"\n'
    )
    assert run(["tournament", "run", "cup.toml", "--format", "jsonl"]) == 0
    found = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert {line["team"] for line in found if line["type"] == "team"} == teams
    assert sum(line["games"] for line in found if line["type"] == "team") == 4
    assert {line["bot"] for line in found if line["type"] == "member"} == ({"ann", "bob"} - teams)
    assert run(["log", "verify", "cup/log.jsonl"]) == 0
