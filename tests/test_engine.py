"""The engine's requests, on a game small enough to count by hand, and whatever else may arrive on a line."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toygame import add_toy_game

from mexica_cli.engine import EXAMPLES, LINE_BYTES, Engine
from mexica_cli.games.game import JsonDict

NIM: JsonDict = {"cmd": "new", "game": "nim", "players": 2, "setup": {"pile": 4}}


class Session:
    """An engine that takes and returns objects."""

    def __init__(self) -> None:
        self.engine = Engine()

    def raw(self, line: bytes) -> JsonDict:
        """The one reply to a line."""
        text = self.engine.handle(line)
        assert text.endswith(b"\n")
        assert text.count(b"\n") == 1
        reply = json.loads(text)
        assert isinstance(reply, dict)
        assert_well_formed(reply)
        return reply

    def ask(self, cmd: str, **fields: Any) -> JsonDict:
        return self.raw(json.dumps({"cmd": cmd, **fields}).encode())

    def done(self, cmd: str, **fields: Any) -> JsonDict:
        reply = self.ask(cmd, **fields)
        assert reply["ok"], reply
        return reply

    def refused(self, cmd: str, **fields: Any) -> tuple[str, str]:
        reply = self.ask(cmd, **fields)
        assert not reply["ok"], reply
        return reply["code"], reply["reason"]


def assert_well_formed(reply: JsonDict) -> None:
    """What holds of every reply; that no request can bring out a fault of ours is part of it."""
    assert isinstance(reply["ok"], bool)
    if not reply["ok"]:
        assert isinstance(reply["code"], str)
        assert isinstance(reply["reason"], str)
        assert reply["code"] != "internal", reply


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session with nim under way: four stones, at most three a turn, two seats."""
    add_toy_game(monkeypatch)
    session = Session()
    session.done(**NIM)
    return session


@pytest.fixture
def mexica() -> Session:
    """A session with a game of Mexica under way."""
    session = Session()
    session.done("new", game="mexica", players=2, seed=1)
    return session


# ---- new -------------------------------------------------------------------------------------------------------------


def test_new_tells_all_about_the_game(nim: Session) -> None:
    reply = nim.done(**NIM)
    assert (reply["game"], reply["rules"], reply["players"], reply["setup"]) == ("nim", "plain", 2, {"pile": 4})
    assert (reply["to_act"], reply["state"]["pile"]) == (0, 4)


@pytest.mark.parametrize("path", ["", "/", "nosuch.txt", "\0", "x" * 5000, "/dev/null"])
def test_a_file_that_cannot_be_read_is_refused(mexica: Session, path: str) -> None:
    assert mexica.refused("new", game="mexica", rules=path, players=2, seed=1)[0] == "rules"
    if path:
        assert mexica.refused("new", game="mexica", board=path, players=2, seed=1)[0] == "rules"


def test_a_drawn_set_up_can_be_given(nim: Session) -> None:
    drawn = nim.done("new", game="nim", players=2, seed=11)
    digest = nim.done("digest")
    given = nim.done("new", game="nim", players=2, setup=drawn["setup"])
    assert given == drawn
    assert nim.done("digest") == digest


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", ["official", "help"])
def test_a_drawn_set_up_of_mexica_can_be_given(mexica: Session, rules: str, players: int) -> None:
    drawn = mexica.done("new", game="mexica", rules=rules, players=players, seed=11)
    given = mexica.done("new", game="mexica", rules=rules, players=players, setup=drawn["setup"])
    assert given == drawn


def test_options_change_the_rules(nim: Session) -> None:
    nim.done(**NIM, options={"most": "1"})
    assert nim.done("legal")["actions"] == ["end", "take 1"]


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"game": "chess"}, "rules", "there is no game 'chess'"),
        ({"rules": "nosuch"}, "rules", "plain"),
        ({"board": "nosuch"}, "rules", "board"),
        ({"options": {"most": "many"}}, "rules", "many"),
        ({"options": {"most": 3}}, "request", "Expected `str`, got `int`"),
        ({"players": 5}, "request", "from 2 to 4 in nim, not 5"),
        ({"players": 1}, "request", "from 2 to 4 in nim, not 1"),
        ({"players": "2"}, "request", EXAMPLES["new"]),
        ({"players": 10**30}, "request", "players"),
        ({"setup": {"pile": 0}}, "rules", "number of stones"),
        ({"setup": None}, "request", "either `seed` or `setup`"),
        ({"seed": 1}, "request", "either `seed` or `setup`"),
        ({"seed": 1 << 64, "setup": None}, "request", "less than 18446744073709551616"),
        ({"seed": -1, "setup": None}, "request", ">= 0"),
        ({"seed": 1.5, "setup": None}, "request", "seed"),
    ],
)
def test_a_wrong_new_says_what_would_be_right(nim: Session, change: JsonDict, code: str, words: str) -> None:
    before = nim.done("digest")
    refused = nim.refused(**{**NIM, **change})
    assert refused[0] == code
    assert words in refused[1]
    assert nim.done("digest") == before


