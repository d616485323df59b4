"""A server in a process of its own, and bots of this process that come to it over real sockets."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import trio
from server.kit import Client

from mexica_cli.wire.messages import (
    Bye,
    Error,
    Hello,
    Join,
    Ping,
    Play,
    Pong,
    Ready,
    Result,
    Start,
    Turn,
    Want,
    Welcome,
)

READY = "serving on "
SPACES = ("g7", "h6")
"""Where a bot of each seat places its pawn."""


class Process:
    """A running `mexica serve`."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    async def signal(self, number: signal.Signals) -> int:
        """Send a signal, and wait for the end; the exit code."""
        self.process.send_signal(number)
        await trio.to_thread.run_sync(self.process.wait, 120)
        return self.process.returncode


@contextmanager
def serving(folder: Path, text: str, *options: str, port: int = 0) -> Iterator[Process]:
    """A server with that configuration; dead at the end. What it logs is in `server.log`."""
    config, log = folder / "server.toml", folder / "server.log"
    config.write_text(text)
    command = [sys.executable, "-m", "mexica_cli", "serve", "--config", str(config), "--port", str(port), *options]
    with log.open("w") as stderr:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, env={**os.environ, "PYTHONWARNINGS": "error"}
        )
    try:
        yield Process(process, _port(process, log))
    finally:
        process.kill()
        process.communicate()


def _port(process: subprocess.Popen[str], log: Path) -> int:
    """Where it serves, once it does."""
    while True:
        for line in log.read_text().splitlines():
            if line.startswith(READY) and line.rpartition(":")[2].isdecimal():
                return int(line.rpartition(":")[2])
        assert process.poll() is None, log.read_text()
        time.sleep(0.02)


async def connect(port: int) -> Client:
    """A connection, as soon as there is a server."""
    while True:
        try:
            stream = await trio.open_tcp_stream("127.0.0.1", port)
        except OSError:
            await trio.sleep(0.05)
            continue
        return Client(stream)


class Regular:
    """A bot that comes back whenever its connection breaks, and in Mexica does nothing but place its pawn."""

    def __init__(self, name: str, port: int, think: float = 0.0, *, votes: bool = False) -> None:
        """`votes`: it asks for the list of its actions, which it needs where others propose something."""
        self.name = name
        self.results: list[Result] = []
        self.starts: list[Start] = []
        self.errors: list[Error] = []
        self._port = port
        self._want: list[Want] = ["legal"] if votes else []
        self._think = think
        self._session: str | None = None
        self._seat = 0
        self._placed = False

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            client = await connect(self._port)
            try:
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    while (message := await client.hear()) is not None:
                        await self._answer(client, message)
                        client.heard.clear()
            finally:
                with trio.CancelScope(shield=True):
                    await client.close()
            await trio.sleep(0.05)

    def _choose(self, turn: Turn) -> str:
        if turn.legal:
            return "end" if "end" in turn.legal else turn.legal[-1]  # which places the pawn, or refuses
        action = "end" if self._placed else f"place {SPACES[self._seat]}"
        self._placed = True
        return action

    async def _answer(self, client: Client, message: object) -> None:
        match message:
            case Hello():
                await client.send(Join(protocol=1, name=self.name, want=self._want, session=self._session))
            case Welcome():
                self._session = message.session
            case Start():
                self.starts.append(message)
                self._seat, self._placed = message.seat, message.state["pawns"][message.seat] is not None
                await client.send(Ready(match=message.match))
            case Turn():
                await trio.sleep(self._think)
                await client.send(Play(id=message.id, actions=[self._choose(message)]))
            case Ping():
                await client.send(Pong(id=message.id))
            case Result():
                self.results.append(message)
            case Error():
                self.errors.append(message)
            case Bye():
                await client.close()
