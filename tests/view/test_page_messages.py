"""Games as messages for a page: they lead through the states of the engine, and hide and show what they should."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from pagekit import changed, logged, played, states
from toylog import ToyMatch, header

from mexica_cli.games.game import Game
from mexica_cli.record.lines import ActionLine, SayLine
from mexica_cli.record.replay import ReplayError, Rulebook
from mexica_cli.view.page.feed import aside
from mexica_cli.view.page.logged import messages, state_after
from mexica_cli.view.page.messages import AnyMessage, Aside, End, Start, Step


def told(name: str, players: int) -> list[AnyMessage]:
    one = played(name, players)
    return list(messages(one, Rulebook(one.header)))


def shown_states(all_: list[AnyMessage]) -> list[dict[str, Any]]:
    """The states that a page goes through."""
    start = all_[0]
    assert isinstance(start, Start)
    found = [start.state]
    for message in all_:
        if isinstance(message, Step):
            found.append(found[-1] if message.change is None else changed(found[-1], message.change))
    return found


@pytest.mark.parametrize(("name", "players"), [("mexica", 2), ("mexica", 4), ("moctezuma", 1), ("moctezuma", 3)])
def test_a_page_goes_through_the_states_of_the_engine(name: str, players: int) -> None:
    found = shown_states(told(name, players))
    expected = states(played(name, players))
    assert len(found) == len(expected)
    for shown, state in zip(found, expected, strict=True):
        observation = msgspec.to_builtins(state.observation(None))
        observation.pop("position", None)
        assert {key: shown[key] for key in observation} == observation


def test_what_seats_see_besides_is_their_own() -> None:
    for shown, state in zip(shown_states(told("moctezuma", 3)), states(played("moctezuma", 3)), strict=True):
        for seat, own in enumerate(shown["own"]):
            observation = msgspec.to_builtins(state.observation(seat))
            assert {**shown, **own, "own": None} == {**observation, "own": None}


def test_an_action_is_told_as_each_seat_saw_it() -> None:
    plays = [one for one in told("moctezuma", 3) if isinstance(one, Step) and one.text.startswith("play ")]
    for step in plays:
        own = step.others[step.seat]
        assert own is None or own.text == step.text
        for seat in {0, 1, 2} - {step.seat}:
            seen = step.others[seat]
            assert seen is not None
            assert (seen.text, seen.words) == ("play ?", "plays a card")
    drawn = [sentence for step in plays for sentence in step.then if " draws " in sentence]
    assert drawn
    assert not any(sentence.endswith("draws a card") for sentence in drawn)


def test_in_a_game_without_secrets_nothing_is_said_twice() -> None:
    assert "own" not in shown_states(told("mexica", 2))[0]
    assert not any(message.others for message in told("mexica", 2) if isinstance(message, Step))


def test_districts_add_up_to_the_scoring() -> None:
    """What the page says a founded district would bring is what the engine gives for it at the end of a period."""
    one = played("mexica", 3)
    lines = [line for _, line in one.lines if isinstance(line, ActionLine)]
    found = shown_states(told("mexica", 3))
    scorings = [(line, entry) for line in lines for entry in line.followed if entry["what"] == "scored"]
    assert len(scorings) == 2
    for line, entry in scorings:
        before = found[line.n - 1]["districts"]
        for district in entry["districts"]:
            shown = before[district["cell"]]
            assert (shown["size"], shown["founded"]) == (district["size"], district["founded"])
            assert (shown["grandeur"], shown["points"]) == (district["grandeur"], district["points"])


def test_every_action_and_consequence_has_words() -> None:
    for name, players in (("mexica", 2), ("moctezuma", 3)):
        for step in (message for message in told(name, players) if isinstance(message, Step)):
            assert step.words
            assert not step.words.startswith(step.text.split()[0] + " "), step.text
            assert all("{" not in sentence and '"' not in sentence for sentence in step.then), step.then


def test_the_end_is_the_result() -> None:
    for name in ("mexica", "moctezuma"):
        end, result = told(name, 2)[-1], played(name, 2).result
        assert isinstance(end, End)
        assert (end.outcome, end.ranking, end.scores) == (result.outcome, result.ranking, result.scores)


def test_the_state_after_some_actions() -> None:
    one = played("mexica", 2)
    rulebook, expected = Rulebook(one.header), states(one)
    for actions in (0, 1, 77, len(expected) - 1):
        assert state_after(one, rulebook, actions).position() == expected[actions].position()


def test_a_game_without_a_teller_is_told_plainly(nim: Game) -> None:
    lines = ToyMatch(nim, "0-0", ("ann", "bob")).act("take 1", note="a\nstart").play().result()
    one = logged(header(nim), lines)
    start, first, *_ = messages(one, Rulebook(one.header))
    assert isinstance(start, Start)
    assert isinstance(first, Step)
    assert start.setting["units"] == {"turn": ["turn"]}
    assert (first.text, first.words, first.note) == ("take 1", "take 1", "a�start")


def test_what_is_no_action_is_told_in_its_place(nim: Game) -> None:
    match = ToyMatch(nim, "0-0", ("ann", "bob", "cyd")).reject("take 4").play(2).fail(1, "crash").play()
    one = logged(header(nim), match.result())
    asides = [message for message in messages(one, Rulebook(one.header)) if isinstance(message, Aside)]
    assert [(aside.n, aside.kind, aside.seat) for aside in asides] == [(0, "reject", 0), (2, "fault", 1)]
    assert asides[0].words.startswith("wanted “take 4”, which was rejected: ")
    assert asides[1].words == "forfeits, crash: it fell to crash"


def test_what_is_said_is_told() -> None:
    said = aside(SayLine(match="1-1", n=3, seat=2, text="two\tpriests"))
    assert said == Aside(n=3, kind="say", seat=2, words="says: two�priests")


def test_a_log_that_the_rules_do_not_bear_out_is_refused() -> None:
    one = played("mexica", 2)
    number, line = one.lines[5]
    broken = msgspec.structs.replace(line, n=99)
    with pytest.raises(ReplayError, match="`n` is 99"):
        list(messages(one._replace(lines=[*one.lines[:5], (number, broken), *one.lines[6:]]), Rulebook(one.header)))
