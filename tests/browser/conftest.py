"""A real browser: Chromium as the system has it, driven by Playwright. Without either, tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pagekit import Open, played

from mexica_cli.record.replay import Rulebook
from mexica_cli.view.page.document import document, pack
from mexica_cli.view.page.logged import messages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
"""A browser in a container, that asks nobody for anything."""

PATIENCE_MS = 10_000
"""How long a test waits for what doesn't come."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed after each module: Playwright keeps an event loop in this thread as long as it runs."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright isn't installed")
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip(f"there is no {CHROMIUM[0]} on this machine")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What pages have in common that need nothing of their own."""
    made = browser.new_context(reduced_motion="reduce")
    yield made
    made.close()


@pytest.fixture
def open_page(browser: Browser, context: BrowserContext) -> Iterator[Open]:
    """Opens pages, and fails the test for anything that they complain of or ask the network for."""
    complaints: list[str] = []
    opened: list[Page | BrowserContext] = []

    def open_(address: str, **options: object) -> Page:
        own = browser.new_context(reduced_motion="reduce", **options) if options else context  # type: ignore[arg-type]
        page = own.new_page()
        opened.append(own if options else page)
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if address.startswith("file:"):
            page.on("request", lambda request: complaints.extend([request.url] * (not request.url.startswith("file:"))))
        page.goto(address)
        page.wait_for_selector("main.game, main.all")
        return page

    yield open_
    for one in opened:
        one.close()
    assert complaints == []


@pytest.fixture(scope="session")
def make_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Writes a page with such games, each given by name and players; its address."""

    def make(*games: tuple[str, int]) -> str:
        logs = [played(*game) for game in games]
        packed = [pack(messages(one, Rulebook(one.header))) for one in logs]
        path: Path = tmp_path_factory.mktemp("page") / "a page.html"
        path.write_text("".join(document("Games <b>&", "of a test", packed)), encoding="utf-8")
        return path.as_uri()

    return make


@pytest.fixture(scope="session")
def mexica_page(make_file: Callable[..., str]) -> str:
    """The address of a page with one game of Mexica for two."""
    return make_file(("mexica", 2))


@pytest.fixture(scope="session")
def moctezuma_page(make_file: Callable[..., str]) -> str:
    """The address of a page with one game of Moctezuma for three."""
    return make_file(("moctezuma", 3))
