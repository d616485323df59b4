"""Lines out of bytes, messages out of lines, and what is said about those that are none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.wire.framing import (
    EXCERPT_CHARACTERS,
    BadMessage,
    LineBuffer,
    LineTooLong,
    decode_arena_message,
    decode_bot_message,
    encode,
    excerpt,
)
from mexica_cli.wire.messages import Event, Join, Ping, Play, Quit, Turn

WIDE = 1 << 20
CONTENT = st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"x").rstrip(b"\r"))
END = st.sampled_from([b"\n", b"\r\n"])


def lines_of(buffer: LineBuffer) -> list[bytes]:
    return list(iter(buffer.next_line, None))


def fed(buffer: LineBuffer, *pieces: bytes) -> list[bytes]:
    lines = []
    for piece in pieces:
        buffer.feed(piece)
        lines += lines_of(buffer)
    return lines


# ---- lines -----------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(CONTENT, END), max_size=8), st.binary(max_size=20), st.data())
def test_lines_come_out_the_same_however_the_stream_is_cut(
    written: list[tuple[bytes, bytes]], rest: bytes, data: st.DataObject
) -> None:
    rest = rest.replace(b"\n", b"x")
    stream = b"".join(line + end for line, end in written) + rest
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    buffer = LineBuffer(WIDE)
    assert fed(buffer, *pieces) == [line for line, _ in written if line.strip()]
    assert buffer.pending == len(rest)


def test_two_lines_cut_at_every_offset() -> None:
    stream = b'{"type":"quit"}\r\n\n  \r\n{"type":"pong","id":1}\ntorn'
    for cut in range(len(stream) + 1):
        buffer = LineBuffer(WIDE)
        assert fed(buffer, stream[:cut], stream[cut:]) == [b'{"type":"quit"}', b'{"type":"pong","id":1}']
        assert buffer.pending == 4


def test_pending_does_not_count_lines_that_wait_to_be_taken() -> None:
    buffer = LineBuffer(WIDE)
    buffer.feed(b"one\ntwo\nthr")
    assert buffer.pending == 3
    assert lines_of(buffer) == [b"one", b"two"]
    assert buffer.pending == 3
    buffer.feed(b"ee\n")
    assert buffer.pending == 0
    assert lines_of(buffer) == [b"three"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@given(limit=st.integers(3, 50), data=st.data())
def test_the_limit_counts_the_end_and_is_exact(end: bytes, limit: int, data: st.DataObject) -> None:
    fits = b"a" * (limit - len(end))
    cut = data.draw(st.integers(0, limit))
    assert fed(LineBuffer(limit), (fits + end)[:cut], (fits + end)[cut:]) == [fits]
    with pytest.raises(LineTooLong):
        fed(LineBuffer(limit), b"a" + fits + end)


@given(st.integers(1, 50))
def test_a_line_without_end_is_refused_as_soon_as_it_can_no_longer_fit(limit: int) -> None:
    buffer = LineBuffer(limit)
    assert fed(buffer, b"a" * (limit - 1)) == []
    with pytest.raises(LineTooLong, match=str(limit)):
        fed(buffer, b"a")


def test_lines_before_the_long_one_come_out_first_and_the_refusal_stays() -> None:
    buffer = LineBuffer(8)
    buffer.feed(b"one\n\ntwo\n" + b"z" * 100 + b"\nthree\n")
    assert [buffer.next_line(), buffer.next_line()] == [b"one", b"two"]
    for _ in range(2):
        with pytest.raises(LineTooLong, match="it begins: zzzz"):
            buffer.next_line()


def test_no_byte_is_searched_twice() -> None:
    """A long line in small pieces: the search goes on where it stopped."""

    class Counting(bytearray):
        searched = 0

        def find(self, sub: object, start: object = 0, end: object = None) -> int:
            assert isinstance(start, int)
            Counting.searched += len(self) - start
            return super().find(b"\n", start)

    buffer = LineBuffer(WIDE)
    buffer._data = Counting()
    fed(buffer, *[b"a" * 10] * 1000, b"\n")
    assert Counting.searched <= 10_002


# ---- messages --------------------------------------------------------------------------------------------------------


def test_messages_round_trip() -> None:
    play = Play(id=3, actions=["walk h6", "end"], note="¡hecho! \u2028\n")
    line = encode(play)
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert decode_bot_message(line[:-1]) == play
    event = Event(match="m", n=1, seat=0, action="end", followed=[{"what": "points"}])
    assert decode_arena_message(encode(event)) == event


def test_unknown_fields_are_passed_over() -> None:
    assert decode_bot_message(b'{"mood":["\xff"],"type":"quit","x":{"type":5}}') == Quit()
    assert decode_arena_message(b'{"type":"ping","id":1,"why":null}') == Ping(id=1)


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        (b"", "not_json", "truncated"),
        (b"a1 b2 c3", "not_json", "not JSON"),
        (b'{"type":"quit"} {"type":"quit"}', "not_json", "trailing"),
        (b'{"type":"quit",}', "not_json", "not JSON"),
        (b'{"type":"play","id":"x","actions"', "not_json", "not JSON"),
        (b'{"type":"join","protocol":1,"name":"x\xff"}', "not_json", "UTF-8, and this one isn't at byte 37"),
        (b'{"type":"say","match":"m","text":"t","claim":{"a":' + b"[" * 60_000, "not_json", "nested too deeply"),
        (b'["type","quit"]', "no_type", "JSON object with a `type`"),
        (b"17", "no_type", "JSON object with a `type`"),
        (b'{"kind":"quit"}', "no_type", "text field `type`"),
        (b'{"type":7}', "no_type", "text field `type`"),
        (b'\xef\xbb\xbf{"type":"quit"}', "not_json", "this one with a byte order mark"),
        (b'{"type":"quit","type":"play","id":1,"actions":["end"]}', "bad_field", "the field `type` is there twice"),
        (b'{"type":"sing","type":"quit"}', "bad_field", "the field `type` is there twice"),
        (b'{"type":3,"type":"quit"}', "bad_field", "the field `type` is there twice"),
        (b'{"type":"sing"}', "unknown_type", "join, play, pong, quit, ready, say, not 'sing'"),
        (b'{"type":"hello","protocol":[1]}', "unknown_type", "a bot sends"),
        (b'{"type":"play","actions":["end"]}', "bad_field", "`play`: the field `id` is missing"),
        (b'{"type":"play","id":"3","actions":["end"]}', "bad_field", "the field `id` is wrong: expected `int`"),
        (b'{"type":"play","id":1e999,"actions":["end"]}', "bad_field", "the field `id` is wrong"),
        (b'{"type":"play","id":3,"actions":"end"}', "bad_field", "`actions` is wrong: expected `array`, got `str`"),
        (b'{"type":"play","id":3,"actions":[]}', "bad_field", "`actions` is wrong: expected `array` of length >= 1"),
        (b'{"type":"play","id":3,"actions":["end",4]}', "bad_field", "`actions[1]` is wrong: expected `str`"),
        (b'{"type":"join","protocol":1,"name":""}', "bad_field", "`name` is wrong: expected `str` of length >= 1"),
        (b'{"type":"join","protocol":1,"name":"a","want":["all"]}', "bad_field", "right would be state, legal, events"),
    ],
)
def test_what_is_no_message_of_a_bot(line: bytes, code: str, says: str) -> None:
    with pytest.raises(BadMessage) as caught:
        decode_bot_message(line)
    assert caught.value.code == code
    assert says in caught.value.reason


def test_a_field_inside_a_field_is_named_in_full() -> None:
    hello = b'{"type":"hello","protocol":[1],"server":"s","games":[{"name":"g","rules":[]}],"limits":{}}'
    with pytest.raises(BadMessage, match=r"`hello`: the field `games\[0\].players` is missing"):
        decode_arena_message(hello)


def test_the_arena_is_told_apart_from_a_bot() -> None:
    with pytest.raises(BadMessage, match=r"the arena sends bye, .*, not 'quit'") as caught:
        decode_arena_message(encode(Quit())[:-1])
    assert caught.value.code == "unknown_type"


def message_of(kind: str, fields: dict[str, object]) -> bytes:
    return json.dumps({"type": kind} | fields).encode()


FIELDS = ["match", "id", "seat", "clock", "state", "legal", "actions", "note", "protocol", "name", "want", "claim"]
TEXT = st.text("aé\n\x00\u202e😀", max_size=4)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
JSON = PLAIN | st.lists(PLAIN, max_size=3) | st.dictionaries(TEXT, PLAIN, max_size=3)


@given(
    st.binary(max_size=80)
    | st.builds(
        message_of,
        st.sampled_from(["join", "ready", "play", "say", "pong", "turn", "event", "sing"]),
        st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4),
    )
)
def test_any_line_is_a_message_or_a_bad_one(line: bytes) -> None:
    """No other exception, and a reason that can be printed anywhere."""
    for decode in (decode_bot_message, decode_arena_message):
        try:
            decode(line)
        except BadMessage as bad:
            assert bad.reason.isprintable()  # noqa: PT017 (not every line is bad)


# ---- excerpts --------------------------------------------------------------------------------------------------------


@given(st.binary(max_size=1000))
def test_an_excerpt_is_short_and_printable(line: bytes) -> None:
    shown = excerpt(line)
    assert len(shown) <= EXCERPT_CHARACTERS
    assert shown.isprintable()


def test_an_excerpt_is_the_line_where_it_can_be_and_says_when_it_is_cut() -> None:
    assert excerpt(b"a" * 120) == "a" * 120
    assert excerpt(b"a" * 121) == "a" * 119 + "…"
    assert excerpt("\x1b[31mrojo\u202e".encode()) == "�[31mrojo�"
    assert len(excerpt("😀".encode() * 119)) == 119


def test_a_wanted_little_is_written_little() -> None:
    """Absent options don't go over the wire."""
    assert encode(Join(protocol=1, name="x", want=[])) == b'{"type":"join","protocol":1,"name":"x","want":[]}\n'
    turn = b'{"type":"turn","match":"m","id":1,"seat":0,"clock":{}}'
    message = decode_arena_message(turn)
    assert isinstance(message, Turn)
    assert encode(message) == turn + b"\n"
