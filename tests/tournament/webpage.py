"""Reads a page the way a browser does, strictly: what is open must be closed in order."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

from mexica_cli.tournament.markup import VOID_ELEMENTS


class Node:
    """An element, with its children in order: elements and texts."""

    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Node | None = None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Node | str] = []

    def __iter__(self) -> Iterator[Node]:
        """This element and all in it, in the order of the page."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child

    def __getitem__(self, attribute: str) -> str:
        value = self.attributes[attribute]
        assert value is not None, f"{attribute} has no value"
        return value

    def find(self, tag: str, **attributes: str) -> list[Node]:
        """All elements in it with that tag and these attributes (`class_` for `class`)."""
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [node for node in self if node.tag == tag and wanted.items() <= node.attributes.items()]

    def one(self, tag: str, **attributes: str) -> Node:
        """The only one of these."""
        [node] = self.find(tag, **attributes)
        return node

    @property
    def text(self) -> str:
        """All texts in it, without those of scripts and styles."""
        if self.tag in {"script", "style"}:
            return ""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def inside(self) -> str:
        """Its own text."""
        return "".join(child for child in self.children if isinstance(child, str))


class Page(HTMLParser):
    """Makes a tree of elements. Raises AssertionError for tags that don't match."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self._open = self.root

    @classmethod
    def read(cls, text: str) -> Node:
        """The page's root."""
        page = cls()
        page.feed(text)
        page.close()
        assert page._open is page.root, f"<{page._open.tag}> is never closed"
        return page.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice"
        node = Node(tag, dict(attrs), self._open)
        self._open.children.append(node)
        if tag not in VOID_ELEMENTS:
            self._open = node

    def handle_endtag(self, tag: str) -> None:
        assert tag == self._open.tag, f"</{tag}> closes <{self._open.tag}>"
        assert self._open.parent is not None
        self._open = self._open.parent

    def handle_data(self, data: str) -> None:
        self._open.children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")
