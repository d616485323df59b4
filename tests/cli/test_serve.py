"""`mexica serve`, as a person at the shell has it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from server.real import serving

from mexica_cli.cli.main import run
from mexica_cli.server import tokens
from mexica_cli.server.tokens import read_tokens

MEXICA = [sys.executable, "-m", "mexica_cli"]
DUEL = '[[tables]]\nname = "duel"\nmatches = 2\noptions = { }\nmove_time = "30s"\n'


def bring(port: int, *words: str) -> subprocess.Popen[str]:
    """A bot, brought by `mexica connect`."""
    command = [*MEXICA, "connect", *words[:1], f"127.0.0.1:{port}", *words[1:]]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_once_prints_the_table_and_leaves_a_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, DUEL, "--once", "--log-format", "json") as server:
        bots = [bring(server.port, "ann=random"), bring(server.port, "random", "--name", "bob", "--table", "duel")]
        out, _ = server.process.communicate(timeout=300)
        ends = [bot.communicate(timeout=120) for bot in bots]
    assert server.process.returncode == 0
    assert [bot.returncode for bot in bots] == [0, 0]
    assert [err.splitlines()[0].split()[:2] for _, err in ends] == [["ann", "is"], ["bob", "is"]]
    assert out.startswith("table duel: mexica, rules official\n")
    assert {line.split()[0] for line in out.splitlines() if line.startswith(("ann", "bob"))} == {"ann", "bob"}
    assert "2 played" in out
    assert run(["log", "verify", str(tmp_path / "mexica-server" / "duel" / "log.jsonl")]) == 0
    lines = [json.loads(line) for line in (tmp_path / "server.log").read_text().splitlines() if line.startswith("{")]
    assert all({"event", "level", "timestamp", "match", "bot"} <= line.keys() for line in lines)
    assert [line["match"] for line in lines if line["event"] == "is over"] == ["1-1", "1-2"]


def test_a_token_is_made_and_printed_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tokens.COST, "n", 2)
    file = tmp_path / "tokens"
    assert run(["serve", "--tokens", str(file), "--new-token", "ann"]) == 0
    out, err = capsys.readouterr()
    assert err == f"ann has a token in {file}; this is it:\n"
    assert out.strip() not in file.read_text()
    assert list(read_tokens(file)) == ["ann"]
    assert run(["serve", "--tokens", str(file), "--new-token", "ann"]) == 0
    again, err = capsys.readouterr()
    assert again != out
    assert "a new token" in err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--new-token", "ann"], "needs the file of the tokens"),
        (["--new-token", "a b", "--tokens", "t"], "'a b' is no name of a bot"),
        (["--once"], "a ladder never ends"),
        (["--tls-cert", "x"], "--tls-cert and --tls-key go together"),
        (["--config", "none.toml"], "none.toml: the configuration can't be read: No such file or directory\n"),
        (["--tokens", "none"], "none: the tokens can't be read: No such file or directory\n"),
        (["--port", "99999"], "99999"),
    ],
)
def test_wrong_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["serve", *words]) == 2
    assert reason in capsys.readouterr().err


def test_files_that_it_cannot_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "server.toml"
    config.write_text('tokens = "none"\nport = 0\n')
    assert run(["serve", "--config", str(config)]) == 2
    assert "none: the tokens can't be read" in capsys.readouterr().err
    config.write_text('tls_cert = "a"\ntls_key = "b"\nport = 0\n')
    assert run(["serve", "--config", str(config)]) == 2
    assert "certificate and key can't be used: No such file or directory\n" in capsys.readouterr().err
    (tmp_path / "a").write_text("no certificate")
    (tmp_path / "b").write_text("no key")
    assert run(["serve", "--config", str(config)]) == 2
    assert "these are no certificate and key in PEM that belong together\n" in capsys.readouterr().err


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, DUEL) as server:
        data = str(tmp_path / "other")
        assert run(["serve", "--port", str(server.port), "--data", data]) == 1
        said = capsys.readouterr().err
        reason = "another program has that port; choose another one, or end that program"
        assert said == f"Error: can't listen on 127.0.0.1:{server.port}: {reason}\n"


def test_a_token_that_cannot_be_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none" / "tokens"
    assert run(["serve", "--tokens", str(file), "--new-token", "ann"]) == 1
    assert capsys.readouterr().err == f"Error: {file}: the token can't be kept: No such file or directory\n"


@pytest.mark.parametrize("host", ["300.1.1.1", "a..b"])
def test_an_address_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str) -> None:
    assert run(["serve", "--host", host, "--port", "7", "--data", str(tmp_path)]) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"Error: can't listen on {host}:7: ")
    assert "Errno" not in said


def test_a_log_that_another_server_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, DUEL):
        assert run(["serve", "--config", str(tmp_path / "server.toml"), "--port", "0"]) == 1
        assert "another run is writing this log" in capsys.readouterr().err


def test_opening_it_wider_without_tokens_warns(tmp_path: Path) -> None:
    with serving(tmp_path, 'host = "0.0.0.0"\n' + DUEL):
        assert "anybody who reaches this port can play under any name" in (tmp_path / "server.log").read_text()
    with serving(tmp_path, DUEL):
        assert "warning" not in (tmp_path / "server.log").read_text()
