"""The page as a document: one file that needs no network, its policy allows no script but its own.

Names come from strangers' programs. They reach the page as data, and its scripts put them in as text.
"""

from __future__ import annotations

import gzip
import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files

import msgspec

from mexica_cli.games.game import JsonDict
from mexica_cli.view.page.messages import AnyMessage, End, Start
from mexica_cli.view.page.pieces import drawings, seat_colours
from mexica_cli.view.svg_style import STYLE

VIEWER = ("dom", "game", "board", "cards", "plain", "chart", "panel", "moves", "controls", "index", "app")
"""The scripts that show games, in the order in which they need each other."""
FILE = (*VIEWER, "file")
"""Those of a page that holds its games."""

NO_SCRIPT = "This page shows games step by step, for which it needs JavaScript."


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game in the list of a page's games."""

    match: str
    seats: list[str]
    actions: int
    outcome: str
    ranking: list[int]
    scores: list[int]
    won: bool | None = None


class PackedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it lies in a page."""

    entry: Entry
    text: str
    """Its messages, one JSON object a line, gzip in base64."""
    levels: int
    """Levels that its temples have; 0 in games without."""


def pack(messages: Iterable[AnyMessage]) -> PackedGame:
    """A whole game made small."""
    told = list(messages)
    start, last = told[0], told[-1]
    assert isinstance(start, Start)
    assert isinstance(last, End)
    lines = b"".join(msgspec.json.encode(message) + b"\n" for message in told)
    entry = Entry(
        match=start.match,
        seats=start.seats,
        actions=sum(hasattr(message, "change") for message in told),
        outcome=last.outcome,
        ranking=last.ranking,
        scores=last.scores,
        won=last.won,
    )
    text = b64encode(gzip.compress(lines, 9, mtime=0)).decode()
    return PackedGame(entry=entry, text=text, levels=start.setting.get("levels", 0))


def document(title: str, about: str, games: Sequence[PackedGame]) -> Iterator[str]:
    """The page with these games, in pieces."""
    page = {
        "version": 1,
        "title": title,
        "about": about,
        "index": [game.entry for game in games],
        "drawings": drawings(max((game.levels for game in games), default=0)),
    }
    yield from head(title, FILE)
    yield from data("page", "application/json", json_for_page(page))
    for number, game in enumerate(games, 1):
        yield from data(f"game-{number}", "text/plain", game.text)
    yield from body_end(FILE)


def head(title: str, scripts: Sequence[str], *, connect: bool = False) -> Iterator[str]:
    """The document up to where data may lie; `connect`: it may speak with the server that it came from."""
    hashes = " ".join(f"'sha256-{_digest(script(name))}'" for name in scripts)
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {hashes}; base-uri 'none'; form-action 'none'"
    policy += "; connect-src 'self'" if connect else ""
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{escape(title)}</title>\n"
    yield f"<style>\n:root{{{seat_colours()}}}{STYLE}{_resource('style.css')}</style>\n</head>\n<body>\n"
    yield f"<noscript>{NO_SCRIPT}</noscript>\n"


def body_end(scripts: Sequence[str]) -> Iterator[str]:
    """The scripts, and the end of the document."""
    for name in scripts:
        yield f"<script>{script(name)}</script>\n"
    yield "</body>\n</html>\n"


def script(name: str) -> str:
    """A script of the page."""
    return _resource(f"{name}.js")


def data(name: str, kind: str, content: str) -> Iterator[str]:
    """Data for the scripts, which find it by its name."""
    yield f'<script type="{kind}" id="{name}">{content}</script>\n'


def json_for_page(value: JsonDict) -> str:
    """JSON that can lie in a page: no `<` ends the element that it is in."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _digest(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _resource(file: str) -> str:
    return (files("mexica_cli.view.page") / "data" / file).read_text("utf-8")
