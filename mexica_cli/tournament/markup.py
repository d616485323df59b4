"""HTML that can't be broken by what stands in it: every text is escaped unless this module made it."""

from __future__ import annotations

import html
from collections.abc import Iterable

from mexica_cli.tournament.report_text import plain

VOID_ELEMENTS = frozenset({"br", "meta"})


class Markup(str):
    """A piece of HTML, to be put into a page as it is."""

    __slots__ = ()


Content = str | Iterable["Content"]
"""Texts, which will be escaped, and Markup, in any nesting."""
Attribute = str | int | float | bool | None


def text(content: str, keep: str = "") -> Markup:
    """A text from outside: without control characters but for `keep`, and escaped."""
    return Markup(html.escape(plain(content, keep)))


def element(tag: str, *content: Content, **attributes: Attribute) -> Markup:
    """An element. In attributes' names `_` stands for `-`, and is dropped at the end; None and False leave one out."""
    written = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID_ELEMENTS:
        return Markup(f"<{tag}{written}>")
    return Markup(f"<{tag}{written}>{join(content)}</{tag}>")


def join(content: Content) -> Markup:
    """All of it in a row."""
    if isinstance(content, Markup):
        return content
    if isinstance(content, str):
        return text(content)
    return Markup("".join(map(join, content)))


def name(bot: str) -> Markup:
    """The name of a bot, whichever way it is written, so that it doesn't turn round what stands beside it."""
    return element("bdi", bot)


def _attribute(attribute: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    written = attribute.rstrip("_").replace("_", "-")
    return f" {written}" if value is True else f' {written}="{text(str(value))}"'
