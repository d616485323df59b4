"""Actions as text."""

from __future__ import annotations

import pytest
from games.moctezuma.kit import game, position

from mexica_cli.games.game import BadAction
from mexica_cli.games.moctezuma.action_text import FORMS, parse, write
from mexica_cli.games.moctezuma.actions import KINDS

EXAMPLES = [
    "keep",
    "exchange devoto devoto macehual tlenamacac",
    "play devoto",
    "use devoto",
    "sacrifice devoto quetzalcoatl",
    "pass",
    "hit papalotl",
    "hit papalotl:2",
    "redirect",
    "take reserve_top",
    "take mictlan devoto",
    "done",
    "god additional",
    "seat 0",
    "option 2",
]


def test_every_kind_has_a_form_and_an_example() -> None:
    assert list(FORMS) == list(KINDS)
    assert {text.split(" ")[0] for text in EXAMPLES} == set(KINDS)


@pytest.mark.parametrize("text", EXAMPLES)
def test_there_and_back(text: str) -> None:
    action = parse(game().variant, text)
    assert action >= 0
    assert write(game().variant, action) == text


def test_exchanged_cards_in_any_order_are_one_action() -> None:
    variant = game().variant
    assert parse(variant, "exchange macehual devoto") == parse(variant, "exchange devoto macehual")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "unknown_action", "'' is no action; actions are keep, exchange"),
        ("dance", "unknown_action", "'dance' is no action"),
        ("play", "malformed", "'play' is not of the form: play CARD"),
        ("play maize", "unknown_card", "'maize' is no card's id"),
        ("play  devoto", "malformed", "not of the form"),
        ("pass on", "malformed", "not of the form: pass"),
        ("exchange", "malformed", "exchange CARD"),
        ("exchange devoto devoto devoto devoto devoto", "malformed", "exchange CARD"),
        ("sacrifice devoto", "malformed", "sacrifice CARD GOD"),
        ("sacrifice devoto tlaloc", "malformed", "'tlaloc' is no place of a god; places are main"),
        ("hit devoto:0", "malformed", "hit CARD"),
        ("hit devoto:x", "malformed", "hit CARD"),
        ("hit devoto:²", "malformed", "hit CARD"),
        ("take", "malformed", "take PLACE"),
        ("take home devoto", "malformed", "take PLACE"),
        ("seat 16", "malformed", "seat NUMBER"),
        ("option 01", "malformed", "option NUMBER"),
    ],
)
def test_texts_that_are_no_action(text: str, code: str, said: str) -> None:
    with pytest.raises(BadAction) as caught:
        parse(game().variant, text)
    assert caught.value.code == code
    assert said in caught.value.reason


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("pass", "wrong_kind", "what is asked now (planning) is one of play"),
        ("play cuachic", "not_possible", "'play cuachic' can't be chosen here now; right would be play "),
    ],
)
def test_why_an_action_is_illegal(text: str, code: str, said: str) -> None:
    state = position(game(), phase="planning", hands="macehual/tequihua", line="cura!")
    verdict = state.why_illegal(state.parse(text))
    assert verdict is not None
    assert verdict.code == code
    assert said in verdict.reason


def test_nothing_is_legal_once_it_is_over() -> None:
    state = position(game(), gods="-/-/-/quetzalcoatl", fortress="0/0/0/1", line="artillero!")
    verdict = state.why_illegal(state.parse("pass"))
    assert verdict is not None
    assert verdict.code == "over"
