"""What only a process can do wrong: reading in pieces, and ending."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import msgspec
import pytest
import trio
from arena.zookeeper import ZOO, zoo_bot
from check.inspector import failed, found, setting
from toygame import NimGame

from mexica_cli.arena.limits import Limits
from mexica_cli.arena.spec import BotSpec, Command, Listen
from mexica_cli.check.finding import Verdict

HASTY = '''
"""Takes what it reads at once for one line."""
import json, os
while data := os.read(0, 1 << 20):
    message = json.loads(data)
    match message["type"]:
        case "hello":
            answer = {"type": "join", "protocol": 1, "name": "hasty", "want": ["legal"]}
        case "start":
            answer = {"type": "ready", "match": message["match"]}
        case "turn":
            answer = {"type": "play", "id": message["id"], "actions": message["legal"][-1:]}
        case _:
            continue
    os.write(1, json.dumps(answer).encode() + b"\\n")
'''

QUICK = Limits(startup=60.0, ready=60.0, quit=0.2)


def python(path: Path) -> BotSpec:
    """A bot of that file."""
    return BotSpec(name=path.stem, text=str(path), launch=Command((sys.executable, "-S", str(path))), sha256="")


async def test_a_bot_must_wait_for_the_end_of_a_line(tmp_path: Path) -> None:
    bot = tmp_path / "hasty.py"
    bot.write_text(HASTY)
    [finding] = await found(setting(python(bot), NimGame(), limits=QUICK), "pieces")
    assert finding.verdict is Verdict.FAIL
    assert re.search(r"^no `(join|ready)`.*: the process exited with code 1$", finding.reason)
    assert "JSONDecodeError" in finding.stderr


@pytest.mark.parametrize(
    ("check", "after"),
    [
        ("bye", "`bye`"),
        ("sent-away", "a fatal `error`, `bye`"),
        ("end-of-input", "having joined"),
    ],
)
async def test_a_bot_must_leave(check: str, after: str) -> None:
    [finding] = await found(setting(zoo_bot("ignores_bye"), NimGame(), limits=QUICK), check)
    assert finding.verdict is Verdict.FAIL
    assert finding.reason == f"it was still there 0.2 s after {after} and the end of its input"


DEAF_MUTE = """
import os, sys
sys.path.insert(0, {zoo!r})
from _speak import answer, live_on, messages, write
for message in messages():
    if message["type"] == "bye":
        os.close(1)
        live_on()
    write(answer(message))
"""


async def test_to_close_the_output_is_not_to_leave(tmp_path: Path) -> None:
    bot = tmp_path / "mute.py"
    bot.write_text(DEAF_MUTE.format(zoo=str(ZOO)))
    [finding] = await found(setting(python(bot), NimGame(), limits=msgspec.structs.replace(QUICK, quit=1.0)), "bye")
    assert finding.verdict is Verdict.FAIL
    assert finding.reason.startswith("it was still there")


FOLLOWED = """
import os, sys, time
sys.path.insert(0, {zoo!r})
from _speak import play, turns
parent = os.getpid()
if os.fork() == 0:
    os.closerange(0, 3)
    while os.getppid() == parent:
        time.sleep(0.01)
    time.sleep(0.1)
    os._exit(0)
for turn in turns():
    play(turn)
"""


async def test_a_child_may_end_a_moment_later(tmp_path: Path) -> None:
    bot = tmp_path / "followed.py"
    bot.write_text(FOLLOWED.format(zoo=str(ZOO)))
    [finding] = await found(setting(python(bot), NimGame()), "nothing-left")
    assert (finding.verdict, finding.reason) == (Verdict.PASS, "no process of its own lives on")


async def test_who_does_not_leave_is_not_asked_what_is_left() -> None:
    [finding] = await found(setting(zoo_bot("ignores_bye"), NimGame(), limits=QUICK), "nothing-left")
    assert finding.verdict is Verdict.NOT_APPLICABLE


async def test_a_program_that_can_not_be_run_fails(tmp_path: Path) -> None:
    absent = BotSpec(name="absent", text="./absent", launch=Command(("./absent",)), sha256="")
    findings = await found(setting(absent, NimGame()), "join", "turn")
    assert [finding.verdict for finding in findings] == ["fail", "not_applicable"]
    assert findings[0].reason == "./absent can't be run: No such file or directory"


# ---- a bot that connects ---------------------------------------------------------------------------------------------


async def call_again_and_again(port: int) -> None:
    """A reference bot that connects whenever it was sent away."""
    bot = Path(__file__).parents[2] / "bots" / "random" / "bot.py"
    while True:
        await trio.run_process([sys.executable, str(bot), "--connect", f"127.0.0.1:{port}"], check=False)


async def test_a_bot_that_connects_is_checked_but_for_its_end(unused_port: int) -> None:
    spec = BotSpec(name="caller", text="listen:0", launch=Listen("127.0.0.1", unused_port), sha256="")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(call_again_and_again, unused_port)
        names = ["join", "ready", "quiet", "determinism", "bye", "nothing-left"]
        findings = await found(setting(spec, NimGame()), *names, jobs=4)
        nursery.cancel_scope.cancel()
    assert failed(findings) == {}
    assert [finding.verdict for finding in findings] == [*["pass"] * 4, *["not_applicable"] * 2]


async def test_nobody_connects(unused_port: int) -> None:
    spec = BotSpec(name="caller", text="listen:0", launch=Listen("127.0.0.1", unused_port), sha256="")
    [finding] = await found(setting(spec, NimGame(), limits=Limits(startup=0.2)), "join")
    assert (finding.verdict, finding.reason) == ("fail", "nobody connected within 0.2 s")


@pytest.fixture
def unused_port() -> int:
    """A port that nobody listens on just now."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
