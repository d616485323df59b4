"""A bot as a process of its own.

Its standard input and output are the channel, its standard error is always drained: to a capped file, and a tail is
kept for the record of a failed game. It runs in its own session, so that a Ctrl-C at the terminal is the arena's alone.
"""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager
from pathlib import Path

import msgspec
import trio

from mexica_cli.arena import family
from mexica_cli.arena.channel import READ_BYTES, FdChannel
from mexica_cli.arena.faults import FaultKind, SeatFault
from mexica_cli.arena.guard import Guard
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.log import log

TAIL_BYTES = 65536
"""How much of the end of standard error is kept in memory."""
FAMILY_CHECK = 0.1
"""Seconds between two looks at a bot's processes and their memory."""
LOOK_AGAIN = 0.01
"""Seconds between two looks at processes that have been killed."""
EXIT_WAIT = 0.5
"""Seconds that a process which closed its output gets to show its exit code."""
PASSED_ON = 128
"""Added to the signal by which its child ended, in the exit code of a shell or sandbox."""
TERM_WAIT = 1.0
"""Seconds between SIGTERM and SIGKILL."""


Stack = ExitStack | AsyncExitStack
"""What is to be undone."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A command as the system is to start it."""

    argv: Sequence[str]
    environ: Mapping[str, str]
    fds: tuple[int, ...] = ()
    """File descriptors that it gets besides the standard ones."""


class ProcessChannel(FdChannel):
    """The channel to a bot process, which it owns. Made by `open_process_channel`."""

    def __init__(self, process: trio.Process, fds: tuple[int, int], mark: str, guard: Guard, limits: Limits) -> None:
        super().__init__(fds[0], fds[1], limits.line_bytes)
        self._process = process
        self._mark = mark
        self._guard = guard
        self._limits = limits
        self._tail = bytearray()
        self._over_memory = False
        self.strays = 0
        """Processes that were ended while it ran, as they hid whose they are."""
        self._helpers = trio.CancelScope()
        self._drained = trio.Event()
        self._closing = trio.Lock()
        self._closed = False

    @property
    def pid(self) -> int:
        """The process, which is also its group."""
        return self._process.pid

    def stderr_tail(self) -> str | None:
        """See `Channel.stderr_tail`."""
        return self._tail.decode("utf-8", "replace")

    async def why_closed(self) -> SeatFault:
        """See `Channel.why_closed`."""
        with trio.move_on_after(EXIT_WAIT):
            await self._process.wait()
            await self._drained.wait()
        if self._over_memory:
            limit = self._limits.memory or 0
            return SeatFault(FaultKind.MEMORY, f"more than the {limit >> 20} MiB of memory that a bot may take")
        code = self._process.returncode
        if code is None:
            return SeatFault(FaultKind.DISCONNECT, "it closed its standard output")
        return SeatFault(FaultKind.CRASH, f"the process {_how_it_ended(code)} in mid-match")

    async def close(self, grace: float) -> None:
        """See `Channel.close`. Shielded: a bot is always ended in full."""
        with trio.CancelScope(shield=True):
            async with self._closing:
                if not self._closed:
                    await self._last_lines(grace)
                    await self._end(grace)
                    self._closed = True

    async def _end(self, grace: float) -> None:
        self.close_writing()
        await self._exits_within(grace)
        if self._process.returncode is None:
            family.signal_group(self.pid, signal.SIGTERM)
            await self._exits_within(min(grace, TERM_WAIT))
        await self._kill()
        self._guard.forget(self.pid)
        with trio.move_on_after(EXIT_WAIT):
            await self._drained.wait()
        self._helpers.cancel()
        self.close_fds()

    async def _kill(self) -> None:
        """End the process if it still runs, and in any case what it started."""
        self._kill_all()
        await self._process.wait()
        family.own.discard(self.pid)
        with trio.move_on_after(EXIT_WAIT):
            while family.kill_orphans(self.pid, self._mark):  # whose children are orphans then
                await trio.sleep(LOOK_AGAIN)

    def _kill_all(self) -> None:
        if self._process.returncode is None:
            family.kill_tree(self.pid)
        family.signal_group(self.pid, signal.SIGKILL)
        family.kill_marked(self._mark)

    async def _exits_within(self, seconds: float) -> None:
        with trio.move_on_after(seconds):
            await self._process.wait()

    async def help(self, stderr_fd: int, stderr_file: Path | None) -> None:
        """The work beside the channel, until the bot is closed: drain standard error, watch the family and exit."""
        with self._helpers:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch_exit)
                nursery.start_soon(self._watch_family)
                await self._drain(stderr_fd, stderr_file)

    async def _drain(self, fd: int, file: Path | None) -> None:
        """Read standard error to its end, keep the tail, and write up to `stderr_bytes` of it to `file`."""
        sink = _Sink(file, self._limits.stderr_bytes)
        with _closing(fd), closing(sink):
            try:
                while data := await _read(fd):
                    self._tail = (self._tail + data)[-TAIL_BYTES:]
                    sink.write(data)
            finally:
                self._drained.set()

    async def _watch_exit(self) -> None:
        """Without its process a bot is gone, even if a child of it still holds the pipes open."""
        await self._process.wait()
        self.give_up()

    async def _watch_family(self) -> None:
        """Kill the bot when it and what it started take more than they may; and what hides whose it is."""
        limit = self._limits.memory
        while self._process.returncode is None:
            self.strays += family.kill_strays()
            if limit is not None and family.takes_more(self.pid, self._mark, limit):
                self._over_memory = True
                self._kill_all()
            await trio.sleep(FAMILY_CHECK)