# ---- the game under way ----------------------------------------------------------------------------------------------


def test_legal_is_sorted_by_bytes(nim: Session) -> None:
    nim.done(**{**NIM, "options": {"most": "11"}, "setup": {"pile": 20}})
    actions = nim.done("legal")["actions"]
    assert actions[:4] == ["end", "take 1", "take 10", "take 11"]
    assert actions == sorted(actions, key=str.encode)


def test_apply_tells_what_followed(nim: Session) -> None:
    reply = nim.done("apply", actions=["take 1", "end", "end"])
    assert reply["followed"] == [[], [], [{"what": "lost", "stones": 1}]]
    assert (reply["to_act"], reply["state"]["pile"]) == (0, 2)
    assert nim.done("state") == {"ok": True, "to_act": reply["to_act"], "state": reply["state"]}


def test_actions_before_an_illegal_one_stand(nim: Session) -> None:
    reply = nim.ask("apply", actions=["take 2", "take 2", "end"])
    assert (reply["ok"], reply["code"], reply["index"], reply["followed"]) == (False, "too_many", 1, [[]])
    assert "2 are taken" in reply["reason"]
    assert reply["state"] == nim.done("state")["state"]
    assert reply["state"]["pile"] == 2


def test_an_unreadable_action_is_refused_like_an_illegal_one(nim: Session) -> None:
    reply = nim.ask("apply", actions=["grab 2"])
    assert (reply["code"], reply["index"]) == ("syntax", 0)


def test_a_finished_game_has_no_actions(nim: Session) -> None:
    reply = nim.done("apply", actions=["take 1", "take 1", "end", "take 2"])
    assert (reply["to_act"], reply["state"]["scores"]) == (None, [2, 7])
    assert nim.done("legal")["actions"] == []
    assert nim.refused("apply", actions=["end"])[0] == "over"


def test_undo_goes_back_action_by_action(nim: Session) -> None:
    digests = [nim.done("digest")["digest"]]
    for action in ("take 1", "end", "take 3"):
        nim.done("apply", actions=[action])
        digests.append(nim.done("digest")["digest"])
    assert len(set(digests)) == 4
    nim.done("undo")
    assert nim.done("digest")["digest"] == digests[2]
    nim.done("undo", steps=2)
    assert nim.done("digest")["digest"] == digests[0]


def test_undo_beyond_the_start_changes_nothing(nim: Session) -> None:
    nim.done("apply", actions=["take 1"])
    assert nim.refused("undo", steps=2) == ("undo", "`steps` may be at most 1 here")
    assert nim.done("state")["state"]["pile"] == 3


def test_position_is_printed_and_set(nim: Session) -> None:
    nim.done("apply", actions=["take 2"])
    position, digest = nim.done("position")["position"], nim.done("digest")
    nim.done("apply", actions=["end"])
    reply = nim.done("position", position=position)
    assert (reply["position"], reply["state"]["pile"], reply["to_act"]) == (position, 2, 0)
    assert nim.done("digest") == digest
    assert nim.refused("undo") == ("undo", "there is nothing to undo here")


def test_a_wrong_position_changes_nothing(nim: Session) -> None:
    assert nim.refused("position", position="nonsense") == ("rules", "'nonsense' is no position of nim")
    nim.done("apply", actions=["take 1"])
    assert nim.refused("position", position="")[0] == "rules"
    nim.done("undo")


@pytest.mark.parametrize("cmd", sorted(EXAMPLES.keys() - {"new"}))
def test_nothing_goes_without_a_game(cmd: str) -> None:
    request: JsonDict = json.loads(EXAMPLES[cmd].partition(" or,")[0])
    code, reason = Session().refused(**request)
    assert code == "no_game"
    assert EXAMPLES["new"] in reason


@pytest.mark.parametrize(
    "new",
    [
        {"game": "mexica", "players": 3},
        {"game": "mexica", "players": 2, "rules": "help", "board": "small"},
        {"game": "moctezuma", "players": 2, "options": {"difficulty": "hard", "deck": "advanced"}},
    ],
)
def test_a_position_of_shipped_rules_needs_no_game_before_it(new: JsonDict) -> None:
    first, second = Session(), Session()
    first.done("new", seed=7, **new)
    position = first.done("position")["position"]
    assert second.done("position", position=position)["position"] == position
    assert second.done("legal") == first.done("legal")
    assert second.done("digest") == first.done("digest")


