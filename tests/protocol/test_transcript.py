"""The transcript is one whole match that agrees with the schemas, the rules, and itself."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mexica_cli.games import restore_game
from mexica_cli.games.game import State
from mexica_cli.wire.framing import decode_arena_message, decode_bot_message
from mexica_cli.wire.messages import Event, Message, Play, Reject, Result, Start, Turn


class Entry(msgspec.Struct, rename={"sender": "from", "receiver": "to"}):
    """A line of the file."""

    sender: int | str
    receiver: int | str
    line: msgspec.Raw

    @property
    def from_arena(self) -> bool:
        return self.sender == "arena"

    @property
    def seat(self) -> int:
        seat = self.receiver if self.from_arena else self.sender
        assert isinstance(seat, int)
        return seat

    def message(self) -> Message:
        return decode_arena_message(bytes(self.line)) if self.from_arena else decode_bot_message(bytes(self.line))


@pytest.fixture(scope="module")
def path(protocol: Path) -> Path:
    return protocol / "transcripts" / "short-game.jsonl"


@pytest.fixture(scope="module")
def entries(path: Path) -> list[Entry]:
    return [msgspec.json.decode(line, type=Entry) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def heard(entries: list[Entry]) -> list[list[Message]]:
    """By seat, what it was sent and what it sent."""
    return [[entry.message() for entry in entries if entry.seat == seat] for seat in (0, 1)]


def first_state(start: Start) -> State:
    return restore_game(start.game, start.options).from_position(start.state["position"])


def test_it_is_of_a_size_to_look_at(path: Path) -> None:
    assert path.stat().st_size < 300_000


def test_every_line_fits_the_schema(entries: list[Entry], schemas: dict[str, Any]) -> None:
    for entry in entries:
        assert {entry.sender, entry.receiver} == {"arena", entry.seat}
        schemas["arena-messages" if entry.from_arena else "bot-messages"].check(msgspec.json.decode(entry.line))


def test_every_state_fits_the_schema(heard: list[list[Message]], schemas: dict[str, Any]) -> None:
    states = [message.state for message in heard[0] if isinstance(message, Start | Turn)]
    assert len(states) > 10
    for state in states:
        schemas["mexica-state"].check(state)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_events_lead_to_the_result(heard: list[list[Message]], seat: int) -> None:
    state, result = None, None
    for message in heard[seat]:
        match message:
            case Start():
                state = first_state(message)
            case Event(action=str(action)):
                assert state is not None
                assert state.to_act == message.seat
                assert state.is_legal(state.parse(action))
                assert state.apply(state.parse(action)) == message.followed
            case Result():
                result = message
    assert state is not None
    assert result is not None
    assert (result.scores, result.ranking) == (state.scores(), state.ranking())


def test_turns_show_the_position_as_it_was(heard: list[list[Message]]) -> None:
    state: State | None = None
    for message in heard[0]:
        match message:
            case Start():
                state = first_state(message)
            case Event(action=str(action)):
                assert state is not None
                state.apply(state.parse(action))
            case Turn():
                assert state is not None
                assert message.state is not None
                assert message.state["position"] == state.position()
                assert message.legal == sorted(map(state.text, state.legal_actions()))


def test_seat_1_is_sent_neither_states_nor_lists(heard: list[list[Message]]) -> None:
    turns = [message for message in heard[1] if isinstance(message, Turn)]
    assert turns
    assert all(turn.state is None and turn.legal is None for turn in turns)


def test_it_shows_nearly_everything(heard: list[list[Message]]) -> None:
    kinds = Counter(str(m.action).partition(" ")[0] for m in heard[0] if isinstance(m, Event) and m.action is not None)
    rejects = {m.code for m in (*heard[0], *heard[1]) if isinstance(m, Reject)}
    words = "place canal bridge walk boat temple teleport found take spend retire agree refuse end"
    assert set(words.split()) <= set(kinds)
    assert rejects == {"palace", "turn_over"}
    assert {len(m.actions) > 1 for m in heard[0] if isinstance(m, Play)} == {True, False}
