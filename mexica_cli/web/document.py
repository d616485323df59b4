"""The page for spectators: the viewer of `mexica view`, fed by the server that it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from mexica_cli.view.page.document import VIEWER, body_end, data, head, json_for_page
from mexica_cli.view.page.pieces import drawings

TITLE = "mexica: tables"
LIVE = (*VIEWER, "live")
LEVELS = 9
"""Levels of temples that can be drawn, whatever is played at tables that are opened later."""


def live_document() -> Iterator[str]:
    """The page, in pieces."""
    page = {"version": 1, "title": TITLE, "index": [], "drawings": drawings(LEVELS)}
    yield from head(TITLE, LIVE, connect=True)
    yield from data("page", "application/json", json_for_page(page))
    yield from body_end(LIVE)
