"""A bot that costs nothing: steps to and fro without looking, one action an answer.

At the end it says on standard error how many seconds it took itself, and for how many decisions. For `bench_arena.py`;
two seats on the standard board.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

FIRST = ("place h6", "place g7")
OUT = ("walk h5", "walk f7")
BACK = ("walk h6", "walk g7")


def script(seat: int) -> Iterator[str]:
    """The actions of a whole game of that seat."""
    yield FIRST[seat]
    while True:
        for _ in range(3):
            yield OUT[seat]
            yield BACK[seat]
        yield "end"


def lines() -> Iterator[bytes]:
    """The arena's lines, as they come."""
    buffer = b""
    while data := os.read(0, 65536):
        *whole, buffer = (buffer + data).split(b"\n")
        yield from whole


def send(message: dict[str, Any]) -> None:
    """One line to the arena."""
    os.write(1, json.dumps(message).encode() + b"\n")


def main() -> None:
    """Play every match, then report."""
    own, decisions = 0.0, 0
    actions: Iterator[str] = iter(())
    for line in lines():
        began = time.perf_counter()
        if line.startswith(b'{"type":"turn"'):
            begin = line.index(b'"id":') + 5
            number = line[begin : line.index(b",", begin)]
            answer = b'{"type":"play","id":%b,"actions":["%b"]}\n' % (number, next(actions).encode())
            own, decisions = own + time.perf_counter() - began, decisions + 1
            os.write(1, answer)
            continue
        message = json.loads(line)
        if message["type"] == "hello":
            send({"type": "join", "protocol": 1, "name": "bench", "want": []})
        elif message["type"] == "start":
            actions = script(message["seat"])
            send({"type": "ready", "match": message["match"]})
        elif message["type"] == "bye":
            break
    sys.stderr.write(f"{own} {decisions}\n")


main()
