"""What the bots of the zoo share: the manners of a good bot, with the standard library only.

    for turn in turns():
        play(turn)

plays any game to its end.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

Message = dict[str, Any]


def write(data: bytes) -> None:
    """Put all of it on standard output now."""
    while data:
        data = data[os.write(1, data) :]


def complain(text: str) -> None:
    """Put a line on standard error now."""
    os.write(2, text.encode() + b"\n")


def line(kind: str, **fields: Any) -> bytes:
    """A message as a line."""
    return json.dumps({"type": kind, **fields}).encode() + b"\n"


def send(kind: str, **fields: Any) -> None:
    """Say one thing."""
    write(line(kind, **fields))


def messages() -> Iterator[Message]:
    """All that the arena says, until the end of input."""
    for data in sys.stdin.buffer:
        yield json.loads(data)


_asked: Message = {}
"""The latest `turn` that `answer` was given."""


def answer(message: Message) -> bytes:
    """A good bot's line in answer to one of the arena; empty where none is due."""
    if message["type"] == "turn":
        _asked.update(message)
    match message["type"]:
        case "hello":
            return line("join", protocol=1, name="animal", want=["legal"])
        case "start":
            return line("ready", match=message["match"])
        case "turn":
            return line("play", id=message["id"], actions=[message["legal"][-1]])
        case "reject" if message["strikes_left"] > 0 and message["code"] != "turn_over":
            return answer(_asked)
        case "ping":
            return line("pong", id=message["id"])
    return b""


def turns() -> Iterator[Message]:
    """Every `turn` that wants an answer, once more after a `reject`; all else is answered here."""
    turn: Message = {}
    for message in messages():
        if message["type"] == "turn":
            turn = message
        if message["type"] == "turn" or (message["type"] == "reject" and message["strikes_left"] > 0):
            yield turn
        else:
            write(answer(message))


def play(turn: Message, *actions: str) -> None:
    """Answer a turn: with a legal action, or with `actions`."""
    send("play", id=turn["id"], actions=actions or [turn["legal"][-1]])


def live_on() -> None:
    """Never end."""
    import signal

    while True:
        signal.pause()


def start_daemon() -> bool:
    """Fork twice: a process in a session of its own whose parent has died. True in that process, False in this one.

    With a file's name on the command line it is written down there which process that is.
    """
    from pathlib import Path

    if (child := os.fork()) == 0:
        os.setsid()
        if (daemon := os.fork()) == 0:
            return True
        for name in sys.argv[1:]:
            Path(name).write_text(str(daemon), encoding="utf-8")
        os._exit(0)
    os.waitpid(child, 0)
    return False
