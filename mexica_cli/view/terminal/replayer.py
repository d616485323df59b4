"""A logged game on the whole screen: step forward and back, jump, search."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import ConditionalContainer, HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.output import Output
from rich.text import Text

from mexica_cli.record.lines import Line, ResultLine
from mexica_cli.view.console import clean
from mexica_cli.view.narration import aside_text, end_texts
from mexica_cli.view.scene import Scene, letter, seat_style, short_name
from mexica_cli.view.terminal.canvas import Canvas
from mexica_cli.view.terminal.timeline import Timeline

KEYS = {
    "space, right": "next action",
    "left": "action before",
    "down, up": "next turn, turn before",
    "], [": "next round, round before",
    "}, {": "next period or phase, the one before",
    "home, end": "beginning, end of the game",
    ":": "go to the action of a number",
    "/": "search for words in actions and what followed; n and N go on",
    "v": "see it as the next seat saw it, where something is hidden",
    "page down, page up": "scroll what doesn't fit",
    "?": "these keys, or the game again",
    "q": "leave",
}
"""What the keys do."""

UNITS = {"down": (1, 1), "up": (1, -1), "]": (2, 1), "[": (2, -1), "}": (3, 1), "{": (3, -1)}
"""By key: which unit, counted from the shortest after the action, and which way."""


class Replayer:
    """One game, and where in it we are."""

    def __init__(self, timeline: Timeline, canvas: Canvas, at: int = 0) -> None:
        self._line = timeline
        self._canvas = canvas
        self.at = min(at, timeline.last)
        """The moment that is shown."""
        self.seat: int | None = None
        """Whose view is shown; None: everything."""
        self._wanted = ""
        self._said = ""
        self.scroll = 0
        """The first line of the position that is shown."""
        self._help = False

    # ---- moving ----------------------------------------------------------------------------------

    def go(self, at: int) -> None:
        """Show a moment."""
        self.at = max(0, min(at, self._line.last))
        self._said = ""

    def step(self, unit: int, way: int) -> None:
        """Go on or back by a unit of the game; one that it doesn't have is its longest."""
        units = self._line.units
        name = units[min(unit, len(units) - 1)]
        self.go(self._line.after(self.at, name) if way > 0 else self._line.before(self.at, name))

    def jump(self, words: str) -> None:
        """Go to the action of a number."""
        number = words.strip().lstrip("#")
        if number.isdecimal():
            self.go(int(number))
        else:
            self._said = f"{clean(words)!r} is no number of an action; there are 0 to {self._line.last}"

    def search(self, words: str, way: int = 1) -> None:
        """Go to where these words are; empty: the same as before."""
        self._wanted = words.strip() or self._wanted
        found = self._line.find(self._wanted, self.at, way) if self._wanted else None
        if found is None:
            self._said = f"{clean(self._wanted)!r} is nowhere {'after' if way > 0 else 'before'} this"
        else:
            self.go(found)

    def look(self) -> None:
        """See it through the next seat's eyes, and after the last through everybody's again."""
        if self._line.game.open_information:
            self._said = "everybody sees everything in this game"
            return
        players = self._line.moments[0].state.players
        self.seat = 0 if self.seat is None else self.seat + 1
        self.seat = self.seat if self.seat < players else None

    # ---- what is on the screen -------------------------------------------------------------------

    def lines(self, width: int) -> list[Text]:
        """The position with what led to it."""
        if self._help:
            return [Text(f"{keys:20} {does}") for keys, does in KEYS.items()]
        return [*self._picture(width).split("\n"), Text(), *self._told()]

    def status(self) -> str:
        """The line at the foot: where we are."""
        marks = self._line.moments[self.at].marks
        where = [f"{unit} {marks[unit][0]}" for unit in marks]
        seat = "" if self.seat is None else f"as {letter(self.seat)} saw it"
        at = f"action {self.at} of {self._line.last}"
        parts = [f"match {clean(self._line.begun.match)}", at, *where, seat, self._said or "? for the keys"]
        return "  ".join(filter(None, parts))

    def _picture(self, width: int) -> Text:
        state = self._line.moments[self.at].state
        views = [state.observation(seat) for seat in range(state.players)] if self.seat is None else []
        scene = Scene(
            observation=state.observation(self.seat),
            options=self._line.game.options(),
            seats=self._line.begun.seats,
            views=views,
        )
        return self._canvas.picture(self._line.game.name, scene, width)

    def _told(self) -> Iterator[Text]:
        """What led here, and at the end how it ended."""
        moment = self._line.moments[self.at]
        for line in moment.lines:
            yield from self._told_of(line)
        if self.at == self._line.last:
            for line in self._line.end:
                yield from self._told_of(line)

    def _told_of(self, line: Line) -> Iterator[Text]:
        if (action := self._line.moments[self.at].action) is line:
            assert action is not None
            state, by = self._line.moments[self.at].state, action.seat
            seen = action.action
            followed = action.followed
            if self.seat is not None:
                seen = state.shown_text(state.parse(seen), by, self.seat)
                followed = [state.shown(entry, self.seat) for entry in followed]
            text = Text().append(f" {letter(by)} ", seat_style(by))
            text.append(f" {short_name(self._line.begun.seats[by])}: {seen}", "bold")
            yield text
            for entry in followed:
                yield from (Text(f"    {clean(sentence)}", "cyan") for sentence in self._line.teller.followed(entry))
        elif isinstance(line, ResultLine):
            yield from end_texts(line, self._line.begun.seats, line.actions)
        else:
            yield aside_text(line)

    # ---- the terminal ----------------------------------------------------------------------------

    def run(self, source: Input | None = None, target: Output | None = None) -> None:
        """Show it until the person has seen enough. `source` and `target` default to the terminal."""
        self._application(source, target).run()

    def _application(self, source: Input | None, target: Output | None) -> Application[None]:
        entry = _Entry()
        body = Window(
            FormattedTextControl(lambda: ANSI(self._screen()), focusable=True),
            wrap_lines=False,
            get_vertical_scroll=lambda _: self.scroll,
            always_hide_cursor=True,
        )
        foot = Window(FormattedTextControl(self.status), height=1, style="reverse")
        layout = Layout(HSplit([body, foot, entry.container]), focused_element=body)
        keys = self._keys(entry, body)
        return Application(layout=layout, key_bindings=keys, full_screen=True, input=source, output=target)

    def _screen(self) -> str:
        size = get_app().output.get_size()
        lines = self.lines(size.columns)
        self.scroll = max(0, min(self.scroll, len(lines) - size.rows + 1))
        return self._canvas.ansi(Text("\n").join(lines))

    def _keys(self, entry: _Entry, body: Window) -> KeyBindings:
        keys = KeyBindings()
        watching = has_focus(body)

        def on(*names: str, do: Callable[[], None]) -> None:
            for name in names:
                keys.add(name, filter=watching)(lambda _: do())

        on("right", " ", "l", do=lambda: self.step(0, 1))
        on("left", "h", do=lambda: self.step(0, -1))
        for name, (unit, way) in UNITS.items():
            on(name, do=lambda unit=unit, way=way: self.step(unit, way))  # type: ignore[misc]
        on("home", "g", do=lambda: self.go(0))
        on("end", "G", do=lambda: self.go(self._line.last))
        on("n", do=lambda: self.search(""))
        on("N", do=lambda: self.search("", -1))
        on("v", do=self.look)
        on("?", do=self._toggle_help)
        on("pagedown", do=lambda: self._scroll_by(10))
        on("pageup", do=lambda: self._scroll_by(-10))
        on(":", do=lambda: entry.ask("go to action ", self.jump, body))
        on("/", do=lambda: entry.ask("search for ", self.search, body))
        keys.add("q", filter=watching)(_leave)
        keys.add("c-c")(_leave)
        keys.add("c-d")(_leave)
        entry.bind(keys)
        return keys

    def _toggle_help(self) -> None:
        self._help = not self._help

    def _scroll_by(self, lines: int) -> None:
        self.scroll = max(0, self.scroll + lines)


