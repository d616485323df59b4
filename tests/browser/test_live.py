"""The page of a running server in a browser: tables, standings, and a match while it is played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from threading import Event, Thread
from typing import TypeVar

import msgspec
import pytest
import trio
from pagekit import Open
from webkit import Hall, LiveMatch

expect = pytest.importorskip("playwright.sync_api", reason="Playwright isn't installed").expect
pytest.importorskip("hypercorn", reason="the extra `web` isn't installed")

from mexica_cli.web.serving import serve_web  # noqa: E402

T = TypeVar("T")


class Server:
    """A hall and its page, served in a thread of its own."""

    def __init__(self) -> None:
        self.hall = Hall()
        self.address = ""
        self._ready = Event()
        self._thread = Thread(target=trio.run, args=[self._run])
        self._thread.start()
        assert self._ready.wait(20)

    async def _run(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            await nursery.start(partial(serve_web, self.hall, host="127.0.0.1", port=0, started=self._started))

    def _started(self, address: str) -> None:
        self.address = address
        self._ready.set()

    def do(self, what: Callable[..., T], *args: object) -> T:
        """Call something in the server's thread."""
        return trio.from_thread.run_sync(what, *args, trio_token=self._token)

    def close(self) -> None:
        """Stop serving."""
        self.do(self._scope.cancel)
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def test_a_match_is_watched_while_it_is_played(server: Server, open_page: Open) -> None:
    page = open_page(server.address)
    expect(page.locator("[data-table]")).to_have_count(2)
    expect(page.locator("[data-table='arena'] tbody tr").first).to_contain_text("1500")
    expect(page.locator("[data-table='arena']")).to_contain_text("<b>ob")
    match: LiveMatch = server.do(server.hall.begin, "mexica", 2)
    server.do(match.go_on, 5)
    page.get_by_role("link", name="1-1").click()
    expect(page.locator("html")).to_have_attribute("data-n", "5")
    server.do(match.go_on, 20)
    expect(page.locator("html")).to_have_attribute("data-n", "25")
    page.keyboard.press("ArrowLeft")
    server.do(match.go_on, 5)
    expect(page.get_by_role("slider")).to_have_attribute("max", "30")
    expect(page.locator("html")).to_have_attribute("data-n", "24")
    page.keyboard.press("End")
    server.do(match.finish)
    expect(page.locator(".live")).to_have_text("this match is over")
    state = msgspec.to_builtins(match.state.observation(None))
    expect(page.locator("html")).to_have_attribute("data-n", str(match.actions))
    expect(page.locator(".player .score")).to_have_text([str(points) for points in state["scores"]])
    page.get_by_role("link", name="All tables").click()
    expect(page.locator("[data-table]")).to_have_count(2)


def test_the_next_match_comes_by_itself(server: Server, open_page: Open) -> None:
    first: LiveMatch = server.do(server.hall.begin, "moctezuma", 2, "1-1")
    page = open_page(f"{server.address}#t=arena")
    expect(page.locator("h1")).to_contain_text("match 1-1")
    server.do(first.finish)
    server.do(server.hall.begin, "mexica", 3, "1-2")
    expect(page.locator("h1")).to_contain_text("match 1-2")
    expect(page.locator(".player")).to_have_count(3)


def test_who_looks_back_is_not_torn_away(server: Server, open_page: Open) -> None:
    first: LiveMatch = server.do(server.hall.begin, "mexica", 2, "1-1")
    page = open_page(f"{server.address}#t=arena")
    server.do(first.go_on, 9)
    expect(page.locator("html")).to_have_attribute("data-n", "9")
    page.keyboard.press("Home")
    server.do(first.finish)
    second: LiveMatch = server.do(server.hall.begin, "mexica", 3, "1-2")
    server.do(second.go_on, 4)
    page.get_by_role("link", name="the next match has begun").wait_for()
    assert "match 1-1" in page.locator("h1").inner_text()
    page.get_by_role("link", name="the next match has begun").click()
    expect(page.locator("h1")).to_contain_text("match 1-2")
    expect(page.locator("html")).to_have_attribute("data-n", "4")
    expect(page.locator(".live")).to_have_text("live")


def test_a_table_that_is_not_there(server: Server, open_page: Open) -> None:
    page = open_page(f"{server.address}#t=nowhere")
    expect(page.locator("main")).to_contain_text(re.compile("there is no table 'nowhere'"))
