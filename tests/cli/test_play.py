"""`mexica play` and `mexica replay`: in a pipe, and in a real terminal driven by tmux."""

from __future__ import annotations

import json
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mexica_cli.cli.main import run
from mexica_cli.games.moctezuma.card_files import SHIPPED_CARDS
from mexica_cli.record.reader import open_log
from mexica_cli.record.verify import verify

MEXICA = [sys.executable, "-m", "mexica_cli"]
QUICK = ["--option", "round_limit=2"]
"""Rules under which a game is over after some four rounds."""


def play(typed: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MEXICA, "play", *words], input=typed, capture_output=True, text=True, timeout=120, check=False
    )


def whole(log: Path) -> int:
    """The games of a right log that ends with a whole game."""
    with open_log(str(log)) as reader:
        report = verify(reader)
    assert report.whole
    return report.games


@pytest.mark.parametrize(
    ("game", "words", "end"),
    [
        ("mexica", ["random", *QUICK], "  1. "),
        ("moctezuma", ["random", "--game", "moctezuma", "--hint", "random"], "The team has "),
    ],
)
def test_a_whole_game(tmp_path: Path, game: str, words: list[str], end: str) -> None:
    log = tmp_path / "game.jsonl"
    done = play("auto\n" * 400, *words, "--seed", "1", "--log", str(log))
    assert done.returncode == 0, done.stderr
    assert f"{game}, rules official: A is human, B is random." in done.stdout
    assert end in done.stdout
    assert "\x1b" not in done.stdout
    assert not any(line.endswith(" ") for line in done.stdout.splitlines())
    assert whole(log) == 1


def test_a_game_is_left_saved_and_gone_on_with(tmp_path: Path) -> None:
    saved, log = tmp_path / "saved.jsonl", tmp_path / "game.jsonl"
    left = play(f"auto\nauto\nsave {saved}\nquit\n", "random", *QUICK, "--seed", "1", "--seat", "1", "--name", "ann")
    assert left.returncode == 1
    assert "the game isn't over" in left.stderr
    before = saved.read_text().splitlines()
    done = play("auto\n" * 40, "--load", str(saved), "--log", str(log))
    assert done.returncode == 0, done.stderr
    assert log.read_text().splitlines()[: len(before)] == before
    assert whole(log) == 1
    assert json.loads(before[1])["seats"] == ["random", "ann"]


def test_the_log_is_a_saved_game_too(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    left = play("auto\nauto\n", "random", *QUICK, "--log", str(log))
    assert left.returncode == 1
    assert f"go on with: mexica play --load {log}" in left.stderr
    assert play("auto\n" * 40, "--load", str(log)).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random", "--seat", "2"], "there are the seats 0 to 1, no 2"),
        (["random"] * 4, "mexica is played by 2 to 4"),
        (["random", "--name", "random"], "a bot is called 'random' too"),
        (["random", "--name", " "], "give yourself a name"),
        (["random", "--hint", "./nobody"], "nobody"),
        (["nobody"], "nobody"),
        (["--load", "GAMES"], "there is no unfinished game at the end"),
        (["--load", "BOTS"], "no person sits at that game"),
    ],
)
def test_wrong_usage(words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"GAMES": tmp_path / "games.jsonl", "BOTS": tmp_path / "bots.jsonl"}
    assert run(["match", "random", "random", "--inside", *QUICK, "--seed", "1", "--log", str(files["GAMES"])]) == 0
    files["BOTS"].write_text("".join(files["GAMES"].read_text().splitlines(keepends=True)[:-1]))
    assert run(["play", *[str(files.get(word, word)) for word in words]]) == 2
    assert said in capsys.readouterr().err


def test_a_broken_log_is_no_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "saved.jsonl"
    assert play("auto\nquit\n", "random", *QUICK, "--seed", "1", "--log", str(saved)).returncode == 1
    lines = saved.read_text().splitlines(keepends=True)
    last = len(lines)
    saved.write_text("".join([*lines[:-1], lines[-1].replace('"n":', '"n":1')]))
    assert run(["play", "--load", str(saved)]) == 1
    assert capsys.readouterr().err.startswith(f"Error: {saved}, line {last}: ")
    saved.write_text("".join([lines[0].replace('"rows":[', '"rows":["x",'), *lines[1:]]))
    assert run(["play", "--load", str(saved)]) == 1
    assert capsys.readouterr().err.startswith(f"Error: {saved}, line 2: this game can't be made again")
    saved.write_text("hello\nyou\n")
    assert run(["play", "--load", str(saved)]) == 1
    assert f"{saved}, line 1: not a JSON object" in capsys.readouterr().err


def test_a_void_game_names_the_bot(root: Path) -> None:
    bot = shlex.quote(str(root / "tests" / "zoo" / "exits_at_once.py"))
    done = play("", f"broken={bot}", *QUICK)
    assert done.returncode == 1
    assert "Error: broken: no `join`" in done.stderr


