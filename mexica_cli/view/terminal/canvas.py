"""What Rich draws, as text with colour codes that fits a terminal of a given width."""

from __future__ import annotations

import io

from rich.console import Console
from rich.text import Text

from mexica_cli.view.pictures import picture_of
from mexica_cli.view.scene import Look, Scene


class Canvas:
    """Draws for one kind of terminal."""

    def __init__(self, *, unicode: bool, colours: bool) -> None:
        self.unicode = unicode
        self._colours = colours

    def picture(self, game: str, scene: Scene, width: int) -> Text:
        """A position, `width` columns wide where that is possible."""
        return picture_of(game)(scene, Look(unicode=self.unicode, width=width))

    def ansi(self, text: Text) -> str:
        """The text with its styles as escape sequences, unwrapped; plain where there are no colours."""
        stream = io.StringIO()
        console = Console(
            file=stream,
            force_terminal=self._colours,
            color_system="truecolor" if self._colours else None,
            width=max(1, *map(len, text.plain.splitlines() or [""])) + 1,
            highlight=False,
            legacy_windows=False,
        )
        console.print(text, end="", soft_wrap=True)
        return stream.getvalue()
