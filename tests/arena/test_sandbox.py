"""What a sandboxed bot can and can't do, how it ends, and what is said where there can be no sandbox.

Most of it needs bubblewrap and a kernel that lets it work; where that isn't so the tests are skipped and say why.
"""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec
import pytest
import trio
from arena.zookeeper import LONG, ZOO, Played, death_of, limits, no_process_left, play, survivor, zoo_bot

from mexica_cli.arena import family, sandbox
from mexica_cli.arena.bot import Arena
from mexica_cli.arena.faults import FaultKind
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.process import ProcessChannel
from mexica_cli.arena.sandbox import SandboxError, confined, environment, probe, wrap
from mexica_cli.arena.spec import BotSpec, Command, SpecError, parse_spec, sandboxed
from mexica_cli.cli.main import run
from mexica_cli.games.game import Game
from mexica_cli.games.tomlfile import FileError
from mexica_cli.record.lines import Line
from mexica_cli.tournament.config import read_tournament

PYTHON = (sys.executable, "-I", "-S", "-c")


@pytest.fixture(scope="session")
def works() -> None:
    """Skips where bots can't be sandboxed."""
    try:
        probe()
    except SandboxError as error:
        pytest.skip(str(error))


needs_bwrap = pytest.mark.usefixtures("works")