def test_ctrl_c_while_a_bot_thinks_leaves(root: Path) -> None:
    bot = str(root / "tests" / "zoo" / "hangs.py")
    words = [*MEXICA, "play", shlex.quote(bot), "--seat", "1", "--move-time", "60s"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"You are B" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, b"the game isn't over\n")


@pytest.mark.parametrize("words", [[], ["--game", "moctezuma"], ["--seat", "1"]])
def test_nobody_looks_any_more(words: list[str], tmp_path: Path) -> None:
    """As in `mexica play | true`, with the pipe surely closed."""
    command = [*MEXICA, "play", "random", *words, "--log", str(tmp_path / "game.jsonl")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(b"hint\n" * 9, timeout=60)
    assert process.returncode == 1
    assert err.startswith(b"the game isn't over; go on with: mexica play --load ")
    assert err.count(b"\n") == 1


def test_cards_of_ones_own(tmp_path: Path) -> None:
    cards = tmp_path / "mine.toml"
    cards.write_text(SHIPPED_CARDS.read_text().replace('name = "Papalotl"', 'name = "Mariposa"'))
    done = play("? mariposa\n", "--game", "moctezuma", "--cards", str(cards))
    assert "Mariposa (papalotl), warrior, resistance 3: " in done.stdout


def test_replay_takes_a_terminal_and_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text("")
    assert run(["replay", str(log)]) == 2
    assert "`mexica log show` prints a game" in capsys.readouterr().err


# ---- in a terminal ---------------------------------------------------------------------------------------------------


class Terminal:
    """A terminal in tmux, of a server of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        command = shlex.join([*MEXICA, *words])
        self._run("new-session", "-d", "-x", "120", "-y", "45", f"{command}; echo code $?; cat")

    def _run(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], capture_output=True, text=True, check=True).stdout

    def press(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        self._run("send-keys", "-l", text)
        self.press("Enter")

    def resize(self, columns: int, rows: int) -> None:
        self._run("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self) -> str:
        return self._run("capture-pane", "-p", "-S", "-2000")

    def shows(self, words: str) -> str:
        """Wait for words on the screen; what is on it then."""
        return self._wait(words, lambda screen: words in screen)

    def prompted(self) -> None:
        """Wait until something can be typed."""
        self._wait("A>", lambda screen: screen.rstrip().rpartition("\n")[2] == "A>")

    def _wait(self, what: str, there: Callable[[str], bool]) -> str:
        until = time.monotonic() + 60
        while not there(screen := self.screen()):
            assert time.monotonic() < until, f"{what!r} never came:\n{screen}"
            time.sleep(0.02)
        return screen

    def close(self) -> None:
        self._run("kill-server")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Terminal]]:
    """The terminals of a test, closed at its end."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_a_game_in_a_terminal(tmp_path: Path, terminals: list[Terminal]) -> None:
    log = tmp_path / "game.jsonl"
    terminals.append(terminal := Terminal(tmp_path, "play", "random", *QUICK, "--seed", "1", "--log", str(log)))
    terminal.shows("A>")
    terminal.type("pl g7")
    terminal.shows("human sets the pawn on g7")
    terminal.shows("6 AP left")
    terminal.press("t", "a", "Tab", "Enter")
    terminal.shows("human takes an action token")
    terminal.resize(70, 24)
    terminal.type("undo")
    terminal.shows("A> undo")
    terminal.prompted()
    terminal.press("C-c")
    terminal.shows("Ctrl-C once more")
    terminal.prompted()
    while "code" not in terminal.screen():
        asked = terminal.screen().count("A> auto")
        terminal.type("auto")
        while terminal.screen().count("A> auto") == asked and "code" not in terminal.screen():
            time.sleep(0.02)
    assert "  1. " in terminal.shows("code 0")
    assert whole(log) == 1


def test_leaving_a_game_in_a_terminal(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal(tmp_path, "play", "random", "--seed", "1"))
    terminal.prompted()
    terminal.press("C-c")
    terminal.shows("Ctrl-C once more")
    terminal.prompted()
    terminal.press("C-c")
    terminal.shows("code 1")
    terminal.type("hello")  # the terminal is as it was: it echoes
    assert terminal.shows("hello").rstrip().endswith("hello")


def test_replaying_in_a_terminal(tmp_path: Path, terminals: list[Terminal]) -> None:
    log = tmp_path / "game.jsonl"
    assert run(["match", "random", "random", "--inside", *QUICK, "--games", "2", "--seed", "1", "--log", str(log)]) == 0
    terminals.append(terminal := Terminal(tmp_path, "replay", str(log), "--game", "2", "--at", "3"))
    terminal.shows("match 1-2  action 3 of ")
    terminal.press("Right")
    terminal.shows("action 4 of ")
    terminal.resize(60, 20)
    terminal.press(":", "1", "Enter")
    terminal.shows("action 1 of ")
    terminal.press("C-c")
    terminal.shows("code 0")
