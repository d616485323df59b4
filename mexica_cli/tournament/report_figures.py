"""The figures of the page: numbers with intervals on a common scale, bars, a heat map. All are SVG or tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, isinf, log10
from typing import NamedTuple

from mexica_cli.tournament.intervals import Estimate
from mexica_cli.tournament.markup import Markup, element, join, name
from mexica_cli.tournament.report_text import finite, rate_text
from mexica_cli.tournament.summary import Pair

ROW = 40
"""Height of a row of a plot, in pixels. Widths are in percent, so that lines and dots keep their shape."""
TICKS = 6
"""About how many."""
MARGIN = 0.06
"""Of a scale, at both ends."""
LEAST = 10.0
"""The narrowest scale: ticks are whole numbers."""
STEPS = 10
"""Of the heat map's colours: classes `h0` (lost all) to `h10` (won all)."""


class Scale(NamedTuple):
    """The horizontal scale of a plot."""

    low: float
    high: float
    ticks: Sequence[float]

    def x(self, value: float) -> str:
        """Where a value is: `12.34%`; beyond the ends, at the end."""
        share = (value - self.low) / (self.high - self.low)
        return f"{100 * min(1.0, max(0.0, share)):.2f}%"


class PlotRow(NamedTuple):
    """One number of a plot."""

    label: Markup
    number: Estimate
    words: str
    """The same as text."""


def scale_of(numbers: Iterable[Estimate], *also: float) -> Scale:
    """A scale on which all that is finite has its place, with ticks at round numbers."""
    values = [end for number in numbers for end in (number.value, number.low, number.high)]
    least, greatest = finite([*values, *also])
    centre, half = (least + greatest) / 2, (0.5 + MARGIN) * max(LEAST, greatest - least)
    low, high = centre - half, centre + half
    step = _round_step((high - low) / TICKS)
    ticks = [step * k for k in range(ceil(low / step), floor(high / step) + 1)]
    return Scale(low, high, ticks)


def _round_step(width: float) -> float:
    """The next of 1, 2, 5, 10, ..."""
    unit = 10.0 ** floor(log10(width))
    return next(step * unit for step in (1, 2, 5, 10) if step * unit >= width)


def plot(rows: Sequence[PlotRow], scale: Scale, middle: float, ticks: Sequence[str], caption: str) -> Markup:
    """One row a number: its interval as a line, itself as a dot; `middle` is marked in all rows."""
    body = [
        element(
            "tr",
            element("th", row.label, element("small", row.words), scope="row"),
            element("td", _interval(row, scale, middle)),
        )
        for row in rows
    ]
    axis = element("tr", element("td"), element("td", _axis(scale, ticks)), class_="axis", aria_hidden="true")
    return element("table", element("caption", caption), element("tbody", *body, axis), class_="plot")


def _interval(row: PlotRow, scale: Scale, middle: float) -> Markup:
    number, y = row.number, ROW // 2
    open_ended = isinf(number.low) or isinf(number.high)
    low, high = scale.x(number.low), scale.x(number.high)
    parts = [*_grid(scale), _vertical(scale.x(middle), "middle")]
    parts.append(element("line", class_="interval open" if open_ended else "interval", x1=low, x2=high, y1=y, y2=y))
    if not open_ended:
        parts += [element("line", class_="interval", x1=x, x2=x, y1=y - 6, y2=y + 6) for x in (low, high)]
    parts.append(element("circle", class_="open" if open_ended else None, cx=scale.x(number.value), cy=y, r=5))
    return _svg(parts, row.words)


def _grid(scale: Scale) -> Iterator[Markup]:
    return (_vertical(scale.x(tick), "grid") for tick in scale.ticks)


def _vertical(x: str, kind: str) -> Markup:
    return element("line", class_=kind, x1=x, x2=x, y1=0, y2=ROW)


def _axis(scale: Scale, texts: Sequence[str]) -> Markup:
    ticks = zip(scale.ticks, texts, strict=True)
    return _svg(
        [element("text", words, x=scale.x(tick), y=16, text_anchor="middle") for tick, words in ticks], None, 22
    )


def bar(share: float, words: str, mark: float | None = None) -> Markup:
    """A bar over a part of the width, from 0 to 1, and a line further on if there is a `mark`."""
    parts = [element("rect", class_="bar", x=0, y=4, width=f"{100 * share:.2f}%", height=14)]
    if mark is not None:
        x = f"{100 * min(mark, 0.995):.2f}%"
        parts.append(element("line", class_="mark", x1=x, x2=x, y1=2, y2=20))
    return _svg(parts, words, 22)


def gauge(value: float, low: float, high: float, words: str) -> Markup:
    """How far a value is between two bounds."""
    scale = Scale(low, high, [low, 0.0, high])
    x, zero = scale.x(value), scale.x(0.0)
    left, right = (x, zero) if value < 0 else (zero, x)
    width = f"{float(right[:-1]) - float(left[:-1]):.2f}%"
    track = element("rect", class_="track", x=0, y=13, width="100%", height=14)
    fill = element("rect", class_="bar", x=left, y=13, width=width, height=14)
    return _svg([track, fill, _vertical(zero, "middle")], words)


def _svg(parts: Iterable[Markup], words: str | None, height: int = ROW) -> Markup:
    """A drawing; `words` say the same to those who can't see it, None says that it is said elsewhere."""
    role = {"aria_hidden": "true"} if words is None else {"role": "img", "aria_label": words}
    return element("svg", *parts, width="100%", height=height, **role)


# ---- head to head ----------------------------------------------------------------------------------------------------


def heat_map(bots: Sequence[str], pairs: Iterable[Pair]) -> Markup:
    """Row against column: the part of the games in which the row came before the column, ties half."""
    met = {(pair.meeting.bot, pair.meeting.other): pair for pair in pairs}
    head = [
        element("th", str(rank), element("small", name(bot)), scope="col", title=bot)
        for rank, bot in enumerate(bots, 1)
    ]
    rows = [
        element(
            "tr",
            element("th", element("span", str(rank), class_="rank"), " ", name(bot), scope="row"),
            *(_cell(bot, other, met.get((bot, other))) for other in bots),
        )
        for rank, bot in enumerate(bots, 1)
    ]
    return element(
        "table", element("thead", element("tr", element("td"), *head)), element("tbody", *rows), class_="heat"
    )


def _cell(bot: str, other: str, pair: Pair | None) -> Markup:
    if pair is None:
        return element("td", "·" if bot == other else "–", class_="none")
    meeting, rate = pair.meeting, pair.meeting.rate
    counts = f"{meeting.wins} ahead, {meeting.ties} tied, {meeting.losses} behind"
    return element(
        "td",
        join([f"{100 * rate.value:.0f}", element("small", f"{100 * rate.low:.0f}–{100 * rate.high:.0f}")]),
        class_=f"h{round(STEPS * rate.value)}",
        title=f"{bot} : {other} {rate_text(rate)} %; {counts}",
    )
