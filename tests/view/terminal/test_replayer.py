"""A logged game on the screen: what the keys do, and what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from view.terminal.test_timeline import timeline

from mexica_cli.view.terminal.canvas import Canvas
from mexica_cli.view.terminal.replayer import KEYS, Replayer
from mexica_cli.view.terminal.timeline import Timeline

UP, DOWN, RIGHT, LEFT, HOME, END, PAGE_DOWN = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[6~"


class Screen(DummyOutput):
    """A terminal that nobody looks at."""

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def get_size(self) -> Size:
        return Size(rows=self._rows, columns=100)


@pytest.fixture(scope="module")
def mexica() -> Timeline:
    return timeline(actions=None)


@pytest.fixture(scope="module")
def moctezuma() -> Timeline:
    return timeline("moctezuma", 40)


@contextmanager
def keyboard() -> Iterator[PipeInput]:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


def typed(line: Timeline, keys: str, *, at: int = 0, rows: int = 50) -> Replayer:
    """The replayer after these keys, and then `q`."""
    replayer = Replayer(line, Canvas(unicode=False, colours=False), at)
    with keyboard() as pipe:
        pipe.send_text(f"{keys}q")
        replayer.run(pipe, Screen(rows))
    return replayer


def shown(replayer: Replayer, width: int = 100) -> str:
    return "\n".join(text.plain for text in replayer.lines(width))


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        (RIGHT * 3, lambda line: 3),
        (" " * 3 + LEFT, lambda line: 2),
        (DOWN, lambda line: line.after(0, "turn")),
        (DOWN * 3 + UP, lambda line: line.after(line.after(0, "turn"), "turn")),
        ("]", lambda line: line.after(0, "round")),
        ("}", lambda line: line.after(0, "period")),
        (END, lambda line: line.last),
        (END + RIGHT, lambda line: line.last),
        (END + "{", lambda line: line.before(line.last, "period")),
        (END + "[", lambda line: line.before(line.last, "round")),
        (END + HOME, lambda line: 0),
        (LEFT, lambda line: 0),
        (":37\r", lambda line: 37),
        (":#37\r", lambda line: 37),
        (":99999\r", lambda line: line.last),
        (":37\x1b\x1b" + RIGHT, lambda line: 1),
        ("/found\r", lambda line: line.find("found", 0, 1)),
        ("/found\rn", lambda line: line.find("found", line.find("found", 0, 1), 1)),
        ("/found\rnN", lambda line: line.find("found", 0, 1)),
    ],
)  # fmt: skip
def test_keys(mexica: Timeline, keys: str, wanted: object) -> None:
    assert callable(wanted)
    assert typed(mexica, keys).at == wanted(mexica)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (":x\r", "'x' is no number of an action"),
        ("/zzz\r", "'zzz' is nowhere after this"),
        ("/zzz\rN", "'zzz' is nowhere before this"),
        ("v", "everybody sees everything"),
        (RIGHT, "? for the keys"),
    ],
)
def test_the_line_at_the_foot(mexica: Timeline, keys: str, words: str) -> None:
    status = typed(mexica, keys).status()
    assert words in status
    assert status.startswith("match 1-0  action ")
    assert "  round 1" in status


def test_what_is_shown_is_the_position_and_what_led_to_it(mexica: Timeline) -> None:
    found = mexica.find("found", 0, 1)
    assert found is not None
    text = shown(Replayer(mexica, Canvas(unicode=False, colours=False), found))
    action = mexica.moments[found].action
    assert action is not None
    assert f": {action.action}" in text
    assert "for founding the district" in text
    assert f"*{action.action.split()[1]}" in text


def test_the_end_tells_the_result(mexica: Timeline) -> None:
    text = shown(Replayer(mexica, Canvas(unicode=False, colours=False), mexica.last))
    assert f"finished after {mexica.last} actions" in text
    assert "   1. " in text


def test_the_keys_are_explained_and_gone_again(mexica: Timeline) -> None:
    assert all(keys in shown(typed(mexica, "?")) for keys in KEYS)
    assert "next action" not in shown(typed(mexica, "??"))


def test_as_a_seat_saw_it(moctezuma: Timeline) -> None:
    everything, firsts = typed(moctezuma, ""), typed(moctezuma, "v")
    assert "hidden" not in shown(everything)
    assert "3 hidden" in shown(firsts)
    assert "as A saw it" in firsts.status()
    assert "as B saw it" in typed(moctezuma, "vv").status()
    assert typed(moctezuma, "vvv").seat is None


def test_a_card_chosen_by_another_is_hidden(moctezuma: Timeline) -> None:
    at = next(n for n in range(1, moctezuma.last) if moctezuma.told(n)[0].startswith("play "))
    action = moctezuma.moments[at].action
    assert action is not None
    replayer = Replayer(moctezuma, Canvas(unicode=False, colours=False), at)
    replayer.seat = 1 - action.seat
    assert ": play ?" in shown(replayer)
    replayer.seat = action.seat
    assert f": {action.action}" in shown(replayer)


def test_what_does_not_fit_can_be_scrolled(mexica: Timeline) -> None:
    assert typed(mexica, PAGE_DOWN, rows=50).scroll == 0
    assert typed(mexica, PAGE_DOWN, rows=12).scroll == 10
    assert typed(mexica, PAGE_DOWN * 9, rows=12).scroll == len(typed(mexica, "").lines(100)) - 11


@pytest.mark.parametrize("key", ["\x03", "\x04", "q"])
def test_leaving(mexica: Timeline, key: str) -> None:
    replayer = Replayer(mexica, Canvas(unicode=False, colours=False))
    with keyboard() as pipe:
        pipe.send_text(RIGHT + key)
        replayer.run(pipe, Screen(30))
    assert replayer.at == 1
