"""A bot in a sandbox, made by bubblewrap (`bwrap`).

What it has: the file system to read, a /tmp and a /dev/shm of its own to write, both small and gone when it ends; the
environment of `environment`; the CPUs of the arena, which it can't leave, and no more than PROCESSES processes and
threads. What it has not: a network, not even the machine's own loopback; the sockets under /run; other people's /tmp;
the home folders, but for the entries in them that its command names or lies in; the sight of any process but its own;
a process that outlives it; privileges, not even root's. Its memory is limited as that of every bot, by the arena.

It guards against greed, accidents and curiosity. Who wants to bring down the machine may still find a way: memory that
no process has mapped, for one, is not counted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from mexica_cli.arena.process import Program
from mexica_cli.arena.seccomp import cpu_filter

SCRATCH = "/tmp"
"""Where a bot may write, and its home."""
SCRATCH_BYTES = 128 << 20
"""How much may be in there, and as much again in /dev/shm; it is memory."""
PROCESSES = 256
"""Processes and threads of a bot. The kernel exempts root from this limit."""
HIDDEN = {"/home": 2, "/root": 1, SCRATCH: 1, "/var/tmp": 1}
"""Folders of which a bot sees only the entries that its command needs, and how deep those lie."""


class SandboxError(Exception):
    """Bots can't be sandboxed on this machine; the message says why."""


def probe() -> None:
    """Make a sandbox and leave it again. Raises SandboxError where that can't be done."""
    if shutil.which("bwrap") is None:
        raise SandboxError("bots can't be sandboxed: there is no `bwrap`; install the Debian package bubblewrap")
    with confined(["true"]) as program:
        run = subprocess.run(
            program.argv,
            env=program.environ,
            pass_fds=program.fds,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    if run.returncode:
        why = run.stderr.decode("utf-8", "replace").strip() or f"it exited with code {run.returncode}"
        raise SandboxError(f"bots can't be sandboxed here; bubblewrap says: {why}")


@contextmanager
def confined(argv: Sequence[str]) -> Iterator[Program]:
    """The command in a sandbox, to be started within the block, in the current folder."""
    read, write = os.pipe()
    try:
        with os.fdopen(write, "wb") as pipe:
            pipe.write(cpu_filter())
        yield Program(argv=wrap(argv, Path.cwd(), read), environ=environment(os.environ), fds=(read,))
    finally:
        os.close(read)


def environment(outside: Mapping[str, str]) -> dict[str, str]:
    """What a bot is told of the arena's environment.

    bwrap itself must be started with it: its own environment can be read in the sandbox, as that of process 1.
    """
    kept = {name: outside[name] for name in ("PATH", "LANG") if name in outside}
    return {**kept, "HOME": SCRATCH, "TMPDIR": SCRATCH}


def wrap(argv: Sequence[str], folder: Path, filter_fd: int) -> list[str]:
    """The command line that runs `argv` in a sandbox, in `folder`, under the seccomp filter that `filter_fd` holds.

    bwrap stands between the arena and the bot, in the bot's process group, and its child is process 1 of the sandbox.

    - SIGTERM to the group is for the bot alone: bwrap would end at once and look as if the bot had.
    - SIGKILL to the group ends process 1, and with it the kernel ends everything in the sandbox. So bwrap gets no
      `--new-session`, which would take process 1 out of the group; the group has no terminal to be kept from anyway.
    - Nor does it get `--die-with-parent`: its parent is the thread that started it, and threads come and go. The
      guard ends the group when the arena is gone.
    - Where root runs the arena, bwrap would leave the bot all capabilities. And without any, root may still write
      to /proc/sys, which is the whole machine's.
    """
    return [
        *("env", "--ignore-signal=TERM"),
        *("bwrap", "--unshare-all", "--cap-drop", "ALL", "--seccomp", str(filter_fd)),
        *("--ro-bind", "/", "/", "--proc", "/proc", "--remount-ro", "/proc"),
        *("--dev", "/dev", "--size", str(SCRATCH_BYTES), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),
        *("--tmpfs", "/run", "--remount-ro", "/run"),
        *_home_folders(_named(argv, folder), folder),
        *("--chdir", str(folder), "--"),
        *("env", "--default-signal=TERM"),
        *("prlimit", f"--nproc={PROCESSES}", "--nice=0", "--rtprio=0", "--"),
        *argv,
    ]


def _named(argv: Sequence[str], folder: Path) -> list[Path]:
    """The folder, and what of the file system the words name, also after an equals sign; links and where they lead."""
    texts = [text for word in argv for text in (word, word.partition("=")[2]) if text]
    paths = [os.path.abspath(folder / text) for text in texts]  # noqa: PTH100 (which follows no links)
    there = [Path(path) for path in paths if os.path.exists(path)]  # noqa: PTH110 (Path.exists raises for a long word)
    return [folder, *there, *(path.resolve() for path in there)]


def _home_folders(named: Sequence[Path], folder: Path) -> Iterator[str]:
    """Arguments that empty the HIDDEN folders but for what is named."""
    for name, depth in HIDDEN.items():
        top = Path(name).resolve()
        if not top.is_dir():
            continue
        if name == SCRATCH:
            yield from ("--size", str(SCRATCH_BYTES))
        yield from ("--tmpfs", str(top))
        for entry in sorted({entry for path in named if (entry := _entry(path, top, depth))}):
            yield from ("--ro-bind", str(entry), str(entry))
        if folder.is_relative_to(top):
            yield from ("--dir", str(folder))
        if name != SCRATCH:
            yield from ("--remount-ro", str(top))


def _entry(path: Path, top: Path, depth: int) -> Path | None:
    """What must be seen of `top` for `path` to be: a file, or a folder at `depth`."""
    if not path.is_relative_to(top):
        return None
    parts = path.relative_to(top).parts
    if len(parts) < depth and path.is_dir():
        return None
    return top.joinpath(*parts[:depth])
