"""Games for a team, and games with hidden information: talk, forfeits, and what each seat is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest
import trio
from arena.scripted import CRASH, Played, Player, Reply, Table, act, say, timeless
from games.moctezuma.kit import DECKS, game
from toygame import NimGame, add_toy_game
from trio.testing import MockClock

from mexica_cli.client import Bot as Client
from mexica_cli.client import Session
from mexica_cli.client import Turn as ClientTurn
from mexica_cli.games.game import Game, JsonDict, State
from mexica_cli.record.lines import ActionLine, FaultLine, GameLine, SayLine
from mexica_cli.wire.framing import encode
from mexica_cli.wire.messages import ArenaMessage, Claim, Error, Event, Reject, Result, Said, Say, Start, Turn, Want

TEAM = NimGame(team=4)
EVENTS: tuple[Want, ...] = ("events",)


@pytest.fixture(autouse=True)
def _nim(monkeypatch: pytest.MonkeyPatch) -> None:
    add_toy_game(monkeypatch)


def talk(text: str, *, match: str = "1-1", claim: Claim | None = None) -> Reply:
    return say(Say(match=match, text=text, claim=claim))


# ---- talk ------------------------------------------------------------------------------------------------------------


async def test_talk_goes_to_the_others_and_into_the_log(nursery: trio.Nursery) -> None:
    claim = Claim(holds=["tlaloc"], plays=["cura"])
    ann = Player("ann", [talk("mine", claim=claim), talk("all of them"), act("take 3")], want=EVENTS)
    bob, cyd = Player("bob", want=EVENTS), Player("cyd")
    table = Table(nursery, ann, bob, cyd, game=TEAM)
    played = await table.play()
    assert played.of(SayLine) == [
        SayLine(match="1-1", n=0, seat=0, text="mine", claim=claim),
        SayLine(match="1-1", n=0, seat=0, text="all of them"),
    ]
    assert bob.told(Said) == [
        Said(match="1-1", seat=0, text="mine", claim=claim),
        Said(match="1-1", seat=0, text="all of them"),
    ]
    assert ann.told(Said) == cyd.told(Said) == []
    assert bob.kinds()[:5] == ["start", "said", "said", "event", "event"]
    assert table.verified(played.lines).games == 1


async def test_talk_out_of_its_time_reaches_nobody(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1"), [talk("too late"), act("end")], [talk("hm", match="7-7"), act("end")])
    played = await Table(nursery, ann, Player("bob", want=EVENTS), game=TEAM).play(pile=3)
    assert [error.code for error in ann.told(Error)] == ["not_now", "not_now"]
    assert not any(error.fatal for error in ann.told(Error))
    assert played.of(SayLine) == []


async def test_who_talks_after_its_answer_is_heard_when_it_is_asked_again(nursery: trio.Nursery) -> None:
    ann = Player("ann", [act("take 1", "end"), talk("mine")])
    bob = Player("bob", want=EVENTS)
    played = await Table(nursery, ann, bob, game=TEAM).play(pile=4)
    assert [(line.n, line.text) for line in played.of(SayLine)] == [(3, "mine")]
    assert [said.text for said in bob.told(Said)] == ["mine"]


async def test_talk_is_limited_for_each_question(nursery: trio.Nursery) -> None:
    chatter = [talk(str(number)) for number in range(6)]
    ann = Player("ann", [*chatter, act("end")], [talk("again"), act("end")])
    played = await Table(nursery, ann, Player("bob"), game=TEAM).play(pile=4)
    assert [line.text for line in played.of(SayLine)] == ["0", "1", "2", "3", "again"]
    assert [error.code for error in ann.told(Error)] == ["enough_said", "enough_said"]


async def test_nobody_talks_where_there_is_no_team(nursery: trio.Nursery) -> None:
    ann = Player("ann", [talk("mine"), act("end")])
    played = await Table(nursery, ann, Player("bob", want=EVENTS)).play(pile=2)
    assert [error.code for error in ann.told(Error)] == ["no_talk"]
    assert played.of(SayLine) == []


# ---- forfeits --------------------------------------------------------------------------------------------------------


async def test_a_team_plays_on_till_nobody_is_left(nursery: trio.Nursery) -> None:
    ann = Player("ann", CRASH, want=EVENTS)
    bob = Player("bob", then=act("take 1", "end"), want=EVENTS)
    table = Table(nursery, ann, bob, game=TEAM)
    played = await table.play()
    assert (played.result.outcome, played.result.won, played.result.ranking) == ("forfeit", True, [2, 1])
    assert bob.told(Result)[0].won is True
    assert table.verified(played.lines).games == 1


async def test_a_team_that_nobody_is_left_of_has_lost(nursery: trio.Nursery) -> None:
    table = Table(nursery, Player("ann", CRASH), Player("bob", act("take 1", "end"), CRASH), game=TEAM)
    played = await table.play()
    assert (played.result.won, played.result.ranking) == (False, [3, 2])
    assert table.verified(played.lines).games == 1


async def test_a_team_of_one(nursery: trio.Nursery) -> None:
    for answer, won, ranking in ((act("take 1", "end"), True, [1]), (act("end"), False, [2]), (CRASH, False, [2])):
        table = Table(nursery, Player("ann", then=answer), game=TEAM)
        played = await table.play()
        assert (played.result.won, played.result.ranking) == (won, ranking)
        assert table.verified(played.lines).games == 1


async def test_games_without_a_team_are_neither_won_nor_lost(nursery: trio.Nursery) -> None:
    ann = Player("ann")
    played = await Table(nursery, ann, Player("bob")).play(pile=2)
    assert played.result.won is None
    assert b"won" not in encode(ann.told(Result)[0])


# ---- hidden information ----------------------------------------------------------------------------------------------


class Guess(Client):
    """Plays at random and talks at random, wanting everything."""

    name = "guess"

    def play(self, turn: ClientTurn) -> str:
        """Any legal action."""
        if turn.state and turn.state["phase"] == "planning":
            self.say("hm", Claim(lacks=["cura"]))
        return self.random.choice(turn.legal or [])


class Guesser(Player):
    """A player that answers as `Guess` does, or another bot."""

    def __init__(self, name: str, bot: type[Client] = Guess) -> None:
        super().__init__(name)
        self._session = Session(bot.make([]))

    def replies(self, message: ArenaMessage) -> Sequence[Reply]:
        """What the bot says to a message."""
        self.heard.append((0.0, message))
        return [say(line) for line in self._session.receive(encode(message))]

    def lines(self) -> list[bytes]:
        """Everything it was told in matches, as it went over the wire."""
        return [encode(message) for _, message in self.heard if self._is_of_a_match(message)]

    def _is_of_a_match(self, message: ArenaMessage) -> bool:
        return hasattr(message, "match")


class Wrong(Guess):
    """Plays cards that it doesn't hold."""

    name = "wrong"

    def play(self, turn: ClientTurn) -> str:
        """In Planning, a card of which it holds none."""
        if turn.state and turn.state["phase"] == "planning":
            return next(f"play {card}" for card in ("cuachic", "otomitl") if f"play {card}" not in (turn.legal or []))
        return super().play(turn)


