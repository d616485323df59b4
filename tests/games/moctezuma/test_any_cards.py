"""Whatever cards say: games with effects put together at random run, end, and keep their promises."""

from __future__ import annotations

import random
from typing import Any

from games.moctezuma.kit import every_card, shipped
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.chance import Chance
from mexica_cli.games.game import JsonDict
from mexica_cli.games.moctezuma import MoctezumaGame
from mexica_cli.games.moctezuma.card_files import cards_from
from mexica_cli.games.moctezuma.rules import MOST_ROUNDS, options_from
from mexica_cli.games.moctezuma.variant import Variant

MEXICA = (
    ("battlefield", "hand", "mictlan", "removed", "eagles", "deck_top"),
    ("battlefield", "hand", "mictlan", "removed", "deck_top", "deck_bottom", "deck"),
)
CONQUISTADORS = (
    ("line_open", "line_hidden", "reserve", "reserve_top", "siege_deck_top"),
    ("reserve", "siege_deck_top", "siege_deck_bottom", "siege_deck", "line_end"),
)
TIMES = ("falls", "attacks", "attacks_end", "siege", "defence", "reflection", "recovered")


def any_step(chance: random.Random, depth: int = 0) -> dict[str, Any]:
    """A step that may be on any card."""

    def inner() -> list[dict[str, Any]]:
        return [any_step(chance, depth + 1) for _ in range(chance.randrange(3))]

    simple: list[dict[str, Any]] = [
        {"do": "draw", "cards": chance.randint(1, 3), "who": chance.choice(["you", "each", "chosen", "lowest"])},
        {"do": "extra"},
        {"do": "marker"},
        {"do": "reveal", "where": chance.choice(["line", "deck", "siege_deck"]), "cards": chance.randint(1, 3)},
        {
            "do": "fortress",
            "points": chance.choice([-1, 1, 2]),
            "god": chance.choice(["chosen", "front", "each", "main"]),
        },
        {"do": "ward", "against": chance.choice(["warrior", "priest", "god"]), "points": 2},
        any_move(chance, *MEXICA),
        any_move(chance, *CONQUISTADORS),
    ]
    if depth > 1 or chance.random() < 0.7:
        return chance.choice(simple)
    nested: list[dict[str, Any]] = [
        {"do": "either", "options": [inner(), inner()]},
        {"do": "if", "test": {"cards": "priest"}, "then": inner(), "else": inner()},
        {
            "do": "offer",
            "from": ["hand", "battlefield"],
            "to": chance.choice(MEXICA[1]),
            "cards": "warrior",
            "then": inner(),
            "else": inner(),
        },
    ]
    return chance.choice(nested)


def any_move(chance: random.Random, sources: tuple[str, ...], goals: tuple[str, ...]) -> dict[str, Any]:
    source = chance.choice(sources)
    goal = chance.choice([goal for goal in goals if goal != source])
    step = {"do": "move", "from": source, "to": goal, "count": chance.randint(1, 3), "up_to": chance.random() < 0.5}
    if source in {"battlefield", "mictlan", "removed"}:
        step["cards"] = chance.choice(["any", "warrior", "priest", "unit"])
    return step


def any_cards(chance: random.Random) -> JsonDict:
    """The shipped cards with other effects."""
    table = shipped()
    for card in every_card(table):
        if "resistance" in card:
            card.update(cost=[], use=[any_step(chance), any_step(chance)], trigger=[])
            if chance.random() < 0.3:
                card["trigger"] = [{"when": chance.choice(TIMES), "steps": [any_step(chance)]}]
        if "sacrifice" in card:
            card["sacrifice"] = [any_step(chance)]
        if "resolve" in card:
            attack = {"do": "attack", "on": chance.choice(["warrior", "priest", "unit", "god"]), "damage": 2}
            card["resolve"] = [attack, any_step(chance)]
    return table


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), players=st.integers(1, 5), siege_end=st.sampled_from(["last", "first"]))
def test_any_cards_make_a_game(seed: int, players: int, siege_end: str) -> None:
    chance, dice = random.Random(seed), Chance(seed)
    options = options_from(
        {"siege_end": siege_end, "difficulty": "easy", "deck": chance.choice(["beginner", "advanced"])}
    )
    on = MoctezumaGame(Variant("any", cards_from(any_cards(chance)), options))
    state, steps = on.start(players, on.deal(players, seed)), 0
    while state.to_act is not None:
        if steps % 5 == 0:
            seat = chance.randrange(players)
            assert on.from_position(state.position()).digest() == state.digest()
            assert state.sample_hidden(seat, dice).observation(seat) == state.observation(seat)
        assert len(set(state.options)) == len(state.options)
        state.apply(chance.choice(state.options))
        steps += 1
    assert state.round <= MOST_ROUNDS
