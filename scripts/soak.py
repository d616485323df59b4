"""Many bots at one server for some time: 1,000 of them, 200 matches at a time, for 5 minutes, unless told otherwise.

    .venv/bin/python scripts/soak.py
    .venv/bin/python scripts/soak.py --bots 50 --matches 10 --seconds 10 --want legal

For every interval it prints connections, matches under way, decisions a second, how long the server takes to answer a
question of a client beside the matches (median and 99th percentile, asked twenty times a second), its memory, and its
share of a CPU. At the end it stops the server and has the log verified. Anything that went wrong, such as a bot sent
away, a rejected action, a lost connection, or a match that wasn't finished, is listed, and the exit code is 1.

Bots that `--want legal` play whole games by chance; the server lists some thousand actions for each decision then. The
others place their pawn and pass, which makes for short matches and costs little but what the server itself takes.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import msgspec
import trio

from mexica_cli.record.lines import ResultLine
from mexica_cli.record.reader import open_log
from mexica_cli.record.verify import verify
from mexica_cli.wire.framing import LineBuffer

READY = re.compile(r"^serving on .*:(\d+)$", re.MULTILINE)
MEBI = 1 << 20
CONFIGURATION = """
data = "data"
[limits]
connections = {connections}
per_address = {connections}
finish = "10m"
[[tables]]
name = "soak"
kind = "ladder"
at_once = {matches}
move_time = "2m"
ready = "2m"
"""


class Message(msgspec.Struct):
    """What a bot needs of any message."""

    type: str
    id: int = 0
    match: str = ""
    seat: int = 0
    code: str = ""
    reason: str = ""
    legal: list[str] = []


_decoder = msgspec.json.Decoder(Message)


class Watch:
    """What all bots together have seen."""

    def __init__(self) -> None:
        self.connected = 0
        self.decisions = 0
        self.waits: list[float] = []
        """Seconds that answers took, since the last report."""
        self.faults: Counter[str] = Counter()

    def report(self) -> tuple[int, float, float]:
        """Decisions since the last report; median and 99th percentile of the waits, in milliseconds."""
        waits, self.waits = sorted(self.waits), []
        decisions, self.decisions = self.decisions, 0
        if not waits:
            return decisions, 0.0, 0.0
        return decisions, 1000 * waits[len(waits) // 2], 1000 * waits[int(len(waits) * 0.99)]


class Bot:
    """One bot. It plays by chance, or, without the list, only places its pawn and passes."""

    def __init__(self, name: str, options: argparse.Namespace, watch: Watch) -> None:
        self._name = name
        self._chance = random.Random(name)
        self._think = options.think
        self._want = options.want
        self._watch = watch
        self._placed = False
        self._leaving = False

    async def run(self, port: int) -> None:
        """Come, and play until the server says goodbye."""
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        lines = LineBuffer(1 << 24)
        self._watch.connected += 1
        async with stream:
            while data := await stream.receive_some(1 << 18):
                lines.feed(bytes(data))
                while (line := lines.next_line()) is not None:
                    await self._take(stream, _decoder.decode(line))
        self._watch.connected -= 1
        if not self._leaving:
            self._watch.faults["connection lost"] += 1

    async def _take(self, stream: trio.SocketStream, message: Message) -> None:
        match message.type:
            case "hello":
                await self._send(stream, type="join", protocol=1, name=self._name, want=self._want)
            case "start":
                self._placed = False
                await self._send(stream, type="ready", match=message.match)
            case "turn":
                if self._think:
                    await trio.sleep(self._chance.uniform(0.5, 1.5) * self._think)
                await self._send(stream, type="play", id=message.id, actions=[self._choose(message)])
                self._watch.decisions += 1
            case "ping":
                await self._send(stream, type="pong", id=message.id)
            case "reject" | "error" if message.code != "closing":
                self._watch.faults[f"{message.type} {message.code}: {message.reason}"] += 1
            case "bye":
                self._leaving = True

    def _choose(self, turn: Message) -> str:
        if not turn.legal:
            action = "end" if self._placed else f"place {('g7', 'h6')[turn.seat]}"
            self._placed = True
            return action
        kind = self._chance.choice(sorted({action.partition(" ")[0] for action in turn.legal}))
        return self._chance.choice([action for action in turn.legal if action.partition(" ")[0] == kind])

    async def _send(self, stream: trio.SocketStream, **fields: object) -> None:
        await stream.send_all(msgspec.json.encode(fields) + b"\n")


class Soak:
    """A server and its bots."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._watch = Watch()
        self._log = folder / "data" / "soak" / "log.jsonl"

    def run(self) -> int:
        """All of it; the exit code."""
        config = self._folder / "soak.toml"
        config.write_text(CONFIGURATION.format(connections=self._options.bots + 50, matches=self._options.matches))
        errors = self._folder / "stderr"
        command = [sys.executable, "-m", "mexica_cli", "serve", "--config", str(config), "--port", "0"]
        with errors.open("wb") as stderr:
            server = subprocess.Popen(command, stderr=stderr, stdout=subprocess.DEVNULL)
        try:
            trio.run(self._visit, server, errors)
        finally:
            server.kill()
            server.wait()
        return self._judge(errors)

    async def _visit(self, server: subprocess.Popen[bytes], errors: Path) -> None:
        port = await self._port(server, errors)
        async with trio.open_nursery() as nursery:
            for number in range(self._options.bots):
                nursery.start_soon(Bot(f"bot{number}", self._options, self._watch).run, port)
                if number % 20 == 19:
                    await trio.sleep(0.05)
            nursery.start_soon(self._ask, port)
            await self._report(server.pid)
            server.send_signal(signal.SIGTERM)
            await trio.to_thread.run_sync(server.wait)

    async def _ask(self, port: int) -> None:
        """Ask one question after the other, until the server stops."""
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        lines = LineBuffer(1 << 24)
        async with stream:
            await stream.send_all(b'{"type":"join","protocol":1,"name":"probe","role":"spectator"}\n')
            while True:
                asked = time.perf_counter()
                await stream.send_all(b'{"type":"look","at":"standings","table":"none"}\n')
                while (line := lines.next_line()) is None or _decoder.decode(line).code != "no_table":
                    if line is None:
                        if not (data := await stream.receive_some(1 << 16)):
                            return
                        lines.feed(bytes(data))
                self._watch.waits.append(time.perf_counter() - asked)
                await trio.sleep(0.05)

    async def _port(self, server: subprocess.Popen[bytes], errors: Path) -> int:
        while not (found := READY.search(errors.read_text())):
            if server.poll() is not None:
                sys.exit(errors.read_text())
            await trio.sleep(0.05)
        return int(found[1])

    async def _report(self, pid: int) -> None:
        """A line for every interval."""
        print("    s  bots running decisions/s median ms  p99 ms server MB  CPU %")
        began = last = time.monotonic()
        busy = _cpu_seconds(pid)
        while time.monotonic() - began < self._options.seconds:
            await trio.sleep(self._options.every)
            now, used = time.monotonic(), _cpu_seconds(pid)
            decisions, median, p99 = self._watch.report()
            running = len(list((self._log.parent / "running").glob("*.jsonl")))
            print(
                f"{now - began:5.0f} {self._watch.connected:5} {running:7} {decisions / (now - last):11.0f} "
                f"{median:9.1f} {p99:7.1f} {_resident(pid) / MEBI:9.1f} {100 * (used - busy) / (now - last):6.0f}",
                flush=True,
            )
            last, busy = now, used

    def _judge(self, errors: Path) -> int:
        """Look whether all is right."""
        wrong = dict(self._watch.faults)
        wrong |= {f"server: {line}": 1 for line in errors.read_text().splitlines() if "error" in line.lower()}
        with open_log(str(self._log)) as reader:
            report = verify(reader)
        with open_log(str(self._log)) as reader:
            outcomes = Counter(line.outcome for _, line in reader if isinstance(line, ResultLine))
        unfinished = len(list((self._log.parent / "running").glob("*.jsonl")))
        print(f"log: {report.games} matches, {report.actions} actions, verified; {unfinished} unfinished")
        for fault, times in wrong.items():
            print(f"{times} times: {fault}")
        return 1 if wrong or unfinished or not report.whole or set(outcomes) != {"finished"} else 0


def _resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(words: list[str] | None = None) -> int:
    """The script; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=200, help="under way at the same time")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--every", type=float, default=10, help="seconds between two lines of numbers")
    parser.add_argument("--think", type=float, default=0.5, help="seconds that a bot takes for an answer, on average")
    parser.add_argument("--want", nargs="*", default=[], choices=["state", "legal", "events"])
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        return Soak(options, Path(folder)).run()


if __name__ == "__main__":
    sys.exit(main())
