"""Position lines that can't be: refused with the field and the reason, whatever was done to them."""

from __future__ import annotations

import random

import pytest
from games.mexica_kit import RULE_SETS, game, game_on, position, walk
from hypothesis import given, settings
from hypothesis import strategies as st

from mexica_cli.games.game import RuleError
from mexica_cli.games.mexica import State
from mexica_cli.games.mexica.notation import FIELDS


def test_a_line() -> None:
    state = position(
        game(), players=3, pawns="h6/o7/d4", canals="a3,b3", bridges="o7:h", tiles="6,34", temples="-/c4:2/-"
    )
    assert state.position() == (
        "mexica rules=official board=standard players=3 phase=turn period=1 round=2 turn=6 seat=0 vote=- proposed=-"
        " ap=6 taken=0 kept=0/0/0 quiet=0 busy=0 scores=0/0/0 action_tokens=0/0/0 pawns=h6/o7/d4"
        " display=3,3,4,4,5,5,6,6 later=7,8,9,10,11,12,13 tiles=6,34 canals=a3,b3 bridges=o7:h tokens=-"
        " temples=-/c4:2/-"
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rules": "help"}, "rules: the position is of 'help', this game's rules is 'official'"),
        ({"board": "other"}, "board: the position is of 'other', this game's board is 'standard'"),
        ({"players": 5, "kept": "0/0"}, "players: '5' is no number from 2 to 4"),
        ({"phase": "pause"}, "phase: 'pause' is none of place, turn, vote, over"),
        ({"period": 1, "later": "7"}, "later: in period 1 there must be 7 tokens still to come"),
        ({"round": "02"}, "round: '02' is no number from 1 to 99999"),
        ({"turn": 5}, "turn: seat 0's turn in round 2 has another number"),
        ({"seat": 1, "turn": 4}, "turn: seat 1's turn in round 2 has another number"),
        ({"vote": "3:1"}, "vote: it must be given in the phase vote"),
        ({"phase": "vote"}, "vote: it must be given in the phase vote"),
        ({"phase": "vote", "period": 2, "vote": "13:1"}, "vote: 13 must be on display, and among those proposed"),
        ({"phase": "vote", "period": 2, "vote": "3:1", "proposed": "3"}, "vote: 3 must be on display"),
        ({"phase": "vote", "period": 2, "vote": "13:0", "proposed": "13"}, "vote: the seat that proposed isn't asked"),
        ({"proposed": "3"}, "proposed: in period 2 each size is proposed once a turn, in period 1 none is"),
        ({"period": 2, "proposed": "13,13"}, "proposed: in period 2 each size is proposed once a turn"),
        ({"ap": 19}, "ap: '19' is no number from 0 to 18"),
        ({"taken": 3}, "taken: '3' is no number from 0 to 2"),
        ({"kept": "0/1"}, "kept: '1' is no number from 0 to 0"),
        ({"quiet": 3}, "quiet: so many quiet rounds end the period"),
        ({"busy": "yes"}, "busy: 'yes' is no number from 0 to 1"),
        ({"scores": "0"}, "scores: there must be 2 parts with / between them, not 1"),
        ({"scores": "-1/0"}, "scores: '-1' is no number from 0 to 99999"),
        ({"action_tokens": "7/6"}, "action_tokens: there are only 12"),
        ({"pawns": "h6/-"}, "pawns: all must be placed in this phase"),
        ({"pawns": "h6/h6"}, "pawns: seat 1 can't stand on h6"),
        ({"pawns": "h6/a1"}, "pawns: seat 1 can't stand on a1"),
        ({"pawns": "h6/o7"}, "pawns: seat 1 can't stand on o7"),
        ({"pawns": "h6/z9"}, "pawns: 'z9' is no cell of the board standard"),
        ({"pawns": "h6/d4", "temples": "-/d4:1/-"}, "pawns: seat 1 can't stand on d4"),
        ({"display": "3,3,3"}, "display: with later and tokens, there are more tokens of 3 than the rules have"),
        ({"display": "0"}, "display: '0' is no number from 1 to 13"),
        ({"display": ""}, "display: '' is no number from 1 to 13"),
        ({"period": 2, "later": "3"}, "later: in period 2 there must be 0 tokens still to come"),
        ({"tiles": "6,34"}, "tiles: the tiles that are gone don't make the 0 spaces listed in canals"),
        ({"tiles": "6,35,1"}, "tiles: there must be 2 numbers"),
        ({"tiles": "7,35"}, "tiles: there must be 2 numbers, at most"),
        ({"canals": "a1"}, "canals: a1 is no land outside the palace, or is named twice"),
        ({"canals": "h7"}, "canals: h7 is no land outside the palace"),
        ({"canals": "a3,a3"}, "canals: a3 is no land outside the palace, or is named twice"),
        ({"canals": "o6"}, "canals: o6 is no land outside the palace"),
        ({"bridges": "o6:v"}, "bridges: on o6 no bridge can lie that way"),
        ({"bridges": "d4:v"}, "bridges: on d4 no bridge can lie that way"),
        ({"bridges": "o6"}, "bridges: '' is none of h, v"),
        ({"bridges": "o6:h,o6:h"}, "bridges: a cell is named twice"),
        ({"tokens": "d4:5"}, "tokens: d4 isn't the only token in a district of 5 spaces"),
        ({"tokens": "h7:5"}, "tokens: h7 is no land outside the palace, or holds something already"),
        ({"temples": "d4:5/-/-"}, "temples: '5' is no number from 1 to 4"),
        ({"temples": "d4:4,d5:4/-/-"}, "temples: seat 0 has built more temples of level 4 than it got"),
        ({"temples": "d4:1/d4:1/-"}, "temples: d4 is no land outside the palace, or holds something already"),
        ({"temples": "-/-"}, "temples: there must be 3 parts with / between them, not 2"),
        ({"phase": "over", "display": "-"}, "period: a game is over in period 2"),
        ({"phase": "place"}, "pawns: while seat 0 is placing, exactly those before it have placed"),
        ({"phase": "place", "pawns": "-/-"}, "phase: while pawns are placed, all but pawns and neutral temples"),
    ],
)
def test_what_is_wrong_is_said(fields: dict[str, str | int], message: str) -> None:
    with pytest.raises(RuleError) as caught:
        position(game(), **({"pawns": "h6/i7"} | fields))
    assert str(caught.value).startswith(f"position: {message}")