def _leave(event: KeyPressEvent) -> None:
    event.app.exit()


class _Entry:
    """The line in which something is typed; it is there only while it is needed."""

    def __init__(self) -> None:
        self._label = ""
        self._done: Callable[[str], None] = lambda _: None
        self._back: Window | None = None
        self._buffer = Buffer(multiline=False)
        self._field = Window(BufferControl(self._buffer), height=1)
        label = Window(FormattedTextControl(lambda: self._label), height=1, dont_extend_width=True)
        self.container = ConditionalContainer(VSplit([label, self._field]), Condition(lambda: self._back is not None))

    def ask(self, label: str, done: Callable[[str], None], back: Window) -> None:
        """Have a line typed and give it to `done`, then go back to a window."""
        self._label, self._done, self._back = label, done, back
        self._buffer.reset()
        get_app().layout.focus(self._field)

    def bind(self, keys: KeyBindings) -> None:
        """Enter and Escape."""
        keys.add("enter", filter=has_focus(self._field))(lambda _: self._close(take=True))
        keys.add("escape", filter=has_focus(self._field), eager=True)(lambda _: self._close(take=False))

    def _close(self, *, take: bool) -> None:
        back, self._back = self._back, None
        assert back is not None
        get_app().layout.focus(back)
        if take:
            self._done(self._buffer.text)
