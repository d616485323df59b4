"""The page of a game of Moctezuma in a browser: what lies where is what the engine says, seen by all or by one seat."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pagekit import Open, chance, played, states

from mexica_cli.games.game import State
from mexica_cli.games.moctezuma.observation import MoctezumaState

if TYPE_CHECKING:
    from playwright.sync_api import Page

READ_ZONE = """zone => [...document.querySelectorAll(`[data-zone="${zone}"] .playing`)]
  .map(card => card.dataset.card ?? null)"""
READ_LABELS = "all => all.map(one => one.getAttribute('aria-label'))"


def observe(state: State, seat: int | None = None) -> MoctezumaState:
    observation = state.observation(seat)
    assert isinstance(observation, MoctezumaState)
    return observation


def zone(page: Page, name: str) -> list[str | None]:
    """The cards of a zone in order; None for a back."""
    found: list[str | None] = page.evaluate(READ_ZONE, name)
    return found


def go(page: Page, n: int) -> None:
    page.evaluate(f"location.hash = '#n={n}'")
    page.wait_for_selector(f"html[data-n='{n}']")


def test_the_table_is_the_engines_at_ten_moments(moctezuma_page: str, open_page: Open) -> None:
    page, expected, drawing = open_page(moctezuma_page), states(played("moctezuma", 3)), chance()
    for n in [*(drawing.below(len(expected)) for _ in range(10)), len(expected) - 1]:
        go(page, n)
        seen = observe(expected[n])
        assert zone(page, "line") == [soldier.card for soldier in seen.line], n
        assert zone(page, "field") == [unit.card for unit in seen.battlefield], n
        damages = page.locator("[data-zone='field'] .meter").evaluate_all(READ_LABELS)
        assert damages == [f"damage {unit.damage} of {unit.resistance}" for unit in seen.battlefield], n
        gods = page.locator("[data-zone='gods'] .fortress").evaluate_all(READ_LABELS)
        assert gods == [f"fortress {god.fortress} of {god.first}" for god in seen.gods], n
        assert page.locator("[data-pile='Mexica deck'] strong").inner_text() == str(seen.deck.cards), n
        assert page.locator("[data-pile='Mictlan'] strong").inner_text() == str(len(seen.mictlan)), n
        assert page.locator("[data-pile='Conquistador deck'] strong").inner_text() == str(seen.siege_deck.cards), n
        for seat in range(3):
            own = observe(expected[n], seat)
            assert Counter(zone(page, f"hand-{seat}")) == Counter([*(own.hand or []), *(own.chosen or [])]), (n, seat)
        phase = page.locator(".phases li[aria-current]").inner_text()
        assert phase.lower() == seen.phase, n


def test_as_one_seat_saw_it(moctezuma_page: str, open_page: Open) -> None:
    page, expected = open_page(moctezuma_page), states(played("moctezuma", 3))
    n = next(n for n, state in enumerate(expected) if any(observe(state, seat).chosen for seat in range(3)))
    go(page, n)
    seat = next(seat for seat in range(3) if observe(expected[n], seat).chosen)
    other = (seat + 1) % 3
    assert None not in zone(page, f"hand-{seat}")
    assert page.locator(".move.now .words").inner_text() != "plays a card"
    page.get_by_label("Show").select_option(str(other))
    hand = observe(expected[n]).hands[seat]
    assert Counter(zone(page, f"hand-{seat}")) == Counter(
        [*hand.known, *[None] * (hand.cards + hand.chosen - len(hand.known))]
    )
    assert page.locator(".move.now .words").inner_text() == "plays a card"
    assert "plays a card" in page.locator(".said").inner_text()
    own = observe(expected[n], other)
    assert Counter(zone(page, f"hand-{other}")) == Counter([*(own.hand or []), *(own.chosen or [])])
    page.get_by_label("Show").select_option(str(seat))
    assert None not in zone(page, f"hand-{seat}")


def test_what_a_card_says(moctezuma_page: str, open_page: Open) -> None:
    page = open_page(moctezuma_page)
    card = page.locator(".zone.hand .playing").first
    card.click()
    said = page.locator(".card-says").inner_text()
    assert said.startswith(card.locator("strong").inner_text())
    assert said.endswith((".", "no text"))


def test_steps_by_phase(moctezuma_page: str, open_page: Open) -> None:
    page, expected = open_page(moctezuma_page), states(played("moctezuma", 3))
    page.get_by_role("button", name="phase").click()
    page.keyboard.press("ArrowRight")
    n = int(page.locator("html").get_attribute("data-n") or 0)
    assert [(observe(state).round, observe(state).phase) for state in expected[:n]] == [(1, "exchange")] * n
    assert observe(expected[n]).phase != "exchange"