def test_a_bridge_too_many() -> None:
    on = game_on("SCS=# #=#=# #####", bridges="1")
    with pytest.raises(RuleError, match="bridges: there are only 1 bridges"):
        position(on, pawns="a1/c1", bridges="b2:h,d1:h")


def test_words_out_of_place() -> None:
    line = position(game(), pawns="h6/i7").position()
    for bad, message in (
        ("", "a line begins with the word mexica"),
        (line.replace("mexica", "Mexica"), "a line begins with the word mexica"),
        (line + " ", "the line goes on after its last field, temples"),
        (line.replace(" ap=6", ""), "field 11 must be ap=…"),
        (line.replace(" ap=6", "  ap=6"), "field 11 must be ap=…"),
        (line.rsplit(" ", 1)[0], "field 25 must be temples=…"),
    ):
        with pytest.raises(RuleError) as caught:
            game().from_position(bad)
        assert str(caught.value).startswith(f"position: {message}")


def test_orders_that_dont_matter_are_put_right() -> None:
    state = position(game(), pawns="h6/i7", display="6,3,6,3,5,4,5,4", canals="b3,a3", tiles="6,34")
    assert state.display == (3, 3, 4, 4, 5, 5, 6, 6)
    assert " canals=a3,b3 " in state.position()


LINES = [
    [state.position() for state, _ in walk(game(rules), players, 3)][-40] for rules in RULE_SETS for players in (2, 3)
]
"""Late in random games."""
PIECES = ["-", ",", "/", ":", "=", " ", "0", "1", "9", "13", "a3", "h7", "o6:h", "vote", "over", "place", "2:1", ""]


@settings(max_examples=300)
@given(st.sampled_from(LINES), st.integers(0, 2**32))
def test_a_mutated_line_is_refused_or_makes_a_playable_state(line: str, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(chance.randrange(1, 4)):
        line = mutated(line, chance)
    for rules in RULE_SETS:
        state = read_or_refused(rules, line)
        if state is None:
            continue
        again = game(rules).from_position(state.position())
        assert again.digest() == state.digest()
        play_on(state, chance)


def read_or_refused(rules: str, line: str) -> State | None:
    try:
        return game(rules).from_position(line)
    except RuleError as error:
        if not str(error).startswith("position: "):
            raise
        return None


def mutated(line: str, chance: random.Random) -> str:
    if chance.random() < 0.5:  # swap the values of two fields, or give one the value it has in another line
        fields = dict(word.split("=", 1) for word in line.split(" ")[1:] if "=" in word)
        other = dict(word.split("=", 1) for word in chance.choice(LINES).split(" ")[1:])
        field = chance.choice(FIELDS)
        fields[field] = chance.choice([other[field], fields.get(chance.choice(FIELDS), "-")])
        return " ".join(["mexica", *(f"{name}={value}" for name, value in fields.items())])
    start = chance.randrange(len(line) + 1)
    end = min(len(line), start + chance.randrange(4))
    return line[:start] + chance.choice(PIECES) + line[end:]


def play_on(state: State, chance: random.Random) -> None:
    for _ in range(100):
        actions = state.legal_actions()
        if not actions:
            break
        state.apply(chance.choice(actions))
