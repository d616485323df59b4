"""TLS: within it everything is as without, and whoever comes in the clear is told."""

from __future__ import annotations

import shutil
import signal
import ssl
import subprocess
from pathlib import Path

import pytest
import trio
from server.kit import Client, bot
from server.real import connect, serving

from mexica_cli.cli.main import run
from mexica_cli.server.visit import Address, VisitError, visit
from mexica_cli.wire.messages import Error, Hello, Join, Result, Turn

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not on this machine")

TLS = 'tls_cert = "cert.pem"\ntls_key = "key.pem"\n[[tables]]\nname = "duel"\nmove_time = "60s"\n'


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of our own making, for this machine."""
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    name = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    subprocess.run([*command.split(), "-addext", name, *files], check=True, capture_output=True)
    return tmp_path / "cert.pem"


async def secure(port: int, certificate: Path) -> Client:
    context = ssl.create_default_context(cafile=certificate)
    stream = await trio.open_ssl_over_tcp_stream("127.0.0.1", port, ssl_context=context, https_compatible=True)
    return Client(stream)


async def test_a_match_over_tls(tmp_path: Path, certificate: Path) -> None:
    with serving(tmp_path, TLS) as server:
        clients = [await secure(server.port, certificate) for _ in range(2)]
        async with trio.open_nursery() as nursery:
            for client, name in zip(clients, ("ann", "bob"), strict=True):
                await client.join(name, want=["legal"])
                nursery.start_soon(bot, client, shortest)
        assert [result.outcome for client in clients for result in client.told(Result)] == ["finished"] * 2
        for client in clients:
            await client.close()
        assert await server.signal(signal.SIGTERM) == 0


def shortest(turn: Turn) -> str:
    assert turn.legal
    return "end" if "end" in turn.legal else turn.legal[0]


@pytest.mark.parametrize("data", [b'{"type":"join","protocol":1,"name":"ann"}\n', b"GET / HTTP/1.1\r\n\r\n"])
async def test_who_comes_in_the_clear_is_told(tmp_path: Path, certificate: Path, data: bytes) -> None:
    with serving(tmp_path, TLS) as server:
        client = await connect(server.port)
        await client.send(data)
        with trio.fail_after(60):
            error = await client.end()
        assert error is not None
        assert (error.code, error.fatal) == ("not_json", True)
        assert "over TLS only" in error.reason
        await client.close()
        broken = await secure(server.port, certificate)
        await broken.until(Hello)
        error = await broken.ask(b"hello?\n", Error)
        assert error.code == "not_json"
        await broken.close()
        assert await server.signal(signal.SIGTERM) == 0


async def test_the_commands_speak_it(tmp_path: Path, certificate: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, TLS) as server:
        command = ["status", f"127.0.0.1:{server.port}", "--tls-ca", str(certificate)]
        assert await trio.to_thread.run_sync(run, command) == 0
        assert "duel" in capsys.readouterr().out


async def test_a_certificate_that_nobody_vouches_for(tmp_path: Path, certificate: Path) -> None:
    with serving(tmp_path, TLS) as server:
        address = Address(host="127.0.0.1", port=server.port, tls=True)
        with pytest.raises(VisitError, match="can't be trusted: self-signed certificate; --tls-ca"):
            async with visit(address, Join(protocol=1, name="ann")):
                pass


async def test_a_server_that_does_not_speak_it(tmp_path: Path) -> None:
    with serving(tmp_path, TLS.partition("[[")[1] + TLS.partition("[[")[2]) as server:
        address = Address(host="127.0.0.1", port=server.port, tls=True)
        with pytest.raises(VisitError, match="doesn't speak TLS"):
            async with visit(address, Join(protocol=1, name="ann")):
                pass