def start_confined(*argv: str, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """A program started in a sandbox."""
    with confined(argv) as program:
        return subprocess.Popen(
            [*prefix, *program.argv],
            env=program.environ,
            pass_fds=program.fds,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def line_of(pipe: IO[str] | None) -> str:
    """The next line."""
    assert pipe is not None
    return pipe.readline()


def told(code: str, *argv: str) -> list[str]:
    """The lines that a Python program prints in a sandbox."""
    with start_confined(*PYTHON, code, *argv) as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    return out.splitlines()


# ---- the command line ------------------------------------------------------------------------------------------------


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of home folders, the only one that is hidden."""
    homes = tmp_path.resolve() / "home"
    for folder in ("ann/bots/fast", "ann/.ssh", "ann/python/bin", "bob/books"):
        (homes / folder).mkdir(parents=True)
    (homes / "ann" / "weights.bin").touch()
    monkeypatch.setattr(sandbox, "HIDDEN", {str(homes): 2})
    return homes


def seen(argv: list[str], folder: Path) -> list[str]:
    """What of a hidden folder is shown."""
    words = wrap(argv, folder, 9)
    return [words[n + 1] for n, word in enumerate(words) if word == "--ro-bind" and words[n + 1] != "/"]


def test_the_command_stands_last(homes: Path) -> None:
    words = wrap(["./bot", "--fast", "--"], homes.parent, 9)
    assert words[-4:] == ["--", "./bot", "--fast", "--"]
    assert words[words.index("--chdir") + 1] == str(homes.parent)
    assert words[words.index("--seccomp") + 1] == "9"


def test_homes_are_hidden_but_for_what_the_command_names(homes: Path) -> None:
    ann, bob = homes / "ann", homes / "bob"
    python = ann / "python" / "bin" / "python"
    python.symlink_to(sys.executable)
    assert seen(["true"], homes.parent) == []
    assert seen(["./bot"], ann / "bots" / "fast") == [str(ann / "bots")]
    assert seen([str(python), "bot.py"], homes.parent) == [str(ann / "python")]
    assert seen(["bot", "--weights", "weights.bin"], ann) == [str(ann / "weights.bin")]
    assert seen(["bot", f"--book={bob / 'books'}", "x" * 5000], ann) == [str(bob / "books")]


def test_a_whole_home_is_never_shown(homes: Path) -> None:
    assert seen(["bot", "..", str(homes), "--home=."], homes / "ann") == []
    assert "--dir" in wrap(["bot"], homes / "ann", 9)


def test_a_link_is_shown_with_what_it_leads_to(homes: Path) -> None:
    link = homes / "ann" / "current"
    link.symlink_to(homes / "bob" / "books")
    assert seen(["bot", str(link)], homes.parent) == [str(link), str(homes / "bob" / "books")]


def test_the_environment_is_path_and_language() -> None:
    outside = {"PATH": "/bin", "LANG": "C.UTF-8", "HOME": "/home/ann", "API_TOKEN": "x", "PYTHONPATH": "/y"}
    assert environment(outside) == {"PATH": "/bin", "LANG": "C.UTF-8", "HOME": "/tmp", "TMPDIR": "/tmp"}
    assert environment({}) == {"HOME": "/tmp", "TMPDIR": "/tmp"}


# ---- who is sandboxed ------------------------------------------------------------------------------------------------


def test_a_sandboxed_bot_is_the_same_bot_and_the_log_says_so() -> None:
    plain = parse_spec("random --seed 3")
    spec = sandboxed(plain)
    assert (spec.name, spec.text, spec.sha256) == (plain.name, plain.text, plain.sha256)
    assert msgspec.structs.replace(spec.record(), sandbox=False) == plain.record()
    assert b'"sandbox":true' in msgspec.json.encode(spec.record())
    assert b"sandbox" not in msgspec.json.encode(plain.record())


@pytest.mark.parametrize("spec", [parse_spec("listen:7325"), survivor("inside", [])])
def test_only_a_process_of_the_arena_can_be_sandboxed(spec: BotSpec) -> None:
    with pytest.raises(SpecError, match=f"^{spec.name} can't be sandboxed: only a program that the arena starts"):
        sandboxed(spec)


BOTS = """
[[bots]]
command = "random"
[[bots]]
command = "greedy"
sandbox = {greedy}
"""


@pytest.mark.parametrize(("every", "greedy"), [(False, True), (True, False)])
def test_a_tournament_sandboxes_all_or_some(tmp_path: Path, every: bool, greedy: bool) -> None:
    file = tmp_path / "some.toml"
    file.write_text(f"seed = 1\ngames = 2\nsandbox = {every}\n{BOTS.format(greedy=greedy)}".lower())
    entrants = read_tournament(file).entrants
    assert {name: entrant.spec.in_sandbox for name, entrant in entrants.items()} == {"random": every, "greedy": greedy}


def test_a_tournament_names_the_field(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text('seed = 1\ngames = 2\nsandbox = "yes"\n[[bots]]\ncommand = "random"\n')
    with pytest.raises(FileError, match="sandbox"):
        read_tournament(file)


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.fixture
def bare_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH and holds what a sandbox takes, but for bwrap."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("env", "prlimit", "true"):
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder))
    return folder


def refused(capsys: pytest.CaptureFixture[str], log: Path, *words: str) -> str:
    """What `mexica match` says that plays nothing."""
    assert run(["match", "random", "--sandbox", "--log", str(log), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert not log.exists()
    return err


def test_without_bubblewrap_nothing_is_played(
    bare_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    err = refused(capsys, tmp_path / "log.jsonl", "greedy")
    assert "Error: bots can't be sandboxed: there is no `bwrap`; install the Debian package bubblewrap\n" in err


def test_where_bubblewrap_fails_nothing_is_played_and_its_reason_is_given(
    bare_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bwrap = bare_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    err = refused(capsys, tmp_path / "log.jsonl", "greedy")
    assert "can't be sandboxed here; bubblewrap says: bwrap: No permissions to create new namespace\n" in err


@needs_bwrap
def test_the_reason_of_the_real_bubblewrap() -> None:
    """In a sandbox that may make no further namespaces."""
    code = "from mexica_cli.arena.sandbox import probe; probe()"
    jail = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--unshare-user", "--disable-userns"]
    command = [*jail, sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Unknown option" in result.stderr:
        pytest.skip("this bwrap is too old to forbid namespaces")
    assert "SandboxError: bots can't be sandboxed here; bubblewrap says: bwrap: " in result.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["listen:0"], "port0 can't be sandboxed: only a program that the arena starts can, as a process"),
        (["greedy", "--inside"], "a bot that runs --inside the arena can't be in a --sandbox; leave one of them out"),
    ],
)
def test_what_can_not_be_sandboxed(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reason in refused(capsys, tmp_path / "log.jsonl", *words)


# ---- files -----------------------------------------------------------------------------------------------------------

WRITE = """
import sys
for folder in sys.argv[1:]:
    try:
        open(f"{folder}/mexica-was-here", "w").close()
        print("written")
    except OSError as error:
        print(type(error).__name__, error.errno)
"""


@needs_bwrap
def test_nothing_can_be_written_but_in_tmp_and_shared_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = [".", str(Path.home())]
    folders = ["/", "/usr", "/etc", "/dev", "/run", "/home", "/var/tmp", "/sys"]
    assert "written" not in told(WRITE, *own, *folders)
    assert told(WRITE, ".") == [f"OSError {errno.EROFS}"]
    assert told(WRITE, "/tmp", "/dev/shm") == ["written"] * 2
    assert not Path("/tmp/mexica-was-here").exists()
    assert not Path("/dev/shm/mexica-was-here").exists()


KERNEL = """
import os
for folder, _, names in os.walk("/proc/sys"):
    for name in names:
        try:
            os.close(os.open(f"{folder}/{name}", os.O_WRONLY))
            print(folder, name)
        except OSError:
            pass
"""


@needs_bwrap
def test_the_kernel_can_not_be_set_up_anew() -> None:
    assert told(KERNEL) == []


UNDO = """
import ctypes
libc = ctypes.CDLL(None)
NEW_USER, NEW_MOUNTS, DETACH, REMOUNT, BIND = 0x10000000, 0x20000, 2, 32, 4096
print(libc.unshare(NEW_USER | NEW_MOUNTS))
print(libc.umount2(b"/run", DETACH), libc.mount(b"none", b"/", None, REMOUNT | BIND, None))
"""


@needs_bwrap
def test_namespaces_of_its_own_do_not_help_a_bot_out() -> None:
    """Whether it may make some or not."""
    assert told(UNDO)[-1] == "-1 -1"


HOLD = """
open("/tmp/plans", "w").close()
print("written", flush=True)
input()
"""


@needs_bwrap
def test_each_bot_has_a_tmp_of_its_own() -> None:
    before = told("import os; print(os.listdir('/tmp'))")  # not empty where the project itself lies in /tmp
    with start_confined(*PYTHON, HOLD) as one:
        assert line_of(one.stdout) == "written\n"
        assert told("import os; print(os.listdir('/tmp'))") == before
        one.communicate("\n")
    assert one.returncode == 0


@needs_bwrap
def test_tmp_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SCRATCH_BYTES", 1 << 20)
    code = """
for folder in ("/tmp", "/dev/shm"):
    try:
        with open(f"{folder}/much", "wb") as file:
            file.write(bytes(2 << 20))
        print("written")
    except OSError as error:
        print(error.strerror)
"""
    assert told(code) == ["No space left on device"] * 2


@needs_bwrap
def test_a_file_that_all_may_read_is_seen_in_the_system_but_not_among_other_peoples() -> None:
    code = "import os, sys; print(os.path.exists('/' + sys.argv[1]))"
    with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:
        Path(file.name).chmod(0o644)
        assert told(code, file.name[1:]) == ["False"]
    assert told(code, "etc/passwd") == ["True"]


@needs_bwrap
def test_a_bot_in_tmp_is_run_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "helper.py").write_text("import os\nprint(os.getcwd())\n")
    (tmp_path / "bot.py").write_text("import helper\n")
    monkeypatch.chdir(tmp_path)
    with start_confined(sys.executable, "bot.py") as process:
        assert process.communicate() == (f"{Path.cwd()}\n", "")


# ---- network, environment, processes, CPUs ---------------------------------------------------------------------------

CONNECT = """
import socket, sys
for family, address in [(socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))), (socket.AF_UNIX, "\\0" + sys.argv[2])]:
    try:
        socket.socket(family).connect(address)
        print("connected")
    except OSError as error:
        print(error.strerror)