class Dealt:
    """A game that is dealt as it is told."""

    def __init__(self, on: Game, setup: JsonDict) -> None:
        self._on = on
        self._setup = setup

    def deal(self, players: int, seed: int) -> JsonDict:
        """That deal."""
        return self._setup

    def __getattr__(self, name: str) -> Any:
        return getattr(self._on, name)


async def play_moctezuma(nursery: trio.Nursery, on: Any, players: int, master: int = 7) -> tuple[Played, list[Guesser]]:
    seats = [Guesser(f"guess{seat}") for seat in range(players)]
    return await Table(nursery, *seats, game=on, seed=master).play(), seats


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("players", range(1, 6))
async def test_every_seat_is_told_what_it_may_see_and_no_more(nursery: trio.Nursery, deck: str, players: int) -> None:
    on = game(deck)
    played, seats = await play_moctezuma(nursery, on, players)
    (begun,) = played.of(GameLine)
    for number, seat in enumerate(seats):
        state = on.start(players, begun.setup)
        assert seat.told(Start)[0].state == seen(state, number)
        told = iter(seat.told(Event))
        asked = {turn.state["turn"]: turn for turn in seat.told(Turn) if turn.state}
        for line in played.of(ActionLine):
            action = state.parse(line.action)
            if line.seat == number and (turn := asked.get(state.turn)):
                assert turn.state is not None
                assert turn.state["seat"] == number
            followed = [state.shown(entry, number) for entry in state.apply(action)]
            event = next(told)
            assert event.action == state.shown_text(action, line.seat, number)
            assert event.followed == followed
    assert any(event.action == "play ?" for seat in seats for event in seat.told(Event)) == (players > 1)


