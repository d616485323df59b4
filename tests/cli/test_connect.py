"""`mexica connect`: brings a bot, and brings it back."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio
from server.real import Regular, serving

from mexica_cli.cli.main import run
from mexica_cli.record.lines import ResultLine
from mexica_cli.record.reader import open_log
from mexica_cli.server import tokens
from mexica_cli.server.tokens import keep_token

MEXICA = [sys.executable, "-m", "mexica_cli"]
LADDER = '[limits]\nfinish = "0s"\n[[tables]]\nname = "ladder"\nkind = "ladder"\nmove_time = "60s"\n'


async def bring(port: int, *words: str, **environment: str) -> trio.Process:
    command = [*MEXICA, "connect", *words[:1], f"127.0.0.1:{port}", *words[1:]]
    environ = {**os.environ, **environment}
    return await trio.lowlevel.open_process(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environ)


async def errors(process: trio.Process) -> str:
    """What it has said, when it has ended."""
    assert process.stderr is not None
    try:
        with trio.fail_after(120):
            text = b"".join([data async for data in process.stderr])
            await process.wait()
    finally:
        process.kill()
    return text.decode()


def outcomes(folder: Path) -> list[str]:
    log = folder / "mexica-server" / "ladder" / "log.jsonl"
    with open_log(str(log)) as reader:
        return [line.outcome for _, line in reader if isinstance(line, ResultLine)]


async def test_it_comes_back_when_the_server_does(tmp_path: Path) -> None:
    with serving(tmp_path, LADDER) as server:
        async with trio.open_nursery() as nursery:
            bot = await bring(server.port, "mine=random")
            nursery.start_soon(Regular("regular", server.port, 0.2, votes=True).run)
            running = tmp_path / "mexica-server" / "ladder" / "running"
            with trio.fail_after(120):
                while not list(running.glob("*.jsonl")):
                    await trio.sleep(0.05)
            await server.signal(signal.SIGKILL)
            with serving(tmp_path, LADDER, port=server.port):
                with trio.fail_after(200):
                    while not outcomes(tmp_path):
                        await trio.sleep(0.1)
                bot.send_signal(signal.SIGINT)
                text = await errors(bot)
            nursery.cancel_scope.cancel()
    assert text.count(f"mine is at 127.0.0.1:{server.port}") == 2
    assert "coming back" in text
    assert set(outcomes(tmp_path)) == {"finished"}


async def test_a_bot_that_fails_is_started_anew_and_comes_back(tmp_path: Path, root: Path) -> None:
    with serving(tmp_path, LADDER.replace("60s", "3s")) as server:
        async with trio.open_nursery() as nursery:
            animal = root / "tests" / "zoo" / "crashes.py"
            bot = await bring(server.port, f"mine={shlex.quote(str(animal))}")
            nursery.start_soon(Regular("regular", server.port).run)
            with trio.fail_after(200):
                log = tmp_path / "mexica-server" / "ladder" / "log.jsonl"
                while not log.exists() or len(outcomes(tmp_path)) < 1:
                    await trio.sleep(0.1)
            bot.send_signal(signal.SIGINT)
            text = await errors(bot)
            nursery.cancel_scope.cancel()
    assert "it is started anew" in text


async def test_a_token_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tokens.COST, "n", 2)
    keep_token(tmp_path / "tokens", "ann", "hers")
    keep_token(tmp_path / "tokens", "bob", "his")
    monkeypatch.undo()
    (tmp_path / "ann").write_text("wrong\n")
    with serving(tmp_path, 'tokens = "tokens"\n' + LADDER) as server:
        refused = await bring(server.port, "ann=random", "--token-file", str(tmp_path / "ann"))
        text = await errors(refused)
        assert refused.returncode == 1
        assert text == "Error: bad_token: that isn't the token of 'ann'\n"
        assert "wrong" not in text
        assert "wrong" not in (tmp_path / "server.log").read_text()


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (["nosuchbot", "127.0.0.1:1"], 2, "there is no bot, file or command 'nosuchbot'"),
        (["listen:7325", "127.0.0.1:1"], 2, "comes by itself"),
        (["random", "127.0.0.1:no"], 2, "is no HOST:PORT"),
        (["false", "127.0.0.1:1"], 1, "never sent `join`"),
    ],
)
def test_what_cannot_be_brought(capsys: pytest.CaptureFixture[str], words: list[str], code: int, reason: str) -> None:
    assert run(["connect", *words]) == code
    assert reason in capsys.readouterr().err


async def test_a_port_without_tls_is_the_end(tmp_path: Path) -> None:
    with serving(tmp_path, LADDER) as server:
        bot = await bring(server.port, "random", "--tls")
        text = await errors(bot)
        assert text == f"Error: 127.0.0.1:{server.port} doesn't speak TLS; try it without --tls and --tls-ca\n"
        assert bot.returncode == 1


async def test_certificates_that_cannot_be_read_are_the_end(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    bot = await bring(1, "random", "--tls-ca", str(tmp_path / "ca.pem"))
    assert await errors(bot) == f"Error: {tmp_path / 'ca.pem'}: the certificates can't be read: there is none in PEM\n"
    assert bot.returncode == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "the token can't be read: this is no text in UTF-8\n"),
        (b" \n", "there is no token in this file; "),
    ],
)
def test_a_token_that_is_none(content: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "token"
    file.write_bytes(content)
    assert run(["connect", "random", "127.0.0.1:1", "--token-file", str(file)]) == 2
    assert f"Error: {file}: {reason}" in capsys.readouterr().err


async def test_a_table_that_is_not_there_is_the_end(tmp_path: Path) -> None:
    with serving(tmp_path, LADDER) as server:
        bot = await bring(server.port, "random", "--table", "none")
        assert await errors(bot) == "Error: no_table: there is no table 'none'; there is ladder\n"
        assert bot.returncode == 1