"""


@needs_bwrap
def test_no_connection_to_the_machine_itself() -> None:
    name = f"mexica-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0{name}")
        local.listen()
        port = str(server.getsockname()[1])
        outside = subprocess.run([*PYTHON, CONNECT, port, name], check=True, capture_output=True, text=True)
        assert outside.stdout == "connected\nconnected\n"
        assert told(CONNECT, port, name) == ["Connection refused"] * 2
    assert told("import socket; print(*(name for _, name in socket.if_nameindex()))") == ["lo"]


@needs_bwrap
def test_no_secret_of_the_environment_is_seen_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not in the environment of bubblewrap, which is a process in there too."""
    monkeypatch.setenv("API_TOKEN", "do-not-tell")
    code = """
from pathlib import Path
seen = [file.read_bytes() for file in Path("/proc").glob("[0-9]*/environ")]
print(len(seen), *(b"do-not-" + b"tell" in text for text in seen))
"""
    assert told(code) == ["2 False False"]


@needs_bwrap
def test_no_other_process_is_seen() -> None:
    code = "import os; print(*sorted(map(int, filter(str.isdigit, os.listdir('/proc')))))"
    assert told(code) == ["1 2"]


@needs_bwrap
def test_the_cpus_are_those_of_the_arena_for_good() -> None:
    code = """
import os
print(sorted(os.sched_getaffinity(0)))
for change in (lambda: os.sched_setaffinity(0, range(64)), lambda: os.nice(-1)):
    try:
        change()
        print("changed")
    except PermissionError:
        print("refused")
"""
    assert told(code) == [str(sorted(os.sched_getaffinity(0))), "refused", "refused"]


