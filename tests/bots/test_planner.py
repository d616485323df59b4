"""The planner: sees what is obvious, keeps to its budget and its clock, and plays whole games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest
from games.mexica_kit import FIELD, do, game_on, position

from mexica_cli.client import Bot, Reject, Turn
from mexica_cli.games.mexica import State
from mexica_cli.tactics.mexica.budget import Budget
from mexica_cli.tactics.mexica.thinker import Thinker
from mexica_cli.wire.messages import Clock

Make = Callable[[Sequence[str]], Bot]

# ---- whole games -----------------------------------------------------------------------------------------------------


def test_it_plays_a_sane_game_in_few_states(play_match: Any, make_planner: Make) -> None:
    match = play_match([make_planner(["--nodes", "20"]) for _ in range(3)], seed=7)
    followed = [entry["what"] for _, _, entries in match.done for entry in entries]
    assert "stalled" not in followed
    assert len(match.state.founded) >= 11
    assert match.state.round <= 35


@pytest.mark.parametrize(("players", "rules"), [(4, "official"), (2, "help"), (2, "summary")])
def test_it_is_legal_under_every_rule_set(play_match: Any, make_planner: Make, players: int, rules: str) -> None:
    match = play_match([make_planner(["--nodes", "4"]) for _ in range(players)], seed=3, rules=rules)
    assert max(match.state.scored) > 40


def test_the_same_match_is_played_the_same_way_again(play_match: Any, make_planner: Make) -> None:
    def actions(*argv: str) -> list[str]:
        bots = [make_planner(["--nodes", "2", *argv]) for _ in range(2)]
        return [text for _, text, _ in play_match(bots, seed=5).done]

    first = actions()
    assert actions() == first
    assert actions("--seed", "9") != first


def test_it_plays_with_no_time_at_all(play_match: Any, make_planner: Make) -> None:
    """Nothing but legal turns, as a budget of no state leaves it."""
    match = play_match([make_planner(["--nodes", "0"]) for _ in range(2)], seed=1)
    assert match.ranking


# ---- single decisions ------------------------------------------------------------------------------------------------


def turn_of(planner: ModuleType, state: State, nodes: int = 250) -> list[str]:
    search = planner.Search(Thinker(), state, Budget(nodes=nodes), width=6, turns=16)
    return [state.text(action) for action in search.run().line.actions]


def after(planner: ModuleType, state: State) -> State:
    do(state, *turn_of(planner, state))
    return state


def test_it_founds_what_it_stands_in(planner: ModuleType) -> None:
    state = after(planner, position(game_on(FIELD), pawns="f1/a3", display="12", period=2))
    assert len(state.founded) == 1
    assert state.scored[0] == 6


LAST_TURN: dict[str, str | int] = {"period": 2, "display": "-", "seat": 1, "round": 9, "later": "-"}
"""The last turn of a game, if a hand is empty."""


def last_turn(**fields: str | int) -> State:
    """Seat 0 has built everything it had, three small temples, and seat 1 has the last turn."""
    on = game_on(FIELD, temples="[[3, 0, 0, 1], [0, 0, 0, 0]]", neutral_temples="[]")
    return position(on, **(LAST_TURN | fields))


def test_it_takes_the_first_place_where_that_is_for_good(planner: ModuleType) -> None:
    """Three levels would share it, four have it alone."""
    state = last_turn(pawns="d3/f1", tokens="i3:12", temples="f2:1,g2:1,h2:1,d1:4/-/-")
    state = after(planner, state)
    assert sum(mask.bit_count() for mask in state.built[1][3:]) == 1


def test_it_builds_low_where_that_is_enough(planner: ModuleType) -> None:
    """Temples are worth more in hand than in a district where the first place is safe: nobody has room there."""
    board = "SCS=###=#### ###=###=####"
    state = position(game_on(board), pawns="e1/a2", tokens="g1:6", temples="e2:1,f2:1/g2:1/-", display="8", period=2)
    first = turn_of(planner, state)
    assert "temple 4 f1" not in first


def test_it_does_not_close_what_it_cannot_enter(planner: ModuleType) -> None:
    """One canal would close a district of six, with a rival inside and no way there for the planner."""
    state = position(game_on("SCS####.###### ...####.######"), pawns="a1/m1", display="6", ap=1)
    assert not any(text.startswith("canal") for text in turn_of(planner, state))


def test_it_goes_home_with_the_last_turn(planner: ModuleType) -> None:
    state = last_turn(pawns="d3/b3", tokens="i3:12", temples="f2:1,g2:1,h2:1,f3:4/d1:4/-", ap=3)
    state = after(planner, state)
    assert state.variant.board.starts >> state.pawns[1] & 1


# ---- budget and clock ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [0, 1, 7, 60])
def test_it_never_tries_more_states_than_it_may(planner: ModuleType, nodes: int) -> None:
    state = position(game_on(FIELD), pawns="f1/a3", display="3,4")
    budget = Budget(nodes=nodes)
    result = planner.Search(Thinker(), state, budget, width=6, turns=16).run()
    assert budget.spent <= nodes
    do(state, *map(state.text, result.line.actions))


def test_planning_is_paid_from_the_same_budget(planner: ModuleType) -> None:
    class Counting(Thinker):
        lines = 0

        def line(self, *given: Any) -> Any:
            self.lines += 1
            return super().line(*given)

    thinker = Counting()
    state = position(game_on(FIELD), pawns="f1/a3", display="3,4")
    planner.Search(thinker, state, Budget(nodes=7), width=6, turns=16).run()
    assert thinker.lines < 30


def test_what_was_played_on_is_known_better(planner: ModuleType) -> None:
    thinker = Thinker()
    line = thinker.line((), position(game_on(FIELD), pawns="f1/a3"), 0)
    unknown, good, bad = (planner.Candidate(line._replace(utility=utility)) for utility in (99.0, 1.0, 50.0))
    assert planner.best([unknown, good, bad]) is unknown
    good.outcomes, bad.outcomes = [4.0, 2.0], [5.0, 0.5]
    assert planner.best([unknown, good, bad]) is good


class Ticking:
    """A clock by which every look at it takes a millisecond, as on a slow machine."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.mark.parametrize(
    ("clock", "most"),
    [
        (Clock(left_ms=500, move_ms=500), 0.35),
        (Clock(left_ms=50, move_ms=50), 0.05),
        (Clock(left_ms=1, move_ms=500), 0.02),
        (Clock(left_ms=9000, bank_ms=9000), 0.35),
        (Clock(left_ms=100, bank_ms=100, increment_ms=200), 0.1),
    ],
)
def test_it_stays_within_its_clock(make_planner: Make, clock: Clock, most: float) -> None:
    bot: Any = make_planner([])
    bot.clock = ticking = Ticking()
    bot.state, bot.seat = position(game_on(FIELD), pawns="f1/a3", display="3,4"), 0
    answer = bot.play(Turn(match="m", id=1, seat=0, clock=clock))
    assert answer[-1] == "end"
    assert 0 < ticking.now <= most


def test_after_a_rejection_it_takes_no_more_risks(make_planner: Make) -> None:
    bot: Any = make_planner(["--nodes", "20"])
    bot.state = position(game_on(FIELD), pawns="f1/a3", display="3,4")
    bot.rejected(Reject(match="m", id=1, index=0, action="end", code="unreadable", reason="no", strikes_left=2))
    assert bot.play(Turn(match="m", id=1, seat=0, clock=Clock())) == ["end"]
    assert bot.play(Turn(match="m", id=2, seat=0, clock=Clock())) != ["end"]


def test_without_a_limit_it_ends_by_itself(make_planner: Make) -> None:
    bot: Any = make_planner(["--turns", "3", "--width", "1"])
    bot.state = position(game_on(FIELD), pawns="f1/a3", display="3")
    assert bot.play(Turn(match="m", id=1, seat=0, clock=Clock()))[-1] == "end"


@pytest.mark.parametrize("share", ["0", "1.5", "half"])
def test_a_share_is_a_part(make_planner: Make, share: str) -> None:
    with pytest.raises(SystemExit):
        make_planner(["--share", share])
