"""Write a game log of any size, to try what reads logs: real games, repeated under new ids.

    mexica match greedy random --games 8 --seed 1 --log few.jsonl
    .venv/bin/python scripts/biglog.py few.jsonl --megabytes 1000 > big.jsonl

Every repetition is a game of its own with numbering as in a real log. Its block is called after the original's and its
deal (`31.7@7-2` repeats `7-2`), so that set-ups follow from the seed as they should, and `mexica log verify` finds the
log right.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from mexica_cli.record.lines import Header, Line
from mexica_cli.record.reader import games, open_log
from mexica_cli.record.seeds import block_of, deal_of

MARK = "\x00"
"""Stands for the id in a template; no id has it."""


def template(lines: list[Line]) -> list[bytes]:
    """The bytes of a game, with a gap wherever its id stands."""
    marked = b"".join(msgspec.json.encode(_with_id(line, MARK)) + b"\n" for line in lines)
    return marked.split(msgspec.json.encode(MARK)[1:-1])


def _with_id(line: Line, match: str) -> Line:
    return line if isinstance(line, Header) else replace(line, match=match)


def repeated(path: str, size: int) -> Iterator[bytes]:
    """The log, and its games again and again until all of it has `size` bytes."""
    templates: list[tuple[str, list[bytes]]] = []
    with open_log(path) as reader:
        for game in games(reader):
            if game.result.outcome != "void":
                block, k = block_of(game.game.match), game.game.match.rpartition("-")[2]
                end = f".{block}@{deal_of(block)}-{k}"
                templates.append((end, template([line for _, line in game.lines])))
    if reader.header is None or not templates:
        raise SystemExit(f"{path}: there is no whole game in it")
    yield (head := msgspec.json.encode(reader.header) + b"\n")
    written, round_ = len(head), 0
    while written < size:
        round_ += 1
        for end, parts in templates:
            game_bytes = f"{round_}{end}".encode().join(parts)
            written += len(game_bytes)
            yield game_bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("log", help="a log with a few games; - is standard input")
    parser.add_argument("--megabytes", type=float, default=1000.0, help="size of the log to write (1000)")
    arguments = parser.parse_args()
    for piece in repeated(arguments.log, int(arguments.megabytes * 1e6)):
        sys.stdout.buffer.write(piece)


if __name__ == "__main__":
    main()