@pytest.mark.parametrize(
    ("field", "name", "new"),
    [
        ("rules", "ours.toml", {"game": "mexica", "players": 2}),
        ("board", "/etc/passwd", {"game": "mexica", "players": 2}),
        ("cards", "ours", {"game": "moctezuma", "players": 2}),
    ],
)
def test_a_position_of_other_rules_needs_a_game_before_it(field: str, name: str, new: JsonDict) -> None:
    first, second = Session(), Session()
    first.done("new", seed=7, **new)
    position = re.sub(rf" {field}=\S+", f" {field}={name}", first.done("position")["position"])
    says = f"position: {field}: {name!r} doesn't come with the program: first send `new` with it, then this"
    assert second.refused("position", position=position) == ("rules", says)
    assert second.refused("legal")[0] == "no_game"


@pytest.mark.parametrize("line", ["", "chess e4", "mexica", "mexica rules=official", "moctezuma rules=official"])
def test_what_is_no_position_is_refused_without_a_game_too(line: str) -> None:
    assert Session().refused("position", position=line)[0] == "rules"


def test_a_fault_in_the_middle_of_an_action_leaves_the_position_whole(
    nim: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(state: Any, action: int) -> list[JsonDict]:
        state._pile = 0
        raise ZeroDivisionError

    digest = nim.done("digest")
    with monkeypatch.context() as patch:
        patch.setattr("toygame.NimState.apply", broken)
        reply = json.loads(nim.engine.handle(b'{"cmd":"apply","id":7,"actions":["end"]}'))
    assert (reply["id"], reply["ok"], reply["code"]) == (7, False, "internal")
    assert "ZeroDivisionError" in reply["reason"]
    assert nim.done("digest") == digest


# ---- perft -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pile", "depth", "count"),
    [
        (4, 0, 1),
        (4, 1, 4),
        # end (3 left): 4; take 1 (3 left, two more at most): 3; take 2 (2 left, one more): 2; take 3 (1 left): 1
        (4, 2, 10),
        # take 1 takes the last stone and ends the game, so does `end`: neither goes on to a second action
        (1, 1, 2),
        (1, 2, 0),
        # end | end, take 1; take 1 | end, take 1; take 2 |
        (2, 2, 4),
    ],
)
def test_perft_counts_sequences_of_exactly_that_depth(nim: Session, pile: int, depth: int, count: int) -> None:
    nim.done(**{**NIM, "setup": {"pile": pile}})
    assert nim.done("perft", depth=depth) == {"ok": True, "count": count}


def test_perft_divides_by_first_action(nim: Session) -> None:
    divided = {"end": 4, "take 1": 3, "take 2": 2, "take 3": 1}
    assert nim.done("perft", depth=2, divide=True) == {"ok": True, "count": 10, "divide": divided}
    assert nim.done("perft", depth=1, divide=True)["divide"] == dict.fromkeys(divided, 1)


def test_perft_changes_nothing(nim: Session) -> None:
    before = nim.done("digest")
    nim.done("perft", depth=3)
    assert nim.done("digest") == before


def test_perft_keeps_to_its_budget(nim: Session) -> None:
    # At depth 2 it looks at the position itself and the four after it.
    assert nim.done("perft", depth=2, budget=5)["count"] == 10
    code, reason = nim.refused("perft", depth=2, budget=4)
    assert (code, "more than 4 positions" in reason) == ("budget", True)


# ---- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["null", "0", "-7", "1.50", "123456789012345678901234567890", '"a\\nb"', "[1, {}]", '{"x":null}']
)
def test_id_comes_back_as_it_was_sent(text: str) -> None:
    session = Session()
    for request in (f'{{"cmd":"new","game":"mexica","players":2,"seed":1,"id":{text}}}', f'{{"id":{text}}}'):
        reply = session.engine.handle(request.encode())
        assert reply.startswith(b'{"id":' + text.encode() + b',"ok":'), reply