async def open_process_channel(
    nursery: trio.Nursery, program: Program, guard: Guard, limits: Limits, stderr_file: Path | None
) -> ProcessChannel:
    """Start `program`; its helpers run in `nursery` until the process is gone. Raises OSError."""
    mark = secrets.token_hex(8)
    async with AsyncExitStack() as ours:
        with ExitStack() as theirs:
            in_read, in_write = _pipe(theirs, ours)
            out_read, out_write = _pipe(ours, theirs)
            err_read, err_write = _pipe(ours, theirs)
            process = await _start(program, mark, (in_read, out_write, err_write))
        ours.push_async_callback(_end, process)
        guard.watch(process.pid, mark)
        channel = ProcessChannel(process, (out_read, in_write), mark, guard, limits)
        os.set_blocking(err_read, False)
        nursery.start_soon(channel.help, err_read, stderr_file)
        ours.pop_all()
    return channel


async def _start(program: Program, mark: str, fds: tuple[int, int, int]) -> trio.Process:
    """Start `program` with these as its standard descriptors. Raises OSError."""
    with family.starting():
        process = await trio.lowlevel.open_process(
            list(program.argv),
            stdin=fds[0],
            stdout=fds[1],
            stderr=fds[2],
            start_new_session=True,
            pass_fds=program.fds,
            env={**program.environ, family.MARK: mark},
        )
        family.own.add(process.pid)
    return process


def _pipe(reads: Stack, writes: Stack) -> tuple[int, int]:
    """A pipe, of which each end belongs to one of the stacks. Raises OSError."""
    read, write = os.pipe()
    reads.callback(os.close, read)
    writes.callback(os.close, write)
    return read, write


async def _end(process: trio.Process) -> None:
    """End a process of which no channel is made, as something else is wrong."""
    with trio.CancelScope(shield=True):
        family.signal_group(process.pid, signal.SIGKILL)
        await process.wait()
    family.own.discard(process.pid)


class _Sink:
    """The start of a bot's standard error in a file. A disk that is full costs the file, not the match."""

    def __init__(self, path: Path | None, limit: int) -> None:
        self._left = limit
        self._file = None
        try:
            self._file = path.open("ab", buffering=0) if path else None
        except OSError as error:
            log.warning("standard error is not kept", file=str(path), why=error.strerror)

    def write(self, data: bytes) -> None:
        """Add what there is still room for."""
        if self._file is None or self._left <= 0:
            return
        try:
            self._file.write(data[: self._left])
        except OSError as error:
            log.warning("standard error is not kept any more", file=str(self._file.name), why=error.strerror)
            self.close()
        self._left -= len(data)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()
            self._file = None


@contextmanager
def _closing(fd: int) -> Iterator[None]:
    """Close the descriptor in any case."""
    try:
        yield
    finally:
        os.close(fd)


async def _read(fd: int) -> bytes:
    while True:
        await trio.lowlevel.wait_readable(fd)
        try:
            return os.read(fd, READ_BYTES)
        except BlockingIOError:
            continue


def _how_it_ended(code: int) -> str:
    if code < 0:
        return f"was killed by {_signal_name(-code) or f'signal {-code}'}"
    name = _signal_name(code - PASSED_ON)
    return f"exited with code {code}" + (f" ({name})" if name else "")


def _signal_name(number: int) -> str | None:
    try:
        return signal.Signals(number).name
    except ValueError:
        return None
