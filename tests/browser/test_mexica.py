"""The page of a game of Mexica in a browser: what it shows is what the engine says, and every way through it works."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import msgspec
import pytest
from pagekit import Open, chance, played, states

from mexica_cli.games.game import State
from mexica_cli.games.mexica import MexicaState
from mexica_cli.view.scene import Scene
from mexica_cli.view.svg import View, draw_svg

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api", reason="Playwright isn't installed").expect

SVG = "{http://www.w3.org/2000/svg}"
GROUND = ("lake", "canal", "land", "founded", "palace", "banks", "founded-edge")

READ_GROUND = """kinds => Object.fromEntries(kinds.map(kind =>
  [kind, [...document.querySelectorAll(`svg.board path.${kind}`)].map(path => path.getAttribute("d")).join("")]))"""
READ_PIECES = """() => [...document.querySelectorAll("svg.board [data-cell]")].map(piece => {
  const [x, y] = piece.parentNode.style.transform.match(/-?[0-9.]+/g).map(Number);
  return [piece.querySelector("title").textContent, x, y];
})"""
READ_NAMELESS = """() => [...document.querySelectorAll("button, select, input, a, [role=img]")]
  .filter(one => !(one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label")))
  .map(one => one.outerHTML.slice(0, 200))"""
READ_OWNED = """() => [...document.querySelectorAll(".pieces > g, .pawns > g, .badge, .holder")]
  .map(one => [...one.querySelectorAll("text")].map(text => text.textContent).join("") || one.textContent)"""
READ_SEATS = """field => [...document.querySelectorAll(".player " + field)].map(one => one.textContent)"""


def moment(page: Page) -> int:
    """The moment that is shown."""
    return int(page.locator("html").get_attribute("data-n") or -1)


def drawn(state: State) -> ElementTree.Element:
    """The picture that Python makes of a state."""
    one = played("mexica", 2)
    scene = Scene(observation=state.observation(None), options=one.header.options, seats=one.game.seats)
    return ElementTree.fromstring(draw_svg(scene, View(title="")))


def commands(path: str) -> list[str]:
    """The strokes or squares of a path, in any order."""
    return sorted(re.findall(r"M[^M]*", path))


def ground(picture: ElementTree.Element) -> dict[str, list[str]]:
    """By class: what of the ground is drawn."""
    found = dict.fromkeys(GROUND, "")
    for path in picture.iter(f"{SVG}path"):
        if (kind := path.get("class", "")) in found:
            found[kind] += path.get("d", "")
    return {kind: commands(path) for kind, path in found.items()}


def pieces(state: State) -> list[tuple[str, float, float]]:
    """What Python draws as pieces: its words, and the place of its space."""
    found = []
    for piece in drawn(state).iter(f"{SVG}g"):
        if cell := piece.get("data-cell"):
            column, row = ord(cell[0]) - ord("a"), int(cell[1:]) - 1
            found.append((piece[0].text or "", 40.0 * column, 40.0 * row))
    return sorted(found)


def observe(state: State) -> MexicaState:
    observation = state.observation(None)
    assert isinstance(observation, MexicaState)
    return observation


def test_board_and_numbers_are_the_engines_at_ten_moments(mexica_page: str, open_page: Open) -> None:
    page, expected, drawing = open_page(mexica_page), states(played("mexica", 2)), chance()
    for n in [*(drawing.below(len(expected)) for _ in range(10)), len(expected) - 1]:
        state = expected[n]
        page.evaluate(f"location.hash = '#n={n}'")
        page.wait_for_selector(f"html[data-n='{n}']")
        read = page.evaluate(READ_GROUND, GROUND)
        assert {kind: commands(path) for kind, path in read.items()} == ground(drawn(state)), n
        assert sorted(map(tuple, page.evaluate(READ_PIECES))) == pieces(state), n
        seen = observe(state)
        assert page.evaluate(READ_SEATS, ".score") == list(map(str, seen.scores)), n
        labels = page.locator(".player .hand").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
        assert labels == [f"temples left: {_levels(hand)}" for hand in seen.hands], n
        assert page.locator(".stock .hexagon:not(.later)").all_text_contents() == list(map(str, seen.display)), n
        acting = page.evaluate("document.querySelector('.player.acts')?.dataset.seat ?? null")
        assert acting == (None if seen.to_act is None else str(seen.to_act)), n


def _levels(hand: list[int]) -> str:
    return ", ".join(f"{left} of level {level}" for level, left in enumerate(hand, 1))


def test_districts_and_holders(mexica_page: str, open_page: Open) -> None:
    page = open_page(mexica_page)
    page.keyboard.press("End")
    last = observe(states(played("mexica", 2))[-1])
    rows = page.locator(".districts tbody tr:not(.open)")
    assert sorted(rows.evaluate_all("all => all.map(row => row.dataset.cell)")) == sorted(last.tokens)
    first = rows.first
    first.hover()
    assert page.locator("path.shade").count() == 1
    shade = page.locator("path.shade").get_attribute("d") or ""
    assert str(shade.count("Z")) == first.locator(".hexagon").text_content()
    page.mouse.move(0, 0)
    assert page.locator("path.shade").count() == 0


def test_keys(mexica_page: str, open_page: Open) -> None:
    page = open_page(mexica_page)
    found = [msgspec.to_builtins(state.observation(None)) for state in states(played("mexica", 2))]

    def beginning(field: str, after: int) -> int:
        return next(n for n in range(after + 1, len(found)) if found[n][field] != found[n - 1][field])

    def press(key: str) -> int:
        page.keyboard.press(key)
        return moment(page)

    assert moment(page) == 0
    assert press("ArrowRight") == 1
    assert press("ArrowLeft") == 0
    turn = beginning("turn", 0)
    assert press("ArrowDown") == turn
    assert press("Shift+ArrowRight") == beginning("turn", turn)
    assert press("ArrowUp") == turn
    assert press("PageDown") == beginning("round", turn)
    assert press("End") == len(found) - 1
    assert press("Home") == 0
    page.get_by_role("button", name="period").click()
    assert press("ArrowRight") == beginning("period", 0)
    assert press("ArrowRight") == len(found) - 1


def test_mouse_slider_chart_and_moves(mexica_page: str, open_page: Open) -> None:
    page = open_page(f"{mexica_page}#n=5")
    last = len(states(played("mexica", 2))) - 1
    slider = page.get_by_role("slider", name="Moment")
    assert slider.get_attribute("aria-valuetext").startswith(f"action 5 of {last}: ")  # type: ignore[union-attr]
    slider.fill("30")
    assert moment(page) == 30
    page.get_by_role("button", name="Back (left arrow)").click()
    assert moment(page) == 29
    page.locator(".move[data-n='33']").click()
    page.wait_for_selector("html[data-n='33']")
    assert page.locator(".move[aria-current]").get_attribute("data-n") == "33"
    chart = page.locator("svg.chart")
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] - 48, "y": 40})
    assert moment(page) > 0.95 * last
    chart.click(position={"x": 34, "y": 40})
    assert moment(page) == 0


def test_touch(mexica_page: str, open_page: Open) -> None:
    page = open_page(mexica_page, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Forward (right arrow)").tap()
    page.get_by_role("button", name="Forward (right arrow)").tap()
    assert moment(page) == 2
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    page.get_by_role("button", name="Zoom").tap()
    assert page.evaluate("document.querySelector('svg.board').getBoundingClientRect().width") > 700
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for _ in range(20):
        page.get_by_role("button", name="Forward (right arrow)").tap()
        for mark in page.locator("svg.board .last > g:last-child").all():
            box = mark.bounding_box()
            assert box is not None
            assert -1 < box["x"] < 390


def test_it_plays_and_stops(mexica_page: str, open_page: Open) -> None:
    page = open_page(mexica_page)
    page.get_by_label("Speed").select_option("16×")
    page.get_by_role("button", name="Play (space)").click()
    expect(page.locator("html")).to_have_attribute("data-n", re.compile("[0-9]{2}"))
    page.get_by_role("button", name="Pause (space)").click()
    stopped = moment(page)
    page.wait_for_timeout(120)
    assert moment(page) == stopped
    last = len(states(played("mexica", 2))) - 1
    page.evaluate(f"location.hash = '#n={last - 5}'")
    page.wait_for_selector(f"html[data-n='{last - 5}']")
    page.get_by_role("button", name="Play (space)").click()
    page.wait_for_selector(f"html[data-n='{last}']")
    page.wait_for_selector("button[aria-label='Play (space)']")


def test_the_address_follows_the_moment(mexica_page: str, open_page: Open) -> None:
    page = open_page(f"{mexica_page}#n=17")
    assert moment(page) == 17
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#n=18")
    page.reload()
    page.wait_for_selector("html[data-n='18']")


@pytest.mark.parametrize("address", ["#n=99999", "#n=-3", "#n=x", "#g=7", "#", "#n="])
def test_no_address_leads_nowhere(address: str, mexica_page: str, open_page: Open) -> None:
    page = open_page(mexica_page + address)
    assert 0 <= moment(page) < len(states(played("mexica", 2)))


def test_everything_that_can_be_pressed_has_a_name(mexica_page: str, moctezuma_page: str, open_page: Open) -> None:
    for address in (mexica_page, moctezuma_page):
        page = open_page(address)
        page.keyboard.press("PageDown")
        assert page.evaluate(READ_NAMELESS) == []
        assert page.locator("[aria-live]").count() >= 1
        board = page.get_by_role("img", name=re.compile("Board after"))
        assert board.count() == (1 if address == mexica_page else 0)


def test_every_owner_has_a_letter_wherever_it_has_a_colour(mexica_page: str, open_page: Open) -> None:
    page = open_page(mexica_page)
    page.keyboard.press("End")
    coloured = page.evaluate(READ_OWNED)
    assert len(coloured) > 20
    assert all(re.search(r"[A-DN]|\d", text) for text in coloured)


def test_several_games_have_an_index(make_file: Callable[..., str], open_page: Open) -> None:
    address = make_file(("mexica", 2), ("mexica", 3))
    page = open_page(address)
    assert page.title() == "Games <b>&"
    assert page.locator("main.all tbody tr").count() == 2
    page.get_by_role("searchbox").fill("cyd")
    assert page.locator("main.all tbody tr:visible").count() == 1
    page.get_by_role("searchbox").fill("")
    page.locator("main.all tbody tr a").nth(1).click()
    page.wait_for_selector("main.game")
    assert page.locator(".player").count() == 3
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#g=2&n=1")
    page.get_by_role("link", name="Game before").click()
    expect(page.locator(".player")).to_have_count(2)
    page.get_by_role("link", name="All games").click()
    page.wait_for_selector("main.all")
    page.goto(f"{address}#g=2&n=12")
    page.wait_for_selector("html[data-n='12']")


def test_scores_over_the_game_are_in_the_chart(mexica_page: str, open_page: Open) -> None:
    page = open_page(f"{mexica_page}#n=99999")
    label: Any = page.locator("svg.chart").get_attribute("aria-label")
    last = observe(states(played("mexica", 2))[-1])
    assert label.endswith(f": A {last.scores[0]}, B {last.scores[1]}")