FORK = "exec 3<&0; for n in 1 2 3 4 5 6 7 8; do cat <&3 & done; echo all >&2"


@needs_bwrap
def test_processes_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for root, so that a test which root runs becomes somebody else first."""
    monkeypatch.setattr(sandbox, "PROCESSES", 5)
    monkeypatch.chdir("/")
    nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.getuid() == 0 else ()
    with start_confined("sh", "-c", FORK, prefix=nobody) as process:
        assert "fork" in line_of(process.stderr)
        process.communicate()


# ---- in a match ------------------------------------------------------------------------------------------------------


class Pids:
    """Every process that stood behind the first bot when a line was written; for `play`."""

    def __init__(self) -> None:
        self.all: set[int] = set()
        self.channels: list[ProcessChannel] = []

    def see(self, arena: Arena, line: Line) -> None:
        channel = arena.bots[0].channel
        if isinstance(channel, ProcessChannel):
            self.all |= set(family._tree(channel.pid))
            if channel not in self.channels:
                self.channels.append(channel)


async def play_confined(
    game: Game, spec: BotSpec, bounds: Limits, stderr_dir: Path | None = None
) -> tuple[Played, int]:
    """A match in a sandbox against a good bot; what it came to and how the bot's process ended. Nothing may be left."""
    pids = Pids()
    specs = [sandboxed(spec), survivor("survivor", [])]
    with trio.fail_after(LONG):
        played = await play(game, specs, bounds, stderr_dir=stderr_dir, record=pids.see)
    for pid in pids.all:
        await death_of(pid)
    [channel] = pids.channels
    await no_process_left(f"{family.MARK}={channel._mark}".encode())
    assert channel._process.returncode is not None
    return played, channel._process.returncode


@needs_bwrap
async def test_a_good_bot_plays_and_leaves(nim: Game) -> None:
    played, code = await play_confined(nim, zoo_bot("good"), limits(quit=LONG))
    assert [result.outcome for result in played.results] == ["finished"]
    assert code == 0


