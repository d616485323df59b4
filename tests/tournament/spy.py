"""Plays at random, and can be told to do something else before its first action of a match.

    spy.py FOLDER [--tell]

Lines of the file FOLDER/<match> are obeyed once: `SIGKILL worker` and `SIGINT run` send a signal to the worker process
or to the one that started it; `wait` says so in the pipe FOLDER/here and goes on when there is something in the pipe
FOLDER/go. With --tell, its process, its parent and its CPUs are in the note of every answer.
"""

from __future__ import annotations

import argparse
import os
import signal
from pathlib import Path

from mexica_cli.client import Bot, Start, Turn, run


class Spy(Bot):
    """Plays at random, and does what it is told."""

    name = "spy"
    want = ("legal",)

    @classmethod
    def arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--tell", action="store_true")

    def start(self, match: Start) -> None:
        self.orders = self.options.folder / match.match

    def play(self, turn: Turn) -> str:
        if self.orders.exists():
            orders = self.orders.read_text().splitlines()
            self.orders.unlink()
            for order in orders:
                self._obey(order)
        if self.options.tell:
            self.note = f"{os.getpid()} {os.getppid()} {sorted(os.sched_getaffinity(0))}"
        return self.random.choice(sorted(turn.legal or [], key=_few_first)[:2])

    def _obey(self, order: str) -> None:
        if order == "wait":
            (self.options.folder / "here").write_bytes(b"!")
            (self.options.folder / "go").read_bytes()
            return
        name, whom = order.split()
        os.kill(os.getppid() if whom == "worker" else _parent_of(os.getppid()), signal.Signals[name])


def _few_first(action: str) -> tuple[bool, str]:
    """What ends a turn soon comes first, so that games are short."""
    return action != "end", action


def _parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


if __name__ == "__main__":
    run(Spy)