def test_without_an_id_there_is_none() -> None:
    assert "id" not in Session().ask("legal")


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (b"hello", "json", "not one line of JSON"),
        (b'{"cmd":"legal"} {"cmd":"legal"}', "json", "trailing"),
        (b'{"cmd":"legal"', "json", "truncated"),
        (b"[1]", "json", "a request is a JSON object"),
        (b'"legal"', "json", "a request is a JSON object"),
        (b'{"cmd":"legal","x":"\xff"}', "json", "not UTF-8: byte 20"),
        (b'{"id":' + b"[" * 200_000 + b"]" * 200_000 + b',"cmd":"legal"}', "json", "nested too deeply"),
        (b'{"cmd":"' + b"x" * LINE_BYTES + b'"}', "oversize", "at most 1048576 bytes"),
        (b"{}", "unknown_cmd", "apply, digest, legal, new, perft, position, state, undo"),
        (b'{"cmd":"go"}', "unknown_cmd", "apply, digest, legal, new, perft, position, state, undo"),
        (b'{"cmd":["legal"]}', "unknown_cmd", "must be one of"),
        (b'{"cmd":"apply"}', "request", "`actions`; right would be " + EXAMPLES["apply"]),
        (b'{"cmd":"apply","actions":"end"}', "request", "Expected `array`, got `str`"),
        (b'{"cmd":"undo","steps":0}', "request", ">= 1"),
        (b'{"cmd":"perft","depth":101}', "request", "<= 100"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(mexica: Session, line: bytes, code: str, words: str) -> None:
    before = mexica.done("digest")
    reply = mexica.raw(line)
    assert (reply["ok"], reply["code"]) == (False, code)
    assert words in reply["reason"]
    assert mexica.done("digest") == before


@pytest.mark.parametrize("line", [b'{"cmd":"digest"}\r\n', b' {"cmd" : "digest", "extra": [1]} \n'])
def test_crlf_spaces_and_unknown_fields_are_fine(mexica: Session, line: bytes) -> None:
    assert mexica.raw(line)["ok"]


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b"  \t\n", b""])
def test_a_blank_line_gets_no_reply(line: bytes) -> None:
    assert Engine().handle(line) == b""


# ---- fuzz ------------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
SETUP = {"calpulli": [[3, 4, 5, 6, 7, 8, 9, 10], [3, 4, 5, 6, 11, 12, 13]], "neutral": {"g5": 1}}
RIGHT: list[JsonDict] = [
    {"cmd": "new", "id": 1, "game": "mexica", "rules": "help", "players": 3, "seed": 7, "options": {}},
    {"cmd": "new", "game": "mexica", "rules": "official", "board": "standard", "players": 2, "setup": SETUP},
    {"cmd": "legal", "id": "a"},
    {"cmd": "apply", "actions": ["place h6", "canal a3 b3", "temple 3 f5", "found 13 h3", "bridge o6 h", "end"]},
    {"cmd": "state"},
    {"cmd": "position", "position": "x"},
    {"cmd": "undo", "steps": 1},
    {"cmd": "perft", "depth": 1, "divide": True, "budget": 3},
    {"cmd": "digest"},
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every value inside a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in inside for place in places(inner, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of a JSON value with another value at `path`."""
    if not path:
        return new
    inside = value.copy()
    inside[path[0]] = replaced(value[path[0]], path[1:], new)
    return inside


@st.composite
def nearly_right(draw: st.DrawFn) -> bytes:
    """A right request with one value in it, however deep, changed for another."""
    request = draw(st.sampled_from(RIGHT))
    place = draw(st.sampled_from(places(request)))
    return json.dumps(replaced(request, place, draw(JSON))).encode()


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The bytes of a right request with some of them cut out and others put in."""
    line = json.dumps(draw(st.sampled_from(RIGHT))).encode()
    start = draw(st.integers(0, len(line)))
    end = draw(st.integers(start, len(line)))
    return line[:start] + draw(st.binary(max_size=6)).replace(b"\n", b"") + line[end:]


LINES = st.lists(st.one_of(nearly_right(), damaged(), st.binary(max_size=40)), min_size=1, max_size=6)


@given(LINES)
def test_no_line_brings_it_down(lines: list[bytes]) -> None:
    session = Session()
    session.done("new", game="mexica", players=2, seed=1)
    for line in lines:
        if line.strip():
            session.raw(line.replace(b"\n", b" "))
    # Whatever came before, a right request gets its answer.
    assert session.done("digest")["digest"]


@given(st.data())
def test_no_position_brings_it_down(data: st.DataObject) -> None:
    session = Session()
    session.done("new", game="mexica", players=2, seed=1)
    text = session.done("position")["position"]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    changed = text[:start] + data.draw(st.text(max_size=5)) + text[end:]
    session.ask("position", position=changed)
    session.done("legal")
    session.done("state")


def test_every_example_is_of_its_kind() -> None:
    for cmd, example in EXAMPLES.items():
        assert json.loads(example.partition(" or,")[0])["cmd"] == cmd


def test_a_state_as_a_seat_sees_it() -> None:
    session = Session()
    session.done("new", game="moctezuma", players=2, seed=4)
    views = [session.done("state", seat=seat)["state"] for seat in (0, 1)]
    spectators = session.done("state")["state"]
    assert [view["seat"] for view in [*views, spectators]] == [0, 1, None]
    assert all(len(view["hand"]) == 3 for view in views)
    assert views[0]["hand"] != views[1]["hand"]
    assert spectators["hand"] is None
    assert session.refused("state", seat=2) == ("request", "there is no seat 2; the seats are 0 to 1")
    code, reason = session.refused("state", seat=-1)
    assert (code, "seat" in reason) == ("request", True)