def seen(state: State, seat: int) -> JsonDict:
    """The observation of a seat as it comes over the wire."""
    view: JsonDict = msgspec.json.decode(msgspec.json.encode(state.observation(seat)))
    return view


async def test_the_position_and_the_deal_stay_in_the_arena(nursery: trio.Nursery) -> None:
    played, seats = await play_moctezuma(nursery, game(), 3)
    (begun,) = played.of(GameLine)
    secrets = [str(begun.setup["chance"]).encode(), b'"position"', b'"digest"', b'"setup"']
    for seat in seats:
        assert len(seat.lines()) > 50
        assert not [secret for secret in secrets for line in seat.lines() if secret in line]


async def test_a_forfeit_tells_nobody_else_what_the_hand_holds(nursery: trio.Nursery) -> None:
    """The seat itself is told why; to the others that would show its cards."""
    seats = [Guesser("guess"), Guesser("wrong", Wrong)]
    played = await Table(nursery, *seats, game=game(), seed=7).play()
    told = [reject.reason for reject in seats[1].told(Reject)]
    assert len(told) == 3
    assert all("right would be play " in reason for reason in told)
    (fault,) = played.of(FaultLine)
    assert re.fullmatch(r"3 illegal actions in this match; the last was 'play (cuachic|otomitl)'", fault.reason)
    assert not [line for line in seats[0].lines() if b"right would be" in line]


@pytest.mark.parametrize("pile", ["mexica", "conquistadors"])
@pytest.mark.parametrize("players", [1, 2, 3, 5])
async def test_games_that_differ_in_what_never_came_up_are_told_alike(
    autojump_clock: MockClock, nursery: trio.Nursery, players: int, pile: str
) -> None:
    """Byte for byte, to every seat: cards that are never drawn may lie in any order, whatever the master seed was."""
    on = game()
    for seed in range(40):
        setup = on.deal(players, seed)
        played, seats = await play_moctezuma(nursery, Dealt(on, setup), players)
        hidden = {**setup, pile: never_seen(on, players, setup, played, pile)}
        if hidden != setup:
            break
    assert hidden != setup
    again, others = await play_moctezuma(nursery, Dealt(on, hidden), players, master=8)
    assert [seat.lines() for seat in seats] == [seat.lines() for seat in others]
    without_ends = [timeless(lines[1:-1]) for lines in (played.lines, again.lines)]
    assert without_ends[0] == without_ends[1]
    assert played.result.digest != again.result.digest


def never_seen(on: Game, players: int, setup: JsonDict, played: Played, pile: str) -> list[str]:
    """A pile of the deal with the cards turned round that lay at its bottom all the time."""
    state: Any = on.start(players, setup)
    deck = {"mexica": "deck", "conquistadors": "siege_deck"}[pile]
    left = [getattr(state, deck)]
    for line in played.of(ActionLine):
        state.apply(state.parse(line.action))
        left.append(getattr(state, deck))
    bottom = min((common(one, other) for one, other in pairwise(left)), default=0)
    cards: list[str] = setup[pile]
    return cards[: len(cards) - bottom] + cards[len(cards) - bottom :][::-1]


def common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many cards lie at the bottom of both."""
    return next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
