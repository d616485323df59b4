"""The page for spectators over a real socket, and the option that asks for it."""

from __future__ import annotations

import socket
from functools import partial
from pathlib import Path

import click
import pytest
import trio
from webkit import Hall

pytest.importorskip("hypercorn", reason="the extra `web` isn't installed")

from mexica_cli.cli import serve
from mexica_cli.web.serving import serve_web


async def test_it_answers_at_the_address_that_it_names(nursery: trio.Nursery) -> None:
    addresses: list[str] = []
    await nursery.start(partial(serve_web, Hall(), host="127.0.0.1", port=0, started=addresses.append))
    [address] = addresses
    host, port = address.removeprefix("http://").removesuffix("/").split(":")
    async with await trio.open_tcp_stream(host, int(port)) as stream:
        await stream.send_all(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join([part async for part in stream])
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert b"server:" not in head.lower()
    assert body.startswith(b"<!doctype html>")
    assert body.endswith(b"</html>\n")


async def test_a_port_that_is_taken_is_an_error(nursery: trio.Nursery) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ExceptionGroup) as caught:
        await nursery.start(partial(serve_web, Hall(), host="127.0.0.1", port=taken.getsockname()[1], started=print))
    assert caught.group_contains(OSError, match="^can't listen on 127.0.0.1:[0-9]+: another program has that port; ")


async def test_an_address_that_is_none_is_an_error(nursery: trio.Nursery) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await nursery.start(partial(serve_web, Hall(), host="300.1.1.1", port=0, started=print))
    assert caught.group_contains(OSError, match=r"^can't listen on 300\.1\.1\.1:0: [A-Z]")


def test_it_is_off_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert serve._page({"web_port": None, "web_host": "127.0.0.1"}) is None
    page = serve._page({"web_port": 8080, "web_host": "127.0.0.1"})
    assert isinstance(page, partial)
    assert (page.keywords["host"], page.keywords["port"]) == ("127.0.0.1", 8080)
    default = next(option for option in serve.serve.params if option.name == "web_host").default
    assert default == "127.0.0.1"


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    with pytest.raises(click.UsageError, match=r"install them with: .* -m pip install 'mexica\[web\]'"):
        serve._page({"web_port": 8080, "web_host": "127.0.0.1"})
