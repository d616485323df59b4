"""`mexica engine`: the loop around `mexica_cli.engine`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from mexica_cli.engine import LINE_BYTES, Engine


@click.command()
def engine() -> None:
    """The rules as a service, for programs in any language.

    Reads one JSON request a line from stdin and writes one JSON reply a line to stdout, until the end of input. Nothing
    that is sent makes it stop: what is wrong with a request is said in its reply.

    \b
    Requests, described in protocol/ENGINE.md:
      {"cmd":"new","game":"mexica","rules":"official","players":3,"seed":7}
      {"cmd":"legal"}
      {"cmd":"apply","actions":["place h6"]}
      {"cmd":"state"}        with "seat": as that seat sees it
      {"cmd":"position"}     with "position": sets it
      {"cmd":"undo"}         with "steps": several at once
      {"cmd":"perft","depth":2}
      {"cmd":"digest"}
    """
    serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer every line at once. The other end may wait for a reply before it sends more, so each is flushed."""
    service = Engine()
    for line in bounded_lines(requests, LINE_BYTES):
        replies.write(service.handle(line))
        replies.flush()


def bounded_lines(stream: BinaryIO, limit: int) -> Iterator[bytes]:
    """Lines of `stream`; of one longer than `limit` only its first `limit` + 1 bytes, so that memory stays bounded."""
    while line := stream.readline(limit + 1):
        yield line
        while len(line) > limit and not line.endswith(b"\n"):
            line = stream.readline(limit + 1)