@needs_bwrap
@pytest.mark.parametrize("name", ["outlived_by_daemon", "outlived_by_anonym"])
async def test_nothing_that_a_bot_started_is_left(nim: Game, name: str) -> None:
    played, code = await play_confined(nim, zoo_bot(name), limits(quit=LONG))
    assert [result.outcome for result in played.results] == ["finished"]
    assert code == 0


STUBBORN = f"""
import signal, sys
sys.path.append({str(ZOO)!r})
from _speak import answer, complain, live_on, messages, write
def terminate(number, frame):
    complain("SIGTERM")
    sys.exit(3)
signal.signal(signal.SIGTERM, terminate)
for message in messages():
    write(answer(message))
live_on()
"""


@needs_bwrap
async def test_a_bot_has_its_time_after_sigterm(nim: Game, tmp_path: Path) -> None:
    spec = BotSpec(name="stubborn", text="stubborn", launch=Command((*PYTHON, STUBBORN)), sha256="")
    _, code = await play_confined(nim, spec, limits(), stderr_dir=tmp_path)
    assert (tmp_path / "stubborn.stderr").read_text() == "SIGTERM\n"
    assert code == 3


@needs_bwrap
async def test_a_crash_is_told_apart(nim: Game) -> None:
    played, _ = await play_confined(nim, zoo_bot("segfaults"), limits())
    [fault, _] = played.results[0].reasons
    assert fault is not None
    assert fault.reason == "the process exited with code 139 (SIGSEGV) in mid-match"


@needs_bwrap
async def test_memory_is_limited(nim: Game) -> None:
    played, _ = await play_confined(nim, zoo_bot("child_eats_memory"), limits(memory=64 << 20))
    [fault, _] = played.results[0].reasons
    assert fault is not None
    assert fault.kind is FaultKind.MEMORY


ARENA = """
import trio
from arena.zookeeper import limits, zoo_bot
from mexica_cli.arena.bot import open_arena
from mexica_cli.arena.spec import sandboxed

async def main():
    async with open_arena(limits(), []) as arena:
        bot = arena.add(sandboxed(zoo_bot("outlived_by_daemon")))
        await bot.start()
        print(bot.channel.pid, flush=True)
        await trio.sleep_forever()

trio.run(main)
"""


@pytest.fixture
def arena_process(root: Path) -> Iterator[subprocess.Popen[str]]:
    """An arena with a sandboxed bot; it prints which process that is."""
    env = {**os.environ, "PYTHONPATH": f"{root}:{root / 'tests'}"}
    with subprocess.Popen([sys.executable, "-c", ARENA], env=env, stdout=subprocess.PIPE, text=True) as process:
        yield process


@needs_bwrap
async def test_no_bot_outlives_an_arena_that_is_killed(arena_process: subprocess.Popen[str]) -> None:
    assert arena_process.stdout is not None
    pids = family._tree(int(arena_process.stdout.readline()))
    arena_process.kill()
    assert len(pids) == len(["bwrap", "process 1", "the bot", "its daemon"])
    for pid in pids:
        await death_of(pid)


@needs_bwrap
def test_a_match_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = [tmp_path / "plain.jsonl", tmp_path / "sandboxed.jsonl"]
    bot = shlex.join([sys.executable, str(ZOO / "illegal_thrice.py"), "jump"])
    for log, words in zip(logs, [[], ["--sandbox"]], strict=True):
        assert run(["match", "random", f"bad={bot}", "--seed", "1", "--log", str(log), *words]) == 0
        assert run(["log", "verify", str(log)]) == 0
    headers = [msgspec.json.decode(log.read_bytes().splitlines()[0]) for log in logs]
    assert [[bot.get("sandbox") for bot in header["bots"]] for header in headers] == [[None, None], [True, True]]
    resume = ["--seed", "1", "--log", str(logs[0]), "--resume"]
    assert run(["match", "random", f"bad={bot}", "--sandbox", *resume]) == 2
    assert "sandbox" in capsys.readouterr().err
